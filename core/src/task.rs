//! One piece of work that a person gave to an agent, and its life.

use std::sync::Arc;

use crate::id::{MessageId, ServerId, SessionId, TaskId, UserId};
use crate::time::Timestamp;

/// One task. It has a session of its own, in which its messages and asks stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub id: TaskId,
    pub session: SessionId,
    /// Whom it belongs to; for anybody else it is not there.
    pub owner: UserId,
    /// The agent, by the name that it is configured under.
    pub agent: String,
    /// The folder that it works in, as the system names it: without links.
    pub folder: String,
    /// What is to be done; once it was taken up again, what was said then.
    pub text: Arc<str>,
    /// Where it stands.
    pub state: TaskState,
    /// Why it stands there, where there is more to say than the state does.
    pub reason: Option<String>,
    /// How many times it was started, the first included.
    pub n_runs: u32,
    /// The agent's own name of the conversation, by which it can be taken up again.
    pub agent_session: Option<String>,
    /// The server that it was given to: which runs it, or lets it wait for its turn. None where an
    /// earlier version took it.
    pub server: Option<ServerId>,
    /// Whether its person wants it stopped while another server than theirs runs it.
    pub stop_wanted: bool,
    /// The process that runs it, while one does.
    pub child: Option<Child>,
    /// The latest message of its session: the one that the next names as its parent.
    pub last_message: Option<MessageId>,
    /// When it was given.
    pub created_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
}

/// A process, so that it is known again after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// Its number, which is also that of its process group.
    pub pid: u32,
    /// When it began, as the system counts: numbers are used again, the two together are not.
    pub started: u64,
}

/// Where a task stands. Whether it waits for a person is seen from its open asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// It waits until fewer tasks run.
    Queued,
    /// An agent works on it.
    Running,
    /// The agent says that it is done.
    Done,
    /// The agent could not be started, died, or gave up.
    Failed,
    /// It was stopped: by its person, or because nobody answered in time (O4).
    Stopped,
    /// Its server went away under it. It can be taken up again.
    Interrupted,
}

impl TaskState {
    /// Every state there is.
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Stopped, Self::Interrupted];

    /// Returns its word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether it is waiting for its turn or at work.
    pub fn is_alive(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }

    /// Whether the machine allows the move.
    pub fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Queued, Self::Running | Self::Failed | Self::Stopped | Self::Interrupted)
            | (Self::Running, Self::Done | Self::Failed | Self::Stopped | Self::Interrupted) => true,
            // Taking up again is the only way back.
            (ended, Self::Queued) => !ended.is_alive(),
            (_, _) => false,
        }
    }
}

/// How a task moves on, apart from being given and being taken up again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskMove {
    /// Its process runs.
    Run { child: Child },
    /// The agent told its own name of the conversation.
    Named { agent_session: String },
    /// It is done.
    Done,
    Fail {
        /// Why, for the person.
        reason: String,
    },
    /// It was stopped.
    Stop {
        /// A word: `user`, or `ask_user_timeout` (O4).
        reason: String,
    },
    /// Its person wants it stopped: whoever runs it hears of it and stops it.
    Halt,
    /// Its server went away under it.
    Interrupt {
        /// Why, for the person, where there is more to say.
        reason: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_moves_only_as_the_machine_allows() {
        let moves = |from: TaskState| -> Vec<&str> {
            TaskState::ALL.into_iter().filter(|to| from.may_become(*to)).map(TaskState::name).collect()
        };
        assert_eq!(moves(TaskState::Queued), ["running", "failed", "stopped", "interrupted"]);
        assert_eq!(moves(TaskState::Running), ["done", "failed", "stopped", "interrupted"]);
        for ended in [TaskState::Done, TaskState::Failed, TaskState::Stopped, TaskState::Interrupted] {
            assert_eq!(moves(ended), ["queued"], "{}", ended.name());
        }
    }
}
