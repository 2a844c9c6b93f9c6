//! Audits in SQL: security events, where people acted from, erasing what is old.

use std::sync::Arc;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::ask::{self, id_of};
use super::error::Fail;
use super::hot::Hot;
use super::read::Readers;
use super::work::{Change, Done, Work};
use super::{Sqlite, erase, mixed_up, rows, rule, verify};
use crate::audit::{AuditStore, EventRow, SecurityEvent, WatchedFile};
use crate::chain::{self, Chain, Link};
use crate::{Head, Later, Served, StoreError, Verified, row};

/// Events that are verified in one reading.
const WALK: i64 = 10_000;

impl AuditStore for Sqlite {
    fn add_events(&self, events: Vec<SecurityEvent>) -> Later<'_, ()> {
        Box::pin(async { self.change(Change::AddEvents(events)).await.map(|_| ()) })
    }

    fn events(&self, after: u64, limit: usize) -> Later<'_, Vec<SecurityEvent>> {
        self.read(move |db| {
            let found = events(db, after, u64::MAX, rows(limit))?;
            Ok(found.into_iter().map(EventRow::event).collect())
        })
    }

    fn file_digest(&self, server: String, name: String) -> Later<'_, Option<[u8; 32]>> {
        self.read(move |db| {
            let sql = "SELECT digest FROM watched_file WHERE server = ?1 AND name = ?2";
            let found = db.prepare_cached(sql)?.query_row([server, name], |row| row.get(0)).optional()?;
            Ok(found.flatten())
        })
    }

    fn note_file(&self, file: WatchedFile, event: SecurityEvent) -> Later<'_, ()> {
        Box::pin(async { self.change(Change::NoteFile(file, event)).await.map(|_| ()) })
    }

    fn events_head(&self) -> Later<'_, Head> {
        self.read(head)
    }

    fn verify_events(&self) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&Events(&self.readers), 1).await })
    }

    fn verify_served(&self) -> Later<'_, Served> {
        Box::pin(verify::served(&self.readers))
    }

    fn addresses(&self, numbers: Vec<u64>) -> Later<'_, Vec<(u64, String)>> {
        self.read(move |db| {
            let mut statement = db.prepare_cached("SELECT payload FROM fact WHERE number = ?1")?;
            let mut found = Vec::new();
            for number in numbers {
                let payload: Option<Option<String>> =
                    statement.query_row([number], |row| row.get(0)).optional()?;
                let address = payload.flatten().as_deref().and_then(row::address);
                found.extend(address.map(|address| (number, address)));
            }
            Ok(found)
        })
    }

    fn erase_before(&self, before: Timestamp, limit: usize) -> Later<'_, u64> {
        Box::pin(async move {
            match self.work(Work::Change(Change::EraseBefore(before, limit))).await? {
                Done::Erased(n_erased) => Ok(n_erased),
                _ => Err(mixed_up()),
            }
        })
    }

    fn erasable_before(&self, before: Timestamp) -> Later<'_, u64> {
        self.read(move |db| {
            let sql = format!("SELECT count(*) FROM {ERASABLE}");
            Ok(db.prepare_cached(&sql)?.query_row([before.0], |row| row.get(0))?)
        })
    }
}

/// The asks that may be erased: over, fetched by their asker, and ended before then.
const ERASABLE: &str = "ask a JOIN fact f ON f.number = a.closed
    WHERE a.closed IS NOT NULL AND a.erased_at IS NULL AND a.standing = 2 AND f.at < ?1";

/// Notes what a file is now, with the event that says so.
pub(super) fn note_file(db: &Connection, file: &WatchedFile, event: &SecurityEvent) -> Result<bool, Fail> {
    let sql = "INSERT INTO watched_file (server, name, digest, at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (server, name) DO UPDATE SET digest = excluded.digest, at = excluded.at";
    db.prepare_cached(sql)?.execute(params![file.server, file.name, file.digest, event.at.0])?;
    add_events(db, std::slice::from_ref(event))
}

/// The chain of security events. It is walked from its beginning.
struct Events<'a>(&'a Arc<Readers>);

impl Chain for Events<'_> {
    async fn head(&self) -> Result<Head, StoreError> {
        self.0.read(head).await
    }

    async fn before(&self, _: u64) -> Result<Option<Head>, StoreError> {
        Ok(None)
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        let events = self.0.read(move |db| events(db, after, upto, WALK)).await?;
        Ok(events.into_iter().map(EventRow::link).collect())
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        self.0.read(beyond).await
    }
}

fn head(db: &Connection) -> Result<Head, Fail> {
    let mut statement = db.prepare_cached("SELECT number, hash FROM security_head WHERE id = 1")?;
    let (number, hash): (u64, Vec<u8>) = statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let wrong = |_| StoreError::Damaged("a hash has not 32 bytes".to_owned());
    Ok(Head { number, hash: hash.try_into().map_err(wrong)? })
}

pub(super) fn add_events(db: &Connection, events: &[SecurityEvent]) -> Result<bool, Fail> {
    let mut head = head(db)?;
    for event in events {
        head = event.next(&head);
        db.prepare_cached(
            "INSERT INTO security_event (number, at, kind, severity, details, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            head.number,
            event.at.0,
            event.kind,
            event.severity.name(),
            event.details,
            head.hash
        ])?;
    }
    db.prepare_cached("UPDATE security_head SET number = ?1, hash = ?2 WHERE id = 1")?
        .execute(params![head.number, head.hash])?;
    Ok(!events.is_empty())
}

fn events(db: &Connection, after: u64, upto: u64, limit: i64) -> Result<Vec<EventRow>, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT number, at, kind, severity, details, hash FROM security_event
         WHERE number > ?1 AND number <= ?2 ORDER BY number LIMIT ?3",
    )?;
    let clamp = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let found = statement.query_map((clamp(after), clamp(upto), limit), |row| {
        Ok(EventRow {
            number: row.get(0)?,
            at: Timestamp(row.get(1)?),
            kind: row.get(2)?,
            severity: row.get(3)?,
            details: row.get(4)?,
            hash: row.get(5)?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// An event that stands after the head.
fn beyond(db: &Connection) -> Result<Option<u64>, Fail> {
    let sql = "SELECT min(number) FROM security_event WHERE number > (SELECT number FROM security_head WHERE id = 1)";
    Ok(db.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Erases the oldest asks that ended before then.
pub(super) fn erase_before(
    db: &Connection,
    hot: &mut Hot,
    changed: &mut Vec<AskId>,
    before: Timestamp,
    limit: usize,
) -> Result<u64, Fail> {
    let mut statement =
        db.prepare_cached(&format!("SELECT a.id FROM {ERASABLE} ORDER BY a.closed LIMIT ?2"))?;
    let ids: Vec<Vec<u8>> =
        statement.query_map((before.0, rows(limit)), |row| row.get(0))?.collect::<Result<_, _>>()?;
    rule::sweep(db, before)?;
    let mut n_erased = 0;
    for id in &ids {
        let id = AskId(id_of(id)?);
        let Some(found) = ask::by_id(db, id)? else { continue };
        hot.forget(found.ask.session);
        erase::ask(db, found.n, &found.ask, before).map_err(Fail::after_writing)?;
        changed.push(id);
        n_erased += 1;
    }
    Ok(n_erased)
}
