//! Servers in SQL: who is there, and whose tasks nobody looks after any more. Every moment is one of
//! the database's own clock, so that no two servers need agree on the time.

use std::sync::Arc;

use askuser_core::id::ServerId;
use askuser_core::task::Task;

use super::Postgres;
use crate::db::{Database, Db, cells};
use crate::fail::Fail;
use crate::sql::tasks;
use crate::{Later, Overhearing, Present, ReplicaStore};

/// How long a server that is gone is kept in mind.
const FORGOTTEN_AFTER: &str = "30 days";

/// A gap of half its patience, or a clock that was set, breaks a server's presence: whoever was away
/// themselves, as everybody was while the database was, cannot say that another was.
const ATTEND: &str = "INSERT INTO server AS s (id, start, since, seen, patience)
    VALUES (?1, ?2, clock_timestamp(), clock_timestamp(), ?3::BIGINT * INTERVAL '1 millisecond')
    ON CONFLICT (id) DO UPDATE SET seen = clock_timestamp(), patience = excluded.patience,
        since = CASE WHEN clock_timestamp() - s.seen BETWEEN INTERVAL '0' AND s.patience / 2 THEN s.since
            ELSE clock_timestamp() END
    RETURNING start";

/// Whoever begins takes the name from whoever had it before.
const ARRIVE: &str = "INSERT INTO server (id, start, since, seen, patience)
    VALUES (?1, ?2, clock_timestamp(), clock_timestamp(), ?3::BIGINT * INTERVAL '1 millisecond')
    ON CONFLICT (id) DO UPDATE SET start = excluded.start, since = excluded.since, seen = excluded.seen,
        patience = excluded.patience
    RETURNING start";

/// Tasks that wait or are at work on a server that has not been there for as long as one waits for it, while the
/// one that looks was there all the time. One that is not on the list is waited for as long as the one that looks
/// would be.
const LEFT: &str = "CROSS JOIN clock_timestamp() AS clock (now)
    JOIN server me ON me.id = ?1
    LEFT JOIN server s ON s.id = t.server
    WHERE t.state IN ('queued', 'running') AND t.server IS NOT NULL
        AND me.since <= now - coalesce(s.patience, me.patience)
        AND (s.id IS NULL OR s.seen NOT BETWEEN now - s.patience AND now)
    ORDER BY t.n LIMIT ?2";

impl ReplicaStore for Postgres {
    fn is_shared(&self) -> bool {
        true
    }

    fn whisper(&self, words: String) {
        self.bell.whisper(words);
    }

    fn overhear(&self, ear: Overhearing) {
        self.bell.overhear(ear);
    }

    fn arrive(&self, present: Present) -> Later<'_, ()> {
        self.change(present, |db, present| {
            Box::pin(async move {
                let forget = format!(
                    "DELETE FROM server WHERE seen < clock_timestamp() - INTERVAL '{FORGOTTEN_AFTER}'"
                );
                db.run(&forget, &[]).await?;
                note(db, ARRIVE, present).await.map(|_| ())
            })
        })
    }

    fn attend(&self, present: Present) -> Later<'_, bool> {
        self.read(present, |db, present| Box::pin(note(db, ATTEND, present)))
    }

    fn tasks_left(&self, by: ServerId, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        self.read((by, limit), |db, (by, limit)| {
            Box::pin(async move { tasks::select(db, LEFT, cells![by.0, *limit]).await })
        })
    }
}

/// Notes that a server is there. False where another start has its name.
async fn note(db: Db<'_>, sql: &str, present: &Present) -> Result<bool, Fail> {
    let patience = i64::try_from(present.patience.as_millis()).unwrap_or(i64::MAX);
    let start: u128 = db.value(sql, cells![present.server.0, present.start, patience]).await?;
    Ok(start == present.start)
}
