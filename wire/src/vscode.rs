//! VS Code's `askQuestions`: keyed by header, with what was picked and what was typed apart.

use askuser_core::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given, KeyedBy};
use askuser_core::entry::Entry;
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::problem::Fault;
use askuser_core::question::{Question, Questions};
use serde_json::{Value, json};

use super::command::{KEYS, headers};
use super::line::{Entries, keyed, lines, read_keyed, read_words, unanswered};
use super::reading::{Fields, Nulls, choices, draft, flag, other, several, wrong_type};

/// Reads the tool's input.
pub(crate) fn read(value: &Value) -> Draft {
    draft(value, Nulls::AreMissing, KEYS, KeyedBy::Header, question)
}

fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    let choices = choices(fields, at, read_recommended);
    let none = match &choices {
        Given::Value(list) => list.is_empty(),
        Given::Missing => true,
        Given::Wrong(_) => false,
    };
    let mut wrong = None;
    let other = other(fields, "allowFreeformInput", &mut wrong);
    DraftQuestion {
        wrong,
        other,
        description: fields.string("message"),
        kind: if none { Given::Value(DraftKind::Text) } else { several(fields, "multiSelect") },
        choices,
        ..super::reading::plain_question(fields, at)
    }
}

fn read_recommended(fields: Fields<'_>, choice: &mut DraftChoice) {
    choice.recommended = flag(fields, "recommended", &mut choice.wrong) == Some(true);
}

/// Writes `{"answers":{"<header>":{"selected":[],"freeText":null,"skipped":false}}}`. Where nobody
/// answered, every question is skipped, as VS Code itself says it.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    let (lines, keys) = (lines(questions, outcome), headers(questions));
    let Ending::Answered(_) = outcome.ending else {
        let skipped = json!({"selected": [], "freeText": null, "skipped": true});
        let answers = lines
            .iter()
            .zip(keys)
            .filter(|(line, _)| line.top)
            .map(|(_, key)| (key, skipped.clone()))
            .collect();
        return unanswered(outcome, Value::Object(answers));
    };
    keyed(&lines, &keys, outcome, |line| {
        line.shown().then(|| {
            json!({
                "selected": line.labels(),
                "freeText": line.text(),
                "skipped": !line.answered(),
            })
        })
    })
}

/// Reads such answers back.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    read_keyed(questions, &headers(questions), reply, answer)
}

fn answer(question: &Question, value: &Value) -> Result<Entry, Fault> {
    if !value.is_object() {
        return Err(wrong_type("object", value));
    }
    let fields = Fields::of(value, Nulls::AreMissing);
    if fields.get("skipped").and_then(Value::as_bool) == Some(true) {
        return Ok(Entry::default());
    }
    let picked = match fields.get("selected") {
        Some(selected) => read_words(question, selected)?,
        None => Entry::default(),
    };
    if let Some(choice) = picked.text {
        return Err(Fault::NoSuchChoice { choice });
    }
    match fields.string("freeText") {
        Given::Value(text) => Ok(Entry { text: Some(text).filter(|text| !text.is_empty()), ..picked }),
        Given::Missing => Ok(picked),
        Given::Wrong(fault) => Err(fault),
    }
}
