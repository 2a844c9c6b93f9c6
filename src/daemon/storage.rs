//! Which store the desk keeps everything in: a file in the data folder, or a database that several
//! daemons share.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tracing::warn;

use super::configured;
use super::error::StartError;
use askuser_client::home::Home;
use askuser_config::Config;
use askuser_desk::Desk;
use askuser_store::Store;
use askuser_store::postgres::{self, Postgres};
use askuser_store::sqlite::Sqlite;
use askuser_system::clock;

/// How long a database may take to be there when a daemon starts: both may have been started at once.
const THERE_IN: Duration = Duration::from_secs(20);
/// How long to wait before looking again.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Opens the desk over its store.
pub(super) async fn desk(home: &Home, database: Option<&str>, config: &Config) -> Result<Desk, StartError> {
    Ok(Desk::open(open(home, database, config).await?, Arc::new(clock::now)).await?)
}

async fn open(home: &Home, database: Option<&str>, config: &Config) -> Result<Arc<dyn Store>, StartError> {
    let now = clock::now();
    if let Some(database) = database {
        return Ok(Arc::new(
            shared(database, &postgres::Options::new(configured::limits(config), now)).await?,
        ));
    }
    let options = configured::store(config, now);
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
                warn!("{place} is not available yet: {what}");
                tokio::time::sleep(LOOK_EVERY).await;
            }
            opened => return opened,
        }
    }
}
