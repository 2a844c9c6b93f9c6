//! The one writer: a thread with the only connection that writes.
//!
//! It takes what has queued up while the last flush ran, does it all in one transaction, and only
//! then answers everybody: many commands, one flush. There is no lingering for more: it was
//! measured to be slower.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rusqlite::Connection;
use tokio::sync::mpsc;

use super::access::{self, List};
use super::carry::{self, Desk};
use super::error::Fail;
use super::latest::Latest;
use super::work::{Change, Done, Job, Work};
use super::{audit, fact, nudge, push, put, rule};
use crate::store::{Ear, Numbered, StoreError};

/// Pieces of work in one transaction.
const BATCH_MAX: usize = 256;
/// Pieces of work that may wait; more callers wait to hand theirs in.
pub(super) const QUEUE_MAX: usize = 4096;
/// Commits after which the log is written back when there is nothing else to do. Under load SQLite
/// does it by itself at a larger size.
const COMMITS_TO_CHECKPOINT: u32 = 500;

pub(super) struct Writer {
    db: Connection,
    desk: Desk,
    queue: mpsc::Receiver<Job>,
    lock: Option<File>,
    ear: Arc<OnceLock<Ear>>,
    latest: Arc<Latest>,
    /// What is told after a commit; kept, so that not every batch makes room anew.
    told: Vec<Numbered>,
    n_commits: u32,
}

impl Writer {
    pub(super) fn new(
        db: Connection,
        desk: Desk,
        queue: mpsc::Receiver<Job>,
        lock: Option<File>,
        ear: Arc<OnceLock<Ear>>,
        latest: Arc<Latest>,
    ) -> Self {
        Self { db, desk, queue, lock, ear, latest, told: Vec::new(), n_commits: 0 }
    }

    /// Works until it is closed or nobody can hand work in any more.
    pub(super) fn run(mut self) {
        let mut jobs = Vec::with_capacity(BATCH_MAX);
        let mut closing = Vec::new();
        while closing.is_empty() && self.queue.blocking_recv_many(&mut jobs, BATCH_MAX) > 0 {
            let (close, work): (Vec<_>, Vec<_>) =
                jobs.drain(..).partition(|job| matches!(job.work, Work::Close));
            closing = close;
            self.serve(work);
            if self.queue.is_empty() && self.n_commits >= COMMITS_TO_CHECKPOINT {
                self.checkpoint("PASSIVE");
            }
        }
        // What was handed in before the close is still done; later callers find it closed.
        self.queue.close();
        while self.queue.blocking_recv_many(&mut jobs, BATCH_MAX) > 0 {
            let (close, work): (Vec<_>, Vec<_>) =
                jobs.drain(..).partition(|job| matches!(job.work, Work::Close));
            closing.extend(close);
            self.serve(work);
        }
        self.checkpoint("TRUNCATE");
        let Self { db, lock, .. } = self;
        let closed =
            db.close().map(|()| Done::Changed(true)).map_err(|(_, error)| super::error::told(&error));
        if let Some(lock) = lock {
            // Said aloud: a child that is just being started has the open file too, until it
            // becomes its program, and closing ours alone would leave the lock with it.
            let _ = lock.unlock();
        }
        for job in closing {
            let again = closed.as_ref().map(|_| Done::Changed(true)).map_err(Clone::clone);
            let _ = job.reply.send(again);
        }
    }

