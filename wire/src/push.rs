//! The push form of the dialogue platform (P6, P7, D2): questions with ids, kinds and follow-ups.
//!
//! It comes as a bare question, in an envelope with one question, or as a list. Its answers are
//! keyed as `core/key.rs` says and are ids, never labels: nothing in them has to be joined or guessed.

use askuser_core::draft::{
    Draft, DraftChoice, DraftFollowUps, DraftKind, DraftQuestion, Given, KeyedBy, Keys, NotOffered,
};
use askuser_core::id::ChoiceId;
use askuser_core::outcome::Outcome;
use askuser_core::problem::Fault;
use askuser_core::question::{Kind, NO, Question, Questions, YES};
use askuser_core::time::Timestamp;
use serde_json::{Map, Value, json};

use super::answers::read_answers;
use super::line::{Entries, Line, answer_keys, keyed, lines};
use super::reading::{
    Fields, Nulls, ReadQuestion, choices_or_labels, condition, flag, not_an_object, question as read_one,
    questions as read_list, several, under,
};
use super::session::SessionNames;

const TYPES: [&str; 4] = ["multiple_choice", "checkbox", "text", "boolean"];

/// Reads a bare question, an envelope, or a list.
pub(crate) fn read(value: &Value) -> Draft {
    // The source document's own example has a follow-up of an option that it does not offer.
    Draft { not_offered: NotOffered::Warning, ..read_any(value, question) }
}

/// Reads a bare question, an envelope, or a list of questions that `read` knows.
pub(crate) fn read_any(value: &Value, read: ReadQuestion) -> Draft {
    if !value.is_object() {
        return not_an_object(value);
    }
    let nulls = Nulls::AreMissing;
    let fields = Fields::of(value, nulls);
    let envelope = fields.get("question").filter(|inner| inner.is_object());
    let (at, questions) = if fields.has("questions") {
        let list = fields.array("questions");
        ("questions", read_list("questions", list, nulls, read))
    } else if let Some(inner) = envelope {
        let mut question = read_one("question", inner, nulls, read);
        if question.id == Given::Missing {
            question.id = fields.string("question_id");
        }
        ("question", Given::Value(vec![question]))
    } else {
        ("", Given::Value(vec![read(fields, "")]))
    };
    Draft { at: at.to_owned(), keys: keys(value), questions, keyed_by: KeyedBy::Place, ..Draft::default() }
}

/// Faults are told under the names that this asker used.
fn keys(value: &Value) -> Keys {
    let questions = value.get("questions").and_then(Value::as_array);
    let inner = value.get("question").filter(|inner| inner.is_object());
    let used = |key: &str| match questions {
        Some(list) => list.iter().any(|question| question.get(key).is_some()),
        None => inner.unwrap_or(value).get(key).is_some(),
    };
    Keys {
        text: if used("question") && !used("question_text") { "question" } else { "question_text" },
        kind: if used("multiSelect") && !used("type") { "multiSelect" } else { "type" },
        ..Keys::default()
    }
}

/// Reads one question, its follow-ups included.
pub(crate) fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    with_follow_ups(fields, at, question)
}

/// Reads one question; `follow` reads its follow-ups.
pub(crate) fn with_follow_ups(fields: Fields<'_>, at: &str, follow: ReadQuestion) -> DraftQuestion {
    let text = if fields.has("question_text") { "question_text" } else { "question" };
    let kind = kind(fields);
    let yes_no = kind == Given::Value(DraftKind::YesNo);
    let mut wrong = None;
    DraftQuestion {
        at: at.to_owned(),
        id: fields.string("question_id"),
        header: fields.string("header"),
        text: fields.string(text),
        description: fields.string("description"),
        kind,
        choices: choices_or_labels(fields, at, choice),
        required: fields.boolean("required"),
        secret: fields.boolean("secret"),
        follow_ups: follow_ups(fields, at, follow),
        depends_on: condition(fields, "depends_on"),
        yes: if yes_no { flag(fields, "default", &mut wrong) } else { None },
        wrong,
        ..DraftQuestion::default()
    }
}

fn kind(fields: Fields<'_>) -> Given<DraftKind> {
    match fields.string("type") {
        Given::Wrong(fault) => Given::Wrong(fault),
        Given::Missing => several(fields, "multiSelect"),
        Given::Value(word) => match word.as_str() {
            "multiple_choice" => Given::Value(DraftKind::OneOf),
            "checkbox" => Given::Value(DraftKind::SomeOf { min: None, max: None }),
            "text" => Given::Value(DraftKind::Text),
            "boolean" => Given::Value(DraftKind::YesNo),
            // The envelope's own type, where somebody wrote envelope and question into one.
            "ask_user_question" | "ask_user" => several(fields, "multiSelect"),
            _ => {
                Given::Wrong(Fault::NotOneOf { expected: TYPES.map(str::to_owned).to_vec(), received: word })
            }
        },
    }
}

