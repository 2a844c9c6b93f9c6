//! What a call comes back with. `structuredContent` and text say the same: some agents show their
//! model only the one, some only the other.

use askuser_core::outcome::{Ending, Outcome};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::standing::Standing;
use super::trouble::Trouble;
use crate::wire::{outcome, result_text};

/// What to do about a question that is still open.
const NEXT: &str = "The person has not answered yet. The question stays open: call wait_for_answer with this \
                    ask_id, and do not ask again.";

/// Returns the result of an ask as it stands.
pub(super) fn of(standing: &Standing) -> CallToolResult {
    match &standing.outcome {
        Some(ended) => closed(standing, ended),
        None => told(json!({"status": "pending", "ask_id": standing.id.to_string(), "next": NEXT})),
    }
}

fn closed(standing: &Standing, ended: &Outcome) -> CallToolResult {
    let written = result_text::write(&standing.questions, ended);
    let content = vec![ContentBlock::text(written.text.clone())];
    if written.is_error {
        // The model reads the text and nothing of our protocol (O5).
        return CallToolResult::error(content);
    }
    let mut whole = outcome::write(&standing.questions, ended, None);
    let mut take = |key: &str| whole.get_mut(key).map(Value::take).unwrap_or_default();
    let structured = json!({
        "result": written.text,
        "status": take("status"),
        "answered_by": take("answered_by"),
        "answers": take("answers"),
    });
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(structured);
    result
}

/// Returns the list of an asker's asks.
pub(super) fn list(asks: &[Standing]) -> CallToolResult {
    let asks: Vec<Value> = asks
        .iter()
        .map(|ask| {
            let questions: Vec<&str> = ask.questions.top().iter().map(|question| question.text.as_str()).collect();
            let status = ask.outcome.as_ref().map_or("pending", |ended| match ended.ending {
                Ending::Answered(_) => "answered",
                _ => ended.status(),
            });
            json!({
                "ask_id": ask.id.to_string(), "status": status, "questions": questions, "asked_at": ask.created_at,
            })
        })
        .collect();
    let next = if asks.is_empty() {
        "You have no open questions."
    } else {
        "Call wait_for_answer with an ask_id for its answer."
    };
    told(json!({"asks": asks, "next": next}))
}

/// Returns the result of taking an ask back.
pub(super) fn withdrawn(ask_id: &str) -> CallToolResult {
    told(json!({"status": "cancelled", "ask_id": ask_id}))
}

/// Returns JSON, as such and as text.
fn told(value: Value) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(value.to_string())]);
    result.structured_content = Some(value);
    result
}

/// Returns a failure, which the model should read.
pub(super) fn failed(trouble: &Trouble) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(trouble.text.clone())])
}
