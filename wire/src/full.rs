//! Our own dialect: the push form and everything else that a question can have.
//!
//! What the desk tells of an ask can be sent back as an ask, which is how another process draws
//! the same questions.

use askuser_core::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given, TextRules};
use askuser_core::format::Format;
use askuser_core::problem::Fault;
use askuser_words::fault::unfit;
use serde_json::Value;

use super::reading::{Fields, Nulls, choices_or_labels, flag, needs, other, wrong_type};

/// Fields that only a question with options has. One that has none of them, and no type, asks for a text; one
/// that says it is a choice and offers nothing is a fault (P9).
const SAYS_CHOICE: [&str; 5] = ["options", "other", "min_picks", "max_picks", "follow_up_questions"];
const FORMATS: [&str; 6] = ["integer", "number", "email", "uri", "date", "date-time"];

/// Reads an ask.
pub(crate) fn read(value: &Value) -> Draft {
    super::push::read_any(value, question)
}

fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    let mut question = super::push::with_follow_ups(fields, at, question);
    question.choices = choices_or_labels(fields, at, choice);
    if question.kind == Given::Missing && !SAYS_CHOICE.iter().any(|key| fields.has(key)) {
        question.kind = Given::Value(DraftKind::Text);
    }
    question.other = other(fields, "other", &mut question.wrong);
    if let Err(fault) = rules(fields, &mut question) {
        question.wrong.get_or_insert(fault);
    }
    question
}

fn choice(fields: Fields<'_>, choice: &mut DraftChoice) {
    super::push::choice(fields, choice);
    super::claude::read_preview(fields, choice);
    choice.recommended = flag(fields, "recommended", &mut choice.wrong) == Some(true);
}

/// Reads bounds, formats and what was collected; the first fault is the question's.
fn rules(fields: Fields<'_>, question: &mut DraftQuestion) -> Result<(), Fault> {
    if let Given::Value(DraftKind::SomeOf { min, max }) = &mut question.kind {
        *min = count(fields, "min_picks")?;
        *max = count(fields, "max_picks")?;
    }
    question.text_rules = TextRules {
        format: format(fields)?,
        chars_min: count(fields, "min_length")?,
        chars_max: count(fields, "max_length")?,
        placeholder: text(fields, "placeholder")?,
        default: fields.loose_string("default"),
    };
    question.collected = collected(fields)?;
    Ok(())
}

fn format(fields: Fields<'_>) -> Result<Format, Fault> {
    let (min, max) = (number(fields, "minimum")?, number(fields, "maximum")?);
    let Some(word) = text(fields, "format")? else {
        return Ok(Format::Any);
    };
    match word.as_str() {
        "integer" => Ok(Format::Integer { min, max }),
        "number" => Ok(Format::Number { min, max }),
        "email" => Ok(Format::Email),
        "uri" => Ok(Format::Uri),
        "date" => Ok(Format::Date),
        "date-time" => Ok(Format::DateTime),
        _ => {
            let known = FORMATS.join(", ");
            Err(unfit(|said| said.no_format(&word, &known)))
        }
    }
}

type Collected = Option<(Vec<String>, Option<String>)>;

fn collected(fields: Fields<'_>) -> Result<Collected, Fault> {
    let Some(value) = fields.get("collected") else {
        return Ok(None);
    };
    if !value.is_object() {
        return Err(wrong(fields, "collected", "object"));
    }
    let inner = Fields::of(value, Nulls::AreMissing);
    let mut picked = Vec::new();
    if let Some(selected) = inner.get("selected") {
        let Some(list) = selected.as_array() else {
            return Err(wrong(inner, "selected", "array"));
        };
        for name in list {
            match name.as_str() {
                Some(name) => picked.push(name.to_owned()),
                None => return Err(wrong_type("string", name)),
            }
        }
    }
    Ok(Some((picked, text(inner, "text")?)))
}

fn text(fields: Fields<'_>, key: &str) -> Result<Option<String>, Fault> {
    match fields.get(key) {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(wrong(fields, key, "string")),
        },
    }
}

fn number(fields: Fields<'_>, key: &str) -> Result<Option<f64>, Fault> {
    match fields.get(key) {
        None => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) => Ok(Some(number)),
            None => Err(wrong(fields, key, "number")),
        },
    }
}

fn count(fields: Fields<'_>, key: &str) -> Result<Option<usize>, Fault> {
    match fields.get(key) {
        None => Ok(None),
        Some(value) => match value.as_u64().and_then(|count| usize::try_from(count).ok()) {
            Some(count) => Ok(Some(count)),
            None => Err(wrong(fields, key, "whole number")),
        },
    }
}

fn wrong(fields: Fields<'_>, key: &str, expected: &str) -> Fault {
    needs(expected, key, fields.get(key).unwrap_or(&Value::Null))
}
