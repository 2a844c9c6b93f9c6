//! The way of a committed batch to the disk, in a thread of its own.
//!
//! The writer goes on with the next batch while the log is flushed for the last one; only then is
//! anybody told of it or answered, in the order of committing. What is in the log and not on the disk
//! yet can be seen by whoever reads the database, so readers are held back until it is there.

use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use std::{io, mem};

use parking_lot::Mutex;
use tokio::sync::watch;

use super::latest::{Changed, Latest};
use super::work::Job;
use crate::{Ear, Figures, Numbered, StoreError};

/// What one transaction did.
pub(super) struct Batch {
    /// Its number, counted from one.
    pub(super) number: u64,
    pub(super) jobs: Vec<Job>,
    /// The facts that it added, in order.
    pub(super) facts: Vec<Numbered>,
    /// The asks that it changed, in order.
    pub(super) changed: Vec<Changed>,
    /// Whether it wrote anything.
    pub(super) wrote: bool,
    pub(super) begun: Instant,
}

impl Batch {
    /// One that did nothing yet.
    pub(super) fn new(number: u64, begun: Instant) -> Self {
        Self { number, jobs: Vec::new(), facts: Vec::new(), changed: Vec::new(), wrote: false, begun }
    }
}

/// How far the batches have come.
pub(super) struct Progress {
    committed: AtomicU64,
    settled: watch::Sender<Settled>,
}

/// The last batch that is on the disk and was told; and why none after it will be.
#[derive(Debug, Clone, Default)]
struct Settled {
    number: u64,
    failed: Option<StoreError>,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { committed: AtomicU64::new(0), settled: watch::Sender::default() }
    }

    /// Says that a batch is about to be committed, before anybody can see it; returns its number.
    pub(super) fn commits(&self) -> u64 {
        self.committed.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Whether nothing is on its way to the disk.
    pub(super) fn is_settled(&self) -> bool {
        let settled = self.settled.borrow();
        settled.failed.is_some() || settled.number == self.committed.load(Ordering::SeqCst)
    }

    /// Waits until a batch is told, from now on.
    pub(super) fn watch(&self) -> Watch {
        Watch(self.settled.subscribe())
    }

    /// Waits until everything that can be seen now is on the disk.
    pub(super) async fn settled(&self) -> Result<(), StoreError> {
        let committed = self.committed.load(Ordering::SeqCst);
        if self.settled.borrow().number >= committed {
            return Ok(());
        }
        let mut settled = self.settled.subscribe();
        let reached = settled.wait_for(|settled| settled.number >= committed || settled.failed.is_some());
        let reached = reached.await.map_err(|_| super::read::closed())?;
        match &reached.failed {
            Some(failed) if reached.number < committed => Err(failed.clone()),
            _ => Ok(()),
        }
    }

    /// Why nothing more may be written.
    pub(super) fn failed(&self) -> Option<StoreError> {
        self.settled.borrow().failed.clone()
    }
}

/// Hears when a batch is told.
pub(super) struct Watch(watch::Receiver<Settled>);

impl Watch {
    pub(super) async fn changed(&mut self) {
        // The progress is shared with whoever waits here, so its end is not seen.
        let _told = self.0.changed().await;
    }
}

/// Flushes and tells.
pub(super) struct Flusher {
    /// The log; none where the database is in memory.
    pub(super) log: Option<File>,
    pub(super) progress: Arc<Progress>,
    pub(super) ear: Arc<OnceLock<Ear>>,
    pub(super) latest: Arc<Latest>,
    pub(super) figures: Figures,
    pub(super) turn: Mutex<()>,
}

/// Settles batches beside the writer until there is none any more. Returns whether the disk took all
/// that was written, by whomever it was flushed.
pub(super) fn run(flusher: &Flusher, batches: &Receiver<Batch>) -> bool {
    let _gone = Gone(&flusher.progress);
    while let Ok(batch) = batches.recv() {
        flusher.settle(batch);
    }
    flusher.progress.failed().is_none()
}

impl Flusher {
    /// Flushes a batch and tells what came of it.
    pub(super) fn settle(&self, mut batch: Batch) {
        // One after the other, in the order of committing, whoever does it.
        let _turn = self.turn.lock();
        let failed = self.progress.failed().or_else(|| self.flush(batch.wrote).err().as_ref().map(lost));
        // Before whoever saw it in the database goes on: they may look here next. What goes for it goes last.
        let changed = mem::take(&mut batch.changed);
        let _gone = failed.is_none().then(|| self.latest.put(changed));
        // Then at once: the writer may commit the next batch while this one is told.
        self.progress.settled.send_modify(|settled| match &failed {
            None => settled.number = batch.number,
            Some(_) => settled.failed.clone_from(&failed),
        });
        let Some(error) = failed else { return self.publish(batch) };
        for job in batch.jobs {
            job.answer(Some(&error));
        }
    }

    fn flush(&self, wrote: bool) -> io::Result<()> {
        self.log.as_ref().filter(|_| wrote).map_or(Ok(()), File::sync_data)
    }

    /// Tells what was just committed, and then answers everybody.
    fn publish(&self, batch: Batch) {
        if !batch.jobs.is_empty() {
            self.note(&batch);
        }
        if let Some(ear) = self.ear.get().filter(|_| !batch.facts.is_empty()) {
            ear(batch.facts.into());
        }
        for job in batch.jobs {
            job.answer(None);
        }
    }

    /// Notes a commit in the figures.
    #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
    fn note(&self, batch: &Batch) {
        self.figures.commit_time.observe(batch.begun.elapsed().as_secs_f64());
        self.figures.batch.observe(batch.jobs.len() as f64);
    }
}

/// Where the flusher ends before its time, nobody waits for it for ever.
struct Gone<'a>(&'a Progress);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        let gone = || StoreError::Unavailable("a fault in the store; see the log".to_owned());
        self.0.settled.send_modify(|settled| {
            settled.failed.get_or_insert_with(gone);
        });
    }
}

/// A flush that failed may have lost what it was for, and the next one would not say so.
fn lost(error: &io::Error) -> StoreError {
    StoreError::NotFlushed(format!(
        "the disk did not take what was written ({error}): look after it, then restart askuser"
    ))
}
