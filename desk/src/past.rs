//! What a person was asked before, as far back as is worth looking, and what it comes to (D19).
//!
//! Read by session and round, along the indexes that both stores have, and never more than so much: the
//! newest conversations first. What took long to read is kept for a moment.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::Terms;
use askuser_core::command::Actor;
use askuser_core::id::UserId;
use askuser_core::insight::Insight;
use askuser_core::recall::{Recall, recall};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::{Desk, DeskError};
use askuser_config::rules::check;

/// Asks that are looked at.
const ASKS_MAX: usize = 2000;
/// Conversations that are looked at.
const SESSIONS_MAX: usize = 300;
/// Rounds read at once.
const ROUNDS: u32 = 100;
/// Reading that took longer is not done again at once.
const QUICK: Duration = Duration::from_millis(20);
/// How long it is kept then.
const KEPT_FOR: Duration = Duration::from_secs(30);
/// People whose past is kept.
const PEOPLE_MAX: usize = 20;

/// The pasts that took long to read.
#[derive(Default)]
pub(super) struct Pasts(Mutex<HashMap<UserId, (Instant, Past)>>);

type Past = Arc<[Arc<Ask>]>;

impl Pasts {
    fn fresh(&self, user: &UserId) -> Option<Past> {
        let pasts = self.0.lock();
        pasts.get(user).filter(|(since, _)| since.elapsed() < KEPT_FOR).map(|(_, past)| Arc::clone(past))
    }

    /// What was just answered is part of it.
    pub(super) fn forget(&self, user: &UserId) {
        self.0.lock().remove(user);
    }

    pub(super) fn keep(&self, user: &UserId, past: &Past) {
        let mut pasts = self.0.lock();
        pasts.retain(|_, (since, _)| since.elapsed() < KEPT_FOR);
        if pasts.len() < PEOPLE_MAX {
            pasts.insert(user.clone(), (Instant::now(), Arc::clone(past)));
        }
    }
}

impl Desk {
    /// Counts what a person was asked, by days of a zone; `source` reads what an asker says it comes from (E4).
    pub async fn insight(
        &self,
        person: &Actor,
        minutes_east: i32,
        source: impl Fn(&Terms) -> Option<String>,
    ) -> Result<Insight, DeskError> {
        let past = self.past(person).await?;
        Ok(Insight::of(past.iter().map(AsRef::as_ref), self.now(), minutes_east, source))
    }

    /// Recalls what a person answered to the same questions before.
    pub async fn recall(&self, person: &Actor, ask: &Ask) -> Result<Option<Recall>, DeskError> {
        let past = self.past(person).await?;
        Ok(recall(ask, &person.user, past.iter().map(AsRef::as_ref)))
    }

    /// The person's asks that ended, the newest conversation first, and in each the newest round first.
    async fn past(&self, person: &Actor) -> Result<Past, DeskError> {
        if let Some(past) = self.0.pasts.fresh(&person.user) {
            return Ok(past);
        }
        let begun = Instant::now();
        let mut asks = Vec::new();
        let mut n_looked_at = 0;
        'sessions: for session in self.0.store.sessions(&person.user, SESSIONS_MAX).await? {
            let mut highest = session.round;
            while highest > 0 {
                let lowest = highest.saturating_sub(ROUNDS);
                let rounds = self.0.store.asks_of(session.id, lowest, ROUNDS as usize).await?;
                n_looked_at += rounds.len();
                let counts = |ask: &Arc<Ask>| ask.state.outcome().is_some() && !check::is_over(ask);
                asks.extend(rounds.into_iter().rev().filter(counts));
                if n_looked_at >= ASKS_MAX {
                    break 'sessions;
                }
                highest = lowest;
            }
        }
        let past: Past = asks.into();
        if begun.elapsed() > QUICK {
            self.0.pasts.keep(&person.user, &past);
        }
        Ok(past)
    }
}
