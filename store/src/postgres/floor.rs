//! What a batch works on: its sessions, locked, with their open asks, and what the limits need. All
//! of it is loaded at once, changed in memory by one command after the other, and written at once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::command::Command;
use askuser_core::id::{AskId, QuestionId, SessionId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::{Origin, Session, SessionStatus};
use askuser_core::task::Task;
use askuser_core::time::Timestamp;
use futures_util::future::{try_join, try_join4, try_join5};
use sha2::{Digest, Sha256};

use super::ask;
use super::db::{Client, run};
use super::fact::NewFact;
use super::put;
use super::session::{self, Meant, Written};
use super::task;
use crate::fail::Fail;
use crate::plan::{self, Needed};
use crate::sql::asks::Found;
use crate::sql::sessions;
use crate::{Order, SessionRef};

/// A session that the batch has locked, as its commands have left it so far.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) session: Arc<Session>,
    pub(super) superseded: bool,
    /// The task whose session it is.
    pub(super) task: Option<Arc<Task>>,
    /// Its open asks, in the order of asking.
    pub(super) open: Vec<AskId>,
    /// How many of its asks have ended.
    pub(super) n_closed: i64,
}

impl Held {
    /// Whether it has ended, or its time is up and that was not noted yet (D5).
    pub(super) fn is_over(&self, now: Timestamp, idle_max: Duration) -> bool {
        let at_work = self.task.as_ref().is_some_and(|task| task.state.is_alive());
        let is_idle = self.session.is_idle(now, idle_max) && self.open.is_empty() && !at_work;
        self.session.status != SessionStatus::Active || is_idle
    }
}

/// What a batch works on.
pub(super) struct Floor {
    pub(super) limits: DeskLimits,
    pub(super) sessions: HashMap<SessionId, Held>,
    /// Who holds a name.
    pub(super) names: HashMap<(UserId, String), SessionId>,
    pub(super) asks: HashMap<AskId, Found>,
    /// Of each user, the sessions that count as active.
    counted: HashMap<UserId, HashSet<SessionId>>,
    keys: HashMap<(UserId, String), Option<AskId>>,
    /// How many of a user's active sessions are looked at: enough, whatever the batch ends.
    counted_max: usize,
    pub(super) facts: Vec<NewFact>,
    pub(super) changed: Changed,
}

/// What is not written yet, in the order of changing.
#[derive(Default)]
pub(super) struct Changed {
    pub(super) sessions: Vec<SessionId>,
    pub(super) asks: Vec<AskId>,
    /// Sessions whose tasks have changed.
    pub(super) tasks: Vec<SessionId>,
    /// New asks, with their bodies.
    pub(super) bodies: Vec<(AskId, String)>,
    /// Questions that asks have no more.
    pub(super) gone: Vec<(AskId, QuestionId)>,
    /// Asks that went to another session.
    pub(super) moved: Vec<AskId>,
}

/// Statements of every batch; prepared before it begins, so that they go out in their turn.
pub(super) fn statements() -> Vec<String> {
    let fixed = [LOCK_OWNERS, session::COUNTED, ask::WITH_KEYS, session::WRITE, put::ASKS, put::BODIES]
        .map(str::to_owned);
    [session::lock_sql(), ask::open_in_sql(), task::in_sessions_sql(), put::QUESTIONS.to_owned()]
        .into_iter()
        .chain(fixed)
        .collect()
}

/// In the order of the numbers, so that no two batches wait for each other.
const LOCK_OWNERS: &str = "SELECT pg_advisory_xact_lock(key) FROM unnest($1::BIGINT[]) AS key";

/// The number by which an owner is locked. Two owners with the same one wait for each other, no more.
fn lock_number(owner: &UserId) -> i64 {
    let digest: [u8; 32] =
        Sha256::new().chain_update("askuser owner ").chain_update(owner.as_str()).finalize().into();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(first)
}

/// Whether a command looks across the sessions of its user: at their names, their number or the keys
/// of their asks. Such commands of one user go one after the other.
fn crosses(order: &Order) -> bool {
    let wide = matches!(
        order.command,
        Command::Ask(_) | Command::OpenSession { .. } | Command::Reopen { .. } | Command::Restore { .. }
    );
    wide || matches!(order.session, SessionRef::Named { .. })
}

