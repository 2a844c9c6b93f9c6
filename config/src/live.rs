//! What a server runs with, beside what its file says by now.

use std::path::PathBuf;

use askuser_words::Both;
use tokio::sync::{mpsc, oneshot};

use super::load::{ConfigError, Loaded, Sources};

/// How the file differs from what the server runs with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Keys that take effect when it is reloaded.
    pub reload: Vec<String>,
    /// Keys that take effect after a restart.
    pub restart: Vec<String>,
    /// What is wrong with it: as long as that is so, nothing of it takes effect.
    pub faults: Vec<Both>,
}

/// The configuration of a server that runs.
#[derive(Debug)]
pub struct LiveConfig {
    sources: Sources,
    /// What it was started with: keys that need a restart keep this value.
    started: Loaded,
    /// What was read last: all other keys have this value.
    latest: Loaded,
}

impl LiveConfig {
    /// A server that was started with this.
    pub fn new(sources: Sources, started: Loaded) -> Self {
        Self { sources, latest: started.clone(), started }
    }

    /// Reads the file as it is now, without applying any of it.
    pub fn read(&self) -> (Difference, Option<Loaded>) {
        match self.sources.load() {
            Ok(new) => {
                let file = new.file.clone();
                let (reload, restart) =
                    (new.reloaded_since(&self.latest), new.waits_for_start(&self.started));
                (Difference { file, reload, restart, faults: Vec::new() }, Some(new))
            }
            Err(ConfigError(faults)) => {
                let faults = faults.into_iter().map(Both::from).collect();
                let file = self.sources.file();
                (Difference { file, faults, ..Difference::default() }, None)
            }
        }
    }

    /// Notes what takes effect from now on.
    pub fn applied(&mut self, new: Loaded) {
        self.latest = new;
    }
}

/// What is wanted of whoever has the configuration.
#[derive(Debug)]
pub struct Wish {
    /// Apply what can change; else only tell.
    pub reload: bool,
    /// Where the answer goes.
    pub told: oneshot::Sender<Difference>,
}

/// The way to whoever has the configuration.
#[derive(Debug, Clone)]
pub struct Settings(mpsc::Sender<Wish>);

impl Settings {
    /// Makes the two ends of the way.
    pub fn new() -> (Self, mpsc::Receiver<Wish>) {
        let (sender, receiver) = mpsc::channel(8);
        (Self(sender), receiver)
    }

    /// Tells how the file differs, and applies what can change if `reload` says so; none if the server is
    /// stopping.
    pub async fn difference(&self, reload: bool) -> Option<Difference> {
        let (told, answer) = oneshot::channel();
        self.0.send(Wish { reload, told }).await.ok()?;
        answer.await.ok()
    }
}
