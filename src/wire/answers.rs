//! Answers as a person's client sends them (P8, P10, P12): by question id, in the shape that the
//! kind of the question asks for.
//!
//! Nothing is cut and nothing is guessed: a value that does not fit is refused with what was
//! expected. An empty one (null, "", []) leaves the question out; whether it may be left out is the
//! sheet's to say.

use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::id::{ChoiceId, QuestionId};
use askuser_core::limits::{ID_CHARS_MAX, PICKED_CHARS_MAX};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Choice, Kind, NO, Question, Questions, YES};
use serde_json::Value;

use super::reading::{Fields, Nulls, wrong_type};

/// Reads `{"answers":{"<question_id>": …},"notes":{…}}`, every fault of it at once.
pub fn read_answers(questions: &Questions, body: &Value) -> Result<Vec<(QuestionId, Entry)>, Vec<Problem>> {
    read_body(questions, body, read_answer)
}

/// Reads the same as a half-filled sheet: too few picks or a text that is not finished are no
/// faults yet.
pub fn read_sheet(questions: &Questions, body: &Value) -> Result<Vec<(QuestionId, Entry)>, Vec<Problem>> {
    read_body(questions, body, unfinished)
}

/// Reads the answer to one question.
pub fn read_answer(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let entry = unfinished(question, value)?;
    if entry.is_empty() {
        return Ok(entry);
    }
    match entry.fault(question) {
        Some(fault) => Err(fault),
        None => Ok(entry),
    }
}

type ReadEntry = fn(&Question, &Value) -> Result<Entry, Fault>;

fn read_body(
    questions: &Questions,
    body: &Value,
    read: ReadEntry,
) -> Result<Vec<(QuestionId, Entry)>, Vec<Problem>> {
    let fields = Fields::of(body, Nulls::AreMissing);
    let mut problems = Vec::new();
    let mut entries: Vec<(QuestionId, Entry)> = Vec::new();
    let answers = section(fields, "answers", &mut problems);
    if problems.is_empty() && answers.is_none() && !fields.has("notes") {
        problems.push(Problem::new("answers", Fault::Missing));
    }
    for (id, value) in answers.into_iter().flatten() {
        let entry = named(questions, id).and_then(|question| read(question, value));
        match entry {
            Ok(entry) => entries.push((QuestionId::from(id.as_str()), entry)),
            Err(fault) => problems.push(Problem::new(format!("answers.{id}"), fault)),
        }
    }
    let notes = section(fields, "notes", &mut problems);
    for (id, value) in notes.into_iter().flatten() {
        match named(questions, id).and_then(|_| note(value)) {
            Ok(note) => put_note(&mut entries, id, note),
            Err(fault) => problems.push(Problem::new(format!("notes.{id}"), fault)),
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}

fn section<'a>(
    fields: Fields<'a>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<&'a serde_json::Map<String, Value>> {
    let value = fields.get(key)?;
    if !value.is_object() {
        problems.push(Problem::new(key, wrong_type("object", value)));
    }
    value.as_object()
}

fn named<'a>(questions: &'a Questions, id: &str) -> Result<&'a Question, Fault> {
    questions.find(&QuestionId::from(id)).ok_or_else(|| Fault::NoSuchQuestion { question: id.to_owned() })
}

fn note(value: &Value) -> Result<Option<String>, Fault> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => match askuser_core::entry::note_fault(text) {
            Some(fault) => Err(fault),
            None => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
        },
        other => Err(wrong_type("string", other)),
    }
}

fn put_note(entries: &mut Vec<(QuestionId, Entry)>, id: &str, note: Option<String>) {
    let Some(note) = note else { return };
    if let Some((_, entry)) = entries.iter_mut().find(|(found, _)| found.as_str() == id) {
        entry.note = Some(note);
    } else {
        let entry = Entry { note: Some(note), ..Entry::default() };
        entries.push((QuestionId::from(id), entry));
    }
}

