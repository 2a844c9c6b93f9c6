//! Messages: what came in, told apart, and what goes out.

use askuser_core::ask::Ask;
use askuser_core::asker::Terms;
use askuser_core::outcome::Outcome;
use askuser_core::problem::Problem;
use askuser_core::question::Questions;
use askuser_words::Language;
use askuser_words::failed::Failed;
use askuser_words::fault::{self, Wrong};
use serde_json::{Value, json};

use askuser_api::doorways::Protocol;
use askuser_api::event_protocol::{REQUEST, RESPONSE, refusal_named};
use askuser_wire::failure::{Code, Failure};
use askuser_wire::session::SessionNames;
use askuser_wire::{self as wire, Dialect, event};

/// Returns the dialect of a protocol's asks and closes; a pushed question has one of its own.
pub(super) fn dialect_of(protocol: Protocol) -> Dialect {
    match protocol {
        Protocol::Events => Dialect::Events,
        Protocol::AskUser | Protocol::Push => Dialect::AskUser,
    }
}

/// Returns how an ask is told where nothing is chosen: as it came, where that is one of these.
pub(super) fn protocol_of(ask: &Ask) -> Protocol {
    if ask.terms.reply_in.as_deref() == Some(Dialect::Events.name()) {
        Protocol::Events
    } else {
        Protocol::AskUser
    }
}

/// A message that came in.
pub(super) struct Given {
    pub(super) protocol: Protocol,
    pub(super) kind: Kind,
    /// The dialect of a request, in which its response goes back.
    pub(super) dialect: Dialect,
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
    pub(super) dialect: Dialect,
    /// The agent's own name for its ask.
    pub(super) own_id: Option<String>,
    /// What it should know of its ask.
    pub(super) warnings: Vec<String>,
}

/// Reads a message.
pub(super) fn read(message: &str) -> Result<Given, Failure> {
    let unfit =
        |fault| Failure::new(Code::InvalidRequest, Failed::unfit_message).with(vec![Problem::new("", fault)]);
    let mut value: Value = serde_json::from_str(message)
        .map_err(|error| wire::not_json(message.as_bytes(), &error))
        .map_err(|why| unfit(fault::unfit(|said| said.not_json(&why))))?;
    let (protocol, kind) = match (word_of(&value, "event"), word_of(&value, "type")) {
        (REQUEST, _) => (Protocol::Events, Kind::Request),
        (RESPONSE, _) => (Protocol::Events, Kind::Response),
        (_, "ask_user" | "ask_user_question") => (Protocol::AskUser, Kind::Request),
        (_, "ask_user_response") => (Protocol::AskUser, Kind::Response),
        // A whole tool call, as HTTP takes it too.
        _ if wire::is_envelope(&value) => (Protocol::AskUser, Kind::Request),
        _ if value.get("question_id").is_some() && value.get("answer").is_some() => {
            return Err(unfit(fault::unfit(Wrong::choose_message)));
        }
        // A question alone, in the push form.
        _ if value.get("question_text").is_some_and(Value::is_string) => (Protocol::AskUser, Kind::Request),
        _ => {
            return Err(unfit(fault::unfit(|said| said.no_message(REQUEST, RESPONSE))));
        }
    };
    let body = match protocol {
        Protocol::Events => value.get_mut("data").map(Value::take).unwrap_or_default(),
        Protocol::AskUser | Protocol::Push => value,
    };
    let is_own = word_of(&body, "type") == "ask_user" || protocol == Protocol::Events;
    let dialect =
        if is_own || kind == Kind::Response { dialect_of(protocol) } else { wire::recognise(&body) };
    Ok(Given { protocol, kind, dialect, body })
}

fn word_of<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

impl Given {
    /// Returns a text of the message; an empty one is none.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.body.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }
}

/// Writes a request for a person: one message, or one a question.
pub(super) fn request(protocol: Protocol, ask: &Ask) -> Vec<Value> {
    let top = ask.questions.top();
    let request = match protocol {
        Protocol::Push => return event::pushed(ask),
        Protocol::Events => {
            let mut data = json!({
                "agentId": ask.terms.asker.agent,
                "askId": ask.id.to_string(),
                "questions": top.iter().map(wire::question::write_with_multi_select).collect::<Vec<_>>(),
                "sessionId": SessionNames::of(ask).session_id(),
                "session": ask.session.to_string(),
                "context": ask.terms.context,
            });
            // E1: as it came, where something came.
            if ask.terms.metadata.is_some() {
                data["metadata"] = wire::ask::metadata(&ask.terms);
            }
            json!({"event": REQUEST, "data": data})
        }
        Protocol::AskUser => json!({
            "type": "ask_user",
            "eventId": event::event_id(ask.id, &ask.terms),
            "askId": ask.id.to_string(),
            "sessionId": SessionNames::of(ask).session_id(),
            "session": ask.session.to_string(),
            "questions": top.iter().map(wire::question::write).collect::<Vec<_>>(),
            "timeoutMs": ask.terms.timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            "deadlineAt": ask.deadline.map(wire::time::write),
            "context": ask.terms.context,
        }),
    };
    vec![request]
}

/// Writes a response, for its asker or for every surface; `own_id` is the asker's name for it. It
/// carries every name that the ask goes by, so that whoever waits for it knows it in either protocol.
pub(super) fn response(dialect: Dialect, ask: &Ask, outcome: &Outcome, own_id: Option<&str>) -> Value {
    let named = |own: String| own_id.map_or(own, str::to_owned);
    let (mut written, ask_id) = match dialect {
        Dialect::AskUser => {
            let written = event::response(&ask.questions, &ask.terms, ask.id, SessionNames::of(ask), outcome);
            (written, ask.id.to_string())
        }
        dialect => (wire::write(dialect, &ask.questions, &ask.terms, outcome), named(ask.id.to_string())),
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
    if dialect == Dialect::Events { json!({"event": RESPONSE, "data": written}) } else { written }
}

/// Writes the response to a request that brought every answer along: there is no ask that it could name (E5).
pub(super) fn collected(
    dialect: Dialect,
    questions: &Questions,
    terms: &Terms,
    outcome: &Outcome,
    own_id: Option<&str>,
) -> Value {
    let mut written = wire::write(dialect, questions, terms, outcome);
    if let Some(fields) = written.as_object_mut() {
        let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        put("agentId", json!(terms.asker.agent));
        put("askId", json!(own_id));
        put("opCode", json!(own_id));
        put("status", outcome.status().into());
        put("reason", outcome.reason().into());
    }
    if dialect == Dialect::Events { json!({"event": RESPONSE, "data": written}) } else { written }
}

/// Adds what the agent should know of its ask, where there is anything: a request has no other reply.
pub(super) fn warn(response: &mut Value, warnings: &[String]) {
    if let (Some(fields), false) = (response.as_object_mut(), warnings.is_empty()) {
        fields.insert("warnings".to_owned(), json!(warnings));
    }
}

/// Writes a failure, in the protocol and under the names of what failed.
pub(super) fn failed(given: Option<&Given>, failure: &Failure, language: Language) -> Value {
    let of_events = given.is_some_and(|given| given.protocol == Protocol::Events);
    refusal_named(of_events, |key| given.and_then(|given| given.text(key)), failure, language)
}
