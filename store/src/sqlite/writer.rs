//! The one writer: a thread with the only connection that writes.
//!
//! It takes what has queued up while the last flush ran, does it all in one transaction, and only
//! then answers everybody: many commands, one flush. There is no lingering for more: it was
//! measured to be slower.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{io, mem};

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::carry::Desk;
use super::fact;
use super::flush::{self, Batch, Flusher, Progress};
use super::room::Room;
use super::work::Job;
use crate::StoreError;
use crate::db::Local;
use crate::fail::Fail;

/// Pieces of work in one transaction.
const BATCH_MAX: usize = 256;
/// Pieces of work that may wait; more callers wait to hand theirs in.
pub(super) const QUEUE_MAX: usize = 4096;
/// Commits after which the log is written back when there is nothing else to do. Under load SQLite
/// does it by itself at a larger size.
const COMMITS_TO_CHECKPOINT: u32 = 500;

/// How long nobody must want anything before the log is written back.
const QUIET: Duration = Duration::from_millis(100);

pub(super) struct Writer {
    db: Local,
    desk: Desk,
    queue: mpsc::Receiver<Job>,
    lock: Option<File>,
    room: Option<Room>,
    flusher: Arc<Flusher>,
    flushing: JoinHandle<bool>,
    batches: SyncSender<Batch>,
    progress: Arc<Progress>,
    /// Waits for more to do, and for the flusher, at once.
    waiting: Runtime,
    closing: Vec<Job>,
    n_commits: u32,
}

impl Writer {
    pub(super) fn new(
        db: Local,
        desk: Desk,
        queue: mpsc::Receiver<Job>,
        lock: Option<File>,
        flusher: Flusher,
    ) -> io::Result<Self> {
        let waiting = Builder::new_current_thread().enable_time().build()?;
        let room = flusher.log.as_ref().map(File::try_clone).transpose()?.map(Room::new);
        let (progress, flusher) = (Arc::clone(&flusher.progress), Arc::new(flusher));
        let (batches, taken) = sync_channel(1);
        let flushing = thread::Builder::new().name("store-flusher".to_owned());
        let own = Arc::clone(&flusher);
        let flushing = flushing.spawn(move || flush::run(&own, &taken))?;
        let closing = Vec::new();
        Ok(Self {
            db,
            desk,
            queue,
            lock,
            room,
            flusher,
            flushing,
            batches,
            progress,
            waiting,
            closing,
            n_commits: 0,
        })
    }

    /// Works until it is closed or nobody can hand work in any more.
    pub(super) fn run(mut self) {
        let mut jobs = Vec::with_capacity(BATCH_MAX);
        while self.closing.is_empty() && self.take_first(&mut jobs) {
            self.serve(&mut jobs, true);
        }
        // What was handed in before the close is still done; later callers find it closed.
        self.queue.close();
        while self.take_first(&mut jobs) {
            self.serve(&mut jobs, true);
        }
        let Self { db, lock, flushing, batches, closing, .. } = self;
        let db = db.into_inner();
        drop(batches);
        // One that panicked has told nobody anything.
        if flushing.join().unwrap_or(false) {
            write_back(&db, "TRUNCATE");
        } else {
            // What is in the log may not be on the disk: the database is not to be built on it.
            let _ = db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        }
        let closed = db.close().map_err(|(_, error)| super::error::told(&error));
        if let Some(lock) = lock {
            // Said aloud: a child that is just being started has the open file too, until it
            // becomes its program, and closing ours alone would leave the lock with it.
            let _ = lock.unlock();
        }
        for job in closing {
            job.answer(closed.as_ref().err());
        }
    }

    /// Waits for something to do. False: nothing will come any more.
    fn take_first(&mut self, jobs: &mut Vec<Job>) -> bool {
        let log_is_long = self.n_commits >= COMMITS_TO_CHECKPOINT;
        let taking = self.queue.recv_many(jobs, BATCH_MAX);
        let n_taken = self.waiting.block_on(async {
            if log_is_long { timeout(QUIET, taking).await.ok() } else { Some(taking.await) }
        });
        let Some(n_taken) = n_taken else {
            self.n_commits = 0;
            if self.progress.failed().is_none() {
                write_back(&self.db.get(), "PASSIVE");
            }
            return self.take_first(jobs);
        };
        self.set_closing_apart(jobs);
        n_taken > 0
    }

