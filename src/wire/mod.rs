//! The words on the wire: every dialect in which an ask can come, and one outcome in all of them.
//!
//! A dialect turns JSON into a [`Draft`], which may be wrong, and an [`Outcome`] into JSON; what is
//! allowed is `core`'s to say. Nothing is lost silently: where a dialect's answers could overwrite
//! or hide one another, the ask is refused or the parts are quoted.

pub mod dialect;
mod reading;
mod terms;
pub mod people;
pub mod permission;
mod collected;
pub mod insight;
mod joining;
mod line;
mod command;
mod events;
pub mod push;
pub mod ask_user;
pub mod claude;
mod codex;
mod gemini;
mod opencode;
mod vscode;
mod elicitation;
mod elicited;
pub mod form;
mod full;
pub mod question;
pub mod ask;
pub mod outcome;
pub mod answers;
pub mod result_text;
pub mod language;
pub mod host;
pub(crate) mod words;
pub mod failure;
pub mod session;
pub mod message;
pub mod said;
pub mod task;
pub mod transcript;
pub mod event;
pub mod zod;
pub mod time;
pub mod tool;
pub mod check;
pub mod cookie;
pub mod fingerprint;

use std::io;

use askuser_core::asker::Terms;
use askuser_core::draft::Draft;
use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::limits::{ASK_BYTES_MAX, Limits};
use askuser_core::outcome::Outcome;
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Questions;
use serde_json::Value;

pub use dialect::{Dialect, recognise};

/// An ask as it came in, unchecked.
#[derive(Debug, Clone, PartialEq)]
pub struct Incoming {
    /// What it was read as.
    pub dialect: Dialect,
    /// Its questions, with every fault that was found while reading.
    pub draft: Draft,
    /// What was said around them.
    pub terms: Terms,
    /// What its dialect allows.
    pub limits: Limits,
}

impl Incoming {
    /// Takes what the desk lets people type in place of what the dialect would.
    #[must_use]
    pub fn typed_within(mut self, text_chars_max: usize, any_characters: bool) -> Self {
        self.limits.text_chars_max = text_chars_max;
        self.limits.any_characters = any_characters;
        self
    }

    /// Checks the ask; its questions and terms, or all of its faults.
    pub fn check(self) -> Result<(Questions, Terms), Vec<Problem>> {
        let terms = self.terms;
        self.draft.check(&self.limits).map(|questions| (questions, terms))
    }
}

/// Reads an ask. A `command` is taken as other programs write it, with room to spare.
pub fn read(dialect: Dialect, value: &Value) -> Incoming {
    let got = n_bytes(value);
    if got > ASK_BYTES_MAX {
        return too_large(dialect, got);
    }
    let draft = match dialect {
        Dialect::Command => command::read(value),
        Dialect::Events => events::read(value),
        Dialect::Push => push::read(value),
        Dialect::AskUser => ask_user::read(value),
        Dialect::Claude => claude::read(value),
        Dialect::Codex => codex::read(value),
        Dialect::Gemini => gemini::read(value),
        Dialect::Opencode => opencode::read(value),
        Dialect::Vscode => vscode::read(value),
        Dialect::Elicitation => elicitation::read(value),
        Dialect::Full => full::read(value),
    };
    incoming(dialect, draft, limits(dialect), value)
}

/// Reads the questions of an ask as every route tells it. They were checked when they came in, so
/// nothing but their sense is checked again.
pub fn read_told(told: &Value) -> Result<Questions, Vec<Problem>> {
    full::read(told).check(&TOLD_LIMITS)
}

/// What is demanded of questions that were asked before: that they make sense.
const TOLD_LIMITS: Limits = Limits {
    questions_max: usize::MAX,
    choices_min: 0,
    choices_max: usize::MAX,
    header_chars_max: usize::MAX,
    question_chars_max: usize::MAX,
    label_chars_max: usize::MAX,
    description_chars_max: usize::MAX,
    text_chars_max: usize::MAX,
    ..Limits::FOREIGN
};

/// Reads a `command` to the letter of the source document (T2, T6), within these limits.
pub fn read_strictly(value: &Value, limits: Limits) -> Incoming {
    incoming(Dialect::Command, command::read_strict(value), limits, value)
}

