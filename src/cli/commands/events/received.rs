//! What a person's line was told: so that a response means the ask that its sender saw, and that
//! nothing is told twice or not at all where the line was cut.

use std::collections::HashSet;

use askuser_core::asker::Terms;
use askuser_core::id::{AskId, SessionId};
use serde_json::{Value, json};

use askuser_api::event_protocol::{Kind, RESPONSE, is_event, kind, text};
use askuser_client::seen::SeenAsk;
use askuser_wire::session::SessionNames;
use askuser_wire::{self as wire, Dialect, event};

/// The asks that a line was told.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Those that are open as far as is known, the oldest first.
    open: Vec<ToldAsk>,
    /// Those whose close was looked up since the line is there again: the desk may tell it as well.
    looked_up: HashSet<AskId>,
}

#[derive(Debug)]
struct ToldAsk {
    id: AskId,
    agent: Option<String>,
    event: Option<String>,
    /// Whether it was told as an `event`, so that its close is too.
    as_event: bool,
}

impl Told {
    /// Notes a request or a close; false where whoever reads the line knows it already.
    pub(super) fn hear(&mut self, message: &Value) -> bool {
        let key = if kind(message) == Some(Kind::Response) { "ask_id" } else { "askId" };
        let Some(id) = text(message, key).and_then(|id| id.parse::<AskId>().ok()) else { return true };
        if self.looked_up.contains(&id) {
            return false;
        }
        match kind(message) {
            Some(Kind::Request(_)) => {
                if self.open.iter().any(|ask| ask.id == id) {
                    return false;
                }
                let word = |key| text(message, key).map(str::to_owned);
                let (agent, event) = (word("agentId"), word("eventId"));
                self.open.push(ToldAsk { id, agent, event, as_event: is_event(message) });
            }
            Some(Kind::Response) => self.open.retain(|ask| ask.id != id),
            Some(Kind::Complaint) | None => {}
        }
        true
    }

    /// Finds the ask that a response means without its id: the only one of that event, else the oldest
    /// of that agent. Responses in a row mean one ask each: one that is spoken for comes last. Where
    /// several have the event's name, nobody knows which is meant, and the desk says so.
    pub(super) fn meant(
        &self,
        event: Option<&str>,
        agent: Option<&str>,
        spoken_for: impl Fn(AskId) -> bool,
    ) -> Option<AskId> {
        let is_of = |ask: &ToldAsk| agent.is_none_or(|agent| ask.agent.as_deref() == Some(agent));
        let means = |ask: &&ToldAsk| match event {
            Some(_) => ask.event.as_deref() == event && is_of(ask),
            None => agent.is_some() && is_of(ask),
        };
        let mut found = self.open.iter().filter(means).map(|ask| ask.id).peekable();
        if event.is_some() && found.clone().count() > 1 {
            return None;
        }
        let oldest = found.peek().copied();
        found.find(|id| !spoken_for(*id)).or(oldest)
    }

    /// Begins anew on another line: returns the asks whose close may have been missed.
    pub(super) fn come_back(&mut self) -> Vec<AskId> {
        // What the line before had to say is lost: nothing of it comes any more.
        self.looked_up.clear();
        self.open.iter().map(|ask| ask.id).collect()
    }

    /// Forgets an ask that cannot be looked up.
    pub(super) fn forget(&mut self, id: AskId) {
        self.open.retain(|ask| ask.id != id);
    }

    /// Takes an ask that was looked up; returns its close where it has ended.
    pub(super) fn look_up(&mut self, seen: &SeenAsk) -> Option<Value> {
        let ask_idx = self.open.iter().position(|ask| ask.id == seen.id)?;
        let close = close(seen, self.open.get(ask_idx)?.as_event)?;
        self.open.remove(ask_idx);
        self.looked_up.insert(seen.id);
        Some(close)
    }
}

/// Writes the close of an ask as the desk tells it to a person's line (`doorway/socket/said.rs`).
fn close(seen: &SeenAsk, as_event: bool) -> Option<Value> {
    let outcome = seen.outcome.as_ref()?;
    let told = |key: &str| seen.told.get(key).and_then(Value::as_str);
    let own_event = told("event_id").map(str::to_owned);
    let terms = Terms { asker: seen.asker.clone(), event: own_event, ..Terms::default() };
    let mut written = if as_event {
        wire::write(Dialect::Events, &seen.questions, &terms, outcome)
    } else {
        let id: SessionId = told("session")?.parse().ok()?;
        let session = SessionNames { id, given: told("session_id") };
        event::response(&seen.questions, &terms, seen.id, session, outcome)
    };
    if let Some(fields) = written.as_object_mut() {
        let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        put("agentId", json!(seen.asker.agent));
        put("askId", seen.id.to_string().into());
        put("ask_id", seen.id.to_string().into());
        put("opCode", event::event_id(seen.id, &terms).into());
        put("status", outcome.status().into());
        put("reason", outcome.reason().into());
        put("comment", json!(outcome.comment));
    }
    Some(if as_event { json!({"event": RESPONSE, "data": written}) } else { written })
}