/// Reads what is put down for a question, as far as it can be put down at all.
fn unfinished(question: &Question, value: &Value) -> Result<Entry, Fault> {
    match (value, question.kind) {
        (Value::Null, _) => Ok(Entry::default()),
        (Value::Object(_), _) => own_words(question, value),
        (Value::String(text), Kind::Text) => Ok(typed(text)),
        (Value::Number(number), Kind::Text) if is_numeric(question) => Ok(typed(&number.to_string())),
        (_, Kind::Text) => Err(wrong_type("string", value)),
        (Value::Bool(yes), Kind::YesNo) => Ok(picked(vec![ChoiceId::from(if *yes { YES } else { NO })])),
        (Value::String(_) | Value::Array(_), _) => picks(question, value),
        (_, Kind::YesNo) => Err(wrong_type("boolean", value)),
        (_, Kind::OneOf) => Err(wrong_type("string", value)),
        (_, Kind::SomeOf { .. }) => Err(wrong_type("array", value)),
    }
}

/// Reads `{"other":"text"}` and `{"selected":["a"],"other":"text"}`.
fn own_words(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let fields = Fields::of(value, Nulls::AreMissing);
    let known = ["other", "selected", "note"];
    if !known.iter().any(|key| fields.has(key)) && value != &serde_json::json!({}) {
        let words = "is an object without `other` or `selected`".to_owned();
        return Err(Fault::Other(words));
    }
    let mut entry = match fields.get("selected") {
        Some(selected) => picks(question, selected)?,
        None => Entry::default(),
    };
    if let Some(other) = fields.get("other") {
        let Some(text) = other.as_str() else {
            return Err(wrong_type("string", other));
        };
        entry.text = typed(text).text;
    }
    if let Some(value) = fields.get("note") {
        entry.note = note(value)?;
    }
    Ok(entry)
}

/// Reads one pick or a list of picks: ids, or labels.
pub(crate) fn picks(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let list: Vec<&Value> = match value {
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(_) => vec![value],
        Value::Array(list) => list.iter().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            return Err(wrong_type("array", value));
        }
    };
    let mut ids: Vec<ChoiceId> = Vec::new();
    let mut chars = 0;
    for value in list {
        let Some(name) = value.as_str() else {
            return Err(wrong_type("string", value));
        };
        let got = name.chars().count();
        chars += got;
        if got > ID_CHARS_MAX {
            return Err(Fault::TooManyChars { max: ID_CHARS_MAX, got });
        }
        let choice = choice(question, name)?;
        if !ids.contains(&choice.id) {
            ids.push(choice.id.clone());
        }
    }
    if chars > PICKED_CHARS_MAX {
        return Err(Fault::TooManyChars { max: PICKED_CHARS_MAX, got: chars });
    }
    let place = |id: &ChoiceId| question.choices.iter().position(|choice| choice.id == *id);
    ids.sort_by_key(place);
    Ok(picked(ids))
}

/// Finds a choice by its id, else by its label; yes and no go by their truth values too.
fn choice<'a>(question: &'a Question, name: &str) -> Result<&'a Choice, Fault> {
    let id = match (question.kind, name) {
        (Kind::YesNo, "true") => YES,
        (Kind::YesNo, "false") => NO,
        _ => name,
    };
    question
        .choice(&ChoiceId::from(id))
        .or_else(|| question.labelled(name))
        .ok_or_else(|| Fault::NoSuchChoice { choice: name.to_owned() })
}

fn picked(ids: Vec<ChoiceId>) -> Entry {
    Entry { picked: ids, ..Entry::default() }
}

fn typed(text: &str) -> Entry {
    Entry { text: Some(text.to_owned()).filter(|text| !text.is_empty()), ..Entry::default() }
}

fn is_numeric(question: &Question) -> bool {
    let format = question.free.as_ref().map(|free| &free.format);
    matches!(format, Some(Format::Integer { .. } | Format::Number { .. }))
}
