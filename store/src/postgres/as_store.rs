//! The verbs of a store, each over a connection of the pool or through the writers.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use askuser_core::ask::Ask;
use askuser_core::command::Command;
use askuser_core::id::{AskId, ServerId, SessionId, TaskId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::Session;
use askuser_core::task::Task;
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;
use tokio::sync::oneshot;

use super::db::{self, counted};
use super::error::{Kind, closed};
use super::writer::Job;
use super::{Postgres, ask, fact, put, server, session, task, verify};
use crate::audit::address;
use crate::chain;
use crate::fail::Fail;
use crate::waits::{hand_in, waiting};
use crate::{
    AuditStore, Committed, Counts, Ear, Figures, Head, IdStore, Later, NudgeStore, Numbered, Order,
    Overhearing, Present, PushStore, RuleStore, SessionRef, Store, StoreError, Verified,
};

/// How often a reading is tried over other connections where one turns out to be gone.
pub(super) const READS_MAX: usize = 4;

/// Reads over a connection; over another where that one was gone.
macro_rules! read {
    ($self:ident, |$db:ident| $look:expr) => {
        Box::pin(async move {
            for _ in 1..READS_MAX {
                let $db = $self.reader().await?;
                match crate::waits::waiting("reading", $look).await {
                    Err(fail) if fail.kind() == Kind::Away => drop(Object::take($db)),
                    looked => return looked.map_err(Fail::told),
                }
            }
            let $db = $self.reader().await?;
            crate::waits::waiting("reading", $look).await.map_err(Fail::told)
        })
    };
}

/// Changes something in one statement: what is one statement happens whole or not at all. It is done
/// even if whoever wanted it goes away.
macro_rules! change {
    ($self:ident, |$db:ident| $change:expr) => {
        Box::pin(async move {
            let $db = $self.reader().await?;
            let changing = tokio::spawn(async move { $change.await.map_err(Fail::told) });
            let changed = crate::waits::waiting("a commit", changing).await;
            changed.map_err(|_| StoreError::Unavailable("a fault in the store".to_owned()))?
        })
    };
}

pub(super) use {change, read};

impl Store for Postgres {
    fn limits(&self) -> DeskLimits {
        *self.limits.read()
    }

    fn set_limits(&self, limits: DeskLimits) -> bool {
        *self.limits.write() = limits;
        true
    }

    fn tell(&self, ear: Ear) {
        self.tail.tell(ear);
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
        self.figures.clone()
    }

    fn audit(&self) -> Option<&dyn AuditStore> {
        Some(self)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn whisper(&self, words: String) {
        self.bell.whisper(words);
    }

    fn overhear(&self, ear: Overhearing) {
        self.bell.overhear(ear);
    }

    fn commit(&self, mut order: Order) -> Later<'_, Committed> {
        clean_names(&mut order);
        let address = address();
        Box::pin(async move {
            let (reply, done) = oneshot::channel();
            let queue = self.queue().ok_or_else(closed)?;
            self.figures.queue.inc();
            let sent = hand_in(&queue, Job::new(order, address, reply), closed).await;
            drop(queue);
            let done = match sent {
                Ok(()) => waiting("a commit", done).await.map_err(|_| closed()),
                Err(error) => Err(error),
            };
            self.figures.queue.dec();
            done?
        })
    }

    fn ask(&self, id: AskId) -> Later<'_, Option<Arc<Ask>>> {
        Box::pin(async move {
            let found: Later<'_, Option<ask::Found>> = read!(self, |db| ask::by_id(&db, id));
            Ok(found.await?.map(|found| found.ask))
        })
    }

    fn asks_of(&self, session: SessionId, after_round: u32, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        asks(read!(self, |db| ask::of_session(&db, session, after_round, limit)))
    }

    fn inbox(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        let user = user.clone();
        asks(read!(self, |db| ask::inbox(&db, &user, limit)))
    }

    fn open_in(&self, session: SessionId) -> Later<'_, Vec<Arc<Ask>>> {
        asks(read!(self, |db| ask::open_in(&db, &[session], &[])))
    }

    fn open_asks(&self, after: Option<AskId>, limit: usize) -> Later<'_, Vec<Arc<Ask>>> {
        asks(read!(self, |db| ask::open(&db, after, limit)))
    }

    fn due(&self, now: Timestamp, limit: usize) -> Later<'_, Vec<AskId>> {
        read!(self, |db| ask::due(&db, now, limit))
    }

    fn next_deadline(&self) -> Later<'_, Option<Timestamp>> {
        read!(self, |db| ask::next_deadline(&db))
    }

    fn session(&self, id: SessionId) -> Later<'_, Option<Session>> {
        let found: Later<'_, Option<session::Found>> = read!(self, |db| session::by_id(&db, id));
        Box::pin(async { Ok(found.await?.map(|found| found.session)) })
    }

    fn session_named(&self, user: &UserId, external_id: &str) -> Later<'_, Option<Session>> {
        let (user, external_id) = (user.clone(), db::clean(external_id).into_owned());
        let found: Later<'_, Option<session::Found>> =
            read!(self, |db| session::named(&db, &user, &external_id));
        Box::pin(async { Ok(found.await?.map(|found| found.session)) })
    }

    fn sessions(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Session>> {
        let user = user.clone();
        read!(self, |db| session::of_user(&db, &user, limit))
    }

    fn idle_sessions(&self, before: Timestamp, limit: usize) -> Later<'_, Vec<SessionId>> {
        read!(self, |db| session::idle(&db, before, limit))
    }

    fn task(&self, id: TaskId) -> Later<'_, Option<Arc<Task>>> {
        read!(self, |db| task::by_id(&db, id))
    }

    fn task_of(&self, session: SessionId) -> Later<'_, Option<Arc<Task>>> {
        read!(self, |db| task::of_session(&db, session))
    }

    fn tasks(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        let user = user.clone();
        read!(self, |db| task::of_user(&db, &user, limit))
    }

    fn tasks_alive(&self, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        read!(self, |db| task::alive(&db, limit))
    }

    fn arrive(&self, present: Present) -> Later<'_, ()> {
        change!(self, |db| server::arrive(&db, &present))
    }

    fn attend(&self, present: Present) -> Later<'_, bool> {
        read!(self, |db| server::attend(&db, &present))
    }

    fn tasks_left(&self, by: ServerId, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        read!(self, |db| server::tasks_left(&db, by, limit))
    }

    fn facts_since(&self, number: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        read!(self, |db| fact::since(&db, number, limit))
    }

    fn facts_of(&self, session: SessionId, after: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        read!(self, |db| fact::of_session(&db, session, after, limit))
    }

    fn facts_before(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: usize,
    ) -> Later<'_, Vec<Numbered>> {
        read!(self, |db| fact::before_in_session(&db, session, before, limit))
    }

    fn head(&self) -> Later<'_, Head> {
        read!(self, |db| fact::head(&db))
    }

    fn verify(&self, from: u64) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&verify::Facts(self), from).await })
    }

    fn erase_secrets(&self, ask: AskId) -> Later<'_, u64> {
        change!(self, |db| erase_secrets(db, ask))
    }

    fn counts(&self) -> Later<'_, Counts> {
        read!(self, |db| counts(&db))
    }

    fn check_writable(&self) -> Later<'_, ()> {
        change!(self, |db| probe(&db))
    }

    fn close(&self) -> Later<'_, ()> {
        Box::pin(async move {
            if self.closed.swap(true, Ordering::SeqCst) {
                return Err(closed());
            }
            drop(self.queue.lock().take());
            self.writing.close();
            self.writing.wait().await;
            self.stop.cancel();
            self.following.close();
            self.following.wait().await;
            self.readers.close();
            Ok(())
        })
    }
}

