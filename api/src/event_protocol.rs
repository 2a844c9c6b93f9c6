//! Messages of the event protocol, for both ends: what they are, which names they go by, how one is refused.

use askuser_core::id::AskId;
use askuser_words::Language;
use serde_json::{Map, Value, json};

use askuser_wire::failure::{Code, Failure};

/// A request, in the protocol whose messages have an `event`.
pub const REQUEST: &str = "ask:question:request";
/// A response.
pub const RESPONSE: &str = "ask:question:response";
/// Something was refused.
pub const ERROR: &str = "ask:question:error";
/// What names a message, so that a refusal names it too.
const NAMED: [&str; 5] = ["agentId", "askId", "ask_id", "eventId", "opCode"];
/// The names of an ask that a response may give, as the desk looks for them.
const ASK_NAMES: [&str; 3] = ["askId", "ask_id", "opCode"];

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A request, and the key under which its name stands.
    Request(&'static str),
    /// A response: of a person, or the close of an ask.
    Response,
    /// Something was refused.
    Complaint,
}

/// Tells what a message is.
pub fn kind(message: &Value) -> Option<Kind> {
    let word = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default();
    match (word("event"), word("type")) {
        (REQUEST, _) => Some(Kind::Request("askId")),
        (_, "ask_user") => Some(Kind::Request("eventId")),
        (RESPONSE, _) | (_, "ask_user_response") => Some(Kind::Response),
        (ERROR, _) | (_, "error") => Some(Kind::Complaint),
        // A tool call or a question as it is pushed, and the desk's response to it, which names its ask.
        _ if !word("opCode").is_empty() && !word("status").is_empty() => Some(Kind::Response),
        (_, "ask_user_question") => Some(Kind::Request("eventId")),
        _ if askuser_wire::is_envelope(message) => Some(Kind::Request("eventId")),
        _ => None,
    }
}

/// Whether a message is of the protocol whose messages have an `event` and its `data`.
pub fn is_event(message: &Value) -> bool {
    message.get("event").is_some()
}

/// What a message says: `data` in the one protocol, the whole message in the other.
pub fn body(message: &Value) -> &Value {
    message.get("data").filter(|_| is_event(message)).unwrap_or(message)
}

/// The same, to be written into.
pub fn body_mut(message: &mut Value) -> &mut Value {
    if is_event(message) { &mut message["data"] } else { message }
}

/// Returns a text of a message; an empty one is none.
pub fn text<'a>(message: &'a Value, key: &str) -> Option<&'a str> {
    body(message).get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Every name that the ask of a message goes by, the surest first.
pub fn names(message: &Value) -> Vec<String> {
    let keys = ASK_NAMES.into_iter().chain(["eventId"]);
    keys.filter_map(|key| text(message, key)).map(spelled).collect()
}

/// The name by which a response means its ask, where it gives one.
pub fn meant(response: &Value) -> Option<String> {
    ASK_NAMES.into_iter().find_map(|key| text(response, key)).map(spelled)
}

/// An ask's id may be spelled in several ways; names are compared in one.
fn spelled(name: &str) -> String {
    name.parse::<AskId>().map_or_else(|_| name.to_owned(), |id| id.to_string())
}

/// Whether what a complaint is about may work in a moment, as `ClientError::may_pass` says of a call.
pub fn may_pass(complaint: &Value) -> bool {
    let code = text(complaint, "error").and_then(Code::parse);
    code.is_some_and(|code| code == Code::RateLimited || matches!(code.status(), 502..=504))
}

/// Refuses a message, in its protocol and under its names.
pub fn refusal(message: &Value, failure: &Failure, language: Language) -> Value {
    let of_events = kind(message).is_some() && is_event(message);
    refusal_named(of_events, |key| text(message, key), failure, language)
}

/// The same, of a message that was taken apart.
pub fn refusal_named<'a>(
    of_events: bool,
    name: impl Fn(&str) -> Option<&'a str>,
    failure: &Failure,
    language: Language,
) -> Value {
    let named = NAMED.into_iter().filter_map(|key| Some((key.to_owned(), name(key)?.into())));
    let mut fields: Map<String, Value> = named.collect();
    if let Value::Object(written) = failure.write(language) {
        fields.extend(written);
    }
    if of_events {
        return json!({"event": ERROR, "data": fields});
    }
    fields.insert("type".to_owned(), "error".into());
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_that_pass_are_told_from_those_that_stay() {
        let check = |code: &str, passes| {
            let flat = json!({"type": "error", "error": code});
            let event = json!({"event": "ask:question:error", "data": {"error": code}});
            assert_eq!((may_pass(&flat), may_pass(&event)), (passes, passes), "{code}");
        };
        check("rate_limited", true);
        check("unavailable", true);
        check("too_many_asks", false);
        check("internal_error", false);
        check("another", false);
    }

    #[test]
    fn a_complaint_speaks_the_protocol_of_its_line_and_names_it() {
        let failure =
            Failure::new(Code::PayloadTooLarge, |said: askuser_words::failed::Failed| said.body_too_large(1));
        let read = |line: &Value| refusal(line, &failure, Language::English);
        let event = read(&json!({"event": "ask:question:response", "data": {"agentId": "a", "answers": {}}}));
        assert_eq!((&event["event"], &event["data"]["agentId"]), (&json!("ask:question:error"), &json!("a")));
        assert_eq!(event["data"]["error"], "payload_too_large");
        let flat = read(&json!({"type": "ask_user", "eventId": "e"}));
        assert_eq!((&flat["type"], &flat["eventId"]), (&json!("error"), &json!("e")));
        assert_eq!(read(&Value::Null)["message"], "the body is larger than 1 bytes");
    }
}
