//! Remembers: the only place that speaks SQL.
//!
//! `commit` loads what a command needs, lets `core::decide` decide, and writes facts and rows, all
//! in one transaction; nobody is answered before it is on the disk. Everything else here reads, or
//! keeps the list of who may come in.
//! The words are those of `core`, so that a second implementation has nothing to translate.

#![forbid(unsafe_code)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::decide::Refusal;
use askuser_core::id::{AskId, ServerId, SessionId, TaskId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::Session;
use askuser_core::task::Task;
use askuser_core::time::Timestamp;

pub mod order;
pub mod access;
pub mod chain;
pub mod figures;
pub mod audit;
pub mod presence;
pub mod nudges;
pub mod pushes;
pub mod rules;
pub mod ids;
pub mod waits;
mod db;
mod fail;
mod sql;
mod row;
mod plan;
mod timing;
mod erase;
mod replay;
pub mod sqlite;
pub mod postgres;
pub mod moving;

pub use access::{
    AccessStore, BrowserChange, BrowserId, KeyId, KeyRole, KeyRow, Pass, SecretHash, SignedIn, User,
};
pub use audit::{AuditStore, SecurityEvent, Severity};
pub use chain::{Broken, ChainFault, Verified};
pub use figures::Figures;
pub use ids::{IdStore, IdsOf};
pub use nudges::NudgeStore;
pub use order::{Committed, Counts, Head, Numbered, Order, People, SessionRef};
pub use presence::Present;
pub use pushes::PushStore;
pub use replay::{Difference, Served, Subject, Than};
pub use rules::RuleStore;

/// What a store answers, later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Hears what was committed, in the order of committing. Called where commits are made, so it must
/// be quick and must not wait.
pub type Ear = Arc<dyn Fn(Arc<[Numbered]>) + Send + Sync>;

/// Hears what other replicas whisper. Must be quick and must not wait.
pub type Overhearing = Arc<dyn Fn(&str) + Send + Sync>;

/// Remembers asks, sessions, facts, and who may come in.
///
/// What a method has returned is on the disk. A caller that goes away while it waits does not take
/// its command back: it is carried out all the same.
pub trait Store:
    AskStore + SessionStore + TaskStore + FactStore + AccessStore + ReplicaStore + Send + Sync
{
    /// Carries out a command: loads, decides and writes in one transaction. The first to commit
    /// wins; a later one is refused with what it lost to.
    fn commit(&self, order: Order) -> Later<'_, Committed>;

    /// Returns the limits under which it decides.
    fn limits(&self) -> DeskLimits;

    /// Takes other limits from now on. False where it cannot while it is open.
    fn set_limits(&self, _limits: DeskLimits) -> bool {
        false
    }

    /// Returns what it tells of its own work, as it is now.
    fn figures(&self) -> Figures {
        Figures::default()
    }

    /// Returns the part of it that is for audits, where it has one.
    fn audit(&self) -> Option<&dyn AuditStore>;

    /// Returns the part of it that remembers nudges and answer links.
    fn nudging(&self) -> &dyn NudgeStore;

    /// Returns the part of it that remembers browsers that asked to be told.
    fn pushing(&self) -> &dyn PushStore;

    /// Returns the part of it that remembers the rules that people made.
    fn ruling(&self) -> &dyn RuleStore;

    /// Returns the part of it that finds ids by how they begin and end.
    fn ids(&self) -> &dyn IdStore;

    /// Has an ear told every fact from now on, after its commit and before anybody is answered. The
    /// first ear stays.
    fn tell(&self, ear: Ear);

    /// Writes something that changes nothing, to know that writing works.
    fn check_writable(&self) -> Later<'_, ()>;
    /// Finishes what was begun, flushes everything and closes. Later calls find it closed.
    fn close(&self) -> Later<'_, ()>;
}

/// The part of a store that reads asks.
pub trait AskStore: Send + Sync {
    /// Returns an ask, open or ended.
    fn ask(&self, id: AskId) -> Later<'_, Option<Arc<Ask>>>;
    /// Returns the asks of a session in the order of asking, after that round.
    fn asks_of(&self, session: SessionId, after_round: u32, limit: usize) -> Later<'_, Vec<Arc<Ask>>>;
    /// Returns a user's open asks, pending ones included, oldest first.
    fn inbox(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Ask>>>;
    /// Returns the open asks of a session in the order of asking, pending ones included.
    fn open_in(&self, session: SessionId) -> Later<'_, Vec<Arc<Ask>>>;
    /// Returns every user's open asks, each once, for a restart; goes on after the ask that came
    /// last. Within a user oldest first.
    fn open_asks(&self, after: Option<AskId>, limit: usize) -> Later<'_, Vec<Arc<Ask>>>;
    /// Returns open asks whose deadline has passed, the earliest first.
    fn due(&self, now: Timestamp, limit: usize) -> Later<'_, Vec<AskId>>;
    /// Returns the next deadline of an open ask.
    fn next_deadline(&self) -> Later<'_, Option<Timestamp>>;
}

/// The part of a store that reads sessions.
pub trait SessionStore: Send + Sync {
    /// Returns a session, active or ended.
    fn session(&self, id: SessionId) -> Later<'_, Option<Session>>;
    /// Returns the session that holds this name, active or ended.
    fn session_named(&self, user: &UserId, external_id: &str) -> Later<'_, Option<Session>>;
    /// Returns a user's sessions, the newest first.
    fn sessions(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Session>>;
    /// Returns active sessions without an open ask or a task at work in which nothing happened since `before`.
    fn idle_sessions(&self, before: Timestamp, limit: usize) -> Later<'_, Vec<SessionId>>;
}

/// The part of a store that reads tasks.
pub trait TaskStore: Send + Sync {
    /// Returns a task, alive or ended.
    fn task(&self, id: TaskId) -> Later<'_, Option<Arc<Task>>>;
    /// Returns the task whose session this is.
    fn task_of(&self, session: SessionId) -> Later<'_, Option<Arc<Task>>>;
    /// Returns a user's tasks, the newest first.
    fn tasks(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Task>>>;
    /// Returns every user's tasks that wait for their turn or are at work, in the order in which
    /// they were given.
    fn tasks_alive(&self, limit: usize) -> Later<'_, Vec<Arc<Task>>>;
}

/// The part of a store that reads facts, and erases what they tell.
pub trait FactStore: Send + Sync {
    /// Returns the facts after this number, in order.
    fn facts_since(&self, number: u64, limit: usize) -> Later<'_, Vec<Numbered>>;
    /// Returns the facts of a session after this number, in order.
    fn facts_of(&self, session: SessionId, after: u64, limit: usize) -> Later<'_, Vec<Numbered>>;
    /// Returns the last facts of a session before this number, in order; before its end where none
    /// is given.
    fn facts_before(&self, session: SessionId, before: Option<u64>, limit: usize)
    -> Later<'_, Vec<Numbered>>;
    /// Returns the latest fact's number and hash.
    fn head(&self) -> Later<'_, Head>;
    /// Walks the chain of facts from this number (1 is the first) to the head.
    fn verify(&self, from: u64) -> Later<'_, Verified>;
    /// Erases what was answered to the secret questions of an ended ask: in the ask, and the
    /// payloads of the facts that tell it. Returns how many payloads were erased.
    fn erase_secrets(&self, ask: AskId) -> Later<'_, u64>;
    /// Returns how much is stored.
    fn counts(&self) -> Later<'_, Counts>;
}

/// The part of a store that several servers share: what one tells the others, and which are there.
pub trait ReplicaStore: Send + Sync {
    /// Whether other daemons may use it at the same time.
    fn is_shared(&self) -> bool {
        false
    }

    /// Tells the other replicas something that need not be kept. Nobody may hear it: what must be known
    /// is a fact.
    fn whisper(&self, _words: String) {}

    /// Has an ear told what other replicas whisper. The first ear stays.
    fn overhear(&self, _ear: Overhearing) {}

    /// Notes that this server begins, where several share the store.
    fn arrive(&self, _present: Present) -> Later<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Notes that this server is there, by the store's own clock. False where another that was
    /// started later goes by its name.
    fn attend(&self, _present: Present) -> Later<'_, bool> {
        Box::pin(async { Ok(true) })
    }

    /// Returns tasks that wait for their turn or are at work on a server that has not been there for
    /// as long as one waits for it. None while this server itself has not been there for so long: then
    /// nobody may have been, because the store was away.
    fn tasks_left(&self, _by: ServerId, _limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// Why a store could not.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The rule book said no. Nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The disk or the database failed; nothing of this command was kept. It may be tried again.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The disk takes no more; nothing of this command was kept. It may be tried again when somebody has
    /// made room.
    #[error("the store is not available: {0}")]
    Full(String),
    /// The disk failed in the very act of flushing, and is not believed again: nothing is written until
    /// somebody has looked after it and started the program anew. The command may then be found carried
    /// out; a repeated one joins, or learns that it is done.
    #[error("the store is not available: {0}")]
    NotFlushed(String),
    /// The database went away while it was being committed, and has not come back to say whether it
    /// was. A repeated command joins, or learns that it is done.
    #[error("the store went away, and it is not known whether this was kept: {0}")]
    Unsure(String),
    /// What is stored cannot be read: a newer program wrote it, or it is damaged.
    #[error("the store cannot be read: {0}")]
    Damaged(String),
}

#[cfg(test)]
mod conformance;