fn incoming(dialect: Dialect, mut draft: Draft, limits: Limits, value: &Value) -> Incoming {
    let mut terms = terms::read(value, &mut draft);
    match dialect {
        Dialect::Events => events::read_agent(value, &mut draft, &mut terms),
        Dialect::Elicitation => elicitation::read_message(value, &mut draft, &limits, &mut terms),
        Dialect::Command
        | Dialect::Push
        | Dialect::AskUser
        | Dialect::Claude
        | Dialect::Codex
        | Dialect::Gemini
        | Dialect::Opencode
        | Dialect::Vscode
        | Dialect::Full => {}
    }
    Incoming { dialect, draft, terms, limits }
}

fn too_large(dialect: Dialect, got: usize) -> Incoming {
    let fault = Fault::TooManyBytes { max: ASK_BYTES_MAX, got };
    let draft = Draft { questions: askuser_core::draft::Given::Wrong(fault), ..Draft::default() };
    Incoming { dialect, draft, terms: Terms::default(), limits: limits(dialect) }
}

fn limits(dialect: Dialect) -> Limits {
    match dialect {
        Dialect::Events => Limits::EVENTS,
        Dialect::Push | Dialect::AskUser => Limits::PUSH,
        Dialect::Elicitation => Limits::FORM,
        Dialect::Command
        | Dialect::Claude
        | Dialect::Codex
        | Dialect::Gemini
        | Dialect::Opencode
        | Dialect::Vscode
        | Dialect::Full => Limits::FOREIGN,
    }
}

/// Writes an outcome in a dialect, which need not be the one that the ask came in.
pub fn write(dialect: Dialect, questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    let mut reply = match dialect {
        Dialect::Command => command::write(questions, outcome),
        Dialect::Events => events::write(questions, terms, outcome),
        Dialect::Push => push::write(questions, outcome),
        Dialect::AskUser => ask_user::write(questions, terms, outcome),
        Dialect::Claude => claude::write(questions, outcome),
        Dialect::Codex => codex::write(questions, outcome),
        Dialect::Gemini => gemini::write(questions, outcome),
        Dialect::Opencode => opencode::write(questions, outcome),
        Dialect::Vscode => vscode::write(questions, outcome),
        Dialect::Elicitation => elicitation::write(questions, outcome),
        // Ours says it all itself.
        Dialect::Full => return outcome::write(questions, outcome, None),
    };
    people::add_voices(&mut reply, questions, outcome);
    reply
}

/// How long a value is when it is written.
fn n_bytes(value: &Value) -> usize {
    /// Takes everything and keeps nothing.
    struct Counted(usize);

    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut counted = Counted(0);
    // It never fails: what is counted is a value, and counting takes everything.
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

/// A shape as a value, for where one is passed on or taken apart. Ours have text for keys and no
/// numbers that JSON lacks, so none fails.
fn value(shape: &impl serde::Serialize) -> Value {
    serde_json::to_value(shape).unwrap_or_default()
}

/// Reads the answers of a reply that another program gives in a dialect: an `ask:question:response`,
/// an `ask_user_response`, a form that an agent's own dialog filled in.
pub fn read_reply(
    dialect: Dialect,
    questions: &Questions,
    reply: &Value,
) -> Result<Vec<(QuestionId, Entry)>, Vec<Problem>> {
    match dialect {
        Dialect::Command => command::read_reply(questions, reply),
        Dialect::Events => events::read_reply(questions, reply),
        Dialect::Push => push::read_reply(questions, reply),
        Dialect::AskUser => ask_user::read_reply(questions, reply),
        Dialect::Claude => claude::read_reply(questions, reply),
        Dialect::Codex => codex::read_reply(questions, reply),
        Dialect::Gemini => gemini::read_reply(questions, reply),
        Dialect::Opencode => opencode::read_reply(questions, reply),
        Dialect::Vscode => vscode::read_reply(questions, reply),
        Dialect::Elicitation => elicitation::read_reply(questions, reply),
        Dialect::Full => outcome::read_reply(reply),
    }
}
