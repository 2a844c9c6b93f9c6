//! One message of a task's conversation: the eight kinds of P1.
//!
//! An ask that goes through the desk is a message as well (`ask_user_question`): the fact that it
//! was asked. The chain of a task's session is the order of its facts: each message names the
//! message, the ask or the outcome before it.

use crate::id::{AskId, MessageId};
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its name in the chain.
    pub id: MessageId,
    /// What came before it; none for the first.
    pub parent: Option<MessageId>,
    /// The round that it belongs to; 0 before the first question.
    pub round: u32,
    pub at: Timestamp,
    /// What it says.
    pub said: Said,
    /// How many bytes there are in all, where only the beginning is here and the whole is kept
    /// beside the store.
    pub whole_bytes: Option<u64>,
}

/// A message before it has its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMessage {
    pub id: MessageId,
    /// What it says.
    pub said: Said,
    /// As in [`Message`].
    pub whole_bytes: Option<u64>,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Words of the person or of the agent.
    Text {
        by: Speaker,
        /// Markdown where the agent wrote it.
        text: String,
    },
    /// What the agent thought.
    Thinking(String),
    /// A tool was called.
    ToolUse {
        /// The agent's name of the call.
        call: String,
        name: String,
        /// Its arguments: JSON as it came.
        input: String,
    },
    /// What a tool returned.
    ToolResult {
        /// The agent's name of the call.
        call: String,
        /// What it said.
        text: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// Something went wrong.
    Error(String),
    /// The task is done; what the agent says of it.
    Complete(String),
    /// A remark of the program around the agent.
    Notice(String),
    /// The agent asked a person by a way that does not lead through this task's session (D3): its
    /// questions are shown, and answered where they were asked.
    Ask {
        /// The agent's name of the call.
        call: String,
        /// Its arguments: JSON as it came.
        input: String,
    },
}

/// Whose words a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Agent,
}

impl Said {
    /// Returns the name of its kind (P1).
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Thinking(_) => "thinking",
            Self::ToolUse { .. } => "tool_use",
            Self::ToolResult { .. } => "tool_result",
            Self::Error(_) => "error",
            Self::Complete(_) => "complete",
            Self::Notice(_) => "info",
            Self::Ask { .. } => "ask_user_question",
        }
    }

    /// Returns what there is to read of it.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text, .. }
            | Self::Thinking(text)
            | Self::ToolResult { text, .. }
            | Self::Error(text)
            | Self::Complete(text)
            | Self::Notice(text) => text,
            Self::ToolUse { input, .. } | Self::Ask { input, .. } => input,
        }
    }

    /// The same, for cutting it.
    pub fn text_mut(&mut self) -> &mut String {
        match self {
            Self::Text { text, .. }
            | Self::Thinking(text)
            | Self::ToolResult { text, .. }
            | Self::Error(text)
            | Self::Complete(text)
            | Self::Notice(text) => text,
            Self::ToolUse { input, .. } | Self::Ask { input, .. } => input,
        }
    }
}

impl MessageId {
    /// The place of an ask in the chain: the message that asks.
    pub fn of_ask(ask: AskId) -> Self {
        Self(ask.0)
    }

    /// The place of its outcome.
    pub fn of_outcome(ask: AskId) -> Self {
        Self(ask.0 ^ 1)
    }

    /// The place of the system's message that the task is stopped with it (O4).
    pub fn of_stop(ask: AskId) -> Self {
        Self(ask.0 ^ 2)
    }

    /// The asks whose place it may be, whichever of the three.
    pub fn asks(self) -> [AskId; 3] {
        [self.0, self.0 ^ 1, self.0 ^ 2].map(AskId)
    }
}
