//! One message of a conversation, wherever it came from (P1).
//!
//! A Claude Code transcript and a session of ours become the same messages, so that one drawing
//! serves both.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::AskId;
use askuser_core::limits::ASK_BYTES_MAX;
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use askuser_core::time::Timestamp;

/// The longest text of a message; what is longer is cut, and the message says by how much. No ask
/// of ours is as long.
pub const TEXT_BYTES_MAX: usize = ASK_BYTES_MAX;

#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its name in the chain; parts of one line share it. Empty where the line had none.
    pub uuid: String,
    /// The message before it, as the line says.
    pub parent: Option<String>,
    /// When, where that is known.
    pub at: Option<Timestamp>,
    /// The round that it belongs to, from 1.
    pub round: u32,
    /// What it says.
    pub said: Said,
    /// How many bytes of it were cut off.
    pub cut_bytes: usize,
}

/// What a message says: the eight kinds of P1.
#[derive(Debug, Clone, PartialEq)]
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
        name: String,
        /// Its arguments, as pretty JSON.
        input: String,
        /// Whether it succeeded, once its result is known.
        succeeded: Option<bool>,
    },
    /// What the tool returned.
    ToolResult {
        /// The tool, where the call is known.
        name: Option<String>,
        /// What it said.
        text: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// Something went wrong.
    Error(String),
    /// The task is done.
    Complete(String),
    /// A remark of the program around the agent.
    Notice(String),
    /// Questions to the person.
    Ask(Box<Asked>),
}

/// Whose words a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Person,
    Agent,
}

/// Questions to the person, and how they ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The ask, where it is one of ours.
    pub ask: Option<AskId>,
    /// What was asked.
    pub questions: Arc<Questions>,
    /// How it ended; none where it is open or nothing is known.
    pub ended: Option<Ended>,
}

/// How questions ended, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// How, by whom, where, and what was answered. Secrets are not in it.
    pub outcome: Outcome,
    /// Whether its moment is known; a line may have none.
    pub timed: bool,
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
            Self::Ask(_) => "ask_user_question",
        }
    }

    /// Returns about how much there is to read.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text { text, .. } | Self::ToolResult { text, .. } => text.len(),
            Self::Thinking(text) | Self::Error(text) | Self::Complete(text) | Self::Notice(text) => {
                text.len()
            }
            Self::ToolUse { input, .. } => input.len(),
            Self::Ask(asked) => asked.bytes(),
        }
    }
}

impl Asked {
    /// Returns an ask of ours as it stands, without what was answered in secret.
    pub fn of(ask: &Ask) -> Self {
        let ended = ask.state.outcome().map(|outcome| {
            let told = super::super::outcome::hidden(&ask.questions, outcome);
            Ended::from(told.into_owned())
        });
        Self { ask: Some(ask.id), questions: Arc::clone(&ask.questions), ended }
    }

    fn bytes(&self) -> usize {
        let all = self.questions.all();
        let asked = all.iter().map(|question| {
            let choices = question.choices.iter();
            let choices = choices.map(|choice| {
                let more = choice.description.as_ref().map_or(0, String::len);
                choice.label.len() + more
            });
            question.text.len()
                + question.description.as_ref().map_or(0, String::len)
                + choices.sum::<usize>()
        });
        let answers = self.ended.iter().flat_map(|ended| &ended.outcome.answers.0);
        let answered = answers.map(|answer| answer.text.as_ref().map_or(0, String::len));
        asked.sum::<usize>() + answered.sum::<usize>()
    }
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, timed: true }
    }
}

/// Cuts a text to what a message may hold; returns how many bytes went.
pub(super) fn cut(mut text: String) -> (String, usize) {
    let n_bytes = text.len();
    if n_bytes > TEXT_BYTES_MAX {
        text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
        text.shrink_to_fit();
    }
    let n_cut = n_bytes - text.len();
    (text, n_cut)
}
