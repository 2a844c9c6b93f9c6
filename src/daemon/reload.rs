//! Reloading the configuration, on SIGHUP or when an admin asks for it: what can change does, the rest is named.

use std::sync::Arc;

use askuser_words::both;
use askuser_words::failed::Failed;
use tokio::signal::unix::Signal;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::alerts;
use super::configured;
use super::log::Log;
use super::network::Network;
use askuser_client::home::Home;
use askuser_config::template::Shelf;
use askuser_config::{Config, Difference, FILE as CONFIG, LiveConfig, Settings, Wish};
use askuser_desk::Desk;
use askuser_http::Rates;
use askuser_notify::Notifier;
use askuser_watch::Watch;

/// What takes a new configuration while it runs.
pub(super) struct Reloading {
    pub(super) live: LiveConfig,
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
    /// Begins to listen for hang-ups and wishes; returns the way to make one.
    pub(super) fn start(self, hang_up: Signal, stop: CancellationToken) -> Settings {
        let (settings, wishes) = Settings::new();
        tokio::spawn(self.run(hang_up, wishes, stop));
        settings
    }

    /// Reloads at every hang-up and every wish until the server stops.
    async fn run(mut self, mut hang_up: Signal, mut wishes: mpsc::Receiver<Wish>, stop: CancellationToken) {
        loop {
            let wish = tokio::select! {
                rung = hang_up.recv() => match rung {
                    Some(()) => None,
                    None => return,
                },
                Some(wish) = wishes.recv() => Some(wish),
                () = stop.cancelled() => return,
            };
            let difference = match &wish {
                Some(Wish { reload: false, .. }) => self.live.read().0,
                _ => self.reload().await,
            };
            // Whoever asked may be gone by now; it is done all the same.
            let _heard = wish.map(|wish| wish.told.send(difference));
        }
    }

    async fn reload(&mut self) -> Difference {
        let (mut difference, new) = self.live.read();
        let Some(new) = new else {
            for fault in &difference.faults {
                error!("The settings are unchanged: {}", fault.english);
            }
            return difference;
        };
        if let Err(error) = self.desk.note_file(CONFIG, new.digest).await {
            error!("The settings are unchanged, because the change could not be recorded: {error}");
            difference.faults.push(both(|said: Failed| said.change_not_noted(&error)));
            return difference;
        }
        for name in &difference.restart {
            warn!("{name} has changed; it takes effect after a restart");
        }
        self.apply(&new.config);
        self.live.applied(new);
        info!("The settings were reloaded");
        difference
    }

    fn apply(&self, config: &Config) {
        self.log.set(&config.log);
        if let Some(network) = &self.network {
            network.reload(&config.server);
        }
        alerts::set(&self.watch, config, &self.home);
        self.notifier.set(config.notify.clone());
        configured::apply(&self.desk, config);
        if !self.desk.set_limits(configured::limits(config)) {
            warn!("Limits of conversations and questions take effect after a restart");
        }
        self.rates.send_replace(configured::rates(config));
        self.templates.keep_for(configured::templates_kept_for(config));
    }
}
