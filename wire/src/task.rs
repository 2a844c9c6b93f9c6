//! A task as it is told, and its messages (P1): each by its kind, with its place in the chain.

use askuser_core::message::{Message, Said, Speaker};
use askuser_core::outcome::By;
use askuser_core::task::Task;
use serde_json::{Value, json};

use super::session::SessionNames;

/// Writes a task, as every route returns it.
pub fn write(task: &Task) -> Value {
    json!({
        "task_id": task.id.to_string(),
        // Nobody names the session of a task: both names are ours.
        "session_id": task.session.to_string(),
        "session": task.session.to_string(),
        "agent": task.agent,
        "folder": task.folder,
        "text": &*task.text,
        "status": task.state.name(),
        "reason": task.reason,
        "runs": task.n_runs,
        "agent_session_id": task.agent_session,
        "created_at": super::time::write(task.created_at),
        "changed_at": super::time::write(task.changed_at),
    })
}

/// The kind of message that a text becomes while it is still being written.
pub fn spoken_kind(thinking: bool) -> &'static str {
    if thinking { "thinking" } else { "text" }
}

/// Writes the `task_changed` event: the task, and who changed it.
pub fn changed(task: &Task, by: &By) -> Value {
    let mut written = write(task);
    if let Some(fields) = written.as_object_mut() {
        fields.insert("by".to_owned(), super::outcome::by_in_short(by));
    }
    written
}

/// Writes a message: the `message` event and the messages of a task.
///
/// `{"uuid","parentUuid","session_id","session","round","timestamp","kind","text",…}`; a text says whose it is
/// (`by`), a tool call and its result share `tool_use_id`, and what is cut says how long it was
/// (`whole_bytes`).
pub fn write_message(session: SessionNames<'_>, message: &Message) -> Value {
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
    let mut put = |key: &str, value: Value| {
        fields.insert(key.to_owned(), value);
    };
    match &message.said {
        Said::Text { by, .. } => put("by", speaker(*by).into()),
        Said::ToolUse { call, name, .. } => {
            put("tool_use_id", call.as_str().into());
            put("name", name.as_str().into());
        }
        Said::ToolResult { call, is_error, .. } => {
            put("tool_use_id", call.as_str().into());
            put("is_error", (*is_error).into());
        }
        Said::Ask { call, .. } => put("tool_use_id", call.as_str().into()),
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
