//! Answers as a person's client sends them (P8, P10, P12): by question, in the shape that the
//! kind of the question asks for.
//!
//! Nothing is cut and nothing is guessed: a value that does not fit is refused with what was
//! expected. An empty one (null, "", []) leaves the question out; whether it may be left out is the
//! sheet's to say.

use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::id::{ChoiceId, QuestionId};
use askuser_core::key::Keyed;
use askuser_core::limits::{ID_CHARS_MAX, PICKED_CHARS_MAX};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Choice, Kind, NO, Question, Questions, YES};
use askuser_words::fault::{Wrong, unfit};
use serde_json::{Value, json};

use super::reading::{Fields, Nulls, wrong_type};

/// Reads `{"answers":{"<question>": …},"notes":{…}}`, every fault of it at once. A question goes by its id, or
/// by its key in the replies (`core/key.rs`).
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

/// Reads the answer to one question in exactly the form that its type has in the source document (003 4.2.2): a
/// text for one choice, a list for several, true or false for a yes or no. An answer of one's own beside the
/// choices is an object, as everywhere.
pub fn read_answer_to_the_letter(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let is_empty = value.as_str().is_some_and(str::is_empty) || value.as_array().is_some_and(Vec::is_empty);
    let fits = match question.kind {
        _ if is_empty || value.is_null() || value.is_object() => true,
        Kind::OneOf => value.is_string(),
        Kind::SomeOf { .. } => value.is_array(),
        Kind::YesNo => value.is_boolean(),
        Kind::Text => true,
    };
    if fits {
        return read_answer(question, if is_empty { &Value::Null } else { value });
    }
    Err(wrong_type(json_type(question.kind), value))
}

/// What JSON calls the answer to a question of this kind.
fn json_type(kind: Kind) -> &'static str {
    match kind {
        Kind::OneOf | Kind::Text => "string",
        Kind::SomeOf { .. } => "array",
        Kind::YesNo => "boolean",
    }
}

/// Says what an answer has to look like (P9): its JSON type, and what may stand in it.
pub fn expected(question: &Question) -> Value {
    let ids: Vec<&str> = question.choices.iter().map(|choice| choice.id.as_str()).collect();
    let (options, example) = match question.kind {
        Kind::OneOf => (json!(ids), json!(ids.first())),
        Kind::SomeOf { .. } => (json!(ids), json!(ids.get(..1))),
        Kind::YesNo => (json!([true, false]), json!(true)),
        Kind::Text => (json!([]), json!("text")),
    };
    json!({
        "type": super::push::type_name(question.kind),
        "answer": json_type(question.kind),
        "options": options,
        "example": example,
        "required": question.required,
        "other": question.takes_other(),
    })
}

type ReadEntry = fn(&Question, &Value) -> Result<Entry, Fault>;

fn read_body(
    questions: &Questions,
    body: &Value,
    read: ReadEntry,
) -> Result<Vec<(QuestionId, Entry)>, Vec<Problem>> {
    let fields = Fields::of(body, Nulls::AreMissing);
    let keyed = questions.keyed();
    let mut problems = Vec::new();
    let mut entries: Vec<(QuestionId, Entry)> = Vec::new();
    let answers = section(fields, "answers", &mut problems);
    if problems.is_empty() && answers.is_none() && !fields.has("notes") {
        problems.push(Problem::new("answers", Fault::Missing));
    }
    for (name, value) in answers.into_iter().flatten() {
        let read = named(&keyed, name).and_then(|question| {
            // A question has an id and a key: two answers to it would contradict one another.
            if entries.iter().any(|(known, _)| *known == question.id) {
                return Err(Fault::Duplicate { of: format!("answers.{}", question.id.as_str()) });
            }
            Ok((question.id.clone(), read(question, value)?))
        });
        match read {
            Ok(entry) => entries.push(entry),
            Err(fault) => problems.push(Problem::new(format!("answers.{name}"), fault)),
        }
    }
    let notes = section(fields, "notes", &mut problems);
    for (name, value) in notes.into_iter().flatten() {
        match named(&keyed, name).and_then(|question| Ok((&question.id, note(value)?))) {
            Ok((id, note)) => put_note(&mut entries, id, note),
            Err(fault) => problems.push(Problem::new(format!("notes.{name}"), fault)),
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

fn named<'a>(questions: &Keyed<'a>, name: &str) -> Result<&'a Question, Fault> {
    questions.find(name).ok_or_else(|| Fault::NoSuchQuestion { question: name.to_owned() })
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

fn put_note(entries: &mut Vec<(QuestionId, Entry)>, id: &QuestionId, note: Option<String>) {
    let Some(note) = note else { return };
    if let Some((_, entry)) = entries.iter_mut().find(|(found, _)| found == id) {
        entry.note = Some(note);
    } else {
        let entry = Entry { note: Some(note), ..Entry::default() };
        entries.push((id.clone(), entry));
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
    if !known.iter().any(|key| fields.has(key)) && value != &json!({}) {
        return Err(unfit(Wrong::no_own_words));
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
