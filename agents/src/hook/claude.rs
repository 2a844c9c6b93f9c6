//! Claude Code's hooks.
//!
//! In its terminal `PermissionRequest` runs beside the agent's own dialog, and the first answer wins;
//! without a terminal only `PreToolUse` is heard. What was settled in the dialog is told by the
//! events that come after it, since the hook that lost is neither ended nor told.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{Ending, Outcome};
use serde_json::{Value, json};

use super::event::{Event, Mode};
use super::{Asking, Deed, ENDED, SETTLED, Says, Taking, Thread, permission, text};
use askuser_wire::{self as wire, Dialect};

const QUESTION: &str = "AskUserQuestion";
/// How our own server is called in the agent's list: its forms are our own questions.
const OWN_SERVERS: [&str; 2] = ["askuser", "plugin:askuser:askuser"];

const GONE_ON: &str = super::REASONS.agent_went_on();

pub(super) fn read(event: &Event) -> Deed {
    let is_question = event.tool() == QUESTION;
    match (event.name(), event.mode) {
        // In the terminal its own dialog is to be seen at once.
        ("PreToolUse", Mode::Headless) if is_question => question(event, Says::BeforeTool),
        ("PermissionRequest", Mode::Interactive) if is_question => question(event, Says::BesideDialog),
        // Not heard there; `PreToolUse` has asked already.
        ("PermissionRequest", Mode::Headless) if is_question => Deed::Aside,
        ("PermissionRequest", _) => permission::read(event),
        ("PostToolUse" | "PostToolUseFailure", _) => Deed::TakeBack(Taking::of_call(event, SETTLED)),
        // Not of a run without a terminal: one that was put off is resumed later, and finds its ask.
        ("Stop" | "UserPromptSubmit", Mode::Interactive) => {
            let thread = Thread::Only(event.word("agent_id").map(str::to_owned));
            Deed::TakeBack(Taking {
                session: event.session().to_owned(),
                thread,
                marks: Vec::new(),
                reason: GONE_ON,
            })
        }
        ("SessionEnd", Mode::Interactive) => Deed::TakeBack(Taking::of_session(event, ENDED)),
        ("Elicitation", _) => elicitation(event),
        _ => Deed::Aside,
    }
}

fn question(event: &Event, says: Says) -> Deed {
    let input = event.input();
    Deed::Ask(Box::new(Asking {
        ask: event.signed(input.clone()),
        dialect: Dialect::Claude,
        purpose: Purpose::Decision,
        key: event.key(),
        says,
        input,
    }))
}

fn elicitation(event: &Event) -> Deed {
    let server = event.word("mcp_server_name").unwrap_or_default();
    let is_form = event.word("mode").is_none_or(|mode| mode == "form");
    let schema = event.value.get("requested_schema").filter(|schema| schema.is_object());
    let (true, false, Some(schema)) = (is_form, OWN_SERVERS.contains(&server), schema) else {
        return Deed::Aside;
    };
    let ask = json!({
        "message": event.word("message"), "context": format!("(asked by the MCP server `{server}`)"),
        "requestedSchema": schema,
    });
    Deed::Ask(Box::new(Asking {
        ask: event.signed(ask.clone()),
        dialect: Dialect::Elicitation,
        purpose: Purpose::Decision,
        key: None,
        says: Says::Form,
        input: ask,
    }))
}

/// The input with the answers in it; nothing where there are none to put in.
fn answered(input: &Value, ask: &Ask, outcome: &Outcome) -> Option<Value> {
    if !matches!(outcome.ending, Ending::Answered(_)) {
        return None;
    }
    let updated = wire::claude::updated_input(input, &ask.questions, outcome);
    let has_answers =
        updated.get("answers").and_then(Value::as_object).is_some_and(|answers| !answers.is_empty());
    has_answers.then_some(updated)
}

pub(super) fn before_tool(input: &Value, ask: &Ask, outcome: &Outcome) -> Value {
    let mut said = json!({"hookEventName": "PreToolUse"});
    if let Some(updated) = answered(input, ask, outcome) {
        said["permissionDecision"] = "allow".into();
        said["permissionDecisionReason"] =
            format!("answered through askuser ({})", outcome.by.channel.name()).into();
        said["updatedInput"] = updated;
    } else {
        said["permissionDecision"] = "deny".into();
        said["permissionDecisionReason"] = text(ask, outcome).into();
    }
    json!({ "hookSpecificOutput": said })
}

pub(super) fn beside_dialog(input: &Value, ask: &Ask, outcome: &Outcome) -> Value {
    let decision = match answered(input, ask, outcome) {
        Some(updated) => json!({"behavior": "allow", "updatedInput": updated}),
        None => json!({"behavior": "deny", "message": text(ask, outcome)}),
    };
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}

/// The run ends here; resumed, it makes the same call again.
pub(super) fn deferred() -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "defer"}})
}

pub(super) fn form(ask: &Ask, outcome: &Outcome) -> Value {
    let mut said = wire::write(Dialect::Elicitation, &ask.questions, &ask.terms, outcome);
    if let Some(fields) = said.as_object_mut() {
        fields.insert("hookEventName".to_owned(), "Elicitation".into());
    }
    json!({ "hookSpecificOutput": said })
}
