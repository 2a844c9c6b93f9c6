//! A store that fails at one read, and at no other: the n-th from when it was told so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, SessionId, TaskId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::Session;
use askuser_core::task::Task;
use askuser_core::time::Timestamp;
use askuser_desk::{Numbered, User};
use askuser_store::nudges::NudgeStore;
use askuser_store::pushes::PushStore;
use askuser_store::rules::RuleStore;
use askuser_store::waits::waiting;
use askuser_store::{
    AccessStore, AskStore, AuditStore, BrowserChange, BrowserId, Committed, Counts, Ear, FactStore, Figures,
    Head, IdStore, KeyId, KeyRow, Later, Order, Overhearing, Pass, ReplicaStore, SecretHash, SessionStore,
    SignedIn, Store, StoreError, TaskStore, Verified,
};

/// Says which read fails, whether commands do, and how many milliseconds a command takes more.
pub(crate) struct Fuse(AtomicI64, AtomicBool, AtomicU64);

impl Fuse {
    /// One that never blows by itself.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(AtomicI64::new(-1), AtomicBool::new(false), AtomicU64::new(0)))
    }

    /// Has the read fail that comes after so many others.
    pub(crate) fn arm(&self, n_before: i64) {
        self.0.store(n_before, Ordering::SeqCst);
    }

    /// Has every command fail as on a full disk, or none.
    pub(crate) fn set_full(&self, is_full: bool) {
        self.1.store(is_full, Ordering::SeqCst);
    }

    /// Has every command take so much longer.
    pub(crate) fn set_slow(&self, by: Duration) {
        self.2.store(u64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Disarms it; whether a read has failed.
    pub(crate) fn has_blown(&self) -> bool {
        self.0.swap(-1, Ordering::SeqCst) < 0
    }

    fn burn(&self) -> Result<(), StoreError> {
        if self.0.fetch_sub(1, Ordering::SeqCst) == 0 {
            return Err(StoreError::Unavailable("this very read fails".to_owned()));
        }
        Ok(())
    }
}

/// A store whose reads go through a fuse.
pub(crate) struct FailingStore {
    pub(crate) inner: Arc<dyn Store>,
    pub(crate) fuse: Arc<Fuse>,
}

macro_rules! reads {
    ($($name:ident($($arg:ident: $given:ty),*) -> $told:ty;)*) => {
        $(fn $name(&self, $($arg: $given),*) -> Later<'_, $told> {
            match self.fuse.burn() {
                Ok(()) => self.inner.$name($($arg),*),
                Err(error) => Box::pin(async move { Err(error) }),
            }
        })*
    };
}

macro_rules! passed_on {
    ($($name:ident($($arg:ident: $given:ty),*) -> $told:ty;)*) => {
        $(fn $name(&self, $($arg: $given),*) -> $told {
            self.inner.$name($($arg),*)
        })*
    };
}

impl Store for FailingStore {
    fn commit(&self, order: Order) -> Later<'_, Committed> {
        if self.fuse.1.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Full("the disk is full".to_owned())) });
        }
        let slow = Duration::from_millis(self.fuse.2.load(Ordering::SeqCst));
        if slow.is_zero() {
            return self.inner.commit(order);
        }
        Box::pin(async move {
            waiting("a slow disk", tokio::time::sleep(slow)).await;
            self.inner.commit(order).await
        })
    }

    passed_on! {
        limits() -> DeskLimits;
        set_limits(limits: DeskLimits) -> bool;
        figures() -> Figures;
        audit() -> Option<&dyn AuditStore>;
        nudging() -> &dyn NudgeStore;
        pushing() -> &dyn PushStore;
        ruling() -> &dyn RuleStore;
        ids() -> &dyn IdStore;
        tell(ear: Ear) -> ();
        check_writable() -> Later<'_, ()>;
        close() -> Later<'_, ()>;
    }
}

impl AskStore for FailingStore {
    reads! {
        ask(id: AskId) -> Option<Arc<Ask>>;
        asks_of(session: SessionId, after_round: u32, limit: usize) -> Vec<Arc<Ask>>;
        inbox(user: &UserId, limit: usize) -> Vec<Arc<Ask>>;
        open_in(session: SessionId) -> Vec<Arc<Ask>>;
    }

    passed_on! {
        open_asks(after: Option<AskId>, limit: usize) -> Later<'_, Vec<Arc<Ask>>>;
        due(now: Timestamp, limit: usize) -> Later<'_, Vec<AskId>>;
        next_deadline() -> Later<'_, Option<Timestamp>>;
    }
}

impl SessionStore for FailingStore {
    reads! {
        session(id: SessionId) -> Option<Session>;
        session_named(user: &UserId, external_id: &str) -> Option<Session>;
        sessions(user: &UserId, limit: usize) -> Vec<Session>;
    }

    passed_on! {
        idle_sessions(before: Timestamp, limit: usize) -> Later<'_, Vec<SessionId>>;
    }
}

impl TaskStore for FailingStore {
    reads! {
        task(id: TaskId) -> Option<Arc<Task>>;
        task_of(session: SessionId) -> Option<Arc<Task>>;
        tasks(user: &UserId, limit: usize) -> Vec<Arc<Task>>;
    }

    passed_on! {
        tasks_alive(limit: usize) -> Later<'_, Vec<Arc<Task>>>;
    }
}

impl FactStore for FailingStore {
    reads! {
        facts_since(number: u64, limit: usize) -> Vec<Numbered>;
        facts_of(session: SessionId, after: u64, limit: usize) -> Vec<Numbered>;
        facts_before(session: SessionId, before: Option<u64>, limit: usize) -> Vec<Numbered>;
        head() -> Head;
        counts() -> Counts;
    }

    passed_on! {
        verify(from: u64) -> Later<'_, Verified>;
        erase_secrets(ask: AskId) -> Later<'_, u64>;
    }
}

impl ReplicaStore for FailingStore {
    passed_on! {
        is_shared() -> bool;
        whisper(words: String) -> ();
        overhear(ear: Overhearing) -> ();
    }
}

impl AccessStore for FailingStore {
    reads! {
        users() -> Vec<User>;
        key_by_hash(hash: SecretHash) -> Option<KeyRow>;
        keys() -> Vec<KeyRow>;
        cookie(hash: SecretHash, now: Timestamp) -> Option<SignedIn>;
        signed_in(user: &UserId, now: Timestamp) -> Vec<SignedIn>;
    }

    passed_on! {
        add_user(user: User) -> Later<'_, bool>;
        disable_user(user: &UserId, now: Timestamp) -> Later<'_, bool>;
        add_key(key: KeyRow) -> Later<'_, bool>;
        revoke_key(key: KeyId, now: Timestamp) -> Later<'_, bool>;
        add_cookie(hash: SecretHash, browser: SignedIn, now: Timestamp) -> Later<'_, bool>;
        revoke_cookie(hash: SecretHash) -> Later<'_, bool>;
        add_login_link(hash: SecretHash, pass: Pass, now: Timestamp) -> Later<'_, bool>;
        change_browser(user: &UserId, id: BrowserId, change: BrowserChange) -> Later<'_, bool>;
        use_login_link(hash: SecretHash, now: Timestamp) -> Later<'_, Option<Pass>>;
    }
}
