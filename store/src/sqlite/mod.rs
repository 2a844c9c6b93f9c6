//! The embedded store: one SQLite file in the user's data folder.
//!
//! One thread writes, in batches, a second one flushes them; a few connections read beside them. Read in
//! this order: `open`, `as_store`, `writer`, `flush`, `carry` (one command), `scene` (what it needs), `put`
//! (what it writes), `hot` and `latest` (what is kept in memory for writing and for reading). What it has in
//! common with the other database is in `crate::sql`.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use askuser_core::ask::Ask;
use askuser_core::id::AskId;
use askuser_core::limits::DeskLimits;
use parking_lot::{Mutex, RwLock};
use tokio::sync::mpsc;

use super::chain::Salts;
use super::db::{Asking, Database, Local, at_once};
use super::fail::Fail;
use super::rules::AnyRules;
use super::sql::facts;
use super::waits::{hand_in, waiting};
use super::{Ear, Figures, Later, StoreError};

mod error;
mod open;
mod migrate;
mod work;
mod as_store;
mod writer;
mod flush;
mod carry;
mod scene;
mod put;
mod hot;
mod latest;
mod session;
mod task;
mod fact;
mod room;
mod read;
mod backup;

pub use backup::{BackupError, Soundness, backup, soundness};
pub use error::OpenError;
pub(crate) use error::{is_odd_value, told};
pub use open::Options;

use carry::Desk;
use flush::{Flusher, Progress};
use hot::Hot;
use latest::Latest;
use open::{Opened, Place};
use read::{Readers, closed};
use work::{Job, Waited};
use writer::{QUEUE_MAX, Writer};

/// A store in a SQLite database.
///
/// Dropping it without `close` waits for the writer to finish.
pub struct Sqlite {
    queue: Option<mpsc::Sender<Job>>,
    readers: Arc<Readers>,
    thread: Option<JoinHandle<()>>,
    ear: Arc<OnceLock<Ear>>,
    latest: Arc<Latest>,
    limits: Arc<RwLock<DeskLimits>>,
    figures: Figures,
    any_rules: AnyRules,
}

impl Sqlite {
    /// Opens the database in this file, or makes it. Blocks while it does.
    pub fn open(path: &Path, options: &Options) -> Result<Self, OpenError> {
        Self::start(&Place::File(path.to_owned()), options)
    }

    /// Opens an empty database in memory, for tests and for trying out. Nothing of it is durable.
    pub fn in_memory(options: &Options) -> Result<Self, OpenError> {
        Self::start(&Place::memory(), options)
    }

    fn start(place: &Place, options: &Options) -> Result<Self, OpenError> {
        Self::on(open::open(place, options)?, place, options)
    }

    fn on(opened: Opened, place: &Place, options: &Options) -> Result<Self, OpenError> {
        let writer = Local::new(opened.writer);
        let failed = |what: String| OpenError::Failed { path: place.path(), what };
        let head = at_once(facts::head(writer.db())).map_err(|fail| failed(fail.told().to_string()))?;
        let hot = Hot::new(options.hot_bytes_max, options.hot_sessions_max);
        let latest = Arc::new(Latest::new());
        let limits = Arc::new(RwLock::new(options.limits));
        let figures = Figures::default();
        let desk = Desk {
            limits: Arc::clone(&limits),
            hot,
            figures: figures.clone(),
            address: None,
            salts: Salts::default(),
            head,
            changed: Vec::new(),
            facts: Vec::new(),
        };
        let (queue, taken) = mpsc::channel(QUEUE_MAX);
        let ear = Arc::new(OnceLock::new());
        let progress = Arc::new(Progress::new());
        let flusher = Flusher {
            log: opened.log,
            progress: Arc::clone(&progress),
            ear: Arc::clone(&ear),
            latest: Arc::clone(&latest),
            figures: figures.clone(),
            turn: Mutex::default(),
        };
        let no_thread = |error| failed(format!("no thread for the writer: {error}"));
        let writer = Writer::new(writer, desk, taken, opened.lock, flusher).map_err(no_thread)?;
        let thread = thread::Builder::new().name("store-writer".to_owned()).spawn(|| writer.run());
        let thread = thread.map_err(no_thread)?;
        Ok(Self {
            queue: Some(queue),
            readers: Readers::new(opened.readers, progress),
            thread: Some(thread),
            ear,
            latest,
            limits,
            figures,
            any_rules: AnyRules::default(),
        })
    }

    /// Hands work to the writer and waits until it is on the disk.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnMut(&Local, &mut Desk) -> Result<T, Fail> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (job, done) = Waited::job(work);
        let queue = self.queue.as_ref().ok_or_else(closed)?;
        hand_in(queue, job, closed).await?;
        waiting("a commit", done).await.map_err(|_| closed())?
    }
}

impl Database for Sqlite {
    fn read<A, T>(&self, given: A, asking: Asking<A, T>) -> Later<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        Box::pin(self.readers.read(move |db: &Local| at_once(asking(db.db(), &given))))
    }

    fn change<A, T>(&self, given: A, asking: Asking<A, T>) -> Later<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        Box::pin(self.work(move |db, desk| {
            let n_before = db.get().total_changes();
            let done = at_once(asking(db.db(), &given));
            for (session, ask) in db.stale() {
                desk.hot.forget(session);
                desk.changed.push((ask, None));
            }
            let has_written = db.get().total_changes() != n_before;
            done.map_err(|fail| if has_written { fail.after_writing() } else { fail })
        }))
    }

    fn latest(&self, ask: AskId) -> Option<Arc<Ask>> {
        self.latest.get(ask)
    }

    fn any_rules(&self) -> Option<&AnyRules> {
        Some(&self.any_rules)
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.readers.close();
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has nothing left to flush.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