/// Names by which something is found again are the same in memory as in the database.
fn clean_names(order: &mut Order) {
    let clean = |name: &mut String| {
        if name.contains('\0') {
            *name = db::clean(name).into_owned();
        }
    };
    if let SessionRef::Named { external_id, .. } = &mut order.session {
        clean(external_id);
    }
    match &mut order.command {
        Command::OpenSession { external_id, .. } => external_id.iter_mut().for_each(clean),
        Command::Ask(new) => Arc::make_mut(&mut new.terms).idempotency_key.iter_mut().for_each(clean),
        Command::Restore { reason, .. } => clean(reason),
        _ => {}
    }
}

fn asks(found: Later<'_, Vec<ask::Found>>) -> Later<'_, Vec<Arc<Ask>>> {
    Box::pin(async { Ok(found.await?.into_iter().map(|found| found.ask).collect()) })
}

async fn counts(db: &db::Db) -> Result<Counts, Fail> {
    let sql = "SELECT (SELECT count(*) FROM ask WHERE standing = 0), (SELECT number FROM head),
        (SELECT count(*) FROM session)";
    let row = db::the_row(db, sql, &[]).await?;
    let count = |column: usize| Ok::<_, Fail>(counted(row.try_get(column)?));
    Ok(Counts { open_asks: count(0)?, facts: count(1)?, sessions: count(2)? })
}

/// Writes what is there already.
async fn probe(db: &db::Db) -> Result<(), Fail> {
    let sql = "BEGIN; SET LOCAL lock_timeout = '3s'; UPDATE head SET number = number WHERE id = 1; COMMIT";
    let probed = db.batch_execute(sql).await;
    if probed.is_err() {
        let _back = db.batch_execute("ROLLBACK").await;
    }
    Ok(probed?)
}

async fn erase_secrets(db: Object, ask: AskId) -> Result<u64, Fail> {
    db::whole(&db, put::erase_secrets(&db, ask)).await
}
