//! Listening to facts: first what happened since, then what happens; no gap, nothing twice.

use std::collections::VecDeque;
use std::sync::Arc;

use askuser_core::command::{Actor, Role};
use askuser_core::fact::Fact;
use askuser_core::id::{SessionId, UserId};
use askuser_core::session::Origin;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::{Desk, DeskError};
use askuser_store::Numbered;

/// Facts read from the store in one go.
const PAGE: usize = 256;

/// What a listener hears.
#[derive(Debug, Clone)]
pub enum Update {
    /// A fact; of several in a row that were erased only the first, without what it said: whoever kept
    /// something of them reads it anew.
    Fact(Numbered),
    /// The desk closes: come back with the last number.
    Closing,
}

/// Hears the facts of one user, or of all, in order.
pub struct Listener {
    desk: Desk,
    /// None: everybody's.
    user: Option<UserId>,
    /// Whether it is for a person, who also hears of asks of others that are for them. An agent does
    /// not: what others ask its person is not its business.
    is_person: bool,
    session: Option<SessionId>,
    /// Everything up to this number was told or is not for this listener.
    seen: u64,
    live: Receiver<Arc<[Numbered]>>,
    ready: VecDeque<Numbered>,
    /// Whether `seen` is known to be a number that there is.
    seen_exists: bool,
    /// Whether the last one told was erased.
    last_was_erased: bool,
}

impl Desk {
    /// Listens to a user's facts after this number; from now on where none is given.
    pub fn listen(&self, actor: &Actor, session: Option<SessionId>, since: Option<u64>) -> Listener {
        let is_person = actor.role == Role::Person;
        Listener { is_person, ..self.listener(Some(actor.user.clone()), session, since) }
    }

    /// Listens to everybody's facts from now on, for figures and alerts.
    pub fn listen_to_all(&self) -> Listener {
        self.listener(None, None, None)
    }

    fn listener(&self, user: Option<UserId>, session: Option<SessionId>, since: Option<u64>) -> Listener {
        // Subscribe, then look where we are: what comes in between is heard twice and told once.
        let live = self.0.bulletin.listen();
        let seen = since.unwrap_or_else(|| self.0.bulletin.head());
        Listener {
            desk: self.clone(),
            user,
            is_person: false,
            session,
            seen,
            live,
            ready: VecDeque::new(),
            seen_exists: false,
            last_was_erased: false,
        }
    }
}

impl Listener {
    /// Returns the number after which it hears everything. To be asked before the first fact.
    pub async fn begins_at(&mut self) -> Result<u64, DeskError> {
        if !self.seen_exists {
            self.check_seen().await?;
        }
        Ok(self.seen)
    }

    /// Waits for the next fact.
    pub async fn next(&mut self) -> Result<Update, DeskError> {
        self.begins_at().await?;
        loop {
            if let Some(fact) = self.ready.pop_front() {
                return Ok(Update::Fact(fact));
            }
            // What has been told is taken before the store is asked: on a busy desk there is always more.
            match self.live.try_recv() {
                Ok(facts) => {
                    self.take_live(&facts);
                    continue;
                }
                // Too slow: the store has it all.
                Err(TryRecvError::Lagged(_)) => continue,
                Err(TryRecvError::Closed) => return Ok(Update::Closing),
                Err(TryRecvError::Empty) => {}
            }
            if self.seen < self.desk.0.bulletin.head() {
                self.catch_up().await?;
                continue;
            }
            let heard = tokio::select! {
                heard = self.live.recv() => heard,
                () = self.desk.0.stopping.cancelled() => return Ok(Update::Closing),
            };
            match heard {
                Ok(facts) => self.take_live(&facts),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(Update::Closing),
            }
        }
    }

    /// Whoever brings a number from the future, from another desk or before a backup was put back,
    /// hears from now on.
    async fn check_seen(&mut self) -> Result<(), DeskError> {
        if self.seen > self.desk.0.bulletin.head() {
            self.seen = self.seen.min(self.desk.0.store.head().await?.number);
        }
        self.seen_exists = true;
        Ok(())
    }

    /// Takes what was just committed, unless something before it is missing: then both are read from
    /// the store, once nothing more has been told.
    fn take_live(&mut self, facts: &[Numbered]) {
        for fact in facts {
            if fact.number == self.seen + 1 {
                self.take(fact.clone());
            }
        }
    }

    async fn catch_up(&mut self) -> Result<(), DeskError> {
        let facts = self.desk.0.store.facts_since(self.seen, PAGE).await?;
        for fact in facts {
            self.take(fact);
        }
        Ok(())
    }

    fn take(&mut self, fact: Numbered) {
        self.seen = self.seen.max(fact.number);
        let is_theirs = self.user.as_ref().is_none_or(|user| self.concerns(user, &fact));
        // Whoever listens to a session goes on with the one that goes on from it (D13).
        if let (Some(Fact::SessionOpened(opened)), Some(session), true) =
            (fact.fact.as_deref(), &mut self.session, is_theirs)
            && opened.origin == Origin::Restored(*session)
        {
            *session = opened.id;
        }
        let mine = is_theirs && self.session.is_none_or(|session| session == fact.session);
        if mine {
            let before_was_erased = std::mem::replace(&mut self.last_was_erased, fact.fact.is_none());
            if !(before_was_erased && self.last_was_erased) {
                self.ready.push_back(fact);
            }
        }
    }

    fn concerns(&self, user: &UserId, fact: &Numbered) -> bool {
        let Some(people) = &fact.people else { return fact.owner == *user };
        // What somebody is putting down is theirs alone.
        if let Some(Fact::Saved { by, .. } | Fact::Submitted { by, .. }) = fact.fact.as_deref() {
            return self.is_person && by.user.as_ref() == Some(user);
        }
        fact.owner == *user || (self.is_person && people.has(user))
    }
}
