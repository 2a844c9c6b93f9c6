//! An ask as this doorway sees it, whether the desk is in this process or in another.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::id::{AskId, SessionId};
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;

use askuser_client::seen::SeenAsk;
use askuser_wire::time;

/// Where an ask stands.
#[derive(Debug, Clone)]
pub(super) struct AskSnapshot {
    pub(super) id: AskId,
    /// Its session, where the desk is in this process.
    pub(super) session: Option<SessionId>,
    pub(super) questions: Arc<Questions>,
    pub(super) context: Option<String>,
    pub(super) purpose: Purpose,
    /// Whether it is for people by their names.
    pub(super) for_people: bool,
    pub(super) created_at: String,
    /// How it ended; none while it is open.
    pub(super) outcome: Option<Outcome>,
}

impl From<&Ask> for AskSnapshot {
    fn from(ask: &Ask) -> Self {
        Self {
            id: ask.id,
            session: Some(ask.session),
            questions: Arc::clone(&ask.questions),
            context: ask.terms.context.clone(),
            purpose: ask.terms.purpose,
            for_people: ask.terms.audience.is_some(),
            created_at: time::write(ask.asked_at),
            outcome: ask.state.outcome().cloned(),
        }
    }
}

impl From<SeenAsk> for AskSnapshot {
    fn from(seen: SeenAsk) -> Self {
        Self {
            id: seen.id,
            session: None,
            created_at: seen.created_at,
            questions: seen.questions,
            context: seen.context,
            purpose: seen.purpose,
            for_people: seen.for_people,
            outcome: seen.outcome,
        }
    }
}
