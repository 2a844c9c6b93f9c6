//! What the configuration says of alerts, with the secret that messages are signed with; and how long
//! the log of decisions is kept.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use askuser_client::home::{Home, write_private};
use askuser_config::Config;
use askuser_desk::Desk;
use askuser_net::webhook::Webhook;
use askuser_watch::Watch;

/// Begins to watch the desk, as the configuration says.
pub(super) fn watch(desk: &Desk, config: &Config, home: &Home) -> Arc<Watch> {
    let watch = Arc::new(Watch::new(desk.clone()));
    set(&watch, config, home);
    watch
}

/// Sets the rules and whom to tell. The secret is `keys/webhook`, made on first use.
pub(super) fn set(watch: &Watch, config: &Config, home: &Home) {
    let webhook = config.alerts.webhook.as_ref().and_then(|url| match secret(home) {
        Ok(secret) => Webhook::new(url, &secret).map_err(|error| error.to_string()).map_err(complain).ok(),
        Err(error) => {
            complain(error.to_string());
            None
        }
    });
    watch.set_collector(config.traces.collector.clone());
    watch.set_retention(config.audit.retention);
    watch.set_alerts(config.alerts.rules.clone(), webhook);
}

#[expect(clippy::needless_pass_by_value, reason = "it ends here")]
fn complain(what: String) {
    tracing::error!("Alerts are not posted to the webhook: keys/webhook: {what}");
}

fn secret(home: &Home) -> std::io::Result<String> {
    let path = home.folder().join("keys").join("webhook");
    match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
            let secret = format!("whsec_{}", STANDARD.encode(secret));
            write_private(&path, &format!("{secret}\n"))?;
            tracing::info!("Created the webhook's secret, keys/webhook");
            Ok(secret)
        }
        read => read,
    }
}
