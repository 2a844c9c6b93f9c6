//! A session in our own JSON (P11), with what was asked and answered in it, round by round.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::id::SessionId;
use askuser_core::outcome::Outcome;
use askuser_core::question::{Question, Questions};
use askuser_core::session::{Origin, Session, rounds_in_all};
use serde_json::{Map, Value, json};

use super::joining::SPACED;
use super::line::{Line, answer_lines, lines};

pub use super::terms::of_session as opening;

/// A session under both its names.
#[derive(Debug, Clone, Copy)]
pub struct SessionNames<'a> {
    /// Ours.
    pub id: SessionId,
    /// The one that its caller gave it, where it gave one.
    pub given: Option<&'a str>,
}

impl<'a> SessionNames<'a> {
    /// The names of an ask's session.
    pub fn of(ask: &'a Ask) -> Self {
        Self { id: ask.session, given: ask.session_name.as_deref() }
    }

    /// The names of a session.
    pub fn of_session(session: &'a Session) -> Self {
        Self { id: session.id, given: session.given_name() }
    }

    /// Returns `session_id`: as the caller named it, else ours.
    pub fn session_id(self) -> String {
        self.given.map_or_else(|| self.id.to_string(), str::to_owned)
    }

    /// Puts both names into a message: `session_id` as the caller knows it, `session` as we do.
    pub fn put_into(self, message: &mut Value) {
        if let Some(fields) = message.as_object_mut() {
            fields.insert("session_id".to_owned(), self.session_id().into());
            fields.insert("session".to_owned(), self.id.to_string().into());
        }
    }
}

/// Writes a session with its rounds, in order: `current_questions` and `answered_questions` as 002 3.1.2 has
/// them, and the open questions with their words. What is secret is in none of them.
pub fn write(session: &Session, rounds: &[Arc<Ask>]) -> Value {
    let mut open: Vec<Value> = Vec::new();
    let mut current: Vec<Value> = Vec::new();
    let mut answered = Map::new();
    let mut history: Vec<Value> = Vec::new();
    for ask in rounds {
        if let Some(outcome) = ask.state.outcome() {
            answered.extend(answers(&ask.questions, &outcome.answers));
            history.extend(dialog(session, ask, outcome));
        } else {
            let sheet = ask.sheet_for_good();
            answered.extend(answers(&ask.questions, &sheet.answers_so_far()));
            let unanswered = sheet.visible().into_iter().map(|visible| visible.question);
            for question in unanswered.filter(|question| !ask.submitted.contains(&question.id)) {
                current.push(question.id.as_str().into());
                open.push(words(ask, question));
            }
        }
    }
    let mut written = brief(session);
    if let Some(fields) = written.as_object_mut() {
        fields.insert("current_questions".to_owned(), current.into());
        fields.insert("answered_questions".to_owned(), answered.into());
        fields.insert("open_questions".to_owned(), open.into());
        fields.insert("dialog_history".to_owned(), history.into());
    }
    written
}

/// What was answered, by question id, as a person's client would send it.
fn answers(questions: &Questions, given: &Answers) -> Vec<(String, Value)> {
    let lines = answer_lines(questions, given).into_iter();
    lines
        .filter(|line| line.answered() && !line.question.secret)
        .map(|line| (line.question.id.as_str().to_owned(), super::push::answer(&line)))
        .collect()
}

/// Writes a session without its rounds, as a list shows it.
pub fn brief(session: &Session) -> Value {
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    put("id", session.id.to_string().into());
    put("session_id", SessionNames::of_session(session).session_id().into());
    put("status", session.status.name().into());
    put("current_round", session.round.into());
    put("total_rounds", rounds_in_all(session.round, session.total_rounds).unwrap_or(session.round).into());
    if let Some(timeout) = session.timing.timeout {
        put("timeoutMs", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX).into());
    }
    if let Some(policy) = session.timing.policy {
        put("timeoutPolicy", policy.name().into());
    }
    put("created_at", super::time::write(session.created_at).into());
    put("last_activity", super::time::write(session.last_activity).into());
    match session.origin {
        Origin::Named => put("origin", "named".into()),
        Origin::Derived => put("origin", "derived".into()),
        Origin::Restored(from) => {
            put("restored_from", from.to_string().into());
            put("restored_at", super::time::write(session.created_at).into());
            put("restore_reason", json!(session.restore_reason));
            put("origin", "restored".into())
        }
    };
    Value::Object(fields)
}

/// An open question, to be read.
fn words(ask: &Ask, question: &Question) -> Value {
    json!({
        "ask_id": ask.id.to_string(),
        "question_id": question.id.as_str(),
        "question": question.text,
        "round": ask.round,
    })
}

/// A secret is kept out of history. What was said in an earlier session says in which one.
fn dialog(session: &Session, ask: &Ask, outcome: &Outcome) -> Vec<Value> {
    let outcome = &super::outcome::hidden(&ask.questions, outcome);
    let said = lines(&ask.questions, outcome);
    said.iter()
        .filter(|line| line.shown())
        .map(|line| {
            let mut said = json!({
                "round": ask.round,
                "question": line.question.text,
                "answer": told(line),
                "status": outcome.status(),
            });
            if ask.session != session.id {
                said["restored_from"] = ask.session.to_string().into();
            }
            said
        })
        .collect()
}

/// What was answered, as one text.
pub(crate) fn told(line: &Line<'_>) -> Option<String> {
    line.answered().then(|| line.joined(SPACED))
}
