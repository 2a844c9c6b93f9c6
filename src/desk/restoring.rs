//! Going back to an earlier point of a session (D13, P2, P20).
//!
//! A checkpoint is not a copy: every fact of a session is a version of it, and what was open at
//! that point is found by reading the facts up to it. The old session stays as it is.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command};
use askuser_core::decide::{Refusal, View};
use askuser_core::fact::Fact;
use askuser_core::hearing::Hearing;
use askuser_core::id::{AskId, SessionId};
use askuser_core::session::Session;
use askuser_core::time::Timestamp;

use super::{Desk, DeskError, LIST_MAX};
use crate::store::{Numbered, SessionRef};

/// Facts read in one go. For each piece the store walks back along the whole session.
const PAGE: usize = LIST_MAX;

/// A point to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Where the session is now.
    Latest,
    /// After the fact of this number.
    Version(u64),
    /// When this round was asked.
    Round(u32),
}

/// One version of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Its number: that of the fact.
    pub version: u64,
    /// When.
    pub at: Timestamp,
    /// The latest round then.
    pub round: u32,
    /// How many asks were open then.
    pub n_open: usize,
}

impl Desk {
    /// Returns the versions of a session, in order.
    pub async fn checkpoints(&self, session: SessionId) -> Result<Vec<Checkpoint>, DeskError> {
        let (mut view, mut checkpoints) = (View::default(), Vec::new());
        for numbered in self.facts(session).await? {
            apply(&mut view, &numbered);
            checkpoints.push(Checkpoint {
                version: numbered.number,
                at: numbered.at,
                round: view.session.as_ref().map_or(0, |session| session.round),
                n_open: view.asks.len(),
            });
        }
        Ok(checkpoints)
    }

    /// Goes on from a point in a new session: what was open then is asked anew.
    pub async fn restore(
        &self,
        actor: &Actor,
        from: &Session,
        point: Point,
        reason: Option<String>,
    ) -> Result<(Session, Vec<Arc<Ask>>), DeskError> {
        let facts = self.facts(from.id).await?;
        let until = version_of(&facts, point).ok_or(DeskError::Refused(Refusal::CheckpointNotFound))?;
        let mut view = View::default();
        facts
            .iter()
            .filter(|numbered| numbered.number <= until)
            .for_each(|numbered| apply(&mut view, numbered));
        let mut asks: Vec<(AskId, Arc<Ask>)> = Vec::new();
        for was in view.asks.iter().filter(|ask| ask.is_open()) {
            let now = self.0.store.ask(was.id).await?.filter(|now| actor.may_see_ask(now));
            let now = now.ok_or(DeskError::Refused(Refusal::AskNotFound))?;
            // As it stood then, with the sheets as they are now; each of several people has their own.
            let hearing = Hearing { sheets: now.hearing.sheets.clone(), ..was.hearing.clone() };
            let ask = Ask { entries: now.entries.clone(), hearing, ..Ask::clone(was) };
            asks.push((self.0.ids.ask(self.now()), Arc::new(ask)));
        }
        let session = self.0.ids.session(self.now());
        let command = Command::Restore { session, from: from.id, asks, timing: from.timing, reason };
        let committed = self.carry_out(actor, SessionRef::Id(session), command).await?;
        let restored = committed.session.map(Arc::unwrap_or_clone);
        let restored = restored.ok_or(DeskError::Refused(Refusal::SessionNotFound))?;
        let asks = self.rounds(actor, session).await?;
        Ok((restored, asks))
    }

    async fn facts(&self, session: SessionId) -> Result<Vec<Numbered>, DeskError> {
        let mut facts: Vec<Numbered> = Vec::new();
        loop {
            let after = facts.last().map_or(0, |last| last.number);
            let page = self.0.store.facts_of(session, after, PAGE).await?;
            if page.is_empty() {
                return Ok(facts);
            }
            facts.extend(page);
        }
    }
}

/// Takes one fact in. Only what is open is kept: a session may have had any number of asks.
fn apply(view: &mut View, numbered: &Numbered) {
    if let Some(fact) = &numbered.fact {
        view.apply(fact, numbered.at);
        if matches!(**fact, Fact::Closed { .. }) {
            view.asks.retain(|ask| ask.is_open());
        }
    }
}

fn version_of(facts: &[Numbered], point: Point) -> Option<u64> {
    let round_of = |numbered: &Numbered| match numbered.fact.as_deref() {
        Some(Fact::Asked(ask)) => Some(ask.round),
        _ => None,
    };
    let found = match point {
        Point::Latest => facts.last(),
        Point::Version(version) => facts.iter().find(|numbered| numbered.number == version),
        Point::Round(round) => facts.iter().find(|numbered| round_of(numbered) == Some(round)),
    };
    found.map(|numbered| numbered.number)
}
