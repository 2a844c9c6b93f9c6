//! What a call comes back with. `structuredContent` and text say the same: some agents show their
//! model only the one, some only the other.

use askuser_core::outcome::{Ending, Outcome};
use askuser_core::question::Questions;
use askuser_core::time::Timestamp;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use super::snapshot::AskSnapshot;
use super::trouble::Trouble;
use askuser_wire::{outcome, result_text, time};

/// What to do about a question that is still open.
const NEXT: &str = "The person has not answered yet. The question stays open: call wait_for_answer with this \
                    ask_id, and do not ask again.";

/// Returns the result of an ask as it stands.
pub(super) fn of(snapshot: &AskSnapshot) -> CallToolResult {
    match &snapshot.outcome {
        Some(ended) => closed(&snapshot.questions, ended),
        None => told(json!({"status": "pending", "ask_id": snapshot.id.to_string(), "next": NEXT})),
    }
}

/// Returns the same to whoever asked, with what the model should know of its questions. The text of an answer
/// stays as it is (P4).
pub(super) fn of_asked(snapshot: &AskSnapshot, warnings: &[String]) -> CallToolResult {
    let mut result = of(snapshot);
    let structured = result.structured_content.as_mut().filter(|_| !warnings.is_empty());
    if let Some(structured) = structured
        && let Some(fields) = structured.as_object_mut()
    {
        fields.insert("warnings".to_owned(), json!(warnings));
        if snapshot.outcome.is_none() {
            result.content = vec![ContentBlock::text(structured.to_string())];
        }
    }
    result
}

/// Adds when it was decided, where that was before the call: the model must not take it for an answer of now.
pub(super) fn decided_before(mut result: CallToolResult, at: Timestamp, now: Timestamp) -> CallToolResult {
    let decided_at = time::write(at);
    let minutes = now.since(at).as_secs() / 60;
    let ago = if minutes == 0 { "less than a minute ago".to_owned() } else { format!("{minutes} min ago") };
    result.content.push(ContentBlock::text(format!(
        "(This was decided {ago}, at {decided_at}, while no call was waiting for it. Ask again only if you need a \
         new decision.)"
    )));
    if let Some(fields) = result.structured_content.as_mut().and_then(Value::as_object_mut) {
        fields.insert("decided_at".to_owned(), decided_at.into());
    }
    result
}

/// Returns the result of an ask that ended.
pub(super) fn closed(questions: &Questions, ended: &Outcome) -> CallToolResult {
    let written = result_text::write(questions, ended);
    let content = vec![ContentBlock::text(written.text.clone())];
    let mut whole = outcome::write(questions, ended, None);
    let mut take = |key: &str| whole.get_mut(key).map(Value::take).unwrap_or_default();
    // The text has nothing of our protocol (O5); beside it stands how it ended, for a client that reads that.
    let mut structured = json!({"status": take("status"), "answered_by": take("answered_by")});
    if written.is_error {
        // The words stand here too: nothing else says why. What was put down before a deadline is not told: half of
        // the answers would pass for all.
        structured["result"] = written.text.into();
        structured["answers"] = json!([]);
        let mut result = CallToolResult::error(content);
        result.structured_content = Some(structured);
        return result;
    }
    // The answers say all that the text says, so that a model which is shown both pays once for each.
    structured["answers"] = take("answers");
    for of_several in ["agreed", "voices"] {
        let said = take(of_several);
        if !said.is_null() {
            structured[of_several] = said;
        }
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(structured);
    result
}

/// Returns the list of an asker's asks.
pub(super) fn list(asks: &[AskSnapshot]) -> CallToolResult {
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
