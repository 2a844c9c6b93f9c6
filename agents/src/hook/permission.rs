//! Permission prompts as yes-no questions, with what is to be run shown in full (invariant 6).
//!
//! What is to be run stands in the question itself, so that two different things are never taken for
//! the same question and one answer never grants the other.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{AnsweredBy, Ending, Outcome};
use askuser_core::question::YES;
use serde_json::{Value, json};

use super::{Action, Event, HookAsk, Reply, text};
use askuser_wire::Dialect;

/// Asks for a permission; `reply` says how the agent takes the decision.
pub(crate) fn read(event: &Event, reply: Reply) -> Action {
    let (tool, input) = (event.tool(), event.input());
    let agent = event.agent.name;
    if tool.is_empty() {
        return Action::StepAside;
    }
    let server = event.value.get("mcp_server").and_then(|server| server.get("name")).and_then(Value::as_str);
    let from = server.map(|server| format!(" of the MCP server `{server}`")).unwrap_or_default();
    // Without an id of its own: several may be open at once.
    let ask = json!({"questions": [{
        "header": "Permission", "type": "boolean", "other": false,
        "question": format!("Allow {agent} to use `{tool}`{from}?"),
        // As JSON, so that no text in it can pass for another field.
        "description": format!("{input:#}"),
    }]});
    Action::Ask(Box::new(HookAsk {
        ask: event.signed(ask),
        dialect: Dialect::Full,
        purpose: Purpose::Permission,
        key: None,
        reply,
        input,
    }))
}

/// Yes is yes only where a person, or a rule of theirs for permissions, picked it, and was asked for one.
fn granted(ask: &Ask, outcome: &Outcome) -> bool {
    let answered = matches!(outcome.ending, Ending::Answered(AnsweredBy::Person | AnsweredBy::Rule));
    let yes =
        outcome.answers.0.iter().any(|answer| answer.picked.iter().any(|choice| choice.as_str() == YES));
    answered && yes && ask.terms.purpose == Purpose::Permission
}

/// The decision; an agent that wants its input echoed gets it.
pub(crate) fn decision(echo: Option<&Value>, ask: &Ask, outcome: &Outcome) -> Value {
    let decision = if granted(ask, outcome) {
        let mut granted = json!({"behavior": "allow"});
        if let Some(input) = echo {
            granted["updatedInput"] = input.clone();
        }
        granted
    } else {
        let note = outcome.answers.0.iter().find_map(|answer| answer.note.as_deref());
        let answered = matches!(outcome.ending, Ending::Answered(_));
        let said = match note {
            Some(note) if answered => format!("The user said no: {note}"),
            None if answered => "The user said no.".to_owned(),
            _ => text(ask, outcome),
        };
        json!({"behavior": "deny", "message": said})
    };
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}
