//! Codex's `request_user_input`: questions with ids of their own.
//!
//! A question without options is a text field; `isOther` is forced on by Codex, so only an
//! explicit `false` closes it.

use askuser_core::draft::{Draft, DraftKind, DraftQuestion, Given, KeyedBy, Keys};
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use serde_json::{Value, json};

use super::line::{Entries, keyed, lines, placed, read_keyed, read_words};
use super::reading::{Fields, Nulls, draft, other, plain_question};

const KEYS: Keys = Keys { text: "question", kind: "options", choices: "options", id: "id" };

/// Reads the tool's input, or the params of `item/tool/requestUserInput`.
pub(crate) fn read(value: &Value) -> Draft {
    draft(value, Nulls::AreMissing, KEYS, KeyedBy::Place, question)
}

fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    let plain = plain_question(fields, at);
    let kind = if plain.choices == Given::Missing { DraftKind::Text } else { DraftKind::OneOf };
    let mut wrong = None;
    let other = other(fields, "isOther", &mut wrong);
    DraftQuestion {
        wrong,
        other,
        id: fields.string("id"),
        kind: Given::Value(kind),
        secret: if fields.has("isSecret") { fields.boolean("isSecret") } else { plain.secret.clone() },
        ..plain
    }
}

/// Writes `{"answers":{"<id>":{"answers":["label or text"]}}}`.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    keyed(&lines(questions, outcome), &ids(questions), outcome, |line| {
        line.shown().then(|| json!({"answers": line.words()}))
    })
}

/// Reads such answers back.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    read_keyed(questions, &ids(questions), reply, |question, value| {
        read_words(question, value.get("answers").unwrap_or(value))
    })
}

fn ids(questions: &Questions) -> Vec<String> {
    placed(questions).iter().map(|question| question.id.as_str().to_owned()).collect()
}