    /// Waits for more to do while the last batch is on its way to the disk. False: that is over, or
    /// this batch is large enough.
    fn take_more(&mut self, jobs: &mut Vec<Job>) -> bool {
        let (n_before, room) = (jobs.len(), BATCH_MAX.saturating_sub(jobs.len()));
        if room == 0 || !self.closing.is_empty() || self.queue.is_closed() {
            return false;
        }
        let (queue, progress) = (&mut self.queue, &self.progress);
        self.waiting.block_on(async {
            let mut watch = progress.watch();
            while !progress.is_settled() || !queue.is_empty() {
                tokio::select! {
                    biased;
                    _taken = queue.recv_many(jobs, room) => return,
                    () = watch.changed() => {}
                }
            }
        });
        self.set_closing_apart(jobs);
        jobs.len() > n_before
    }

    fn set_closing_apart(&mut self, jobs: &mut Vec<Job>) {
        self.closing.extend(jobs.extract_if(.., |job| matches!(job, Job::Close(_))));
    }

    /// Does work, with what comes in while it cannot be flushed yet, or alone.
    fn serve(&mut self, jobs: &mut Vec<Job>, with_more: bool) {
        if jobs.is_empty() {
            return;
        }
        let Err(fail) = self.transact(jobs, with_more) else { return };
        // The others do not pay for one that cannot be done: each is done over by itself.
        if fail.is_of_one() && jobs.len() > 1 {
            for job in mem::take(jobs) {
                self.serve(&mut vec![job], false);
            }
            return;
        }
        let error = fail.told();
        for job in jobs.drain(..) {
            job.answer(Some(&error));
        }
    }

    /// Does all the work in one transaction, or none of it.
    fn transact(&mut self, jobs: &mut Vec<Job>, with_more: bool) -> Result<(), Fail> {
        let (head, begun, n_changes) = (self.desk.head, Instant::now(), self.db.get().total_changes());
        let done = catch_unwind(AssertUnwindSafe(|| self.attempt(jobs, with_more)));
        let done = done.unwrap_or_else(|_| {
            Err(Fail::Undo(StoreError::Unavailable("a fault in the store; see the log".to_owned())))
        });
        let done = done.and_then(|()| {
            self.still_flushed()?;
            // One alone is flushed here: a second thread would only have to be woken for it.
            let here = jobs.len() == 1 && self.progress.is_settled();
            let mut batch = Batch::new(self.progress.commits(), begun);
            let db = self.db.get();
            let committed = db.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
            if committed.is_ok() {
                self.n_commits += 1;
                batch.wrote = db.total_changes() != n_changes;
                batch.jobs = mem::take(jobs);
                batch.changed = mem::take(&mut self.desk.changed);
                batch.facts = mem::take(&mut self.desk.facts);
            }
            drop(db);
            // Also one that came to nothing, because it has a number. A flusher that is gone has panicked,
            // and with the batch go those who wait for it.
            if here {
                self.flusher.settle(batch);
            } else {
                let _ = self.batches.send(batch);
            }
            Ok(committed?)
        });
        if done.is_ok() {
            // Where there is none, the log grows by itself, or what follows says so.
            let _ = self.room.as_mut().map(Room::keep);
            self.desk.hot.fit();
            self.note_memory();
        } else {
            self.desk.hot.clear();
            self.desk.changed.clear();
            self.desk.facts.clear();
            self.desk.head = head;
            let db = self.db.get();
            // SQLite has rolled back by itself after some failures.
            if !db.is_autocommit() {
                let _ = db.execute_batch("ROLLBACK");
            }
        }
        done.map(|_| ())
    }

    fn note_memory(&self) {
        let (n_sessions, n_bytes) = self.desk.hot.size();
        self.desk.figures.memory_sessions.set(i64::try_from(n_sessions).unwrap_or(i64::MAX));
        self.desk.figures.memory_bytes.set(i64::try_from(n_bytes).unwrap_or(i64::MAX));
    }

    fn attempt(&mut self, jobs: &mut Vec<Job>, with_more: bool) -> Result<(), Fail> {
        self.still_flushed()?;
        let head = self.desk.head;
        self.db.get().prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let mut n_done = 0;
        loop {
            for job in &mut jobs[n_done..] {
                job.attempt(&self.db, &mut self.desk)?;
                n_done += 1;
            }
            if !with_more || !self.take_more(jobs) {
                break;
            }
        }
        // Last, so that on every store numbers follow the order of committing.
        if self.desk.head != head {
            fact::set_head(&self.db.get(), &self.desk.head)?;
        }
        Ok(())
    }

    /// Refuses to build on what the disk did not take.
    fn still_flushed(&self) -> Result<(), Fail> {
        self.progress.failed().map_or(Ok(()), |failed| Err(Fail::Undo(failed)))
    }
}

/// Writes the log back into the database. Where that cannot be done now, it is done later: nothing is lost.
fn write_back(db: &Connection, mode: &str) {
    let _ = db.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()));
}
