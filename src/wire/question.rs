//! A question in our own JSON, with everything that we know of it.
//!
//! `full` reads it back without loss: the terminal and the web page of another process draw the
//! same questions as the desk that holds them.

use askuser_core::format::Format;
use askuser_core::id::ChoiceId;
use askuser_core::question::{Choice, FreeText, Kind, PreviewFormat, Question, YES};
use serde_json::{Map, Value, json};

use super::push::type_name;

/// Writes a question. The fields of the contract are always there; the others only where they
/// say something.
pub fn write(question: &Question) -> Value {
    let options: Vec<Value> = question.choices.iter().map(option).collect();
    let mut written = json!({
        "question_id": question.id.as_str(),
        "header": question.header,
        "question": question.text,
        "description": question.description,
        "type": type_name(question.kind),
        "required": question.required,
        "other": question.takes_other(),
        "options": options,
        "follow_up_questions": follow_ups(question),
    });
    if let Some(fields) = written.as_object_mut() {
        more(question, fields);
    }
    written
}

fn option(choice: &Choice) -> Value {
    let preview = choice.preview.as_ref();
    let mut written = json!({
        "id": choice.id.as_str(),
        "label": choice.label,
        "description": choice.description,
        "default": choice.default,
        "recommended": choice.recommended,
        "preview": preview.map(|preview| preview.text.as_str()),
    });
    if let (Some(fields), Some(preview)) = (written.as_object_mut(), preview) {
        let format = match preview.format {
            PreviewFormat::Markdown => "markdown",
            PreviewFormat::Html => "html",
        };
        fields.insert("preview_format".to_owned(), format.into());
    }
    written
}

fn follow_ups(question: &Question) -> Map<String, Value> {
    question
        .choices
        .iter()
        .filter(|choice| !choice.follow_ups.is_empty())
        .map(|choice| {
            let list = choice.follow_ups.iter().map(write).collect();
            (choice.id.as_str().to_owned(), Value::Array(list))
        })
        .collect()
}

fn more(question: &Question, fields: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    if question.secret {
        put("secret", true.into());
    }
    let suggested = question.choices.iter().find(|choice| choice.default);
    if let (Kind::YesNo, Some(choice)) = (question.kind, suggested) {
        put("default", (choice.id.as_str() == YES).into());
    }
    if let Kind::SomeOf { min, max } = question.kind {
        put("min_picks", min.into());
        put("max_picks", max.into());
    }
    if let Some(condition) = &question.depends_on {
        let option = condition.choice.as_ref().map(ChoiceId::as_str);
        put("depends_on", json!({"question_id": condition.question.as_str(), "option": option}));
    }
    if let Some(collected) = &question.collected {
        let ids: Vec<&str> = collected.picked.iter().map(ChoiceId::as_str).collect();
        put("collected", json!({"selected": ids, "text": collected.text}));
    }
    if let Some(free) = &question.free {
        if let Some(placeholder) = &free.placeholder {
            put("placeholder", placeholder.as_str().into());
        }
        if question.kind == Kind::Text {
            text_rules(free, fields);
        }
    }
}

fn text_rules(free: &FreeText, fields: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    put("min_length", free.chars_min.into());
    put("max_length", free.chars_max.into());
    if let Some(default) = &free.default {
        put("default", default.as_str().into());
    }
    if let Some(name) = format_name(&free.format) {
        put("format", name.into());
    }
    if let Format::Integer { min, max } | Format::Number { min, max } = free.format {
        min.map(|min| put("minimum", min.into()));
        max.map(|max| put("maximum", max.into()));
    }
}

/// Returns the word for what a text must look like.
fn format_name(format: &Format) -> Option<&'static str> {
    match format {
        Format::Any => None,
        Format::Integer { .. } => Some("integer"),
        Format::Number { .. } => Some("number"),
        Format::Email => Some("email"),
        Format::Uri => Some("uri"),
        Format::Date => Some("date"),
        Format::DateTime => Some("date-time"),
    }
}
