//! What a form sends back: `{action, content}`, every value of the JSON type that was asked for.

use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::id::ChoiceId;
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Kind, Question, Questions, YES};
use serde_json::{Map, Value, json};

use super::line::{Entries, Line, lines, placed};
use super::reading::wrong_type;

/// Writes the result of a form. Nobody there and taken back are both `cancel`: no choice was made.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    match outcome.ending {
        Ending::Declined => return json!({"action": "decline"}),
        Ending::Withdrawn | Ending::Expired { .. } => return json!({"action": "cancel"}),
        Ending::Answered(_) => {}
    }
    let content: Map<String, Value> = lines(questions, outcome)
        .iter()
        .filter_map(|line| Some((line.question.id.as_str().to_owned(), value(line)?)))
        .collect();
    json!({"action": "accept", "content": content})
}

fn value(line: &Line<'_>) -> Option<Value> {
    let answer = line.answer?;
    let ids = || answer.picked.iter().map(ChoiceId::as_str);
    if answer.skipped {
        // An empty list is the value of a list from which nothing was picked; other fields that
        // were left out stay out.
        let empty = matches!(line.question.kind, Kind::SomeOf { min: 1, .. });
        return (empty && line.question.free.is_none()).then(|| json!([]));
    }
    match line.question.kind {
        Kind::YesNo => Some(json!(ids().next() == Some(YES))),
        Kind::SomeOf { .. } => Some(ids().chain(answer.text.as_deref()).map(Value::from).collect()),
        Kind::OneOf => ids().next().or(answer.text.as_deref()).map(Value::from),
        Kind::Text => typed(line.question, answer.text.as_deref()?),
    }
}

fn typed(question: &Question, text: &str) -> Option<Value> {
    let format = question.free.as_ref().map_or(&Format::Any, |free| &free.format);
    let trimmed = text.trim();
    match format {
        Format::Any => Some(text.into()),
        Format::Email | Format::Uri | Format::Date | Format::DateTime => Some(trimmed.into()),
        Format::Integer { .. } => trimmed.parse::<i64>().ok().map(Value::from),
        Format::Number { .. } => match trimmed.parse::<i64>() {
            Ok(whole) => Some(whole.into()),
            Err(_) => trimmed.parse::<f64>().ok().map(Value::from),
        },
    }
}

/// Reads the content of an accepted form, as an agent's own dialog returns it.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    let content = reply.get("content").unwrap_or(&Value::Null);
    let Some(content) = content.as_object() else {
        return Err(vec![Problem::new("content", wrong_type("object", content))]);
    };
    let mut entries = Vec::new();
    let mut problems = Vec::new();
    for question in placed(questions) {
        let Some(value) = content.get(question.id.as_str()) else {
            continue;
        };
        match entry(question, value) {
            Ok(entry) if entry == Entry::default() => {}
            Ok(entry) => entries.push((question.id.clone(), entry)),
            Err(fault) => {
                let at = format!("content.{}", question.id);
                problems.push(Problem::new(at, fault));
            }
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}

/// Reads one value; a text that is none of the values is the person's own.
pub(crate) fn entry(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let mut found = Entry::default();
    let mut put = |word: &str| {
        let choice = question.choice(&ChoiceId::from(word));
        match choice {
            Some(choice) => found.picked.push(choice.id.clone()),
            None => found.text = Some(word.to_owned()).filter(|text| !text.is_empty()),
        }
    };
    match value {
        Value::Null => {}
        Value::String(word) => put(word),
        Value::Number(number) if question.kind == Kind::Text => put(&number.to_string()),
        Value::Bool(yes) if question.kind == Kind::YesNo => put(if *yes { YES } else { "no" }),
        Value::Array(list) => {
            for value in list {
                put(value.as_str().ok_or_else(|| wrong_type("string", value))?);
            }
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) => {
            return Err(wrong_type("string", value));
        }
    }
    Ok(found)
}
