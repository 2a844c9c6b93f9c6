//! Reads on in the facts, whoever wrote them, and tells them in order.
//!
//! Numbers become visible in their order, so reading on from the last number misses nothing. The
//! bell says when to look; a look every second makes up for a bell that nobody heard.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Mutex, Notify};
use tokio_util::sync::CancellationToken;

use super::readers::Readers;
use crate::db::Db;
use crate::fail::Fail;
use crate::sql::facts;
use crate::{Ear, Numbered};

/// Facts that are read in one go.
const PAGE: usize = 1000;
/// How often to look without a bell.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where this replica stands in the facts.
pub(super) struct Tail {
    ear: OnceLock<Ear>,
    /// Everything up to this number was told.
    seen: Mutex<u64>,
    /// Rung when there may be more.
    pub(super) rung: Notify,
    readers: Readers,
}

impl Tail {
    pub(super) fn new(readers: Readers, seen: u64) -> Self {
        Self { ear: OnceLock::new(), seen: Mutex::new(seen), rung: Notify::new(), readers }
    }

    /// Sets who is told. The first stays.
    pub(super) fn tell(&self, ear: Ear) {
        // A second ear would hear everything twice over: the desk is one.
        let _first = self.ear.set(ear);
        self.rung.notify_one();
    }

    /// Tells what this replica has just committed, and before it what others have.
    ///
    /// Where the database goes away in between, what is missing is told later: it is committed, and
    /// whoever wanted it is answered.
    pub(super) async fn committed(&self, facts: &[Numbered]) {
        let Some(ear) = self.ear.get() else { return };
        let mut seen = self.seen.lock().await;
        while let Some(first) = facts.iter().map(|fact| fact.number).find(|number| *number > *seen) {
            if first == *seen + 1 {
                let begin = facts.partition_point(|fact| fact.number < first);
                ear(facts[begin..].into());
                *seen = facts.last().map_or(first, |last| last.number);
                return;
            }
            let missing = usize::try_from(first - *seen - 1).unwrap_or(PAGE).min(PAGE);
            match self.read(ear, &mut seen, missing).await {
                Ok(n) if n > 0 => {}
                Ok(_) | Err(_) => return,
            }
        }
    }

    /// Tells what was committed elsewhere, until the store closes.
    pub(super) async fn follow(self: Arc<Self>, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = self.rung.notified() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = stop.cancelled() => return,
            }
            // A database that is away is looked at again in a second.
            let _caught_up = self.catch_up().await;
        }
    }

    async fn catch_up(&self) -> Result<(), Fail> {
        let Some(ear) = self.ear.get() else { return Ok(()) };
        loop {
            // Let go between pages: whoever has committed something waits for this.
            let mut seen = self.seen.lock().await;
            if self.read(ear, &mut seen, PAGE).await? < PAGE {
                return Ok(());
            }
        }
    }

    async fn read(&self, ear: &Ear, seen: &mut u64, most: usize) -> Result<usize, Fail> {
        let db = self.readers.get().await?;
        let facts = facts::since(Db::Postgres(&db), *seen, most).await?;
        let n_read = facts.len();
        if let Some(last) = facts.last() {
            *seen = last.number;
            ear(facts.into());
        }
        Ok(n_read)
    }
}
