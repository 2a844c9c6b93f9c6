//! What the desk asks of a store, handed to the writer, to a reader or to memory.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, SessionId, TaskId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::Session;
use askuser_core::task::Task;
use askuser_core::time::Timestamp;

use super::access;
use super::work::{Change, Done, Work, mixed_up};
use super::{Sqlite, ask, carry, fact, rows, session, task, verify};
use crate::audit::address;
use crate::chain;
use crate::{
    AuditStore, BrowserChange, BrowserId, Committed, Counts, Ear, Figures, Head, IdStore, KeyId, KeyRow,
    Later, NudgeStore, Numbered, Order, Pass, PushStore, RuleStore, SecretHash, SignedIn, Store, User,
    Verified,
};

impl Store for Sqlite {
    fn limits(&self) -> DeskLimits {
        carry::read(&self.limits)
    }

    fn set_limits(&self, limits: DeskLimits) -> bool {
        *self.limits.write() = limits;
        true
    }

    fn nudging(&self) -> &dyn NudgeStore {
        self
    }

    fn pushing(&self) -> &dyn PushStore {
        self
    }

    fn ruling(&self) -> &dyn RuleStore {
        self
    }

    fn ids(&self) -> &dyn IdStore {
        self
    }

    fn figures(&self) -> Figures {
        let n_waiting = self.queue.as_ref().map_or(0, |queue| queue.max_capacity() - queue.capacity());
        self.figures.queue.set(i64::try_from(n_waiting).unwrap_or(i64::MAX));
        self.figures.clone()
    }

    fn audit(&self) -> Option<&dyn AuditStore> {
        Some(self)
    }

    fn tell(&self, ear: Ear) {
        // A second ear would hear everything twice over: the desk is one.
        let _first = self.ear.set(ear);
    }

