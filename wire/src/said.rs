//! A message of a task as it is told (P1): by its kind, with its place in the chain.

use askuser_core::message::{Message, Said, Speaker};
use serde_json::{Value, json};

use super::session::SessionNames;

/// Writes a message: the `message` event and the messages of a task.
///
/// `{"uuid","parentUuid","session_id","session","round","timestamp","kind","text",…}`; a text says whose it is
/// (`by`), a tool call and its result share `tool_use_id`, and what is cut says how long it was
/// (`whole_bytes`).
pub fn write(session: SessionNames<'_>, message: &Message) -> Value {
    let mut written = json!({
        "uuid": message.id.to_string(),
        "parentUuid": message.parent.map(|parent| parent.to_string()),
        "session_id": session.session_id(),
        "session": session.id.to_string(),
        "round": message.round,
        "timestamp": super::time::write(message.at),
        "kind": message.said.kind(),
        "text": message.said.text(),
    });
    let Some(fields) = written.as_object_mut() else { return written };
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    match &message.said {
        Said::Text { by, .. } => drop(put("by", speaker(*by).into())),
        Said::ToolUse { call, name, .. } => {
            put("tool_use_id", call.as_str().into());
            put("name", name.as_str().into());
        }
        Said::ToolResult { call, is_error, .. } => {
            put("tool_use_id", call.as_str().into());
            put("is_error", (*is_error).into());
        }
        Said::Ask { call, .. } => drop(put("tool_use_id", call.as_str().into())),
        Said::Thinking(_) | Said::Error(_) | Said::Complete(_) | Said::Notice(_) => {}
    }
    if let Some(whole) = message.whole_bytes {
        put("whole_bytes", whole.into());
    }
    written
}

/// The word for whose words a text is.
pub fn speaker(by: Speaker) -> &'static str {
    match by {
        Speaker::Person => "person",
        Speaker::Agent => "agent",
    }
}
