//! A session as a chain of messages (P4, P5): each ask is a tool call, its outcome the result. Where
//! a deadline is to stop the task as well, a message of the system says so (O4).
//!
//! The shape is that of a Claude Code transcript, a JSON object a line, so that whatever reads those
//! reads ours.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, MessageId};
use askuser_core::message::{Message, Said, Speaker};
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::session::Session;
use serde_json::{Map, Value, json};

use super::line::lines;
use super::session::SessionNames;
use super::tool;

/// What the system says where a deadline is to stop the task.
pub(crate) const STOP: &str = "Nobody answered in time: the question was cancelled and the task is to stop.";

/// Which part of a round a message is.
#[derive(Clone, Copy)]
enum Part {
    Call,
    Result,
    Stop,
}

/// Writes the messages of a session's rounds, in order, each naming the one before it.
pub fn chain(session: &Session, rounds: &[Arc<Ask>]) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut parent: Option<String> = None;
    for ask in rounds {
        let called = call_uuid(ask);
        messages.push(call(session, ask, &called, parent.as_deref()));
        if let Some(outcome) = ask.state.outcome() {
            let answered = uuid(ask.id, Part::Result);
            messages.push(result(session, ask, outcome, &answered, Some(&called)));
            if stops(outcome) {
                messages.push(stop(session, ask, outcome, &uuid(ask.id, Part::Stop), Some(&answered)));
            }
        }
        parent = Some(last_uuid(ask));
    }
    messages
}

/// Writes the messages of a task's session, fact by fact, each naming the one before it.
#[derive(Debug)]
pub struct Chain<'a> {
    session: &'a Session,
    parent: Option<String>,
}

impl<'a> Chain<'a> {
    /// Begins a session's chain.
    pub fn new(session: &'a Session) -> Self {
        Self { session, parent: None }
    }

    /// Writes what a fact says; nothing where it is no message. `ask` is the one that it is about, as
    /// it is now.
    pub fn fact(&mut self, fact: &Fact, ask: Option<&Ask>) -> Vec<Value> {
        let mut lines = Vec::new();
        match (fact, ask) {
            (Fact::Said(told), _) => {
                lines.push(said(self.session, told, self.parent.as_deref()));
                self.parent = Some(told.id.to_string());
            }
            (Fact::Asked(asked), ask) => {
                let called = call_uuid(asked);
                lines.push(call(self.session, ask.unwrap_or(asked), &called, self.parent.as_deref()));
                self.parent = Some(called);
            }
            (Fact::Closed { outcome, .. }, Some(ask)) => {
                let answered = uuid(ask.id, Part::Result);
                lines.push(result(self.session, ask, outcome, &answered, self.parent.as_deref()));
                self.parent = Some(answered);
                if stops(outcome) {
                    let stopped = uuid(ask.id, Part::Stop);
                    lines.push(stop(self.session, ask, outcome, &stopped, self.parent.as_deref()));
                    self.parent = Some(stopped);
                }
            }
            _ => {}
        }
        lines
    }
}

/// Writes a message of a task as Claude Code would have.
fn said(session: &Session, told: &Message, parent: Option<&str>) -> Value {
    let content =
        |role: &str, block: Value| json!({"type": role, "message": {"role": role, "content": [block]}});
    let mut line = match &told.said {
        Said::Text { by: Speaker::Person, text } => {
            json!({"type": "user", "message": {"role": "user", "content": text}})
        }
        Said::Text { by: Speaker::Agent, text } => {
            content("assistant", json!({"type": "text", "text": text}))
        }
        Said::Thinking(text) => content("assistant", json!({"type": "thinking", "thinking": text})),
        Said::ToolUse { call, name, input } => content(
            "assistant",
            json!({"type": "tool_use", "id": call, "name": name, "input": arguments(input)}),
        ),
        Said::Ask { call, input } => content(
            "assistant",
            json!({"type": "tool_use", "id": call, "name": tool::NAME, "input": arguments(input)}),
        ),
        Said::ToolResult { call, text, is_error } => content(
            "user",
            json!({"type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error}),
        ),
        Said::Error(text) => json!({"type": "system", "level": "error", "content": text}),
        Said::Notice(text) => json!({"type": "system", "level": "info", "content": text}),
        Said::Complete(text) => json!({"type": "result", "subtype": "success", "result": text}),
    };
    if let Some(fields) = line.as_object_mut() {
        let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        put("uuid", told.id.to_string().into());
        put("parentUuid", parent.into());
        put("sessionId", session_id(session).into());
        put("timestamp", super::time::write(told.at).into());
        put("round", told.round.max(1).into());
        if let Some(whole) = told.whole_bytes {
            put("whole_bytes", whole.into());
        }
    }
    line
}

/// The session as its caller knows it.
fn session_id(session: &Session) -> String {
    SessionNames::of_session(session).session_id()
}

/// The arguments of a call; what was cut and is no JSON any more stays text.
fn arguments(input: &str) -> Value {
    serde_json::from_str(input).unwrap_or_else(|_| input.into())
}

/// Returns the id of the message that asks.
pub(crate) fn call_uuid(ask: &Ask) -> String {
    uuid(ask.id, Part::Call)
}

/// Returns the id of a round's last message: the result, once there is one, and what follows it.
pub(crate) fn last_uuid(ask: &Ask) -> String {
    let part = match ask.state.outcome() {
        None => Part::Call,
        Some(outcome) if stops(outcome) => Part::Stop,
        Some(_) => Part::Result,
    };
    uuid(ask.id, part)
}

/// Returns the ids of the message that the task is to stop, and of the one before it.
pub(crate) fn stop_uuids(ask: &Ask) -> Option<(String, String)> {
    let stops = ask.state.outcome().is_some_and(stops);
    stops.then(|| (uuid(ask.id, Part::Stop), uuid(ask.id, Part::Result)))
}

/// Whether the task is to stop with the ask (O4).
fn stops(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Expired { abort: true, .. })
}

fn call(session: &Session, ask: &Ask, uuid: &str, parent: Option<&str>) -> Value {
    // Beside our own words the agent's: what reads transcripts knows `multiSelect` and no types.
    let questions = ask.questions.top().iter().map(super::question::write_with_multi_select);
    let questions: Vec<Value> = questions.collect();
    let mut written = json!({
        "type": "assistant",
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": session_id(session),
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
        "sessionId": session_id(session),
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

fn stop(session: &Session, ask: &Ask, outcome: &Outcome, uuid: &str, parent: Option<&str>) -> Value {
    json!({
        "type": "system",
        "subtype": "ask_user_timeout",
        "level": "warning",
        "content": STOP,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": session_id(session),
        "timestamp": super::time::write(outcome.at),
        "round": ask.round,
        "ask_id": ask.id.to_string(),
    })
}

fn tool_use(ask: &Ask) -> String {
    ask.terms.tool_use.clone().unwrap_or_else(|| format!("toolu_{}", ask.id))
}

/// The id of a message.
fn uuid(ask: AskId, part: Part) -> String {
    let id = match part {
        Part::Call => MessageId::of_ask(ask),
        Part::Result => MessageId::of_outcome(ask),
        Part::Stop => MessageId::of_stop(ask),
    };
    id.to_string()
}
