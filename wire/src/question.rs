//! A question in our own JSON, with everything that we know of it.
//!
//! `full` reads it back without loss: the terminal and the web page of another process draw the
//! same questions as the desk that holds them.

use askuser_core::format::Format;
use askuser_core::id::ChoiceId;
use askuser_core::question::{Choice, FreeText, Kind, NamedBy, PreviewFormat, Question, YES};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::push::type_name;

/// Says that the id of a question was made here: its key in a map of answers is another.
pub(super) const GENERATED: &str = "generated_id";

/// Writes a question.
pub fn write(question: &Question) -> Value {
    super::value(&QuestionShape::of(question))
}

/// Writes a question, with `multiSelect` for readers that know no types.
pub fn write_with_multi_select(question: &Question) -> Value {
    let mut written = write(question);
    if let Some(fields) = written.as_object_mut() {
        let several = matches!(question.kind, Kind::SomeOf { .. });
        fields.insert("multiSelect".to_owned(), several.into());
    }
    written
}

/// A question as it is written, borrowed from it: nothing is copied on the way out. The fields of
/// the contract are always there; the others only where they say something.
#[derive(Serialize)]
pub(super) struct QuestionShape<'a> {
    question_id: &'a str,
    header: Option<&'a str>,
    question: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'static str,
    required: bool,
    other: bool,
    options: Vec<Offered<'a>>,
    follow_up_questions: FollowUps<'a>,
    #[serde(flatten)]
    more: Map<String, Value>,
}

#[derive(Serialize)]
struct Offered<'a> {
    id: &'a str,
    label: &'a str,
    description: Option<&'a str>,
    default: bool,
    recommended: bool,
    preview: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview_format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<&'a str>,
}

impl<'a> QuestionShape<'a> {
    pub(super) fn of(question: &'a Question) -> Self {
        let mut fields = Map::new();
        more(question, &mut fields);
        Self {
            question_id: question.id.as_str(),
            header: question.header.as_deref(),
            question: &question.text,
            description: question.description.as_deref(),
            kind: type_name(question.kind),
            required: question.required,
            other: question.takes_other(),
            options: question.choices.iter().map(Offered::of).collect(),
            follow_up_questions: FollowUps(&question.choices),
            more: fields,
        }
    }
}

impl<'a> Offered<'a> {
    fn of(choice: &'a Choice) -> Self {
        let preview = choice.preview.as_ref();
        let format = |format| match format {
            PreviewFormat::Markdown => "markdown",
            PreviewFormat::Html => "html",
        };
        Self {
            id: choice.id.as_str(),
            label: &choice.label,
            description: choice.description.as_deref(),
            default: choice.default,
            recommended: choice.recommended,
            preview: preview.map(|preview| preview.text.as_str()),
            preview_format: preview.map(|preview| format(preview.format)),
            running: choice.running.as_deref(),
        }
    }
}

/// What each choice opens, under its id.
struct FollowUps<'a>(&'a [Choice]);

impl Serialize for FollowUps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let opening = self.0.iter().filter(|choice| !choice.follow_ups.is_empty());
        serializer.collect_map(opening.map(|choice| {
            let list: Vec<QuestionShape<'_>> = choice.follow_ups.iter().map(QuestionShape::of).collect();
            (choice.id.as_str(), list)
        }))
    }
}

fn more(question: &Question, fields: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    if question.named_by == NamedBy::Us {
        put(GENERATED, true.into());
    }
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
        for (name, bound) in [("minimum", min), ("maximum", max)] {
            if let Some(bound) = bound {
                put(name, bound.into());
            }
        }
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
