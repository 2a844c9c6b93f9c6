//! An ask in our own JSON, as every route returns it.

use askuser_core::asker::Asker;
use askuser_core::id::{AskId, SessionId};
use askuser_core::question::Questions;
use askuser_core::time::Timestamp;
use serde_json::{Value, json};

/// What is told of an ask.
#[derive(Debug, Clone)]
pub struct Told<'a> {
    /// Its id.
    pub ask: AskId,
    /// Its session.
    pub session: SessionId,
    /// Its round in the session.
    pub round: u32,
    /// Its state, as the contract names it: `pending`, `showing`, …
    pub status: &'a str,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub deadline_at: Option<Timestamp>,
    /// Who asks.
    pub asker: &'a Asker,
    /// Why.
    pub context: Option<&'a str>,
    /// The questions.
    pub questions: &'a Questions,
    /// Its outcome, as [`super::outcome::write`] writes it; none while it is open.
    pub outcome: Option<Value>,
}

/// Writes an ask.
pub fn write(told: &Told<'_>) -> Value {
    let questions: Vec<Value> = told.questions.top().iter().map(super::question::write).collect();
    json!({
        "ask_id": told.ask.to_string(),
        "session_id": told.session.to_string(),
        "round": told.round,
        "status": told.status,
        "created_at": super::time::write(told.created_at),
        "deadline_at": told.deadline_at.map(super::time::write),
        "asker": {
            "agent": told.asker.agent,
            "project": told.asker.project,
            "folder": told.asker.folder,
        },
        "context": told.context,
        "questions": questions,
        "outcome": told.outcome,
    })
}
