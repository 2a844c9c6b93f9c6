//! The connections for reading, and their door: while none can be made, one caller at a time tries, with
//! pauses between, and the others are told so at once. A database that comes back would else be held up
//! by everybody at its door.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Object, Pool, PoolError, TimeoutType};
use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use crate::fail::Fail;

/// The first pause after a connection that could not be made, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// Connections for reading. Cloning it is cheap.
#[derive(Clone)]
pub(super) struct Readers {
    pool: Pool,
    away: Arc<Mutex<Option<Away>>>,
}

/// A database to which no connection could be made.
struct Away {
    why: String,
    pause: Duration,
    next: Instant,
    is_tried: bool,
}

impl Readers {
    pub(super) fn new(pool: Pool) -> Self {
        Self { pool, away: Arc::default() }
    }

    /// Returns a connection: one that is free, else a new one.
    pub(super) async fn get(&self) -> Result<Object, Fail> {
        let tries = self.turn()?;
        let error = match self.pool.get().await {
            Ok(connection) => {
                *self.away() = None;
                return Ok(connection);
            }
            Err(error) => error,
        };
        // There may be connections that others use for long.
        let all_used = matches!(error, PoolError::Timeout(TimeoutType::Wait));
        let fail = Fail::from(error);
        if let (Fail::NoConnection(why), false) = (&fail, all_used) {
            self.shut(why, tries.is_some());
        }
        Err(fail)
    }

    pub(super) fn close(&self) {
        self.pool.close();
    }

    /// Whether a connection can be had or may be tried for now. Nobody waits for that: while the database
    /// is away, whoever is not the one that tries is told so.
    fn turn(&self) -> Result<Option<Trying<'_>>, Fail> {
        match &mut *self.away() {
            Some(away) if self.pool.status().available == 0 => {
                if away.is_tried || Instant::now() < away.next {
                    return Err(Fail::NoConnection(away.why.clone()));
                }
                away.is_tried = true;
                Ok(Some(Trying(self)))
            }
            _ => Ok(None),
        }
    }

    /// Notes that a connection could not be made. Of many that fail at once the first counts.
    fn shut(&self, why: &str, was_tried: bool) {
        let mut away = self.away();
        let pause = match &*away {
            Some(away) if was_tried => (away.pause * 2).min(PAUSES.1),
            Some(_) => return,
            None => PAUSES.0,
        };
        let next = Instant::now() + pause;
        *away = Some(Away { why: why.to_owned(), pause, next, is_tried: was_tried });
    }

    fn away(&self) -> MutexGuard<'_, Option<Away>> {
        // Nothing panics while it is held.
        self.away.lock()
    }
}

/// Whoever tries, until it is known how that went, or they go away.
struct Trying<'a>(&'a Readers);

impl Drop for Trying<'_> {
    fn drop(&mut self) {
        if let Some(away) = &mut *self.0.away() {
            away.is_tried = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::super::open::Way;
    use super::*;
    use tokio::net::TcpListener;

    /// Many want to read while the database hangs up on everybody: few ever come to its door, and each is
    /// told why.
    #[tokio::test]
    async fn a_database_that_is_away_is_not_stormed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("postgres://ann@{}/desk", listener.local_addr().unwrap());
        let n_calls = Arc::new(AtomicU32::new(0));
        let counting = Arc::clone(&n_calls);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counting.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        let readers = Readers::new(Way::read(&address).unwrap().pool(4).unwrap());
        let begun = Instant::now();
        let mut n_told = 0;
        while n_told < 2000 || begun.elapsed() < Duration::from_millis(200) {
            let Err(Fail::NoConnection(why)) = readers.get().await else { panic!("nobody is there") };
            assert!(!why.is_empty());
            n_told += 1;
        }
        // One at once, and one after each pause, which doubles.
        let most = begun.elapsed().as_millis() / PAUSES.0.as_millis() + 1;
        let n_calls = n_calls.load(Ordering::SeqCst);
        assert!(n_calls >= 2 && u128::from(n_calls) <= most, "{n_calls} calls, {most} at most");
    }

    /// Whoever goes away while they try leaves the way free for the next.
    #[tokio::test]
    async fn a_try_that_is_given_up_is_not_the_last() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("postgres://ann@{}/desk", listener.local_addr().unwrap());
        let readers = Readers::new(Way::read(&address).unwrap().pool(4).unwrap());
        readers.shut("away", false);
        for _ in 0..2 {
            let next = readers.away().as_ref().unwrap().next;
            tokio::time::sleep_until(next).await;
            // Nobody answers.
            let given_up = tokio::time::timeout(Duration::from_millis(20), readers.get()).await;
            assert!(given_up.is_err());
            assert!(!readers.away().as_ref().unwrap().is_tried);
        }
    }
}
