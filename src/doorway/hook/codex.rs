//! Codex's hooks: its question tool has no place for answers, so they come as the reason of a no.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Outcome;
use serde_json::{Value, json};

use super::event::Event;
use super::{Agent, Asking, Deed, Says, permission, text};
use crate::wire::Dialect;

pub(super) fn read(event: &Event) -> Deed {
    match event.name() {
        "PreToolUse" if event.tool() == "request_user_input" => {
            let input = event.input();
            Deed::Ask(Box::new(Asking {
                ask: event.signed(input.clone()),
                dialect: Dialect::Codex,
                purpose: Purpose::Decision,
                key: event.key(),
                says: Says::Refusal(Agent::Codex),
                input,
            }))
        }
        "PermissionRequest" => permission::read(event),
        _ => Deed::Aside,
    }
}

pub(super) fn refusal(ask: &Ask, outcome: &Outcome) -> Value {
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": text(ask, outcome),
    }})
}
