//! A session of ours as messages: the same as reading its export back.

use std::sync::Arc;

use askuser_core::ask::Ask;

use super::message::{Asked, Message, Said, Speaker, cut};
use crate::message::{STOP, call_uuid, last_uuid, stop_uuids};

/// Returns the messages of a session's rounds, in order. `before` is the round before the first of
/// them, where there is one.
pub fn of_rounds(before: Option<&Ask>, rounds: &[Arc<Ask>]) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut parent = before.map(last_uuid);
    for ask in rounds {
        messages.extend(of_round(ask, parent.as_deref()));
        parent = Some(last_uuid(ask));
    }
    messages
}

/// Returns the messages of one round: why it was asked, the questions with how they ended, and that
/// the task is to stop where it is (O4).
pub(super) fn of_round(ask: &Ask, parent: Option<&str>) -> Vec<Message> {
    let mut messages = Vec::new();
    let uuid = call_uuid(ask);
    let mut say = |said: Said, cut_bytes: usize| {
        let (uuid, parent, at) = (uuid.clone(), parent.map(str::to_owned), Some(ask.asked_at));
        messages.push(Message { uuid, parent, at, round: ask.round, said, cut_bytes });
    };
    if let Some(context) = ask.terms.context.as_ref().filter(|context| !context.trim().is_empty()) {
        let (text, cut_bytes) = cut(context.clone());
        say(Said::Text { by: Speaker::Agent, text }, cut_bytes);
    }
    say(Said::Ask(Box::new(Asked::of(ask))), 0);
    if let Some((uuid, parent)) = stop_uuids(ask) {
        let (parent, at) = (Some(parent), ask.state.outcome().map(|outcome| outcome.at));
        let said = Said::Notice(STOP.to_owned());
        messages.push(Message { uuid, parent, at, round: ask.round, said, cut_bytes: 0 });
    }
    messages
}
