//! The sessions that the writer keeps in memory, so that the steady cycle reads nothing (D7).
//!
//! Bounded by count and by bytes; the least recently used go first. It is only ever a copy of what
//! the transaction sees, and is dropped whole when a transaction is.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::session::{Session, SessionStatus};
use askuser_core::task::Task;
use askuser_core::time::Timestamp;

use crate::sql::asks::Found;

/// Ended asks that a session keeps: an outcome is fetched and acknowledged soon after, and notes of
/// that are gathered for a moment.
const RECENT_MAX: usize = 64;
/// About what a session takes without its asks.
const SESSION_BYTES: usize = 1024;

/// A session with its open asks.
#[derive(Debug, Clone)]
pub(super) struct HotSession {
    pub(super) n: i64,
    pub(super) session: Arc<Session>,
    /// The number of its latest fact.
    pub(super) last_fact: Option<u64>,
    /// How many of its asks have ended, or more.
    pub(super) n_closed: i64,
    /// The task whose session it is.
    pub(super) task: Option<Arc<Task>>,
    /// Open, in the order of asking.
    pub(super) open: Vec<Found>,
    /// Ended lately.
    pub(super) recent: VecDeque<Found>,
    /// Whether it is known to be the one that its name stands for; else the table is asked.
    holds_name: bool,
    /// What all of these take together.
    bytes: usize,
    /// Asks that came, and that are not kept any more, since it was last put in.
    came: Vec<AskId>,
    went: Vec<AskId>,
}

impl HotSession {
    pub(super) fn new(n: i64, session: Arc<Session>, last_fact: Option<u64>, open: Vec<Found>) -> Self {
        let came = open.iter().map(|found| found.ask.id).collect();
        let bytes = open.iter().map(|found| found.bytes).sum();
        let (recent, went, holds_name) = (VecDeque::new(), Vec::new(), false);
        Self { n, session, last_fact, n_closed: 0, task: None, open, recent, holds_name, bytes, came, went }
    }

    /// With what else is stored of it.
    pub(super) fn with(self, n_closed: i64, task: Option<Arc<Task>>) -> Self {
        Self { n_closed, task, ..self }
    }

    /// Says whether it is the one that its name stands for.
    pub(super) fn holding_name(self, holds_name: bool) -> Self {
        Self { holds_name, ..self }
    }

    /// Whether it has ended, or its time is up and that was not noted yet (D5).
    pub(super) fn is_over(&self, now: Timestamp, idle_max: Duration) -> bool {
        let at_work = self.task.as_ref().is_some_and(|task| task.state.is_alive());
        let is_idle = self.session.is_idle(now, idle_max) && self.open.is_empty() && !at_work;
        self.session.status != SessionStatus::Active || is_idle
    }

    /// An ask that is known here, open or not.
    pub(super) fn ask(&self, id: AskId) -> Option<&Found> {
        // What ended last is asked for most.
        self.open.iter().chain(self.recent.iter().rev()).find(|found| found.ask.id == id)
    }

    /// Takes an ask in as it is now.
    pub(super) fn put(&mut self, found: Found) {
        let (ask, bytes) = (Arc::clone(&found.ask), found.bytes);
        let place = self.open.iter().position(|found| found.ask.id == ask.id);
        match (place, ask.is_open()) {
            (Some(idx), true) => self.open[idx] = found,
            (None, true) => {
                self.bytes += bytes;
                self.open.push(found);
                self.came.push(ask.id);
            }
            (place, false) => {
                if let Some(idx) = place {
                    self.bytes -= self.open.remove(idx).bytes;
                } else if let Some(idx) = self.recent.iter().rposition(|found| found.ask.id == ask.id) {
                    self.bytes -= self.recent.remove(idx).map_or(0, |found| found.bytes);
                }
                self.bytes += bytes;
                self.recent.push_back(found);
                self.came.push(ask.id);
                if self.recent.len() > RECENT_MAX {
                    let gone = self.recent.pop_front();
                    self.bytes -= gone.as_ref().map_or(0, |found| found.bytes);
                    self.went.extend(gone.map(|found| found.ask.id));
                }
            }
        }
    }

    /// Lets go of its open asks, which have moved to another session.
    pub(super) fn moved_on(&mut self, session: Arc<Session>) {
        self.bytes -= self.open.drain(..).map(|found| found.bytes).sum::<usize>();
        self.came.clear();
        self.session = session;
    }

    fn bytes(&self) -> usize {
        let task = self.task.as_ref().map_or(0, |task| task.text.len());
        SESSION_BYTES + task + self.bytes
    }
}

struct Kept {
    hot: HotSession,
    bytes: usize,
    used: u64,
}

/// The sessions in memory.
pub(super) struct Hot {
    sessions: HashMap<SessionId, Kept>,
    /// By owner and name; also of some that are not here any more.
    named: HashMap<UserId, HashMap<String, SessionId>>,
    of_ask: HashMap<AskId, SessionId>,
    by_use: BTreeMap<u64, SessionId>,
    clock: u64,
    bytes: usize,
    bytes_max: usize,
    sessions_max: usize,
}

impl Hot {
    pub(super) fn new(bytes_max: usize, sessions_max: usize) -> Self {
        Self {
            sessions: HashMap::new(),
            named: HashMap::new(),
            of_ask: HashMap::new(),
            by_use: BTreeMap::new(),
            clock: 0,
            bytes: 0,
            bytes_max,
            sessions_max,
        }
    }

