//! A task as it is told.

use askuser_core::outcome::By;
use askuser_core::task::Task;
use serde_json::{Value, json};

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
        let user = by.user.as_ref().map(askuser_core::id::UserId::as_str);
        fields.insert("by".to_owned(), json!({"user": user, "channel": by.channel.name()}));
    }
    written
}
