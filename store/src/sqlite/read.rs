//! The connections that read beside the writer.

use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::flush::Progress;
use crate::StoreError;
use crate::db::Local;
use crate::fail::Fail;
use crate::waits::waiting;

/// A few connections that cannot write.
pub(super) struct Readers {
    free: Mutex<Vec<Local>>,
    turns: Arc<Semaphore>,
    n_turns: u32,
    progress: Arc<Progress>,
}

/// A connection that is in use. It comes back by itself, also when its caller went away.
struct Lent {
    connection: Option<Local>,
    readers: Arc<Readers>,
    _turn: OwnedSemaphorePermit,
}

impl Readers {
    pub(super) fn new(connections: Vec<Connection>, progress: Arc<Progress>) -> Arc<Self> {
        let connections: Vec<Local> = connections.into_iter().map(Local::new).collect();
        let n_turns = u32::try_from(connections.len()).unwrap_or(u32::MAX);
        let turns = Arc::new(Semaphore::new(connections.len()));
        Arc::new(Self { free: Mutex::new(connections), turns, n_turns, progress })
    }

    /// Reads, on a thread that may block.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        look: impl FnOnce(&Local) -> Result<T, Fail> + Send + 'static,
    ) -> Result<T, StoreError> {
        let turn =
            waiting("a turn to read", Arc::clone(&self.turns).acquire_owned()).await.map_err(|_| closed())?;
        let connection = self.free.lock().pop();
        let lent = Lent { connection, readers: Arc::clone(self), _turn: turn };
        let looked = tokio::task::spawn_blocking(move || match &lent.connection {
            Some(connection) => look(connection).map_err(Fail::told),
            None => Err(closed()),
        });
        let seen = waiting("reading", looked)
            .await
            .unwrap_or_else(|error| Err(StoreError::Unavailable(format!("a reader failed: {error}"))))?;
        // It may have seen what is not on the disk yet.
        waiting("the disk", self.progress.settled()).await?;
        Ok(seen)
    }

    /// Waits until nobody reads, and closes every connection. Who already waits for a turn still
    /// gets it.
    pub(super) async fn finish(&self) {
        // Closed already: then there is nobody to wait for.
        let _all = self.turns.acquire_many(self.n_turns).await;
        self.close();
    }

    /// Closes every connection: those in use when they come back.
    pub(super) fn close(&self) {
        self.turns.close();
        self.free.lock().clear();
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let connection = self.connection.take().filter(|_| !self.readers.turns.is_closed());
        self.readers.free.lock().extend(connection);
    }
}

pub(super) fn closed() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
