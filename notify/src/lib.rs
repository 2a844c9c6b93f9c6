//! Notifications: the person learns that an agent waits, once, where they are, and answers from there.
//!
//! In reading order: who is nudged when (`minder`, pure), what a nudge says (`nudge` and `deadline`, pure), what a
//! channel is (`carrier`), who carries (`courier`), whom an ask waits for (`waiting`, pure), who listens
//! and hands over (`nudger`, which begins with its `stock`), what comes back (`replies`); then a file a
//! channel.
//!
//! Nothing here holds an ask up: the nudger waits for the store alone, each channel has a task and a
//! bounded queue of its own. What was sent is noted before it is sent, so nobody is nudged twice.

#![forbid(unsafe_code)]

mod minder;
mod deadline;
mod nudge;
mod carrier;
mod courier;
mod waiting;
mod nudger;
mod stock;
mod replies;
mod command;
mod desktop;
mod webhook;
mod ntfy;
mod telegram;
mod email;
mod slack;
mod push;
mod browsers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use self::carrier::{Carrier, Later, Retry, SendError};
pub use self::minder::Why;
pub use self::nudge::{Ended, Letter, Nudge};
pub use self::replies::Replies;
use askuser_config::{ChannelPart, Notify};
use askuser_desk::{Clock, Desk};
use askuser_net::http::Http;
use askuser_net::trust::Trust;
use askuser_system::backoff::Pauses;
use askuser_system::environment::Environment;
use askuser_words::Both;

/// What notifications are made of.
#[derive(Clone)]
pub struct Settings {
    /// Who is told how.
    pub notify: Notify,
    /// Where `file:…` is found.
    pub folder: PathBuf,
    /// What a person's own program is given of our environment.
    pub environment: Environment,
    /// How long to wait before each further attempt.
    pub pauses: Pauses,
    /// The wall clock may jump while we sleep by the other one: how often it is looked at.
    pub look_every: Duration,
    /// Counts the configurations that one notifier was given.
    edition: u64,
    /// A file of certificates that are trusted besides the system's.
    certificates: Option<PathBuf>,
    http: Http,
}

impl Settings {
    /// Takes a configuration.
    pub fn new(notify: Notify, folder: PathBuf, environment: Environment) -> Self {
        let certificates = notify.certificates.as_ref().map(|path| folder.join(path));
        let http = Http::new(Trust::with(certificates.as_deref()));
        let (pauses, look_every) = (Pauses::OF_A_MESSAGE, nudger::LOOK_EVERY);
        Self { notify, folder, environment, pauses, look_every, edition: 0, certificates, http }
    }
}

/// Nudges people until it is closed.
pub struct Notifier {
    settings: watch::Sender<Arc<Settings>>,
    /// The edition of the configuration under which people are nudged by now.
    in_force: watch::Receiver<Option<u64>>,
    stop: CancellationToken,
    task: TaskTracker,
}

impl Notifier {
    /// Begins to nudge, from what is open already.
    pub fn start(desk: &Desk, settings: Settings) -> Self {
        let push = browsers::rule(&settings.notify);
        desk.configure(|settings| settings.push = push);
        let (settings, changed) = watch::channel(Arc::new(settings));
        let (stop, task) = (CancellationToken::new(), TaskTracker::new());
        let (begun, in_force) = watch::channel(None);
        task.spawn(browsers::run(desk.clone(), changed, begun, stop.clone()));
        Self { settings, in_force, stop, task }
    }

    /// Goes on under another configuration.
    pub fn set(&self, notify: Notify) {
        let old = Arc::clone(&self.settings.borrow());
        if old.notify != notify {
            let (folder, environment) = (old.folder.clone(), old.environment.clone());
            let (pauses, look_every, edition) = (old.pauses, old.look_every, old.edition + 1);
            let new = Settings { pauses, look_every, edition, ..Settings::new(notify, folder, environment) };
            self.settings.send_replace(Arc::new(new));
        }
    }

    /// Waits until the latest configuration is in force.
    pub async fn settled(&self) {
        let wanted = self.settings.borrow().edition;
        // Where nobody nudges any more there is nothing to wait for.
        let mut in_force = self.in_force.clone();
        let _closed = in_force.wait_for(|edition| *edition >= Some(wanted)).await;
    }

    /// Stops, and waits for a while until what is being sent is sent.
    pub async fn close(&self) {
        self.stop.cancel();
        self.task.close();
        self.task.wait().await;
    }
}

/// Makes the channel that is configured; says why it cannot be used where it cannot. Without a place for
/// replies it only sends.
pub fn make_carrier(
    settings: &Settings,
    part: &ChannelPart,
    clock: Clock,
    replies: Option<Replies>,
) -> Result<Arc<dyn Carrier>, Both> {
    let (http, folder) = (settings.http.clone(), settings.folder.as_path());
    Ok(match part {
        ChannelPart::Command(part) => Arc::new(command::Program::new(part, &settings.environment)),
        ChannelPart::Desktop(_) => Arc::new(desktop::Desktop::new(&settings.environment)?),
        ChannelPart::Webhook(part) => Arc::new(webhook::Hook::new(part, folder, http, clock)?),
        ChannelPart::Telegram(part) => Arc::new(telegram::Telegram::new(part, folder, http, replies)?),
        ChannelPart::Slack(part) => Arc::new(slack::Slack::new(part, folder, http, replies)?),
        ChannelPart::Email(part) => {
            Arc::new(email::Email::new(part, folder, settings.certificates.as_deref(), clock)?)
        }
        ChannelPart::Ntfy(part) => Arc::new(ntfy::Ntfy::new(part, folder, http, replies)?),
        ChannelPart::WebPush(_) => Arc::new(push::Push::new(&settings.notify, http, clock, replies)?),
    })
}

#[cfg(test)]
mod tests;
