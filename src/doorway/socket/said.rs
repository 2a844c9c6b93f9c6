//! Messages: what came in, told apart, and what goes out.

use askuser_core::ask::Ask;
use askuser_core::outcome::Outcome;
use askuser_core::problem::{Fault, Problem};
use serde_json::{Map, Value, json};

use crate::wire::failure::{Code, Failure};
use crate::wire::language::Language;
use crate::wire::{self, Dialect, event};

const REQUEST: &str = "ask:question:request";
const RESPONSE: &str = "ask:question:response";
const ERROR: &str = "ask:question:error";

/// A way to write messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `ask:question:request` and `ask:question:response` (E).
    Events,
    /// `ask_user` and `ask_user_response` (O).
    AskUser,
}

impl Protocol {
    /// Finds a protocol by its name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "events" => Some(Self::Events),
            "ask_user" => Some(Self::AskUser),
            _ => None,
        }
    }

    /// Returns the dialect of its asks.
    pub(super) fn dialect(self) -> Dialect {
        match self {
            Self::Events => Dialect::Events,
            Self::AskUser => Dialect::AskUser,
        }
    }

    /// Returns how an ask is told where nothing is chosen: as it came, where that is one of these.
    pub(super) fn of(ask: &Ask) -> Self {
        if ask.terms.reply_in.as_deref() == Some(Dialect::Events.name()) {
            Self::Events
        } else {
            Self::AskUser
        }
    }
}

/// A message that came in.
pub(super) struct Given {
    pub(super) protocol: Protocol,
    pub(super) kind: Kind,
    /// What it says: `data` in the one protocol, the whole message in the other.
    pub(super) body: Value,
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Request,
    Response,
}

/// How an agent wants to be answered.
pub(super) struct Wanted {
    pub(super) protocol: Protocol,
    /// The agent's own name for its ask.
    pub(super) own_id: Option<String>,
}

/// Reads a message.
pub(super) fn read(message: &str) -> Result<Given, Failure> {
    let unfit = |fault| {
        Failure::new(Code::InvalidRequest, "the message does not fit", "消息不符合要求")
            .with(vec![Problem::new("", fault)])
    };
    let mut value: Value = serde_json::from_str(message)
        .map_err(|error| unfit(Fault::Other(format!("is not JSON: {error}"))))?;
    let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (protocol, kind) = match (word("event").as_str(), word("type").as_str()) {
        (REQUEST, _) => (Protocol::Events, Kind::Request),
        (RESPONSE, _) => (Protocol::Events, Kind::Response),
        (_, "ask_user") => (Protocol::AskUser, Kind::Request),
        (_, "ask_user_response") => (Protocol::AskUser, Kind::Response),
        _ => {
            let known = format!("is none of `{REQUEST}`, `{RESPONSE}`, `ask_user` and `ask_user_response`");
            return Err(unfit(Fault::Other(known)));
        }
    };
    let body = match protocol {
        Protocol::Events => value.get_mut("data").map(Value::take).unwrap_or_default(),
        Protocol::AskUser => value,
    };
    Ok(Given { protocol, kind, body })
}

impl Given {
    /// Returns a text of the message; an empty one is none.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.body.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }
}

/// Writes a request for a person.
pub(super) fn request(protocol: Protocol, ask: &Ask) -> Value {
    let questions: Vec<Value> = ask.questions.top().iter().map(wire::question::write).collect();
    match protocol {
        Protocol::Events => json!({
            "event": REQUEST,
            "data": {
                "agentId": ask.terms.asker.agent,
                "askId": ask.id.to_string(),
                "questions": questions.into_iter().map(with_multi_select).collect::<Vec<_>>(),
                "sessionId": ask.session.to_string(),
                "context": ask.terms.context,
            },
        }),
        Protocol::AskUser => json!({
            "type": "ask_user",
            "eventId": event::event_id(ask.id, &ask.terms),
            "askId": ask.id.to_string(),
            "sessionId": ask.session.to_string(),
            "questions": questions,
            "timeoutMs": ask.terms.timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            "deadlineAt": ask.deadline.map(wire::time::write),
            "context": ask.terms.context,
        }),
    }
}

/// Clients of the event protocol know `multiSelect` and no types.
fn with_multi_select(mut question: Value) -> Value {
    let several = question.get("type").and_then(Value::as_str) == Some("checkbox");
    if let Some(fields) = question.as_object_mut() {
        fields.insert("multiSelect".to_owned(), several.into());
    }
    question
}

/// Writes a response, for its asker or for every surface; `own_id` is the asker's name for it. It
/// carries every name that the ask goes by, so that whoever waits for it knows it in either protocol.
pub(super) fn response(protocol: Protocol, ask: &Ask, outcome: &Outcome, own_id: Option<&str>) -> Value {
    let named = |own: String| own_id.map_or(own, str::to_owned);
    let (mut written, ask_id) = match protocol {
        Protocol::Events => {
            (wire::write(Dialect::Events, &ask.questions, &ask.terms, outcome), named(ask.id.to_string()))
        }
        Protocol::AskUser => {
            let written = event::response(&ask.questions, &ask.terms, ask.id, ask.session, outcome);
            (written, ask.id.to_string())
        }
    };
    if let Some(fields) = written.as_object_mut() {
        let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        put("agentId", json!(ask.terms.asker.agent));
        put("askId", ask_id.into());
        put("ask_id", ask.id.to_string().into());
        put("opCode", named(event::event_id(ask.id, &ask.terms)).into());
        put("status", outcome.status().into());
        put("reason", outcome.reason().into());
        put("comment", json!(outcome.comment));
    }
    match protocol {
        Protocol::Events => json!({"event": RESPONSE, "data": written}),
        Protocol::AskUser => written,
    }
}

/// Writes a failure, in the protocol and under the names of what failed.
pub(super) fn failed(given: Option<&Given>, failure: &Failure, language: Language) -> Value {
    let mut fields = Map::new();
    for key in ["agentId", "askId", "ask_id", "eventId", "opCode"] {
        if let Some(text) = given.and_then(|given| given.text(key)) {
            fields.insert(key.to_owned(), text.into());
        }
    }
    if let Value::Object(written) = failure.write(language) {
        fields.extend(written);
    }
    match given.map(|given| given.protocol) {
        Some(Protocol::Events) => json!({"event": ERROR, "data": fields}),
        Some(Protocol::AskUser) | None => {
            fields.insert("type".to_owned(), "error".into());
            Value::Object(fields)
        }
    }
}
