//! The store that several servers share: one PostgreSQL database, any number of replicas.
//!
//! Every replica decides by itself, in transactions that lock what they are about; none of them
//! leads. Read in this order: `open`, `writer` (batches), `floor` (what a batch works on), `carry` (one
//! command); `tail` and `bell` are how a replica learns what others did. What it has in common with the other
//! database is in `crate::sql`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askuser_core::limits::DeskLimits;
use deadpool_postgres::Object;
use parking_lot::RwLock;
use tokio::sync::{Mutex, mpsc};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::db::{Asking, Database, Db};
use super::fail::Fail;
use super::sql::facts;
use super::waits::waiting;
use super::{Figures, Later, StoreError};

mod error;
mod open;
mod migrate;
mod db;
mod readers;
mod writer;
mod floor;
mod carry;
mod put;
mod ask;
mod session;
mod fact;
mod task;
mod server;
mod tail;
mod bell;
mod as_store;
pub(super) mod filling;

pub use error::OpenError;
pub(crate) use error::told;
pub use open::Options;

use as_store::READS_MAX;
use bell::Bell;
use error::{Kind, closed};
use open::Way;
use readers::Readers;
use tail::Tail;
use writer::{Desk, Job, QUEUE_MAX, Writer};

/// A store in a PostgreSQL database.
pub struct Postgres {
    queue: parking_lot::Mutex<Option<mpsc::Sender<Job>>>,
    readers: Readers,
    tail: Arc<Tail>,
    bell: Arc<Bell>,
    limits: Arc<RwLock<DeskLimits>>,
    figures: Figures,
    closed: AtomicBool,
    stop: CancellationToken,
    writing: TaskTracker,
    following: TaskTracker,
    _dropped: DropGuard,
}

impl Postgres {
    /// Opens the database at this address, and brings it to today's schema.
    pub async fn open(address: &str, options: &Options) -> Result<Self, OpenError> {
        let way = Way::read(address)?;
        let away = |what: String| OpenError::Away { place: way.place.clone(), what };
        let (mut client, _driving) =
            way.connect(None).await.map_err(|error| OpenError::at(&way.place, &error))?;
        migrate::run(&mut client, &way.place, options.now).await?;
        if filling::is_half(&client).await.map_err(|error| away(error::words(&error)))? {
            return Err(OpenError::HalfMoved { place: way.place });
        }
        drop(client);
        let readers = Readers::new(way.pool(options.readers_max)?);
        let first = readers.get().await.map_err(|fail| away(fail.told().to_string()))?;
        warn_of_settings(&first, &way.place).await;
        let head = facts::head(Db::Postgres(&first)).await.map_err(|fail| away(fail.told().to_string()))?;
        drop(first);
        let tail = Arc::new(Tail::new(readers.clone(), head.number));
        let mut name = [0; 8];
        getrandom::fill(&mut name).map_err(|error| away(format!("no random numbers: {error}")))?;
        let bell = Arc::new(Bell::new(format!("{:016x}", u64::from_be_bytes(name))));
        let (queue, work) = mpsc::channel(QUEUE_MAX);
        let (limits, figures) = (Arc::new(RwLock::new(options.limits)), Figures::default());
        let desk = Arc::new(Desk {
            pool: way.pool(options.writers_max + 1)?,
            limits: Arc::clone(&limits),
            figures: figures.clone(),
            tail: Arc::clone(&tail),
            bell: Arc::clone(&bell),
            queue: Mutex::new(work),
            again: queue.downgrade(),
        });
        let (stop, writing, following) = (CancellationToken::new(), TaskTracker::new(), TaskTracker::new());
        for _ in 0..options.writers_max.max(1) {
            writing.spawn(Writer::new(Arc::clone(&desk)).run());
        }
        following.spawn(Arc::clone(&tail).follow(stop.clone()));
        following.spawn(Arc::clone(&bell).run(way, Arc::clone(&tail), stop.clone()));
        Ok(Self {
            queue: parking_lot::Mutex::new(Some(queue)),
            readers,
            tail,
            bell,
            limits,
            figures,
            closed: AtomicBool::new(false),
            _dropped: stop.clone().drop_guard(),
            stop,
            writing,
            following,
        })
    }

    async fn reader(&self) -> Result<Object, StoreError> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(closed());
        }
        waiting("a connection", self.readers.get()).await.map_err(Fail::told)
    }

    /// Reads over a connection; over another where that one was gone.
    async fn read_over<A, T>(&self, given: A, asking: Asking<A, T>) -> Result<T, StoreError> {
        for n_tries in 1..=READS_MAX {
            let db = self.reader().await?;
            match waiting("reading", asking(Db::Postgres(&db), &given)).await {
                Err(fail) if n_tries < READS_MAX && fail.kind() == Kind::Away => drop(Object::take(db)),
                looked => return looked.map_err(Fail::told),
            }
        }
        Err(closed())
    }

    /// The way to the writers, until it is closed.
    fn queue(&self) -> Option<mpsc::Sender<Job>> {
        // Nothing panics while it is held.
        self.queue.lock().clone()
    }
}

impl Database for Postgres {
    fn read<A, T>(&self, given: A, asking: Asking<A, T>) -> Later<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        Box::pin(self.read_over(given, asking))
    }

    fn change<A, T>(&self, given: A, asking: Asking<A, T>) -> Later<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        Box::pin(async move {
            let db = self.reader().await?;
            let changing = tokio::spawn(async move {
                db::whole(&db, asking(Db::Postgres(&db), &given)).await.map_err(Fail::told)
            });
            let changed = waiting("a commit", changing).await;
            changed.map_err(|_| StoreError::Unavailable("a fault in the store".to_owned()))?
        })
    }
}

/// Says where a database is set up to lose what it has acknowledged.
async fn warn_of_settings(db: &db::Client, place: &str) {
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        let shown = db.query_one(&format!("SHOW {setting}"), &[]).await;
        let shown = shown.ok().and_then(|row| row.try_get::<_, String>(0).ok());
        if shown.as_deref() == Some("off") {
            tracing::warn!("{place} has {setting} off: what was acknowledged may be lost with the power");
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