impl Floor {
    /// Locks and loads what these orders need. The transaction has begun.
    pub(super) async fn load(db: &Client, limits: DeskLimits, orders: &[&Order]) -> Result<Self, Fail> {
        let owners: BTreeSet<&UserId> =
            orders.iter().filter(|order| crosses(order)).map(|order| &order.actor.user).collect();
        let mut locks: Vec<i64> = owners.iter().map(|owner| lock_number(owner)).collect();
        locks.sort_unstable();
        locks.dedup();
        let (meant, named) = meant(orders);
        let lock_owners =
            async { if locks.is_empty() { Ok(0) } else { run(db, LOCK_OWNERS, &[&locks]).await } };
        // Each statement sees what was committed before it: first the locks, then a look.
        let (_, sessions) = try_join(lock_owners, session::lock(db, &meant)).await?;
        let ids: Vec<SessionId> = sessions.iter().map(|found| found.session.id).collect();
        let owners: Vec<&str> = owners.into_iter().map(UserId::as_str).collect();
        let counted_max = limits.active_sessions_max + ids.len() + 1;
        let keys: Vec<(UserId, String)> = orders.iter().filter_map(|order| key(order)).collect();
        let (asks, tasks, counted, with_keys) = try_join4(
            ask::open_in(db, &ids, &named),
            task::in_sessions(db, &ids),
            session::counted(db, &owners, counted_max),
            ask::with_keys(db, &keys),
        )
        .await?;
        let mut floor = Self {
            limits,
            sessions: HashMap::new(),
            names: HashMap::new(),
            asks: HashMap::new(),
            counted: owners.into_iter().map(|owner| (UserId::new(owner), HashSet::new())).collect(),
            keys: keys.into_iter().map(|key| (key, None)).collect(),
            counted_max,
            facts: Vec::new(),
            changed: Changed::default(),
        };
        for (owner, id) in counted {
            floor.counted.entry(owner).or_default().insert(id);
        }
        floor.keys.extend(with_keys.into_iter().map(|(key, id)| (key, Some(id))));
        for found in sessions {
            floor.hold(found);
        }
        for task in tasks {
            if let Some(held) = floor.sessions.get_mut(&task.session) {
                held.task = Some(task);
            }
        }
        for found in asks {
            if found.ask.is_open()
                && let Some(held) = floor.sessions.get_mut(&found.ask.session)
            {
                held.open.push(found.ask.id);
            }
            floor.asks.insert(found.ask.id, found);
        }
        Ok(floor)
    }

    fn hold(&mut self, found: sessions::Found) {
        let sessions::Found { session, superseded, n_closed } = found;
        if let Some(name) = session.external_id.clone().filter(|_| !superseded) {
            self.names.insert((session.owner.clone(), name), session.id);
        }
        self.sessions.insert(
            session.id,
            Held { session: Arc::new(session), superseded, task: None, open: Vec::new(), n_closed },
        );
    }

    /// The session that an order means, if it is there.
    pub(super) fn find(&self, order: &Order) -> Option<SessionId> {
        if let Some((owner, external_id)) = plan::name(order) {
            return self.names.get(&(owner.clone(), external_id.to_owned())).copied();
        }
        let id = match order.session {
            SessionRef::Id(id) => id,
            SessionRef::OfAsk(ask) => self.asks.get(&ask)?.ask.session,
            SessionRef::Named { .. } => return None,
        };
        self.sessions.contains_key(&id).then_some(id)
    }

    /// How many other sessions of the owner count as active.
    pub(super) async fn n_others_active(
        &mut self,
        db: &Client,
        owner: &UserId,
        except: Option<SessionId>,
    ) -> Result<usize, Fail> {
        if !self.counted.contains_key(owner) {
            // The owner of the session is not who gave the order; that is rare enough to wait for.
            self.write(db).await?;
            run(db, LOCK_OWNERS, &[&vec![lock_number(owner)]]).await?;
            let counted = session::counted(db, &[owner.as_str()], self.counted_max).await?;
            self.counted.insert(owner.clone(), counted.into_iter().map(|(_, id)| id).collect());
        }
        let counted = self.counted.get(owner).into_iter().flatten();
        Ok(counted.filter(|id| Some(**id) != except).count())
    }

    /// The ask that the owner made with this key.
    pub(super) async fn with_key(
        &mut self,
        db: &Client,
        owner: &UserId,
        key: &str,
    ) -> Result<Option<AskId>, Fail> {
        let name = (owner.clone(), key.to_owned());
        if let Some(known) = self.keys.get(&name) {
            return Ok(*known);
        }
        self.write(db).await?;
        let found = ask::with_keys(db, std::slice::from_ref(&name)).await?.pop().map(|(_, id)| id);
        self.keys.insert(name, found);
        Ok(found)
    }

