//! What we say to Claude Code, as the lines of its control protocol.

use serde_json::{Value, json};

/// The first thing: who we are and what it waited for.
pub(super) fn initialize(id: &str) -> Value {
    json!({"type": "control_request", "request_id": id, "request": {"subtype": "initialize"}})
}

/// Asks it to stop what it is doing.
pub(super) fn interrupt(id: &str) -> Value {
    json!({"type": "control_request", "request_id": id, "request": {"subtype": "interrupt"}})
}

/// What the person says.
pub(super) fn user(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": null})
}

/// Answers a request.
pub(super) fn reply(id: &str, response: &Value) -> Value {
    json!({"type": "control_response",
        "response": {"subtype": "success", "request_id": id, "response": response}})
}

/// Says no to a tool; with `interrupt` the turn ends.
pub(super) fn refuse(id: &str, why: &str, interrupt: bool) -> Value {
    reply(id, &json!({"behavior": "deny", "message": why, "interrupt": interrupt}))
}

/// Says that a request is none that we know.
pub(super) fn unknown(id: &str, what: &str) -> Value {
    json!({"type": "control_response",
        "response": {"subtype": "error", "request_id": id, "error": format!("unknown request `{what}`")}})
}
