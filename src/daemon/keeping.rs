//! Which store the desk keeps everything in: a file in the data folder, or a database that several
//! daemons share.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::limits::DeskLimits;
use tokio::time::Instant;
use tracing::warn;

use super::error::StartError;
use crate::client::home::Home;
use crate::clock;
use crate::store::Store;
use crate::store::postgres::{self, Postgres};
use crate::store::sqlite::{self, Sqlite};

/// How long a database may take to be there when a daemon starts: both may have been started at once.
const THERE_IN: Duration = Duration::from_secs(20);
/// How long to wait before looking again.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Opens the store.
pub(super) async fn open(home: &Home, database: Option<&str>) -> Result<Arc<dyn Store>, StartError> {
    let (limits, now) = (DeskLimits::default(), clock::now());
    if let Some(database) = database {
        return Ok(Arc::new(shared(database, &postgres::Options::new(limits, now)).await?));
    }
    let options = sqlite::Options::new(limits, now);
    let path = home.database();
    // Opening reads and may migrate: not on a thread that others wait for.
    let store = tokio::task::spawn_blocking(move || Sqlite::open(&path, &options));
    Ok(Arc::new(store.await.map_err(io::Error::other)??))
}

async fn shared(database: &str, options: &postgres::Options) -> Result<Postgres, postgres::OpenError> {
    let begun = Instant::now();
    loop {
        match Postgres::open(database, options).await {
            Err(postgres::OpenError::Away { place, what }) if begun.elapsed() < THERE_IN => {
                warn!("{place} is not there yet: {what}");
                tokio::time::sleep(LOOK_EVERY).await;
            }
            opened => return opened,
        }
    }
}
