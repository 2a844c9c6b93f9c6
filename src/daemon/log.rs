//! The daemon's log: lines on standard error or in the data folder, as much as is configured.

use std::io::{self, Write};
use std::sync::Arc;

use tracing::Level as Loudness;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Registry, reload};

use super::log_file::{Keep, LogFile};
use askuser_client::home::Home;
use askuser_config::{Level, LogKeys};

/// Changes how much is logged, and how much of it is kept.
#[derive(Clone)]
pub(super) struct Log {
    targets: reload::Handle<Targets, Registry>,
    file: Option<Arc<LogFile>>,
}

/// Where lines go.
struct Lines(Option<Arc<LogFile>>);

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Box<dyn Write + 'a>;

    fn make_writer(&'a self) -> Self::Writer {
        match &self.0 {
            Some(file) => Box::new(&**file),
            None => Box::new(io::stderr()),
        }
    }
}

impl Log {
    /// Begins to log: a daemon in the background to its file, any other to standard error unless it
    /// is configured otherwise.
    pub(super) fn start(keys: &LogKeys, home: &Home, background: bool) -> io::Result<Self> {
        let file = if background || keys.file {
            Some(Arc::new(LogFile::open(&home.log(), Keep::of(keys), background)?))
        } else {
            None
        };
        let (targets, handle) = reload::Layer::new(targets(keys.level));
        let lines = tracing_subscriber::fmt::layer()
            .with_writer(Lines(file.clone()))
            .with_ansi(false)
            .with_target(false);
        let subscriber = Registry::default().with(targets).with(lines);
        // A second daemon in one process, as in a test, logs with the first.
        let _set = tracing::subscriber::set_global_default(subscriber);
        Ok(Self { targets: handle, file })
    }

    /// Logs and keeps this much from now on.
    pub(super) fn set(&self, keys: &LogKeys) {
        // It fails only where nobody logs any more.
        let _set = self.targets.reload(targets(keys.level));
        if let Some(file) = &self.file {
            file.keep(Keep::of(keys));
        }
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
