//! opencode's own questions, as its plugin of ours hands them on: the events of its bus in, what its
//! `/question` API takes out. Its dialog stays open beside our card; the first answer wins.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{Ending, Outcome};
use serde_json::{Value, json};

use super::event::{Event, MARK};
use super::{Asking, Deed, SETTLED, Says, Taking, text};
use askuser_wire::{self as wire, Dialect};

/// Says an event of the bus in the words that every agent's events have here.
pub(super) fn plain(event: &Value) -> Value {
    let Some(properties) = event.get("properties") else { return event.clone() };
    // Asked, a question has an id; answered, it is called by it. It tells one question from every
    // other, which the id of the model's call does not with every model.
    let id = properties.get("id").or_else(|| properties.get("requestID"));
    json!({
        "hook_event_name": event.get("type"),
        "cwd": event.get("cwd"),
        "session_id": properties.get("sessionID"),
        "tool_name": "question",
        "tool_input": {"questions": properties.get("questions")},
        MARK: id,
    })
}

pub(super) fn read(event: &Event) -> Deed {
    match event.name() {
        "question.asked" => {
            let input = event.input();
            Deed::Ask(Box::new(Asking {
                ask: event.signed(input.clone()),
                dialect: Dialect::Opencode,
                purpose: Purpose::Decision,
                key: Some(format!("hook opencode {} {}", event.session(), event.mark())),
                says: Says::Reply,
                input,
            }))
        }
        "question.replied" | "question.rejected" => Deed::TakeBack(Taking::of_call(event, SETTLED)),
        _ => Deed::Aside,
    }
}

/// The body of `/question/{id}/reply`, or a reason for `/question/{id}/reject`.
pub(super) fn reply(ask: &Ask, outcome: &Outcome) -> Value {
    if !matches!(outcome.ending, Ending::Answered(_)) {
        return json!({"reject": text(ask, outcome)});
    }
    let said = wire::write(Dialect::Opencode, &ask.questions, &ask.terms, outcome);
    let mut answers = said.get("answers").cloned().unwrap_or_default();
    // It takes lists of words and nothing else: a note stands among its question's.
    for (place, note) in said.get("notes").and_then(Value::as_object).into_iter().flatten() {
        let words =
            place.parse().ok().and_then(|at: usize| answers.get_mut(at)).and_then(Value::as_array_mut);
        if let (Some(words), Some(note)) = (words, note.as_str()) {
            words.push(format!("(note: {note})").into());
        }
    }
    json!({ "answers": answers })
}
