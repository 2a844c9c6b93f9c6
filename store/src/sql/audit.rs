//! Security events: numbered, chained, and never changed; and the files that are watched.

use askuser_core::time::Timestamp;

use super::{erase, facts, replay, rules};
use crate::audit::{AuditStore, EventRow, WatchedFile};
use crate::chain::{self, Chain, Link};
use crate::db::{Database, Db, Row, cells, clean};
use crate::fail::Fail;
use crate::{Head, Later, SecurityEvent, Served, StoreError, Verified, row};

impl<D: Database> AuditStore for D {
    fn add_events(&self, events: Vec<SecurityEvent>) -> Later<'_, ()> {
        self.change(events, |db, events| Box::pin(add_events(db, events)))
    }

    fn events(&self, after: u64, limit: usize) -> Later<'_, Vec<SecurityEvent>> {
        let found =
            self.read((after, limit), |db, (after, limit)| Box::pin(events(db, *after, u64::MAX, *limit)));
        Box::pin(async { Ok(found.await?.into_iter().map(EventRow::event).collect()) })
    }

    fn file_digest(&self, server: String, name: String) -> Later<'_, Option<[u8; 32]>> {
        self.read((server, name), |db, (server, name)| {
            Box::pin(async move {
                let sql = "SELECT digest FROM watched_file WHERE server = ?1 AND name = ?2";
                Ok(db.one(sql, cells![server, name], |row| row.get(0)).await?.flatten())
            })
        })
    }

    fn note_file(&self, file: WatchedFile, event: SecurityEvent) -> Later<'_, ()> {
        self.change((file, event), |db, (file, event)| Box::pin(note_file(db, file, event)))
    }

    fn events_head(&self) -> Later<'_, Head> {
        self.read((), |db, ()| Box::pin(head(db)))
    }

    fn verify_events(&self) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&Events(self), 1).await })
    }

    fn verify_served(&self) -> Later<'_, Served> {
        Box::pin(replay::served(self))
    }

    fn addresses(&self, numbers: Vec<u64>) -> Later<'_, Vec<(u64, String)>> {
        let payloads = self.read(numbers, |db, numbers| Box::pin(facts::payloads(db, numbers)));
        let address = |(number, payload): (u64, String)| Some((number, row::address(&payload)?));
        Box::pin(async move { Ok(payloads.await?.into_iter().filter_map(address).collect()) })
    }

    /// Each ask by itself: nobody waits for more than one.
    fn erase_before(&self, before: Timestamp, limit: usize) -> Later<'_, u64> {
        Box::pin(async move {
            self.change(before, |db, before| Box::pin(rules::sweep(db, *before))).await?;
            let oldest = self
                .read((before, limit), |db, (before, limit)| Box::pin(erase::oldest(db, *before, *limit)));
            let mut n_erased = 0;
            for ask in oldest.await? {
                let erased =
                    self.change((ask, before), |db, (ask, before)| Box::pin(erase::whole(db, *ask, *before)));
                n_erased += u64::from(erased.await?);
            }
            Ok(n_erased)
        })
    }

    fn erasable_before(&self, before: Timestamp) -> Later<'_, u64> {
        self.read(before, |db, before| Box::pin(erase::count(db, *before)))
    }
}

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

/// The chain of security events. It is walked from its beginning.
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
