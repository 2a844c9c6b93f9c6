//! A session as a chain of messages (P4, P5): each ask is a tool call, its outcome the result.
//!
//! The shape is that of a Claude Code transcript, a JSON object a line, so that whatever reads those
//! reads ours.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::AskId;
use askuser_core::outcome::Outcome;
use askuser_core::session::Session;
use serde_json::{Map, Value, json};

use super::line::lines;
use super::tool;

/// Which half of a round a message is.
#[derive(Clone, Copy)]
enum Half {
    Call,
    Result,
}

/// Writes the messages of a session's rounds, in order, each naming the one before it.
pub fn chain(session: &Session, rounds: &[Arc<Ask>]) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut parent: Option<String> = None;
    for ask in rounds {
        let called = call_uuid(ask);
        messages.push(call(session, ask, &called, parent.as_deref()));
        let last = last_uuid(ask);
        if let Some(outcome) = ask.state.outcome() {
            messages.push(result(session, ask, outcome, &last, Some(&called)));
        }
        parent = Some(last);
    }
    messages
}

/// Returns the id of the message that asks.
pub(crate) fn call_uuid(ask: &Ask) -> String {
    uuid(ask.id, Half::Call)
}

/// Returns the id of a round's last message: the result, once there is one.
pub(crate) fn last_uuid(ask: &Ask) -> String {
    uuid(ask.id, if ask.is_open() { Half::Call } else { Half::Result })
}

fn call(session: &Session, ask: &Ask, uuid: &str, parent: Option<&str>) -> Value {
    let questions: Vec<Value> = ask.questions.top().iter().map(super::question::write).collect();
    let mut written = json!({
        "type": "assistant",
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": session.id.to_string(),
        "timestamp": super::time::write(ask.asked_at),
        "round": ask.round,
        "ask_id": ask.id.to_string(),
        "message": {
            "role": "assistant",
            "content": [{
                "type": "tool_use",
                "id": tool_use(ask),
                "name": tool::NAME,
                "input": {"questions": questions},
            }],
        },
    });
    if let (Some(fields), Some(context)) = (written.as_object_mut(), &ask.terms.context) {
        fields.insert("context".to_owned(), context.as_str().into());
    }
    written
}

fn result(session: &Session, ask: &Ask, outcome: &Outcome, uuid: &str, parent: Option<&str>) -> Value {
    // A secret is not history's to tell.
    let outcome = &super::outcome::hidden(&ask.questions, outcome);
    let said = super::result_text::write(&ask.questions, outcome);
    let answers: Map<String, Value> = lines(&ask.questions, outcome)
        .iter()
        .filter_map(|line| Some((line.question.text.clone(), super::session::told(line)?.into())))
        .collect();
    json!({
        "type": "user",
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": session.id.to_string(),
        "timestamp": super::time::write(outcome.at),
        "round": ask.round,
        "ask_id": ask.id.to_string(),
        "message": {
            "role": "user",
            "content": [{
                "type": "tool_result",
                "tool_use_id": tool_use(ask),
                "content": said.text,
                "is_error": said.is_error,
            }],
        },
        "toolUseResult": {
            "answers": answers,
            "status": outcome.status(),
            "reason": outcome.reason(),
            // Who, where and when, which other programs have no place for.
            "outcome": super::outcome::write(&ask.questions, outcome, None),
        },
    })
}

fn tool_use(ask: &Ask) -> String {
    ask.terms.tool_use.clone().unwrap_or_else(|| format!("toolu_{}", ask.id))
}

/// The id of a message: that of the ask, which is a UUID, and beside it one for the result.
fn uuid(ask: AskId, half: Half) -> String {
    let digits = match half {
        Half::Call => format!("{:032x}", ask.0),
        Half::Result => format!("{:032x}", ask.0 ^ 1),
    };
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}
