//! A task's conversation as messages: what its agent said and did, and what was asked in between,
//! as the facts of its session have it.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::fact::Fact;
use askuser_core::id::AskId;
use askuser_core::message::{Message as ToldMessage, Said as Told, Speaker as By};
use serde_json::Value;

use super::message::{Asked, Message, Said, Speaker};
use super::own::of_round;
use super::telling::questions;

/// One message, and the facts that it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The number of the fact that said it.
    pub number: u64,
    /// The number of the latest fact that changed it: a result, an outcome.
    pub changed: u64,
    /// What it says.
    pub message: Message,
}

/// Returns the messages of some facts of a session, in order. `now` knows how an ask stands now.
pub fn of_facts<'a>(
    facts: impl IntoIterator<Item = (u64, &'a Fact)>,
    now: impl Fn(AskId) -> Option<&'a Arc<Ask>>,
) -> Vec<Placed> {
    let mut told: Vec<Placed> = Vec::new();
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut asked: HashMap<AskId, (usize, usize)> = HashMap::new();
    for (number, fact) in facts {
        let at = told.len();
        match fact {
            Fact::Said(said) => {
                let mut name = None;
                match &said.said {
                    Told::ToolUse { call, .. } => drop(calls.insert(call.as_str(), at)),
                    Told::ToolResult { call, is_error, .. } => {
                        let call = calls.remove(call.as_str()).and_then(|call| told.get_mut(call));
                        name = call.and_then(|call| end_call(call, number, *is_error));
                    }
                    _ => {}
                }
                told.push(Placed { number, changed: number, message: message(said, name) });
            }
            Fact::Asked(ask) => {
                let ask = now(ask.id).unwrap_or(ask);
                let parent = told.last().map(|placed| placed.message.uuid.clone());
                let round = of_round(ask, parent.as_deref()).into_iter();
                told.extend(round.map(|message| Placed { number, changed: number, message }));
                asked.insert(ask.id, (at, told.len()));
            }
            Fact::Closed { ask, .. } | Fact::AnsweredLate { ask, .. } => {
                let round = asked.get(ask).and_then(|(from, to)| told.get_mut(*from..*to));
                round.into_iter().flatten().for_each(|placed| placed.changed = number);
            }
            _ => {}
        }
    }
    told
}

/// Notes how a call ended; returns the tool's name.
fn end_call(call: &mut Placed, number: u64, is_error: bool) -> Option<String> {
    call.changed = number;
    match &mut call.message.said {
        Said::ToolUse { name, succeeded, .. } => {
            *succeeded = Some(!is_error);
            Some(name.clone())
        }
        _ => None,
    }
}

/// Returns a message of a task in the form that every conversation has.
fn message(told: &ToldMessage, tool: Option<String>) -> Message {
    let said = match told.said.clone() {
        Told::Text { by: By::Person, text } => Said::Text { by: Speaker::Person, text },
        Told::Text { by: By::Agent, text } => Said::Text { by: Speaker::Agent, text },
        Told::Thinking(text) => Said::Thinking(text),
        Told::ToolUse { name, input, .. } => Said::ToolUse { name, input: pretty(input), succeeded: None },
        Told::ToolResult { text, is_error, .. } => Said::ToolResult { name: tool, text, is_error },
        Told::Error(text) => Said::Error(text),
        Told::Complete(text) => Said::Complete(text),
        Told::Notice(text) => Said::Notice(text),
        Told::Ask { input, .. } => {
            match serde_json::from_str(&input).ok().and_then(|input| questions(&input)) {
                Some(questions) => Said::Ask(Box::new(Asked { ask: None, questions, ended: None })),
                None => Said::ToolUse {
                    name: super::super::tool::NAME.to_owned(),
                    input: pretty(input),
                    succeeded: None,
                },
            }
        }
    };
    let whole = told.whole_bytes.and_then(|whole| usize::try_from(whole).ok()).unwrap_or(0);
    Message {
        uuid: told.id.to_string(),
        parent: told.parent.map(|parent| parent.to_string()),
        at: Some(told.at),
        // What comes before the first question is part of its round.
        round: told.round.max(1),
        cut_bytes: whole.saturating_sub(told.said.text().len()),
        said,
    }
}

/// Writes JSON to be read by people; what is none, or was cut, stays as it is.
fn pretty(input: String) -> String {
    match serde_json::from_str::<Value>(&input) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or(input),
        Err(_) => input,
    }
}
