//! The daemon's log: lines on standard error, as much as is configured.

use std::io;

use tracing::Level as Loudness;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Registry, reload};

use crate::config::Level;

/// Changes how much is logged.
#[derive(Clone)]
pub(super) struct Log(reload::Handle<Targets, Registry>);

impl Log {
    /// Begins to log.
    pub(super) fn start(level: Level) -> Self {
        let (targets, handle) = reload::Layer::new(targets(level));
        let lines =
            tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false).with_target(false);
        let subscriber = Registry::default().with(targets).with(lines);
        // A second daemon in one process, as in a test, logs with the first.
        let _set = tracing::subscriber::set_global_default(subscriber);
        Self(handle)
    }

    /// Logs this much from now on.
    pub(super) fn set(&self, level: Level) {
        // It fails only where nobody logs any more.
        let _set = self.0.reload(targets(level));
    }
}

fn targets(level: Level) -> Targets {
    let loudness = match level {
        Level::Error => Loudness::ERROR,
        Level::Warn => Loudness::WARN,
        Level::Info => Loudness::INFO,
        Level::Debug => Loudness::DEBUG,
    };
    // The MCP SDK tells the names of sessions and what clients say, which is theirs.
    Targets::new()
        .with_default(Loudness::ERROR)
        .with_target("askuser", loudness)
        .with_target("rmcp", Loudness::ERROR)
}
