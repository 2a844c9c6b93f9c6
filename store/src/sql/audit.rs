//! Security events: numbered, chained, and never changed; and the files that are watched.

use crate::audit::{EventRow, WatchedFile};
use crate::chain::{self, Chain, Link};
use crate::db::{Database, Db, Row, cells, clean};
use crate::fail::Fail;
use crate::{Head, SecurityEvent, StoreError, Verified};

/// Events that are verified in one reading.
const WALK: usize = 10_000;

const HEAD: &str = "SELECT number, hash FROM security_head WHERE id = 1";

/// Returns the latest event's number and hash.
pub(crate) async fn head(db: Db<'_>) -> Result<Head, Fail> {
    read_head(db, HEAD).await
}

/// The same; of several replicas one gives numbers at a time, until its transaction ends.
pub(crate) async fn lock_head(db: Db<'_>) -> Result<Head, Fail> {
    read_head(db, &format!("{HEAD}{}", db.for_update())).await
}

async fn read_head(db: Db<'_>, sql: &str) -> Result<Head, Fail> {
    let read = |row: &Row<'_>| Ok(Head { number: row.get(0)?, hash: row.get(1)? });
    let missing = || StoreError::Damaged("the head of the security events is missing".to_owned());
    Ok(db.one(sql, &[], read).await?.ok_or_else(missing)?)
}

/// Adds events at the head.
pub(crate) async fn add_events(db: Db<'_>, events: &[SecurityEvent]) -> Result<(), Fail> {
    let mut head = lock_head(db).await?;
    let sql = "INSERT INTO security_event (number, at, kind, severity, details, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    for event in events {
        // What is hashed is what is stored.
        let (kind, details) = (clean(&event.kind).into_owned(), clean(&event.details).into_owned());
        let event = SecurityEvent { kind, details, ..event.clone() };
        head = event.next(&head);
        let SecurityEvent { at, kind, severity, details, .. } = &event;
        db.run(sql, cells![head.number, *at, kind, severity.name(), details, &head.hash]).await?;
    }
    let sql = "UPDATE security_head SET number = ?1, hash = ?2 WHERE id = 1";
    db.run(sql, cells![head.number, &head.hash]).await.map(|_| ())
}

/// Notes what a file is now, with the event that says so.
pub(crate) async fn note_file(db: Db<'_>, file: &WatchedFile, event: &SecurityEvent) -> Result<(), Fail> {
    let sql = "INSERT INTO watched_file (server, name, digest, at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (server, name) DO UPDATE SET digest = excluded.digest, at = excluded.at";
    db.run(sql, cells![&file.server, &file.name, file.digest.as_ref(), event.at]).await?;
    add_events(db, std::slice::from_ref(event)).await
}

/// Returns the events after a number and up to another, in order.
pub(crate) async fn events(db: Db<'_>, after: u64, upto: u64, most: usize) -> Result<Vec<EventRow>, Fail> {
    let sql = "SELECT number, at, kind, severity, details, hash FROM security_event
         WHERE number > ?1 AND number <= ?2 ORDER BY number LIMIT ?3";
    let read = |row: &Row<'_>| {
        Ok(EventRow {
            number: row.get(0)?,
            at: row.get(1)?,
            kind: row.get(2)?,
            severity: row.get(3)?,
            details: row.get(4)?,
            hash: row.get(5)?,
        })
    };
    db.rows(sql, cells![after, upto, most], read).await
}

/// Returns the digest of a file as it was noted last.
pub(crate) async fn file_digest(db: Db<'_>, server: &str, name: &str) -> Result<Option<[u8; 32]>, Fail> {
    let sql = "SELECT digest FROM watched_file WHERE server = ?1 AND name = ?2";
    Ok(db.one(sql, cells![server, name], |row| row.get(0)).await?.flatten())
}

/// Walks the chain of security events, from its beginning.
pub(crate) async fn verify(database: &impl Database) -> Result<Verified, StoreError> {
    chain::verify(&Events(database), 1).await
}

struct Events<'a, D>(&'a D);

impl<D: Database> Chain for Events<'_, D> {
    async fn head(&self) -> Result<Head, StoreError> {
        self.0.read((), |db, ()| Box::pin(head(db))).await
    }

    async fn before(&self, _: u64) -> Result<Option<Head>, StoreError> {
        Ok(None)
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        let events =
            self.0.read((after, upto), |db, (after, upto)| Box::pin(events(db, *after, *upto, WALK)));
        Ok(events.await?.into_iter().map(EventRow::link).collect())
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT min(number) FROM security_event
             WHERE number > (SELECT number FROM security_head WHERE id = 1)";
        self.0.read(sql, |db, sql| Box::pin(db.value(sql, &[]))).await
    }
}
