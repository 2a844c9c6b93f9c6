//! The dialect of the terminal command `AskUserQuestion` (T2, T7, T8): strict there, lenient
//! elsewhere.
//!
//! Answers are keyed by header and are one text each, because the agents that call the command
//! expect exactly that.

use askuser_core::draft::{Draft, DraftQuestion, KeyedBy, Keys};
use askuser_core::outcome::Outcome;
use askuser_core::question::{Question, Questions};
use serde_json::Value;

use super::joining::MARKED;
use super::line::{Entries, keyed, keys, lines, placed, read_joined, read_keyed};
use super::reading::{Fields, Nulls, choices, draft, plain_question, several};

/// The names of the fields, which five dialects share.
pub(crate) const KEYS: Keys =
    Keys { text: "question", kind: "multiSelect", choices: "options", id: "question_id" };

/// Reads an ask as other programs write it: `multiSelect` and descriptions may be left out.
pub(crate) fn read(value: &Value) -> Draft {
    let mut draft = draft(value, Nulls::AreMissing, KEYS, KeyedBy::Header, question);
    super::collected::read(value, MARKED, &mut draft);
    draft
}

/// Reads an ask to the letter of the source document; what it does not name is ignored (T2).
pub(crate) fn read_strict(value: &Value) -> Draft {
    draft(value, Nulls::AreWrong, KEYS, KeyedBy::Header, |fields, at| DraftQuestion {
        at: at.to_owned(),
        text: fields.string("question"),
        header: fields.string("header"),
        choices: choices(fields, at, |_, _| {}),
        kind: several(fields, "multiSelect"),
        ..DraftQuestion::default()
    })
}

/// Reads a question of the form that the command, the events and Claude Code share.
pub(crate) fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    DraftQuestion { kind: several(fields, "multiSelect"), ..plain_question(fields, at) }
}

/// Writes `{"answers":{"<header>":"<label>, <label>"}}`.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    let keys = headers(questions);
    keyed(&lines(questions, outcome), &keys, outcome, |line| {
        line.answered().then(|| line.joined(MARKED).into())
    })
}

/// Reads such answers back.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    read_keyed(questions, &headers(questions), reply, |question, value| read_joined(question, value, MARKED))
}

/// Returns the key of each question: its header, where it has one of its own.
pub(crate) fn headers(questions: &Questions) -> Vec<String> {
    keys(&placed(questions), |question: &Question| question.header.as_deref())
}
