//! Going back to an earlier point of a session (D13, P2, P20).
//!
//! A checkpoint is not a copy: every fact of a session is a version of it, and what was open at
//! that point is found by reading the facts up to it. What ended in the old session stays there as it is.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command};
use askuser_core::decide::{Refusal, View};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId};
use askuser_core::session::{Origin, Session, SessionStatus};
use askuser_core::time::Timestamp;

use super::{Desk, DeskError, LIST_MAX};
use askuser_store::{Numbered, SessionRef};

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
    pub at: Timestamp,
    /// Where the session stood then.
    pub status: SessionStatus,
    /// The latest round then.
    pub round: u32,
    /// The asks that were open then.
    pub open: Vec<AskId>,
}

/// A session that goes on from an earlier one.
#[derive(Debug, Clone)]
pub struct Restored {
    /// The new session.
    pub session: Session,
    /// The version that it goes on from.
    pub version: u64,
    /// The latest round at that version.
    pub round: u32,
    /// The asks that were open and moved into it.
    pub moved: Vec<AskId>,
    /// The asks that had ended since that version and are asked anew.
    pub asked_anew: Vec<AskId>,
    /// Its rounds, with those before.
    pub rounds: Vec<Arc<Ask>>,
}

/// Why a session was restored, where nobody says so (002 9.2).
const RESTORE_REASON: &str = "manual_recovery";

impl Desk {
    /// Returns the versions of a session, in order.
    pub async fn checkpoints(&self, session: &Session) -> Result<Vec<Checkpoint>, DeskError> {
        let line = self.lineage(session).await?;
        let (mut view, mut checkpoints) = (View::default(), Vec::new());
        for numbered in &line.facts {
            line.apply(&mut view, numbered);
            let session = view.session.as_deref();
            checkpoints.push(Checkpoint {
                version: numbered.number,
                at: numbered.at,
                status: session.map_or(SessionStatus::Active, |session| session.status),
                round: session.map_or(0, |session| session.round),
                open: open(&view).map(|ask| ask.id).collect(),
            });
        }
        Ok(checkpoints)
    }

    /// Goes on from a point in a new session, which takes over the name: what is open moves into it, what was open
    /// then and has ended since is asked anew.
    pub async fn restore(
        &self,
        actor: &Actor,
        from: &Session,
        point: Point,
        reason: Option<String>,
    ) -> Result<Restored, DeskError> {
        // One after the other: who presses twice goes back once.
        let _alone = self.0.restoring.lock().await;
        let from = &self.goes_on_in(actor, from.clone()).await?;
        let line = self.lineage(from).await?;
        let reached = line.reaches(point).ok_or(DeskError::Refused(Refusal::CheckpointNotFound))?;
        let (version, at) = (reached.number, reached.at);
        let mut view = View::default();
        for numbered in line.facts.iter().filter(|numbered| numbered.number <= version) {
            line.apply(&mut view, numbered);
        }
        let round = view.session.as_ref().map_or(0, |session| session.round);
        let mut asks: Vec<(AskId, Arc<Ask>)> = Vec::new();
        // Where the session is now, nothing has ended since.
        for was in open(&view).filter(|_| point != Point::Latest) {
            let now = self.0.store.ask(was.id).await?.filter(|now| actor.may_see_ask(now));
            let now = now.ok_or(DeskError::Refused(Refusal::AskNotFound))?;
            if !now.is_open() {
                asks.push((self.0.ids.ask(self.now()), Arc::clone(was)));
            }
        }
        let session = self.0.ids.session(self.now());
        let to = Some(at).filter(|_| point != Point::Latest);
        let reason = reason.unwrap_or_else(|| RESTORE_REASON.to_owned());
        let command = Command::Restore { session, from: from.id, to, asks, reason };
        let committed = self.carry_out(actor, SessionRef::Id(session), command).await?;
        let (mut moved, mut asked_anew) = (Vec::new(), Vec::new());
        for fact in committed.facts.iter().filter_map(|numbered| numbered.fact.as_deref()) {
            match fact {
                Fact::Moved { ask, .. } => moved.push(*ask),
                Fact::Asked(ask) => asked_anew.push(ask.id),
                _ => {}
            }
        }
        let restored = committed.session.map(Arc::unwrap_or_clone);
        let restored = restored.ok_or(DeskError::Refused(Refusal::SessionNotFound))?;
        let rounds = self.rounds(actor, session).await?;
        Ok(Restored { session: restored, version, round, moved, asked_anew, rounds })
    }

