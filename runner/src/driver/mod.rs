//! Speaking an agent's protocol. A driver runs one task to its end on a stage that is set for it; it
//! knows neither the store nor the process, only lines, messages and questions.

mod acp;
mod claude;

use std::path::PathBuf;
use std::sync::Arc;

use askuser_core::task::Task;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::SESSION;
use super::agent::{ConfiguredAgent, Driver};
use super::asking::Asking;
use super::child::Pipes;
use super::message_writer::MessageWriter;
use askuser_desk::DeskError;

/// Everything that a driver works with.
pub(super) struct Stage {
    /// The task, as it was when it began to run.
    pub(super) task: Arc<Task>,
    /// Where what the agent says goes.
    pub(super) writer: MessageWriter,
    /// Where what it asks goes.
    pub(super) asking: Asking,
    /// What the person says meanwhile.
    pub(super) says: mpsc::Receiver<String>,
    /// The agent's own name of the conversation, as soon as it is known.
    pub(super) named: mpsc::Sender<String>,
    /// Cancelled when the task is to stop: gently first.
    pub(super) stop: CancellationToken,
    /// What everything that runs for the task has in its environment.
    pub(super) surroundings: Vec<(String, String)>,
    /// Our own program, where the agent's tools may ask through it.
    pub(super) program: Option<PathBuf>,
}

impl Stage {
    /// Whether what the agent asks through our own program comes to the task's session.
    fn asks_here(&self) -> bool {
        self.surroundings.iter().any(|(name, _)| name == SESSION)
    }
}

/// How a run ended, as the driver sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    /// The agent says that it is done.
    Done,
    /// It failed; why, for the person.
    Failed(String),
    /// It was stopped, and why in a word.
    Stopped(&'static str),
    /// It ended without a word: what is known of its process says more.
    Gone,
}

/// Stopped by its person.
pub(super) const BY_USER: &str = "user";
/// Stopped because nobody answered in time (O4).
pub(super) const ASK_USER_TIMEOUT: &str = "ask_user_timeout";

impl From<DeskError> for Ending {
    fn from(error: DeskError) -> Self {
        Self::Failed(format!("what the agent said could not be kept: {error}"))
    }
}

/// Returns the arguments that a driver adds to the agent's own.
pub(super) fn args(agent: &ConfiguredAgent, task: &Task) -> Vec<String> {
    match agent.driver {
        Driver::Claude => claude::args(task),
        Driver::Acp => Vec::new(),
    }
}

/// Runs a task to its end.
pub(super) async fn run(driver: Driver, stage: &mut Stage, pipes: Pipes) -> Ending {
    match driver {
        Driver::Claude => claude::run(stage, pipes).await,
        Driver::Acp => acp::run(stage, pipes).await,
    }
}