    /// A log that could not be written back now is written back later: nothing is lost.
    fn checkpoint(&mut self, mode: &str) {
        self.n_commits = 0;
        let _ = self.db.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()));
    }

    fn serve(&mut self, mut jobs: Vec<Job>) {
        match self.transact(&mut jobs) {
            Ok(results) => {
                self.tell(&results);
                for (job, result) in jobs.into_iter().zip(results) {
                    // Whoever went away learns it when they come back.
                    let _ = job.reply.send(result);
                }
            }
            // The others do not pay for one that cannot be done: each is done over by itself.
            Err(fail) if fail.is_of_one() && jobs.len() > 1 => {
                for job in jobs {
                    self.serve(vec![job]);
                }
            }
            Err(fail) => {
                let error = fail.told();
                for job in jobs {
                    let _ = job.reply.send(Err(error.clone()));
                }
            }
        }
    }

    /// Tells what was just committed, before anybody is answered.
    fn tell(&mut self, results: &[Result<Done, StoreError>]) {
        let Some(ear) = self.ear.get() else { return };
        let told = results.iter().filter_map(|result| match result {
            Ok(Done::Committed(committed)) => Some(&committed.facts),
            _ => None,
        });
        self.told.extend(told.flatten().cloned());
        if !self.told.is_empty() {
            ear(&self.told);
            self.told.clear();
        }
    }

    /// Does all the work in one transaction, or none of it.
    fn transact(&mut self, jobs: &mut [Job]) -> Result<Vec<Result<Done, StoreError>>, Fail> {
        let head = self.desk.head;
        let begun = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| self.attempt(jobs)));
        let done = done.unwrap_or_else(|_| {
            Err(Fail::Undo(StoreError::Unavailable("a fault in the store; see the log".to_owned())))
        });
        if done.is_ok() {
            self.n_commits += 1;
            self.latest.put(self.desk.changed.drain(..));
            self.desk.hot.fit();
            self.note(jobs.len(), begun);
        } else {
            self.desk.hot.clear();
            self.desk.changed.clear();
            self.desk.head = head;
            // SQLite has rolled back by itself after some failures.
            if !self.db.is_autocommit() {
                let _ = self.db.execute_batch("ROLLBACK");
            }
        }
        done
    }

    /// Notes a commit in the figures.
    #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
    fn note(&self, n_jobs: usize, begun: Instant) {
        let figures = &self.desk.figures;
        figures.commit_time.observe(begun.elapsed().as_secs_f64());
        figures.batch.observe(n_jobs as f64);
        let (n_sessions, n_bytes) = self.desk.hot.size();
        figures.memory_sessions.set(i64::try_from(n_sessions).unwrap_or(i64::MAX));
        figures.memory_bytes.set(i64::try_from(n_bytes).unwrap_or(i64::MAX));
    }

    fn attempt(&mut self, jobs: &mut [Job]) -> Result<Vec<Result<Done, StoreError>>, Fail> {
        let head = self.desk.head;
        self.db.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let mut results = Vec::with_capacity(jobs.len());
        for job in jobs {
            let done = match &mut job.work {
                Work::Commit(order, address) => {
                    self.desk.address = *address;
                    let committed = carry::carry_out(&self.db, &mut self.desk, order);
                    committed.map(|committed| Done::Committed(Box::new(committed)))
                }
                Work::Change(change) => self.change(change),
                Work::Close => Ok(Done::Changed(false)),
            };
            match done {
                Ok(done) => results.push(Ok(done)),
                Err(Fail::Told(error)) => results.push(Err(error)),
                Err(fail @ (Fail::Undo(_) | Fail::Sql(_))) => return Err(fail),
            }
        }
        // Last, so that on every store numbers follow the order of committing.
        if self.desk.head != head {
            fact::set_head(&self.db, &self.desk.head)?;
        }
        self.db.prepare_cached("COMMIT")?.execute([])?;
        Ok(results)
    }

    fn change(&mut self, change: &Change) -> Result<Done, Fail> {
        let db = &self.db;
        let changed = match change {
            Change::AddUser(user) => access::add_user(db, user)?,
            Change::DisableUser(user, now) => access::disable_user(db, user, *now)?,
            Change::AddKey(key) => access::add_key(db, key)?,
            Change::RevokeKey(key, now) => access::revoke_key(db, *key, *now)?,
            Change::AddCookie(hash, pass, now) => access::add_pass(db, List::Cookies, hash, pass, *now)?,
            Change::RevokeCookie(hash) => access::remove_pass(db, List::Cookies, hash)?,
            Change::AddLoginLink(hash, pass, now) => {
                access::add_pass(db, List::LoginLinks, hash, pass, *now)?
            }
            Change::UseLoginLink(hash, now) => {
                let pass = access::pass(db, List::LoginLinks, hash, *now)?;
                access::remove_pass(db, List::LoginLinks, hash)?;
                return Ok(Done::LetIn(pass.map(|pass| pass.user)));
            }
            Change::EraseSecrets(ask) => {
                self.desk.changed.push((*ask, None));
                let erased = put::erase_secrets(db, &mut self.desk.hot, *ask);
                return erased.map(Done::Erased);
            }
            Change::AddEvents(events) => audit::add_events(db, events)?,
            Change::EraseBefore(before, limit) => {
                let mut erased = Vec::new();
                let n_erased = audit::erase_before(db, &mut self.desk.hot, &mut erased, *before, *limit);
                self.desk.changed.extend(erased.into_iter().map(|ask| (ask, None)));
                return n_erased.map(Done::Erased);
            }
            Change::Nudge(change) => return nudge::change(db, change),
            Change::Push(change) => return push::change(db, change),
            Change::Rule(change) => return rule::change(db, change),
            Change::Probe => {
                fact::set_head(db, &self.desk.head)?;
                true
            }
            #[cfg(test)]
            Change::Quota(pages) => {
                db.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(true))?
            }
        };
        Ok(Done::Changed(changed))
    }
}
