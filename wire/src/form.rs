//! Our questions as a form of the agent's own dialog (MCP elicitation), and what it sends back.
//!
//! A form is flat and knows neither follow-ups nor secrets, so not every ask fits in one. It is
//! offered without defaults: a dialog that accepts by itself must not answer for a person.

use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Choice, FreeText, Kind, Question, Questions};
use serde_json::{Map, Value, json};

use super::elicitation;
use super::line::Entries;
use super::reading::wrong_type;

/// A form to be shown by another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// What stands above the fields.
    pub message: String,
    /// The fields, as a flat JSON Schema.
    pub schema: Value,
}

/// Writes questions as a form; none where a form cannot hold them: follow-ups, conditions and previews,
/// which it does not know, and secrets, which must not be asked in one.
pub fn write(questions: &Questions, context: Option<&str>) -> Option<Form> {
    let asked: Vec<&Question> =
        questions.top().iter().filter(|question| question.collected.is_none()).collect();
    if asked.is_empty() || !asked.iter().all(|question| fits(question)) {
        return None;
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for question in asked {
        let id = question.id.as_str();
        properties.insert(id.to_owned(), field(question));
        if question.takes_other() {
            properties.insert(other_name(question), other_field(question));
        } else if question.required {
            required.push(id);
        }
    }
    // A question may bear the name of another's own-answer field.
    let n_fields: usize = questions
        .top()
        .iter()
        .filter(|question| question.collected.is_none())
        .map(|question| if question.takes_other() { 2 } else { 1 })
        .sum();
    (properties.len() == n_fields).then(|| Form {
        message: context.unwrap_or("Please answer.").to_owned(),
        schema: json!({"type": "object", "properties": properties, "required": required}),
    })
}

fn fits(question: &Question) -> bool {
    let flat = |choice: &Choice| {
        choice.follow_ups.is_empty() && choice.preview.is_none() && choice.running.is_none()
    };
    question.choices.iter().all(flat) && !question.secret && question.depends_on.is_none()
}

fn other_name(question: &Question) -> String {
    format!("{}_other", question.id)
}

fn field(question: &Question) -> Value {
    let offered = || -> Vec<Value> {
        let choices = question.choices.iter();
        choices.map(|choice| json!({"const": choice.id.as_str(), "title": choice.label})).collect()
    };
    let mut field = match question.kind {
        // As two choices: a box that nobody touched would say no.
        Kind::OneOf | Kind::YesNo => json!({"type": "string", "oneOf": offered()}),
        Kind::SomeOf { min, max } => {
            let min = if question.required && !question.takes_other() { min } else { 0 };
            json!({"type": "array", "minItems": min, "maxItems": max, "items": {"anyOf": offered()}})
        }
        Kind::Text => question.free.as_ref().map_or_else(|| json!({"type": "string"}), text_field),
    };
    if let Some(fields) = field.as_object_mut() {
        fields.insert("title".to_owned(), question.text.as_str().into());
        if let Some(described) = described(question) {
            fields.insert("description".to_owned(), described.into());
        }
    }
    field
}

/// The question's label and description, and what each choice means: a form has no other place for them.
fn described(question: &Question) -> Option<String> {
    let meanings = question.choices.iter().filter_map(|choice| {
        let meaning = choice.description.as_deref().filter(|meaning| !meaning.is_empty())?;
        Some(format!("- {}: {meaning}", choice.label))
    });
    let own = [&question.header, &question.description].into_iter().flatten().cloned();
    let lines: Vec<String> = own.chain(meanings).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn text_field(free: &FreeText) -> Value {
    let bounded = |name: &str, min: Option<f64>, max: Option<f64>| {
        let mut field = json!({ "type": name });
        if let Some(fields) = field.as_object_mut() {
            for (name, bound) in [("minimum", min), ("maximum", max)] {
                fields.extend(bound.map(|bound| (name.to_owned(), bound.into())));
            }
        }
        field
    };
    let text = |format: Option<&str>| {
        let mut field = json!({"type": "string", "minLength": free.chars_min});
        if let Some(fields) = field.as_object_mut() {
            fields.extend(format.map(|format| ("format".to_owned(), format.into())));
            // A question that was told by another desk may have no limit that is known here.
            let max = u32::try_from(free.chars_max).ok();
            fields.extend(max.map(|max| ("maxLength".to_owned(), max.into())));
        }
        field
    };
    match free.format {
        Format::Any => text(None),
        Format::Email => text(Some("email")),
        Format::Uri => text(Some("uri")),
        Format::Date => text(Some("date")),
        Format::DateTime => text(Some("date-time")),
        Format::Integer { min, max } => bounded("integer", min, max),
        Format::Number { min, max } => bounded("number", min, max),
    }
}

fn other_field(question: &Question) -> Value {
    let mut field = question.free.as_ref().map_or_else(|| json!({"type": "string"}), text_field);
    if let Some(fields) = field.as_object_mut() {
        fields.insert("minLength".to_owned(), 0.into());
        fields.insert("title".to_owned(), "Other".into());
        fields.insert("description".to_owned(), format!("Your own answer to: {}", question.text).into());
    }
    field
}

/// Reads what a filled-in form holds.
pub fn read(questions: &Questions, content: &Value) -> Entries {
    let Some(content) = content.as_object() else {
        return Err(vec![Problem::new("content", wrong_type("object", content))]);
    };
    let mut entries = Vec::new();
    let mut problems = Vec::new();
    for question in questions.top() {
        match entry(question, content) {
            Ok(entry) if entry == Entry::default() => {}
            Ok(entry) => entries.push((question.id.clone(), entry)),
            Err(fault) => problems.push(Problem::new(format!("content.{}", question.id), fault)),
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}

fn entry(question: &Question, content: &Map<String, Value>) -> Result<Entry, Fault> {
    let given = content.get(question.id.as_str()).unwrap_or(&Value::Null);
    let mut entry = elicitation::entry(question, given)?;
    let own = content.get(&other_name(question)).and_then(Value::as_str).map(str::trim);
    let Some(own) = own.filter(|own| !own.is_empty() && question.takes_other()) else { return Ok(entry) };
    // Whoever picked one and wrote beside it has said two things: neither is dropped.
    if question.kind == Kind::OneOf && !entry.picked.is_empty() {
        entry.note = Some(own.to_owned());
    } else {
        entry.text = Some(own.to_owned());
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{self as wire, Dialect};
    use askuser_core::sheet::Sheet;
    use std::sync::Arc;

    fn questions(ask: &Value) -> Questions {
        wire::read(Dialect::Full, ask).check().unwrap().0
    }

    fn deploy() -> Questions {
        questions(&json!({"questions": [
            {"question_id": "where", "question": "Where?", "type": "multiple_choice", "options": [
                {"id": "stg", "label": "Staging", "description": "safe", "default": true},
                {"id": "prd", "label": "Production"}]},
            {"question_id": "what", "question": "What?", "type": "checkbox", "other": false, "options": [
                {"id": "web", "label": "Web"}, {"id": "api", "label": "API"}]},
            {"question_id": "sure", "question": "Sure?", "type": "boolean"},
            {"question_id": "why", "question": "Why?", "type": "text", "required": false},
        ]}))
    }

    #[test]
    fn questions_become_fields_in_their_order_without_defaults() {
        let form = write(&deploy(), Some("Friday evening.")).unwrap();
        assert_eq!(form.message, "Friday evening.");
        let properties = form.schema["properties"].as_object().unwrap();
        let names: Vec<&String> = properties.keys().collect();
        assert_eq!(names, ["where", "where_other", "what", "sure", "why"]);
        assert_eq!(form.schema["required"], json!(["what", "sure"]));
        assert_eq!(properties["where"]["description"], "- Staging: safe");
        assert_eq!(properties["where"]["oneOf"][1], json!({"const": "prd", "title": "Production"}));
        assert_eq!(properties["sure"]["oneOf"][0]["const"], "yes");
        assert!(!form.schema.to_string().contains("\"default\""), "{}", form.schema);
        // A form of ours is one that we can read ourselves.
        assert!(wire::read(Dialect::Elicitation, &form.schema).check().is_ok());
    }

    #[test]
    fn what_a_form_cannot_hold_is_not_asked_in_one() {
        let secret = questions(&json!({"questions": [
            {"question_id": "k", "question": "Key?", "type": "text", "secret": true}]}));
        assert_eq!(write(&secret, None), None);
        let deeper = questions(&json!({"questions": [
            {"question_id": "a", "question": "A?", "type": "multiple_choice",
             "options": [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}],
             "follow_up_questions": {"x": [{"question_id": "b", "question": "B?", "type": "text"}]}}]}));
        assert_eq!(write(&deeper, None), None);
        let looked_at = questions(&json!({"questions": [
            {"question_id": "a", "question": "A?", "type": "multiple_choice",
             "options": [{"id": "x", "label": "X", "preview": "<x>"}, {"id": "y", "label": "Y"}]}]}));
        assert_eq!(write(&looked_at, None), None);
        let alike = questions(&json!({"questions": [
            {"question_id": "a", "question": "A?", "type": "multiple_choice",
             "options": [{"id": "x", "label": "X"}, {"id": "y", "label": "Y"}]},
            {"question_id": "a_other", "question": "B?", "type": "text"}]}));
        assert_eq!(write(&alike, None), None);
    }

    #[test]
    fn a_filled_in_form_is_a_sheet() {
        let questions = Arc::new(deploy());
        let content = json!({
            "where": "", "where_other": "on my laptop", "what": ["api"], "sure": "no", "why": ""});
        let sheet = Sheet::filled(Arc::clone(&questions), read(&questions, &content).unwrap()).unwrap();
        let answers = sheet.answers().unwrap();
        assert_eq!(answers.to(&"where".into()).unwrap().text.as_deref(), Some("on my laptop"));
        assert_eq!(answers.to(&"what".into()).unwrap().picked, ["api".into()]);
        assert_eq!(answers.to(&"sure".into()).unwrap().picked, ["no".into()]);
        assert!(answers.to(&"why".into()).unwrap().skipped);
        let both = json!({"where": "stg", "where_other": "but after lunch"});
        let entries = read(&questions, &both).unwrap();
        assert_eq!(entries[0].1.note.as_deref(), Some("but after lunch"));
        assert!(read(&questions, &json!({"where": 7})).is_err());
        assert!(read(&questions, &json!(null)).is_err());
    }
}
