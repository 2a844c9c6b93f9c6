//! What the desk asks of a store, handed to the writer, to a reader or to memory.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, SessionId, TaskId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::Session;
use askuser_core::task::Task;
use askuser_core::time::Timestamp;

use tokio::sync::oneshot;

use super::read::closed;
use super::work::Job;
use super::{Sqlite, ask, carry, fact, put, rows, session, task, verify};
use crate::audit::address;
use crate::chain;
use crate::waits::hand_in;
use crate::{
    AuditStore, Committed, Counts, Ear, Figures, Head, IdStore, Later, NudgeStore, Numbered, Order,
    PushStore, RuleStore, Store, Verified,
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

    fn commit(&self, mut order: Order) -> Later<'_, Committed> {
        let address = address();
        Box::pin(async move {
            self.work(move |db, desk| {
                desk.address = address;
                carry::carry_out(&db.get(), desk, &mut order)
            })
            .await
        })
    }

    fn ask(&self, id: AskId) -> Later<'_, Option<Arc<Ask>>> {
        if let Some(ask) = self.latest.get(id) {
            return Box::pin(std::future::ready(Ok(Some(ask))));
        }
        self.look(move |db| Ok(ask::by_id(db, id)?.map(|found| found.ask)))
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
        self.look(move |db| ask::due(db, now, rows(limit)))
    }

    fn next_deadline(&self) -> Later<'_, Option<Timestamp>> {
        self.look(ask::next_deadline)
    }

    fn session(&self, id: SessionId) -> Later<'_, Option<Session>> {
        self.look(move |db| Ok(session::by_id(db, id)?.map(|found| found.session)))
    }

    fn session_named(&self, user: &UserId, external_id: &str) -> Later<'_, Option<Session>> {
        let (user, external_id) = (user.clone(), external_id.to_owned());
        self.look(move |db| Ok(session::named(db, &user, &external_id)?.map(|found| found.session)))
    }

    fn sessions(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Session>> {
        let user = user.clone();
        self.look(move |db| {
            let found = session::of_user(db, &user, rows(limit))?;
            Ok(found.into_iter().map(|found| found.session).collect())
        })
    }

    fn idle_sessions(&self, before: Timestamp, limit: usize) -> Later<'_, Vec<SessionId>> {
        self.look(move |db| session::idle(db, before, rows(limit)))
    }

    fn task(&self, id: TaskId) -> Later<'_, Option<Arc<Task>>> {
        self.look(move |db| task::by_id(db, id))
    }

    fn task_of(&self, session: SessionId) -> Later<'_, Option<Arc<Task>>> {
        self.look(move |db| task::of_session(db, session))
    }

    fn tasks(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        let user = user.clone();
        self.look(move |db| task::of_user(db, &user, rows(limit)))
    }

    fn tasks_alive(&self, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        self.look(move |db| task::alive(db, rows(limit)))
    }

    fn facts_since(&self, number: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        self.look(move |db| fact::since(db, number, rows(limit)))
    }

    fn facts_of(&self, session: SessionId, after: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        self.look(move |db| fact::of_session(db, session, after, rows(limit)))
    }

    fn facts_before(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: usize,
    ) -> Later<'_, Vec<Numbered>> {
        self.look(move |db| fact::before_in_session(db, session, before, rows(limit)))
    }

    fn head(&self) -> Later<'_, Head> {
        self.look(fact::head)
    }

    fn verify(&self, from: u64) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&verify::Facts(&self.readers), from).await })
    }

    fn erase_secrets(&self, ask: AskId) -> Later<'_, u64> {
        Box::pin(async move {
            self.work(move |db, desk| {
                desk.changed.push((ask, None));
                put::erase_secrets(&db.get(), &mut desk.hot, ask)
            })
            .await
        })
    }

    fn counts(&self) -> Later<'_, Counts> {
        self.look(|db| {
            let count = |sql: &str| db.prepare_cached(sql)?.query_row([], |row| row.get::<_, u64>(0));
            Ok(Counts {
                open_asks: count("SELECT count(*) FROM ask WHERE standing = 0")?,
                facts: count("SELECT number FROM head")?,
                sessions: count("SELECT count(*) FROM session")?,
            })
        })
    }

    fn check_writable(&self) -> Later<'_, ()> {
        Box::pin(self.work(|db, desk| fact::set_head(&db.get(), &desk.head)))
    }

    fn close(&self) -> Later<'_, ()> {
        Box::pin(async {
            // The readers first: the log is only emptied when nobody reads it.
            self.readers.finish().await;
            let (reply, done) = oneshot::channel();
            let queue = self.queue.as_ref().ok_or_else(closed)?;
            hand_in(queue, Job::Close(reply), closed).await?;
            done.await.map_err(|_| closed())?
        })
    }
}