    /// Takes a session in as it is now.
    pub(super) fn put_session(&mut self, held: Held) {
        let session = &held.session;
        if !self.sessions.contains_key(&session.id)
            && let Some(name) = session.external_id.clone()
        {
            self.names.insert((session.owner.clone(), name), session.id);
        }
        if let Some(counted) = self.counted.get_mut(&session.owner) {
            let counts = session.origin != Origin::Derived && !held.open.is_empty();
            if counts {
                counted.insert(session.id)
            } else {
                counted.remove(&session.id)
            };
        }
        self.changed.sessions.push(session.id);
        self.sessions.insert(session.id, held);
    }

    /// Takes the name off a session, for another to hold it.
    pub(super) fn supersede(&mut self, id: SessionId) {
        if let Some(held) = self.sessions.get_mut(&id) {
            held.superseded = true;
            self.changed.sessions.push(id);
        }
    }

    /// Takes an ask in as it is now; with its body where it is new.
    pub(super) fn put_ask(&mut self, found: Found, body: Option<String>) {
        let ask = &found.ask;
        if let Some(body) = body {
            self.changed.bodies.push((ask.id, body));
            if let Some(key) = &ask.terms.idempotency_key {
                self.keys.insert((ask.owner.clone(), key.clone()), Some(ask.id));
            }
        }
        self.changed.asks.push(ask.id);
        self.asks.insert(ask.id, found);
    }

    /// Writes what has changed since it was last written.
    pub(super) async fn write(&mut self, db: &Client) -> Result<(), Fail> {
        let changed = std::mem::take(&mut self.changed);
        // Those that lose their name first.
        let (gave_up, kept): (Vec<&Held>, Vec<&Held>) = unique(&changed.sessions)
            .filter_map(|id| self.sessions.get(&id))
            .partition(|held| held.superseded);
        let sessions: Vec<Written<'_>> = gave_up.into_iter().chain(kept).map(Held::written).collect();
        let asks: Vec<&Found> = unique(&changed.asks).filter_map(|id| self.asks.get(&id)).collect();
        let bodies: Vec<(AskId, &str)> =
            changed.bodies.iter().map(|(id, body)| (*id, body.as_str())).collect();
        let new: Vec<_> = bodies.iter().filter_map(|(id, _)| Some(&*self.asks.get(id)?.ask)).collect();
        let gone: Vec<_> = changed
            .gone
            .iter()
            .filter_map(|(id, question)| Some((&*self.asks.get(id)?.ask, question)))
            .collect();
        let tasks: Vec<Arc<Task>> =
            unique(&changed.tasks).filter_map(|id| self.sessions.get(&id)?.task.clone()).collect();
        task::write(db, &tasks).await?;
        try_join5(
            session::write(db, &sessions),
            put::asks(db, &asks),
            put::bodies(db, &bodies),
            put::questions(db, &new),
            put::no_questions(db, &gone),
        )
        .await?;
        put::moved(db, &changed.moved).await
    }
}

impl Held {
    fn written(&self) -> Written<'_> {
        Written {
            session: &self.session,
            superseded: self.superseded,
            n_open: self.open.len(),
            n_closed: self.n_closed,
        }
    }
}

/// Each once, where it stood first: so new ones are written in the order of their coming.
fn unique<T: Copy + Eq + std::hash::Hash>(all: &[T]) -> impl Iterator<Item = T> + '_ {
    let mut seen = HashSet::new();
    all.iter().copied().filter(move |one| seen.insert(*one))
}

/// The sessions that orders mean, and the asks that they name.
fn meant(orders: &[&Order]) -> (Meant, Vec<AskId>) {
    let mut meant = Meant::default();
    let mut named = Vec::new();
    for order in orders {
        if let Some((owner, external_id)) = plan::name(order) {
            meant.names.0.push(owner.as_str().to_owned());
            meant.names.1.push(external_id.to_owned());
        } else {
            match order.session {
                SessionRef::Id(id) => meant.ids.push(id),
                SessionRef::OfAsk(ask) => {
                    meant.asks.push(ask);
                    named.push(ask);
                }
                SessionRef::Named { .. } => {}
            }
        }
        if let Command::Restore { from, .. } = order.command {
            meant.ids.push(from);
        }
        if let Needed::Asks(asks) = plan::needed(&order.command) {
            named.extend(asks);
        }
    }
    (meant, named)
}

fn key(order: &Order) -> Option<(UserId, String)> {
    match &order.command {
        Command::Ask(new) => Some((order.actor.user.clone(), new.terms.idempotency_key.clone()?)),
        _ => None,
    }
}
