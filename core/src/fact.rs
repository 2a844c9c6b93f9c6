//! Something that happened and may be told. Never changed, never taken back.

use std::sync::Arc;

use crate::answer::Answers;
use crate::ask::Ask;
use crate::entry::Entry;
use crate::hearing::{Held, Voice};
use crate::id::{AskId, QuestionId, SessionId, UserId};
use crate::message::Message;
use crate::outcome::{By, Outcome};
use crate::session::{Session, SessionStatus};
use crate::task::Task;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A session began.
    SessionOpened(Box<Session>),
    /// An ask was accepted.
    Asked(Arc<Ask>),
    /// Conditions on other asks are settled: these questions need not be asked.
    Settled {
        ask: AskId,
        /// The questions that are left out.
        dropped: Vec<QuestionId>,
    },
    /// An ask went on the channels.
    Shown { ask: AskId },
    /// A half-filled sheet was kept.
    Saved {
        ask: AskId,
        /// What is put down now.
        entries: Vec<(QuestionId, Entry)>,
        by: By,
    },
    /// One question was answered for good (P8).
    Submitted { ask: AskId, question: QuestionId, entry: Entry, by: By },
    /// A person answered by one press, and can still take it back.
    Held { ask: AskId, held: Held },
    /// A held answer was taken back, or could not become final.
    TakenBack {
        ask: AskId,
        /// Whose answer it was.
        user: UserId,
        by: By,
    },
    /// One of the people whom an ask is for has answered or said no.
    Heard {
        ask: AskId,
        /// What they said.
        voice: Voice,
    },
    /// An ask has been open for so long that others are shown it as well.
    Escalated { ask: AskId },
    /// An ask ended.
    Closed { ask: AskId, outcome: Arc<Outcome> },
    /// An answer came after the deadline and was kept.
    AnsweredLate { ask: AskId, answers: Answers, by: By },
    /// The outcome was handed to the asker.
    Delivered { ask: AskId },
    /// The asker went on.
    Acknowledged { ask: AskId },
    /// The outcome could never be handed over.
    Undeliverable { ask: AskId },
    /// An open ask went on in another session, which was restored from its own (D13).
    Moved {
        ask: AskId,
        /// The session that it was in.
        from: SessionId,
        /// The session that it is in.
        to: SessionId,
    },
    /// An ended ask was asked anew.
    Reopened {
        /// The ended ask.
        ask: AskId,
        /// The new one.
        as_new: AskId,
    },
    /// A session ended.
    SessionEnded {
        session: SessionId,
        /// In which way.
        status: SessionStatus,
    },
    /// A task was given, moved on, or was taken up again.
    TaskChanged {
        /// The task as it is now.
        task: Arc<Task>,
        by: By,
    },
    /// Something was said in a task.
    Said(Arc<Message>),
}

impl Fact {
    /// Returns the ask that it is about, if it is about one.
    pub fn ask(&self) -> Option<AskId> {
        match self {
            Self::Asked(ask) => Some(ask.id),
            Self::Settled { ask, .. }
            | Self::Shown { ask }
            | Self::Saved { ask, .. }
            | Self::Submitted { ask, .. }
            | Self::Held { ask, .. }
            | Self::TakenBack { ask, .. }
            | Self::Heard { ask, .. }
            | Self::Escalated { ask }
            | Self::Closed { ask, .. }
            | Self::AnsweredLate { ask, .. }
            | Self::Delivered { ask }
            | Self::Acknowledged { ask }
            | Self::Undeliverable { ask }
            | Self::Moved { ask, .. }
            | Self::Reopened { ask, .. } => Some(*ask),
            Self::SessionOpened(_) | Self::SessionEnded { .. } | Self::TaskChanged { .. } | Self::Said(_) => {
                None
            }
        }
    }
}
