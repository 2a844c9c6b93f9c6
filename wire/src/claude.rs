//! Claude Code's own `AskUserQuestion`, with previews and notes.
//!
//! Its answers are keyed by the question's text, so two questions of the same text are refused:
//! one answer would overwrite the other.

use askuser_core::draft::{Draft, DraftChoice, DraftQuestion, KeyedBy};
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::question::{Kind, Preview, PreviewFormat, Question, Questions};
use serde_json::{Map, Value, json};

use super::command::KEYS;
use super::joining::{Offer, SPACED};
use super::line::{Entries, Line, keys, lines, placed, read_joined, read_keyed, read_words, unanswered};
use super::reading::{Fields, Nulls, choices, draft, needs};

/// Reads the tool's input.
pub(crate) fn read(value: &Value) -> Draft {
    let mut draft = draft(value, Nulls::AreMissing, KEYS, KeyedBy::Text, question);
    super::collected::read(value, SPACED, &mut draft);
    draft
}

fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    DraftQuestion { choices: choices(fields, at, read_preview), ..super::command::question(fields, at) }
}

/// Reads a choice's preview; a fragment that begins with a tag is HTML, the rest is Markdown.
pub(crate) fn read_preview(fields: Fields<'_>, choice: &mut DraftChoice) {
    let Some(value) = fields.get("preview") else {
        return;
    };
    let Some(text) = value.as_str() else {
        choice.wrong = Some(needs("string", "preview", value));
        return;
    };
    let html = match fields.loose_string("preview_format").as_deref() {
        Some("html") => true,
        Some(_) => false,
        None => text.trim_start().starts_with('<') && text.trim_end().ends_with('>'),
    };
    choice.preview = (!text.is_empty()).then(|| Preview {
        format: if html { PreviewFormat::Html } else { PreviewFormat::Markdown },
        text: text.to_owned(),
    });
}

/// Writes `{questions, answers, annotations}`, the questions as we know them.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    let asked: Vec<Value> = questions.top().iter().map(asked).collect();
    fill(json!({ "questions": asked }), questions, outcome)
}

/// Writes the `updatedInput` of a hook: the original input, word for word, with the answers in it.
pub fn updated_input(original: &Value, questions: &Questions, outcome: &Outcome) -> Value {
    let kept = if original.is_object() { original.clone() } else { json!({}) };
    fill(kept, questions, outcome)
}

fn fill(mut input: Value, questions: &Questions, outcome: &Outcome) -> Value {
    let Some(fields) = input.as_object_mut() else {
        return input;
    };
    let Ending::Answered(_) = outcome.ending else {
        if let Value::Object(ending) = unanswered(outcome, json!({})) {
            fields.extend(ending);
        }
        return input;
    };
    let mut answers = Map::new();
    let mut annotations = Map::new();
    for (line, key) in lines(questions, outcome).iter().zip(texts(questions)) {
        if line.answered() {
            answers.insert(key.clone(), answer(line));
        }
        let annotation = annotation(line);
        if !annotation.is_empty() {
            annotations.insert(key, Value::Object(annotation));
        }
    }
    fields.insert("answers".to_owned(), Value::Object(answers));
    if !annotations.is_empty() {
        fields.insert("annotations".to_owned(), Value::Object(annotations));
    }
    input
}

/// One text; a list where a reader could not tell the parts of the text.
fn answer(line: &Line<'_>) -> Value {
    let several = matches!(line.question.kind, Kind::SomeOf { .. });
    let comma = several && line.labels().iter().any(|label| label.contains(','));
    Offer::of(line.question)
        .join_plain(SPACED, &line.parts())
        .filter(|_| !comma)
        .map_or_else(|| json!(line.words()), Value::from)
}

fn annotation(line: &Line<'_>) -> Map<String, Value> {
    let mut annotation = Map::new();
    if let Some(note) = line.note() {
        annotation.insert("notes".to_owned(), note.into());
    }
    let picked = line.answer.map(|answer| answer.picked.as_slice());
    if let Some([only]) = picked
        && let Some(preview) = line.question.choice(only).and_then(|c| c.preview.as_ref())
    {
        annotation.insert("preview".to_owned(), preview.text.as_str().into());
    }
    annotation
}

fn asked(question: &Question) -> Value {
    let options: Vec<Value> = question
        .choices
        .iter()
        .map(|choice| {
            let mut option = json!({
                "label": choice.label,
                "description": choice.description.as_deref().unwrap_or_default(),
            });
            if let (Some(fields), Some(preview)) = (option.as_object_mut(), &choice.preview) {
                fields.insert("preview".to_owned(), preview.text.as_str().into());
            }
            option
        })
        .collect();
    json!({
        "question": question.text,
        "header": question.header.as_deref().unwrap_or_default(),
        "options": options,
        "multiSelect": matches!(question.kind, Kind::SomeOf { .. }),
    })
}

/// Reads such answers back: texts or lists, and the notes beside them.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    let keys = texts(questions);
    let mut entries = read_keyed(questions, &keys, reply, |question, value| {
        if value.is_array() { read_words(question, value) } else { read_joined(question, value, SPACED) }
    })?;
    for (question, key) in placed(questions).into_iter().zip(keys) {
        let note =
            reply.get("annotations").and_then(|annotations| annotations.get(&key)?.get("notes")?.as_str());
        let entry = entries.iter_mut().find(|(id, _)| *id == question.id);
        match (note, entry) {
            (Some(note), Some((_, entry))) => entry.note = Some(note.to_owned()),
            (Some(note), None) => entries.push((
                question.id.clone(),
                askuser_core::entry::Entry { note: Some(note.to_owned()), ..Default::default() },
            )),
            (None, _) => {}
        }
    }
    Ok(entries)
}

fn texts(questions: &Questions) -> Vec<String> {
    keys(&placed(questions), |question| Some(&question.text))
}
