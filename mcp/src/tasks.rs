//! An ask as a task, for clients that take tasks: the same ask, under its own id, from our store.

use askuser_core::outcome::Ending;
use rmcp::model::{CallToolResult, DetailedTask, JsonObject, Task, TaskPayload, TaskStatus};
use serde_json::Value;

use super::snapshot::AskSnapshot;
use super::{progress, result};
use askuser_wire::time;

/// How often a client should look: a person takes longer.
pub(super) const LOOK_EVERY_MS: u64 = 2_000;

/// Returns the ask as a task.
pub(super) fn task(snapshot: &AskSnapshot) -> Task {
    let updated_at = snapshot.outcome.as_ref().map(|ended| time::write(ended.at));
    let updated_at = updated_at.unwrap_or_else(|| snapshot.created_at.clone());
    let task =
        Task::new(snapshot.id.to_string(), TaskStatus::Working, snapshot.created_at.clone(), updated_at);
    let task = task.with_poll_interval_ms(LOOK_EVERY_MS);
    match snapshot.outcome {
        None => task.with_status_message(progress::status(snapshot)),
        Some(_) => task,
    }
}

/// Returns it with its result, once it has one.
pub(super) fn detailed(snapshot: &AskSnapshot) -> DetailedTask {
    let payload = match snapshot.outcome.as_ref().map(|ended| ended.ending) {
        None => TaskPayload::Working,
        Some(Ending::Withdrawn) => TaskPayload::Cancelled,
        Some(_) => TaskPayload::Completed { result: object(&result::of(snapshot)) },
    };
    DetailedTask::new(task(snapshot), payload)
}

fn object(result: &CallToolResult) -> JsonObject {
    match serde_json::to_value(result) {
        Ok(Value::Object(fields)) => fields,
        _ => JsonObject::new(),
    }
}
