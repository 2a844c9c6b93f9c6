//! Codex's hooks: its question tools have no place for answers, so they come as the reason of a no.
//!
//! In Plan mode `request_user_input` is answered so. In Default mode `request_user_input_async` does not
//! wait: Codex shows the question in its terminal and works on, so we let it pass, and the answer is
//! handed over when the turn ends (`Stop`), which Codex takes for a word of its user's.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Outcome;
use serde_json::{Value, json};

use super::event::{Event, MARK, REPLIED};
use super::{Agent, Asking, Deed, ENDED, SETTLED, Says, Taking, Thread, permission, text};
use askuser_wire::Dialect;

const QUESTION: &str = "request_user_input";
const IN_PASSING: &str = "request_user_input_async";
/// What a prompt begins with that answers such a question in Codex's own terminal.
const REPLY: &str = "<send_user_message_question_reply>";
const REPLY_END: &str = "</send_user_message_question_reply>";

/// Says an event in the words that every agent's events have here: of a prompt only which questions it
/// answers, the rest is none of our business.
pub(super) fn plain(event: &Value) -> Value {
    let mut event = event.clone();
    let replied = event.get("prompt").and_then(Value::as_str).map(replied);
    let call =
        event.get("tool_use_id").filter(|_| event.get("tool_name") == Some(&IN_PASSING.into())).cloned();
    if let Some(fields) = event.as_object_mut() {
        fields.extend(replied.map(|calls| (REPLIED.to_owned(), calls.into())));
        fields.extend(call.map(|call| (MARK.to_owned(), call)));
    }
    event
}

/// Which calls a prompt answers: `[{"answer", "question", "questionItemId": "[tool, call, place]"}]`.
fn replied(prompt: &str) -> Vec<String> {
    let inner = prompt.trim().strip_prefix(REPLY).and_then(|rest| rest.strip_suffix(REPLY_END));
    let replies: Vec<Value> = inner.and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
    let calls = replies.iter().filter_map(|reply| {
        let place: Value = serde_json::from_str(reply.get("questionItemId")?.as_str()?).ok()?;
        place.get(1)?.as_str().map(str::to_owned)
    });
    calls.collect()
}

pub(super) fn read(event: &Event) -> Deed {
    match event.name() {
        "PreToolUse" if event.tool() == QUESTION => ask(event, event.input(), Says::Refusal(Agent::Codex)),
        "PreToolUse" if event.tool() == IN_PASSING => ask(event, in_passing(&event.input()), Says::Later),
        "Stop" => Deed::Collect,
        "UserPromptSubmit" => {
            let marks = event.value.get(REPLIED).and_then(Value::as_array).into_iter().flatten();
            let marks: Vec<String> = marks.filter_map(Value::as_str).map(str::to_owned).collect();
            if marks.is_empty() {
                return Deed::Aside;
            }
            let session = event.session().to_owned();
            Deed::TakeBack(Taking { session, thread: Thread::Any, marks, reason: SETTLED })
        }
        "SessionEnd" => Deed::TakeBack(Taking::of_session(event, ENDED)),
        "PermissionRequest" => permission::read(event),
        _ => Deed::Aside,
    }
}

fn ask(event: &Event, input: Value, says: Says) -> Deed {
    let mut ask = event.signed(input.clone());
    if says == Says::Later {
        ask["metadata"]["hook"]["later"] = true.into();
    }
    let (dialect, purpose) = (Dialect::Codex, Purpose::Decision);
    Deed::Ask(Box::new(Asking { ask, dialect, purpose, key: event.key(), says, input }))
}

/// The questions of the tool that does not wait, in the words of the one that does.
fn in_passing(input: &Value) -> Value {
    let Some(asked) = input.get("questions").and_then(Value::as_array) else { return input.clone() };
    let questions = asked.iter().map(|question| {
        let mut plain = json!({"question": question.get("title")});
        if let Some(options) = question.get("options").and_then(Value::as_array) {
            plain["options"] = options.iter().map(|label| json!({ "label": label })).collect();
        }
        plain
    });
    json!({"questions": questions.collect::<Vec<_>>()})
}

pub(super) fn refusal(ask: &Ask, outcome: &Outcome) -> Value {
    // Codex goes on after it with ". Tool: …".
    let reason = text(ask, outcome).trim_end_matches('.').to_owned();
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }})
}