/// Reads what a choice has here beyond its words.
pub(crate) fn choice(fields: Fields<'_>, choice: &mut DraftChoice) {
    choice.id = fields.string("id");
    choice.running = fields.string("running");
    choice.default = flag(fields, "default", &mut choice.wrong) == Some(true);
}

fn follow_ups(fields: Fields<'_>, at: &str, read: ReadQuestion) -> Vec<DraftFollowUps> {
    let at = under(at, "follow_up_questions");
    let Some(value) = fields.get("follow_up_questions") else {
        return Vec::new();
    };
    let Some(lists) = value.as_object() else {
        let fault = super::reading::wrong_type("object", value);
        return vec![DraftFollowUps { choice: String::new(), at, questions: Given::Wrong(fault) }];
    };
    let yes_no = kind(fields) == Given::Value(DraftKind::YesNo);
    lists
        .iter()
        .map(|(choice, list)| {
            let at = under(&at, choice);
            let list = match list.as_array() {
                Some(list) => Given::Value(list),
                None => Given::Wrong(super::reading::wrong_type("array", list)),
            };
            DraftFollowUps {
                choice: match choice.as_str() {
                    "true" if yes_no => YES.to_owned(),
                    "false" if yes_no => NO.to_owned(),
                    _ => choice.clone(),
                },
                questions: read_list(&at, list, Nulls::AreMissing, read),
                at,
            }
        })
        .collect()
}

/// Writes `{"answers":{key: id / [ids] / text / bool}}`; null is a skipped question (P12).
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    let lines = lines(questions, outcome);
    keyed(&lines, &answer_keys(questions), outcome, |line| line.shown().then(|| answer(line)))
}

/// Writes one answer as a person's client would send it.
pub(crate) fn answer(line: &Line<'_>) -> Value {
    let Some(answer) = line.answer.filter(|answer| !answer.skipped) else {
        return Value::Null;
    };
    let ids: Vec<&str> = answer.picked.iter().map(ChoiceId::as_str).collect();
    match (line.question.kind, &answer.text) {
        (Kind::Text, text) => json!(text),
        (Kind::YesNo, _) => json!(ids.first() == Some(&YES)),
        (Kind::OneOf, None) if ids.len() == 1 => json!(ids.first()),
        (Kind::OneOf, Some(text)) if ids.is_empty() => json!({ "other": text }),
        (Kind::SomeOf { .. } | Kind::OneOf, None) => json!(ids),
        (Kind::SomeOf { .. } | Kind::OneOf, Some(text)) => {
            json!({"selected": ids, "other": text})
        }
    }
}

/// Reads such answers back.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    read_answers(questions, reply)
}

/// What stands around a pushed question.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    pub session: SessionNames<'a>,
    /// The agent's tool call.
    pub tool_use_id: Option<&'a str>,
    /// When it was asked.
    pub at: Timestamp,
    /// Why, where that was said: whoever answers has to see it.
    pub context: Option<&'a str>,
}

/// Writes one question in the push form (P6), for the `asked` event.
pub fn push_form(question: &Question, envelope: Envelope<'_>) -> Value {
    let mut written = json!({
        "type": "ask_user_question",
        "session_id": envelope.session.session_id(),
        "session": envelope.session.id.to_string(),
        "question_id": question.id.as_str(),
        "question": pushed(question),
        "tool_use_id": envelope.tool_use_id,
        "timestamp": super::time::write(envelope.at),
    });
    if let Some(context) = envelope.context {
        written["context"] = context.into();
    }
    written
}

fn pushed(question: &Question) -> Value {
    // A yes-no question is answered with true or false, so it offers no ids.
    let offered = question.choices.iter().filter(|_| question.kind != Kind::YesNo);
    let options: Vec<Value> = offered
        .map(|choice| {
            let mut option = json!({
                "id": choice.id.as_str(),
                "label": choice.label,
                "description": choice.description,
                "default": choice.default,
            });
            if let Some(running) = &choice.running {
                option["running"] = running.as_str().into();
            }
            option
        })
        .collect();
    let follow_ups: Map<String, Value> = question
        .choices
        .iter()
        .filter(|choice| !choice.follow_ups.is_empty())
        .map(|choice| {
            let list = choice.follow_ups.iter().map(pushed).collect();
            (choice.id.as_str().to_owned(), Value::Array(list))
        })
        .collect();
    let mut pushed = json!({
        "question_id": question.id.as_str(),
        "header": question.header,
        "question_text": question.text,
        "description": question.description,
        "type": type_name(question.kind),
        "options": options,
        "required": question.required,
        "follow_up_questions": follow_ups,
    });
    let suggested = question.choices.iter().find(|choice| choice.default && question.kind == Kind::YesNo);
    if let Some(suggested) = suggested {
        pushed["default"] = (suggested.id.as_str() == YES).into();
    }
    pushed
}

/// Returns the word for how a question is answered (D2).
pub(crate) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::OneOf => "multiple_choice",
        Kind::SomeOf { .. } => "checkbox",
        Kind::Text => "text",
        Kind::YesNo => "boolean",
    }
}
