//! Reading the configuration anew on SIGHUP: what can change does, the rest is named.

use std::sync::Arc;

use tokio::signal::unix::Signal;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::log::Log;
use super::network::Network;
use super::{alerting, outfit};
use crate::channel::notify::Notifier;
use crate::client::home::Home;
use crate::config::{Config, FILE as CONFIG, Loaded, Sources};
use crate::desk::Desk;
use crate::doorway::http::Rates;
use crate::template::Shelf;
use crate::watch::Watch;

/// What takes a new configuration while it runs.
pub(super) struct Reloading {
    pub(super) sources: Sources,
    pub(super) latest: Loaded,
    pub(super) desk: Desk,
    pub(super) rates: watch::Sender<Rates>,
    pub(super) templates: Arc<Shelf>,
    pub(super) log: Log,
    pub(super) watch: Arc<Watch>,
    pub(super) home: Home,
    pub(super) network: Option<Network>,
    pub(super) notifier: Arc<Notifier>,
}

impl Reloading {
    /// Reads the configuration at every hang-up until the daemon stops.
    pub(super) async fn run(mut self, mut hang_up: Signal, stop: CancellationToken) {
        loop {
            tokio::select! {
                rung = hang_up.recv() => if rung.is_none() { return },
                () = stop.cancelled() => return,
            }
            self.reload().await;
        }
    }

    async fn reload(&mut self) {
        let new = match self.sources.load() {
            Ok(new) => new,
            Err(faults) => {
                for fault in faults.0 {
                    error!("The configuration stays as it was: {fault}");
                }
                return;
            }
        };
        if let Err(error) = self.desk.note_file(CONFIG, new.digest).await {
            return error!("The configuration stays as it was, since its change cannot be noted: {error}");
        }
        for name in self.latest.waits_for_start(&new) {
            warn!("{name} has changed, which takes effect at the next start");
        }
        self.apply(&new.config);
        self.latest = new;
        info!("The configuration was read anew");
    }

    fn apply(&self, config: &Config) {
        self.log.set(&config.log);
        if let Some(network) = &self.network {
            network.reload(&config.server);
        }
        alerting::set(&self.watch, config, &self.home);
        self.notifier.set(config.notify.clone());
        outfit::furnish(&self.desk, config);
        if !self.desk.set_limits(outfit::limits(config)) {
            warn!("The limits of sessions and asks take effect at the next start");
        }
        self.rates.send_replace(outfit::rates(config));
        self.templates.keep_for(outfit::templates_kept_for(config));
    }
}