    /// The session in which this one goes on, where it was restored before; itself where it was not.
    pub(super) async fn goes_on_in(&self, actor: &Actor, mut session: Session) -> Result<Session, DeskError> {
        // The newest come first: each before the one that it goes on from.
        for later in self.sessions(actor).await?.into_iter().rev() {
            if later.origin == Origin::Restored(session.id) {
                session = later;
            }
        }
        Ok(session)
    }

    /// Reads what led to a session, along the sessions that it goes on from.
    async fn lineage(&self, session: &Session) -> Result<Lineage, DeskError> {
        let mut line = Lineage { facts: self.own_facts(session.id).await?, carried: Vec::new() };
        let (mut earlier, mut until) = (session.goes_on_from(), Timestamp(i64::MAX));
        while let Some((from, to)) = earlier {
            until = until.min(to);
            let (mut before, after): (Vec<_>, Vec<_>) =
                self.own_facts(from).await?.into_iter().partition(|numbered| numbered.at <= until);
            let came_along = |numbered: &Numbered| about(numbered).is_some_and(|ask| line.has_moved(ask));
            let carried: Vec<Numbered> = after.into_iter().filter(came_along).collect();
            line.carried.splice(0..0, carried);
            before.append(&mut line.facts);
            line.facts = before;
            earlier = self.0.store.session(from).await?.as_ref().and_then(Session::goes_on_from);
        }
        Ok(line)
    }

    async fn own_facts(&self, session: SessionId) -> Result<Vec<Numbered>, DeskError> {
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

/// What led to a session.
struct Lineage {
    /// Its versions: its own facts, after those of the sessions that it goes on from, up to where it does.
    facts: Vec<Numbered>,
    /// What happened after that point to the asks that moved on all the same: no version, but how they came to be.
    carried: Vec<Numbered>,
}

impl Lineage {
    fn has_moved(&self, ask: AskId) -> bool {
        let moves = |numbered: &Numbered| matches!(numbered.fact.as_deref(), Some(Fact::Moved { .. }));
        self.facts.iter().chain(&self.carried).any(|numbered| about(numbered) == Some(ask) && moves(numbered))
    }

    /// Takes one fact in. Only what is open is kept: a session may have had any number of asks.
    fn apply(&self, view: &mut View, numbered: &Numbered) {
        let Some(fact) = &numbered.fact else { return };
        if let Fact::Moved { ask, .. } = **fact
            && view.ask(ask).is_none()
        {
            let is_of = |earlier: &&Numbered| about(earlier) == Some(ask) && earlier.number < numbered.number;
            for earlier in self.carried.iter().filter(is_of) {
                earlier.fact.iter().for_each(|fact| view.apply(fact, earlier.at));
            }
        }
        view.apply(fact, numbered.at);
        if matches!(**fact, Fact::Closed { .. }) {
            view.asks.retain(|ask| ask.is_open());
        }
    }

    fn reaches(&self, point: Point) -> Option<&Numbered> {
        let round_of = |numbered: &Numbered| match numbered.fact.as_deref() {
            Some(Fact::Asked(ask)) => Some(ask.round),
            // A round that came along begins here where it was moved.
            Some(Fact::Moved { ask, .. }) => {
                self.carried.iter().find_map(|earlier| match earlier.fact.as_deref() {
                    Some(Fact::Asked(asked)) if asked.id == *ask => Some(asked.round),
                    _ => None,
                })
            }
            _ => None,
        };
        match point {
            Point::Latest => self.facts.last(),
            Point::Version(version) => self.facts.iter().find(|numbered| numbered.number == version),
            Point::Round(round) => self.facts.iter().find(|numbered| round_of(numbered) == Some(round)),
        }
    }
}

/// The ask that a fact is about.
fn about(numbered: &Numbered) -> Option<AskId> {
    numbered.fact.as_deref().and_then(Fact::ask)
}

/// What is open at this point. What was open in an earlier session and did not move on with it had ended there.
fn open(view: &View) -> impl Iterator<Item = &Arc<Ask>> {
    let session = view.session.as_ref().map(|session| session.id);
    view.asks.iter().filter(move |ask| ask.is_open() && Some(ask.session) == session)
}
