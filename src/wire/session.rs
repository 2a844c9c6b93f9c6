//! A session in our own JSON (P11), with what was asked and answered in it, round by round.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::outcome::Outcome;
use askuser_core::question::Question;
use askuser_core::session::{Origin, Session};
use serde_json::{Map, Value, json};

use super::joining::SPACED;
use super::line::{Line, lines};

pub(crate) use super::terms::of_session as opening;

/// Writes a session with its rounds, in order.
pub fn write(session: &Session, rounds: &[Arc<Ask>]) -> Value {
    let open = rounds.iter().filter(|ask| ask.is_open());
    let current: Vec<Value> = open.flat_map(|ask| questions(ask)).collect();
    let ended = rounds.iter().filter_map(|ask| Some((ask, ask.state.outcome()?)));
    let answered: Vec<Value> = ended
        .clone()
        .flat_map(|(ask, outcome)| {
            lines(&ask.questions, outcome)
                .into_iter()
                .filter(Line::answered)
                .map(|line| named(ask, line.question))
                .collect::<Vec<_>>()
        })
        .collect();
    let history: Vec<Value> = ended.flat_map(|(ask, outcome)| dialog(ask, outcome)).collect();
    let mut written = brief(session);
    if let Some(fields) = written.as_object_mut() {
        fields.insert("current_questions".to_owned(), current.into());
        fields.insert("answered_questions".to_owned(), answered.into());
        fields.insert("dialog_history".to_owned(), history.into());
    }
    written
}

/// Writes a session without its rounds, as a list shows it.
pub fn brief(session: &Session) -> Value {
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    put("session_id", session.id.to_string().into());
    put("external_id", json!(session.external_id));
    put("status", session.status.name().into());
    put("current_round", session.round.into());
    put("total_rounds", session.total_rounds.unwrap_or(session.round).max(session.round).into());
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

fn questions(ask: &Ask) -> Vec<Value> {
    let sheet = ask.sheet();
    sheet.visible().iter().map(|visible| named(ask, visible.question)).collect()
}

fn named(ask: &Ask, question: &Question) -> Value {
    json!({
        "ask_id": ask.id.to_string(),
        "question_id": question.id.as_str(),
        "header": question.header,
        "question": question.text,
        "round": ask.round,
    })
}

/// A secret is kept out of history.
fn dialog(ask: &Ask, outcome: &Outcome) -> Vec<Value> {
    let outcome = &super::outcome::hidden(&ask.questions, outcome);
    let said = lines(&ask.questions, outcome);
    said.iter()
        .filter(|line| line.shown())
        .map(|line| {
            json!({
                "round": ask.round,
                "question": line.question.text,
                "answer": told(line),
                "status": outcome.status(),
            })
        })
        .collect()
}

/// What was answered, as one text.
pub(crate) fn told(line: &Line<'_>) -> Option<String> {
    line.answered().then(|| line.joined(SPACED))
}