    pub(super) fn has(&self, id: SessionId) -> bool {
        self.sessions.contains_key(&id)
    }

    pub(super) fn named(&self, owner: &UserId, external_id: &str) -> Option<SessionId> {
        let id = self.named.get(owner)?.get(external_id)?;
        self.has(*id).then_some(*id)
    }

    pub(super) fn session_of(&self, ask: AskId) -> Option<SessionId> {
        self.of_ask.get(&ask).copied()
    }

    /// Takes a session out, for changing it. It is put back when that succeeded. Its asks are not
    /// forgotten: one that moves to another session comes there.
    pub(super) fn take(&mut self, id: SessionId) -> Option<HotSession> {
        let kept = self.sessions.remove(&id)?;
        self.by_use.remove(&kept.used);
        self.bytes -= kept.bytes;
        Some(kept.hot)
    }

    fn put_name(&mut self, session: &Session) {
        let Some(name) = &session.external_id else { return };
        if self.named.get(&session.owner).and_then(|names| names.get(name)) != Some(&session.id) {
            self.named.entry(session.owner.clone()).or_default().insert(name.clone(), session.id);
        }
    }

    fn forget_name(&mut self, session: &Session) {
        let (Some(name), Some(names)) = (&session.external_id, self.named.get_mut(&session.owner)) else {
            return;
        };
        // Another session may have taken the name over meanwhile.
        if names.get(name) == Some(&session.id) {
            names.remove(name);
        }
        if names.is_empty() {
            self.named.remove(&session.owner);
        }
    }

    /// Puts a session in, as the one used last. One that expired is not kept (D7).
    pub(super) fn put(&mut self, mut hot: HotSession) {
        let id = hot.session.id;
        if hot.session.status == SessionStatus::Timeout {
            return self.forget_all_of(&hot);
        }
        self.clock += 1;
        let (used, bytes) = (self.clock, hot.bytes());
        // Only what changed: a session may have a thousand open asks.
        self.of_ask.extend(hot.came.drain(..).map(|ask| (ask, id)));
        for ask in hot.went.drain(..) {
            self.of_ask.remove(&ask);
        }
        // An ended session may be about to lose its name, and another may have taken it over: then the table is asked.
        if hot.holds_name && hot.session.status == SessionStatus::Active {
            self.put_name(&hot.session);
        } else {
            self.forget_name(&hot.session);
        }
        self.by_use.insert(used, id);
        self.bytes += bytes;
        self.sessions.insert(id, Kept { hot, bytes, used });
    }

    /// Returns how many sessions and bytes there are.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.sessions.len(), self.bytes)
    }

    /// Lets the least recently used go until it fits.
    pub(super) fn fit(&mut self) {
        while self.bytes > self.bytes_max || self.sessions.len() > self.sessions_max {
            let Some(id) = self.by_use.values().next().copied() else { return };
            self.forget(id);
        }
    }

    /// Forgets a session with its names: what is stored of it is read anew.
    pub(super) fn forget(&mut self, id: SessionId) {
        if let Some(gone) = self.take(id) {
            self.forget_all_of(&gone);
        }
    }

    fn forget_all_of(&mut self, gone: &HotSession) {
        self.forget_name(&gone.session);
        let asks = gone.open.iter().chain(&gone.recent).map(|found| &found.ask.id);
        for ask in asks.chain(&gone.went) {
            self.of_ask.remove(ask);
        }
    }

    /// Forgets everything: what was in memory may not be what is stored.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.bytes_max, self.sessions_max);
    }
}

#[cfg(test)]
mod tests {
    use askuser_core::asker::Timing;
    use askuser_core::session::Origin;
    use askuser_core::time::Timestamp;

    use super::*;

    fn session(id: u128) -> HotSession {
        let session = Session {
            id: SessionId(id),
            owner: "ann".into(),
            external_id: Some(format!("s{id}")),
            origin: Origin::Named,
            status: SessionStatus::Active,
            round: 0,
            total_rounds: None,
            timing: Timing::default(),
            created_at: Timestamp(0),
            last_activity: Timestamp(0),
            restored_to: None,
            restore_reason: None,
            last_round: None,
        };
        HotSession::new(1, Arc::new(session), None, Vec::new()).holding_name(true)
    }

    #[test]
    fn d7_the_least_recently_used_session_goes_out_of_memory_first() {
        let mut hot = Hot::new(3 * SESSION_BYTES, 100);
        for id in 1..=3 {
            hot.put(session(id));
        }
        let first = hot.take(SessionId(1)).unwrap();
        hot.put(first);
        hot.put(session(4));
        hot.fit();
        let there: Vec<bool> = (1..=4).map(|id| hot.has(SessionId(id))).collect();
        assert_eq!(there, [true, false, true, true]);
        assert_eq!(hot.named(&"ann".into(), "s2"), None);
        assert_eq!(hot.named(&"ann".into(), "s4"), Some(SessionId(4)));
        let mut few = Hot::new(usize::MAX, 2);
        (1..=3).for_each(|id| few.put(session(id)));
        few.fit();
        assert!(!few.has(SessionId(1)) && few.has(SessionId(3)));
    }
}
