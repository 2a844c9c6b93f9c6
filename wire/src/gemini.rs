//! Gemini CLI's `ask_user`: choice, text and yes-no, answered by place as texts.

use askuser_core::draft::{Draft, DraftKind, DraftQuestion, Given, KeyedBy, TextRules};
use askuser_core::outcome::Outcome;
use askuser_core::problem::Fault;
use askuser_core::question::Questions;
use serde_json::Value;

use super::joining::SPACED;
use super::line::{Entries, keyed, lines, placed, read_joined, read_keyed};
use super::reading::{Fields, Nulls, draft, plain_question, several};

/// Reads the tool's input.
pub(crate) fn read(value: &Value) -> Draft {
    let keys = askuser_core::draft::Keys::default();
    draft(value, Nulls::AreMissing, keys, KeyedBy::Place, question)
}

fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    let kind = match fields.string("type") {
        Given::Wrong(fault) => Given::Wrong(fault),
        Given::Missing => several(fields, "multiSelect"),
        Given::Value(word) => match word.as_str() {
            "choice" => several(fields, "multiSelect"),
            "text" => Given::Value(DraftKind::Text),
            "yesno" => Given::Value(DraftKind::YesNo),
            _ => Given::Wrong(Fault::NotOneOf {
                expected: ["choice", "text", "yesno"].map(str::to_owned).to_vec(),
                received: word,
            }),
        },
    };
    DraftQuestion {
        kind,
        text_rules: TextRules { placeholder: fields.loose_string("placeholder"), ..TextRules::default() },
        ..plain_question(fields, at)
    }
}

/// Writes `{"answers":{"0":"Option A","1":"text"}}`.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    let keys = places(questions);
    keyed(&lines(questions, outcome), &keys, outcome, |line| {
        line.answered().then(|| line.joined(SPACED).into())
    })
}

/// Reads such answers back.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    read_keyed(questions, &places(questions), reply, |question, value| read_joined(question, value, SPACED))
}

fn places(questions: &Questions) -> Vec<String> {
    (0..placed(questions).len()).map(|question_idx| question_idx.to_string()).collect()
}
