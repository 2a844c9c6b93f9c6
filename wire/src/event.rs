//! Facts as events: what a listener is told, under the names of the contract.

use askuser_core::ask::Ask;
use askuser_core::asker::Terms;
use askuser_core::fact::Fact;
use askuser_core::id::AskId;
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use serde_json::{Value, json};

use super::dialect::Dialect;
use super::push::{Envelope, push_form};
use super::session::SessionNames;

/// Returns the name of the event that a fact is told as.
pub fn name(fact: &Fact) -> &'static str {
    match fact {
        Fact::Asked(_) => "asked",
        Fact::Shown { .. } => "shown",
        Fact::Saved { .. } | Fact::Submitted { .. } => "sheet_saved",
        Fact::Held { .. } => "held",
        Fact::TakenBack { .. } => "taken_back",
        Fact::Heard { .. } => "person_answered",
        Fact::Escalated { .. } => "escalated",
        Fact::Closed { .. } => "ask_user_response",
        Fact::Delivered { .. } | Fact::Acknowledged { .. } | Fact::Undeliverable { .. } => "delivered",
        Fact::TaskChanged { .. } => "task_changed",
        Fact::Said(_) => "message",
        Fact::SessionOpened(_)
        | Fact::SessionEnded { .. }
        | Fact::Settled { .. }
        | Fact::AnsweredLate { .. }
        | Fact::Moved { .. }
        | Fact::Reopened { .. } => "session_changed",
    }
}

/// Writes what a fact says. `ask` is the one that it is about, where that is known.
pub fn write(session: SessionNames<'_>, fact: &Fact, ask: Option<&Ask>) -> Value {
    let of = |id: &AskId| id.to_string();
    let mut written = match fact {
        Fact::Asked(asked) => asked_event(asked),
        Fact::Shown { ask } => json!({"ask_id": of(ask), "status": "showing"}),
        Fact::Saved { ask, by, .. } => json!({"ask_id": of(ask), "channel": by.channel.name()}),
        Fact::Submitted { ask, question, by, .. } => json!({
            "ask_id": of(ask), "channel": by.channel.name(), "question_id": question.as_str(),
            "submitted": true,
        }),
        Fact::Held { ask, held } => json!({
            "ask_id": of(ask), "user": held.user.as_str(), "channel": held.by.channel.name(),
            "until": super::time::write(held.until),
        }),
        Fact::TakenBack { ask, user, .. } => json!({"ask_id": of(ask), "user": user.as_str()}),
        Fact::Heard { ask: id, voice } => json!({
            "ask_id": of(id), "user": voice.user.as_str(),
            "status": if voice.answers.is_some() { "answered" } else { "declined" },
            "channel": voice.by.channel.name(),
            "quorum": ask.and_then(|ask| super::people::progress(ask, super::ask::Reader::Asker)),
        }),
        Fact::Escalated { ask: id } => json!({
            "ask_id": of(id),
            "quorum": ask.and_then(|ask| super::people::progress(ask, super::ask::Reader::Asker)),
        }),
        Fact::Closed { ask: id, outcome } => match ask {
            // Many listen; the asker comes for what is secret by the ask's id.
            Some(ask) => {
                let outcome = super::outcome::hidden(&ask.questions, outcome);
                response(&ask.questions, &ask.terms, ask.id, session, &outcome)
            }
            // The questions are gone: that it ended is told all the same.
            None => json!({
                "ask_id": of(id), "status": outcome.status(), "reason": outcome.reason(),
                "comment": outcome.comment, "opCode": of(id), "answers": [],
            }),
        },
        Fact::Delivered { ask } => json!({"ask_id": of(ask), "status": "processing"}),
        Fact::Acknowledged { ask } => json!({"ask_id": of(ask), "status": "completed"}),
        Fact::Undeliverable { ask } => json!({"ask_id": of(ask), "status": "error"}),
        Fact::TaskChanged { task, by } => super::task::changed(task, by),
        Fact::Said(message) => super::task::write_message(session, message),
        Fact::SessionOpened(_) => json!({"change": "opened", "status": "active"}),
        Fact::SessionEnded { status, .. } => json!({"change": "ended", "status": status.name()}),
        Fact::Settled { ask, dropped } => {
            let dropped: Vec<&str> = dropped.iter().map(askuser_core::id::QuestionId::as_str).collect();
            json!({"change": "settled", "ask_id": of(ask), "dropped": dropped})
        }
        Fact::AnsweredLate { ask, .. } => json!({"change": "answered_late", "ask_id": of(ask)}),
        Fact::Moved { ask, from, .. } => {
            json!({"change": "moved", "ask_id": of(ask), "from": from.to_string()})
        }
        Fact::Reopened { ask, as_new } => {
            json!({"change": "reopened", "ask_id": of(ask), "new_ask_id": of(as_new)})
        }
    };
    session.put_into(&mut written);
    written
}

/// The ask and, question by question, the push form (P6). What was asked does not change later, so
/// this reads the same whenever it is told.
fn asked_event(ask: &Ask) -> Value {
    let pushed = pushed(ask);
    let mut told = super::ask::write(&super::ask::AskSummary::of(ask));
    if let (Some(fields), Some(people)) =
        (told.as_object_mut(), super::people::progress(ask, super::ask::Reader::Asker))
    {
        fields.insert("quorum".to_owned(), people);
    }
    json!({"ask_id": ask.id.to_string(), "ask": told, "push": pushed})
}

/// Writes an ask in the push form: a message a question.
pub fn pushed(ask: &Ask) -> Vec<Value> {
    let session = SessionNames::of(ask);
    let (tool_use_id, context) = (ask.terms.tool_use.as_deref(), ask.terms.context.as_deref());
    let envelope = Envelope { session, tool_use_id, at: ask.asked_at, context };
    ask.questions.top().iter().map(|question| push_form(question, envelope)).collect()
}

/// Writes `ask_user_response` (O1, O9): every close is one, to every listener.
pub fn response(
    questions: &Questions,
    terms: &Terms,
    ask: AskId,
    session: SessionNames<'_>,
    outcome: &Outcome,
) -> Value {
    let mut written = super::write(Dialect::AskUser, questions, terms, outcome);
    session.put_into(&mut written);
    if let Some(fields) = written.as_object_mut() {
        fields.insert("opCode".to_owned(), event_id(ask, terms).into());
        fields.insert("ask_id".to_owned(), ask.to_string().into());
        fields.insert("answered_by".to_owned(), json!(outcome.answered_by()));
        fields.insert("channel".to_owned(), outcome.by.channel.name().into());
        if let askuser_core::outcome::Ending::Expired { abort: true, .. } = outcome.ending {
            // O4: the task is stopped with it, and this says so.
            fields.insert("abort".to_owned(), true.into());
            fields.insert("message".to_owned(), "ask_user_timeout".into());
        }
    }
    written
}

/// Returns the id of the event that an ask came as: the asker's own, else ours.
pub fn event_id(ask: AskId, terms: &Terms) -> String {
    terms.event.clone().unwrap_or_else(|| ask.to_string())
}