    fn commit(&self, order: Order) -> Later<'_, Committed> {
        let address = address();
        Box::pin(async move {
            match self.work(Work::Commit(Box::new(order), address)).await? {
                Done::Committed(committed) => Ok(*committed),
                _ => Err(mixed_up()),
            }
        })
    }

    fn ask(&self, id: AskId) -> Later<'_, Option<Arc<Ask>>> {
        if let Some(ask) = self.latest.get(id) {
            return Box::pin(std::future::ready(Ok(Some(ask))));
        }
        self.read(move |db| Ok(ask::by_id(db, id)?.map(|found| found.ask)))
    }

    fn asks_of(&self, session: SessionId, after_round: u32, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        self.asks(move |db| ask::of_session(db, session, after_round, rows(limit)))
    }

    fn inbox(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        let user = user.clone();
        self.asks(move |db| ask::inbox(db, &user, rows(limit)))
    }

    fn open_in(&self, session: SessionId) -> Later<'_, Vec<Arc<Ask>>> {
        self.asks(move |db| ask::open_in(db, session::n_of(db, session)?))
    }

    fn open_asks(&self, after: Option<AskId>, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        self.asks(move |db| ask::open(db, after, rows(limit)))
    }

    fn due(&self, now: Timestamp, limit: usize) -> Later<'_, Vec<AskId>> {
        self.read(move |db| ask::due(db, now, rows(limit)))
    }

    fn next_deadline(&self) -> Later<'_, Option<Timestamp>> {
        self.read(ask::next_deadline)
    }

    fn session(&self, id: SessionId) -> Later<'_, Option<Session>> {
        self.read(move |db| Ok(session::by_id(db, id)?.map(|found| found.session)))
    }

    fn session_named(&self, user: &UserId, external_id: &str) -> Later<'_, Option<Session>> {
        let (user, external_id) = (user.clone(), external_id.to_owned());
        self.read(move |db| Ok(session::named(db, &user, &external_id)?.map(|found| found.session)))
    }

    fn sessions(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Session>> {
        let user = user.clone();
        self.read(move |db| {
            let found = session::of_user(db, &user, rows(limit))?;
            Ok(found.into_iter().map(|found| found.session).collect())
        })
    }

    fn idle_sessions(&self, before: Timestamp, limit: usize) -> Later<'_, Vec<SessionId>> {
        self.read(move |db| session::idle(db, before, rows(limit)))
    }

    fn task(&self, id: TaskId) -> Later<'_, Option<Arc<Task>>> {
        self.read(move |db| task::by_id(db, id))
    }

    fn task_of(&self, session: SessionId) -> Later<'_, Option<Arc<Task>>> {
        self.read(move |db| task::of_session(db, session))
    }

    fn tasks(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        let user = user.clone();
        self.read(move |db| task::of_user(db, &user, rows(limit)))
    }

    fn tasks_alive(&self, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        self.read(move |db| task::alive(db, rows(limit)))
    }

    fn facts_since(&self, number: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        self.read(move |db| fact::since(db, number, rows(limit)))
    }

    fn facts_of(&self, session: SessionId, after: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        self.read(move |db| fact::of_session(db, session, after, rows(limit)))
    }

    fn facts_before(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: usize,
    ) -> Later<'_, Vec<Numbered>> {
        self.read(move |db| fact::before_in_session(db, session, before, rows(limit)))
    }

    fn head(&self) -> Later<'_, Head> {
        self.read(fact::head)
    }

    fn verify(&self, from: u64) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&verify::Facts(&self.readers), from).await })
    }

    fn erase_secrets(&self, ask: AskId) -> Later<'_, u64> {
        Box::pin(async move {
            match self.work(Work::Change(Change::EraseSecrets(ask))).await? {
                Done::Erased(n_erased) => Ok(n_erased),
                _ => Err(mixed_up()),
            }
        })
    }

    fn counts(&self) -> Later<'_, Counts> {
        self.read(|db| {
            let count = |sql: &str| db.prepare_cached(sql)?.query_row([], |row| row.get::<_, u64>(0));
            Ok(Counts {
                open_asks: count("SELECT count(*) FROM ask WHERE standing = 0")?,
                facts: count("SELECT number FROM head")?,
                sessions: count("SELECT count(*) FROM session")?,
            })
        })
    }

    fn add_user(&self, user: User) -> Later<'_, bool> {
        self.change(Change::AddUser(user))
    }

    fn users(&self) -> Later<'_, Vec<User>> {
        self.read(access::users)
    }

    fn disable_user(&self, user: &UserId, now: Timestamp) -> Later<'_, bool> {
        self.change(Change::DisableUser(user.clone(), now))
    }

    fn add_key(&self, key: KeyRow) -> Later<'_, bool> {
        self.change(Change::AddKey(key))
    }

    fn key_by_hash(&self, hash: SecretHash) -> Later<'_, Option<KeyRow>> {
        self.read(move |db| access::key_by_hash(db, &hash))
    }

    fn keys(&self) -> Later<'_, Vec<KeyRow>> {
        self.read(access::keys)
    }

    fn revoke_key(&self, key: KeyId, now: Timestamp) -> Later<'_, bool> {
        self.change(Change::RevokeKey(key, now))
    }

    fn add_cookie(&self, hash: SecretHash, browser: SignedIn, now: Timestamp) -> Later<'_, bool> {
        self.change(Change::AddCookie(hash, Box::new(browser), now))
    }

    fn cookie(&self, hash: SecretHash, now: Timestamp) -> Later<'_, Option<SignedIn>> {
        self.read(move |db| access::cookie(db, &hash, now))
    }

    fn signed_in(&self, user: &UserId, now: Timestamp) -> Later<'_, Vec<SignedIn>> {
        let user = user.clone();
        self.read(move |db| access::signed_in(db, &user, now))
    }

    fn change_browser(&self, user: &UserId, id: BrowserId, change: BrowserChange) -> Later<'_, bool> {
        self.change(Change::Browser(user.clone(), id, change))
    }

    fn revoke_cookie(&self, hash: SecretHash) -> Later<'_, bool> {
        self.change(Change::RevokeCookie(hash))
    }

    fn add_login_link(&self, hash: SecretHash, pass: Pass, now: Timestamp) -> Later<'_, bool> {
        self.change(Change::AddLoginLink(hash, pass, now))
    }

    fn use_login_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, Option<Pass>> {
        Box::pin(async move {
            match self.work(Work::Change(Change::UseLoginLink(hash, now))).await? {
                Done::LetIn(pass) => Ok(pass),
                _ => Err(mixed_up()),
            }
        })
    }

    fn check_writable(&self) -> Later<'_, ()> {
        Box::pin(async { self.change(Change::Probe).await.map(|_| ()) })
    }

    fn close(&self) -> Later<'_, ()> {
        Box::pin(async {
            // The readers first: the log is only emptied when nobody reads it.
            self.readers.finish().await;
            self.work(Work::Close).await.map(|_| ())
        })
    }
}
