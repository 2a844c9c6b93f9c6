//! Who asks, and under which terms: everything of an ask except its questions.

use std::time::Duration;

use crate::audience::Audience;
use crate::id::QuestionId;
use crate::outcome::CancelStatus;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asker {
    /// The agent, as `claude-code`.
    pub agent: Option<String>,
    /// The project's name.
    pub project: Option<String>,
    /// The project's folder.
    pub folder: Option<String>,
}

/// What the asker said around the questions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    pub asker: Asker,
    /// The session, by our id or by the agent's own.
    pub session: Option<String>,
    /// Whom it is for; the session's owner where nobody is named.
    pub audience: Option<Audience>,
    /// The question of an earlier round that this one builds on (P3).
    pub parent_question: Option<QuestionId>,
    /// How many rounds the asker announced (P11).
    pub total_rounds: Option<u32>,
    /// When the ask ends by itself, counted from when it was accepted.
    pub timeout: Option<Duration>,
    /// What happens then.
    pub policy: Option<TimeoutPolicy>,
    /// What a timeout is called (O3).
    pub cancel_status: CancelStatus,
    /// Why it is asked: Markdown, shown to the person.
    pub context: Option<String>,
    /// Whether an answer after the deadline is kept and delivered.
    pub late: Late,
    /// What the question is about.
    pub purpose: Purpose,
    /// The id of the asker's event: `opCode` of the response (O1).
    pub event: Option<String>,
    /// The agent's tool call.
    pub tool_use: Option<String>,
    /// Joins a repeated call to the first one.
    pub idempotency_key: Option<String>,
    /// Kept for the asker and for admins, never shown (E4): JSON as it came.
    pub metadata: Option<String>,
    /// The dialect in which the asker reads the outcome, by its name; it may come back for it from
    /// another process.
    pub reply_in: Option<String>,
    /// The template that it was filled in from, by its name.
    pub template: Option<String>,
}

impl Terms {
    /// Returns what the asker said of the deadline.
    pub fn timing(&self) -> Timing {
        Timing { timeout: self.timeout, policy: self.policy }
    }
}

/// When asks end by themselves and what happens then, as far as somebody said so: the asker, whoever
/// opened the session, the desk's configuration, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timing {
    /// When an ask ends, counted from when it was accepted.
    pub timeout: Option<Duration>,
    /// What happens then.
    pub policy: Option<TimeoutPolicy>,
}

impl Timing {
    /// Fills in from another what this one leaves open.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { timeout: self.timeout.or(other.timeout), policy: self.policy.or(other.policy) }
    }
}

/// What happens at the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeoutPolicy {
    /// The ask ends, unanswered (`return_cancel`).
    #[default]
    Cancel,
    /// What the asker marked as default is taken (`use_default`); where that does not answer
    /// everything, it ends unanswered.
    Default,
    /// The ask ends and the task is stopped (`abort_task`).
    Abort,
}

impl TimeoutPolicy {
    /// Reads a policy under either of its names.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "cancel" | "return_cancel" => Some(Self::Cancel),
            "default" | "use_default" => Some(Self::Default),
            "abort" | "abort_task" => Some(Self::Abort),
            _ => None,
        }
    }

    /// Returns its word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Default => "default",
            Self::Abort => "abort",
        }
    }

    /// The names that `parse` takes.
    pub const NAMES: [&'static str; 6] =
        ["cancel", "default", "abort", "return_cancel", "use_default", "abort_task"];
}

/// What becomes of an answer after the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Late {
    /// It is refused with what happened.
    #[default]
    Refuse,
    /// It is stored and delivered when the asker comes back.
    Keep,
}

/// What an ask is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    #[default]
    Decision,
    /// The right to do something: only a cookie or a terminal may grant it (invariant 6).
    Permission,
}
