//! Gemini CLI's hooks: its question tool is answered by a no whose reason is the answers.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Outcome;
use serde_json::{Value, json};

use super::event::Event;
use super::{Agent, Asking, Deed, Says, text};
use askuser_wire::Dialect;

pub(super) fn read(event: &Event) -> Deed {
    if event.name() != "BeforeTool" || event.tool() != "ask_user" {
        return Deed::Aside;
    }
    let input = event.input();
    Deed::Ask(Box::new(Asking {
        ask: event.signed(input.clone()),
        dialect: Dialect::Gemini,
        purpose: Purpose::Decision,
        key: None,
        says: Says::Refusal(Agent::Gemini),
        input,
    }))
}

pub(super) fn refusal(ask: &Ask, outcome: &Outcome) -> Value {
    json!({"decision": "deny", "reason": text(ask, outcome)})
}
