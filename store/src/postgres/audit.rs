//! Audits in SQL: security events, where people acted from, erasing what is old.

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;
use tokio_postgres::Row;

use super::as_store::{READS_MAX, change, read};
use super::db::{
    Db, Params, clean, counted, digest_of, id_of, limit, row, rows, run, signed, the_row, whole,
};
use super::error::{Fail, Kind};
use super::{Postgres, ask, fact, rule, verify};
use crate::audit::{AuditStore, EventRow, SecurityEvent, WatchedFile};
use crate::chain::{self, Chain, Link};
use crate::erase::bare;
use crate::row::{self as shape, Body, OutcomeRow};
use crate::{Head, Later, Served, StoreError, Verified};

/// Events that are verified in one reading.
const WALK: usize = 10_000;

impl AuditStore for Postgres {
    fn add_events(&self, events: Vec<SecurityEvent>) -> Later<'_, ()> {
        change!(self, |db| add_events(db, events))
    }

    fn events(&self, after: u64, limit: usize) -> Later<'_, Vec<SecurityEvent>> {
        let found: Later<'_, Vec<EventRow>> = read!(self, |db| events(&db, after, u64::MAX, limit));
        Box::pin(async { Ok(found.await?.into_iter().map(EventRow::event).collect()) })
    }

    fn file_digest(&self, server: String, name: String) -> Later<'_, Option<[u8; 32]>> {
        read!(self, |db| file_digest(&db, &server, &name))
    }

    fn note_file(&self, file: WatchedFile, event: SecurityEvent) -> Later<'_, ()> {
        change!(self, |db| whole(&db, note_file(&db, &file, event)))
    }

    fn events_head(&self) -> Later<'_, Head> {
        read!(self, |db| events_head(&db))
    }

    fn verify_events(&self) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&Events(self), 1).await })
    }

    fn verify_served(&self) -> Later<'_, Served> {
        Box::pin(verify::served(self))
    }

    fn addresses(&self, numbers: Vec<u64>) -> Later<'_, Vec<(u64, String)>> {
        let payloads: Later<'_, Vec<(u64, String)>> = read!(self, |db| fact::payloads(&db, &numbers));
        let address = |(number, payload): (u64, String)| Some((number, shape::address(&payload)?));
        Box::pin(async move { Ok(payloads.await?.into_iter().filter_map(address).collect()) })
    }

    fn erase_before(&self, before: Timestamp, limit: usize) -> Later<'_, u64> {
        change!(self, |db| erase_before(db, before, limit))
    }

    fn erasable_before(&self, before: Timestamp) -> Later<'_, u64> {
        read!(self, |db| erasable_before(&db, before))
    }
}

async fn file_digest(db: &Db, server: &str, name: &str) -> Result<Option<[u8; 32]>, Fail> {
    let sql = "SELECT digest FROM watched_file WHERE server = $1 AND name = $2";
    let Some(found) = row(db, sql, &[&server, &name]).await? else { return Ok(None) };
    let digest: Option<&[u8]> = found.try_get(0)?;
    Ok(digest.map(digest_of).transpose()?)
}

async fn note_file(db: &Db, file: &WatchedFile, event: SecurityEvent) -> Result<(), Fail> {
    let sql = "INSERT INTO watched_file (server, name, digest, at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (server, name) DO UPDATE SET digest = excluded.digest, at = excluded.at";
    let digest = file.digest.as_ref().map(|digest| &digest[..]);
    run(db, sql, &[&file.server, &file.name, &digest, &event.at.0]).await?;
    add_to_chain(db, &[event]).await
}

/// The chain of security events. It is walked from its beginning.
struct Events<'a>(&'a Postgres);

impl Chain for Events<'_> {
    async fn head(&self) -> Result<Head, StoreError> {
        self.0.events_head().await
    }

    async fn before(&self, _: u64) -> Result<Option<Head>, StoreError> {
        Ok(None)
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        let store = self.0;
        let found: Later<'_, Vec<EventRow>> = read!(store, |db| events(&db, after, upto, WALK));
        Ok(found.await?.into_iter().map(EventRow::link).collect())
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        let store = self.0;
        let found: Later<'_, Option<u64>> = read!(store, |db| beyond(&db));
        found.await
    }
}

async fn events_head(db: &Db) -> Result<Head, Fail> {
    fact::read_head(&the_row(db, "SELECT number, hash FROM security_head WHERE id = 1", &[]).await?)
}

async fn add_events(db: Object, events: Vec<SecurityEvent>) -> Result<(), Fail> {
    whole(&db, add_to_chain(&db, &events)).await
}

/// Adds events at the head, in a transaction that has begun. The head is locked: of several replicas
/// one gives numbers at a time.
pub(super) async fn add_to_chain(db: &Db, events: &[SecurityEvent]) -> Result<(), Fail> {
    let locked = the_row(db, "SELECT number, hash FROM security_head WHERE id = 1 FOR UPDATE", &[]).await?;
    let mut head = fact::read_head(&locked)?;
    let sql = "INSERT INTO security_event (number, at, kind, severity, details, hash)
         VALUES ($1, $2, $3, $4, $5, $6)";
    for event in events {
        // What is hashed is what is stored.
        let (kind, details) = (clean(&event.kind).into_owned(), clean(&event.details).into_owned());
        let event = SecurityEvent { kind, details, ..event.clone() };
        head = event.next(&head);
        let severity = event.severity.name();
        let params: &Params<'_> =
            &[&signed(head.number), &event.at.0, &event.kind, &severity, &event.details, &&head.hash[..]];
        run(db, sql, params).await?;
    }
    let sql = "UPDATE security_head SET number = $1, hash = $2 WHERE id = 1";
    run(db, sql, &[&signed(head.number), &&head.hash[..]]).await.map(|_| ())
}

async fn events(db: &Db, after: u64, upto: u64, most: usize) -> Result<Vec<EventRow>, Fail> {
    let sql = "SELECT number, at, kind, severity, details, hash FROM security_event
         WHERE number > $1 AND number <= $2 ORDER BY number LIMIT $3";
    let read = |row: &Row| {
        Ok(EventRow {
            number: counted(row.try_get(0)?),
            at: Timestamp(row.try_get(1)?),
            kind: row.try_get(2)?,
            severity: row.try_get(3)?,
            details: row.try_get(4)?,
            hash: row.try_get(5)?,
        })
    };
    rows(db, sql, &[&signed(after), &signed(upto), &limit(most)]).await?.iter().map(read).collect()
}

/// An event that stands after the head.
async fn beyond(db: &Db) -> Result<Option<u64>, Fail> {
    let sql = "SELECT min(number) FROM security_event WHERE number > (SELECT number FROM security_head WHERE id = 1)";
    Ok(the_row(db, sql, &[]).await?.try_get::<_, Option<i64>>(0)?.map(counted))
}

async fn erasable_before(db: &Db, before: Timestamp) -> Result<u64, Fail> {
    let sql = "SELECT count(*) FROM ask WHERE standing = 2 AND erased_at IS NULL AND ended_at < $1";
    Ok(the_row(db, sql, &[&before.0]).await?.try_get::<_, i64>(0).map(counted)?)
}

/// Erases the oldest asks that ended before then, each by itself: nobody waits for more than one.
async fn erase_before(db: Object, before: Timestamp, most: usize) -> Result<u64, Fail> {
    let sql = "SELECT id FROM ask WHERE standing = 2 AND erased_at IS NULL AND ended_at < $1
         ORDER BY ended_at, n LIMIT $2";
    rule::sweep(&db, before).await?;
    let mut n_erased = 0;
    for row in rows(&db, sql, &[&before.0, &limit(most)]).await? {
        let id = AskId(id_of(row.try_get(0)?)?);
        n_erased += u64::from(whole(&db, erase(&db, id, before)).await?);
    }
    Ok(n_erased)
}

/// Erases an ended ask and the payloads of its facts, in a transaction that has begun. False where
/// another replica was first.
async fn erase(db: &Db, id: AskId, before: Timestamp) -> Result<bool, Fail> {
    let bytes = id.0.to_be_bytes();
    // Nobody decides about the ask while its words are changed.
    let lock = "SELECT 1 FROM session WHERE id = (SELECT session FROM ask WHERE id = $1) FOR UPDATE";
    run(db, lock, &[&&bytes[..]]).await?;
    let there = "SELECT 1 FROM ask WHERE id = $1 AND standing = 2 AND erased_at IS NULL";
    if row(db, there, &[&&bytes[..]]).await?.is_none() {
        return Ok(false);
    }
    let Some(found) = ask::by_id(db, id).await? else {
        return Err(StoreError::Damaged(format!("ask {id}: what it asks is missing")).into());
    };
    let bare = bare(&found.ask);
    let outcome = bare.state.outcome().map(|outcome| shape::write(&OutcomeRow::from(outcome))).transpose()?;
    let sql = "UPDATE ask SET outcome = $2, sheet = NULL, late = NULL, idempotency_key = NULL, erased_at = $3
         WHERE id = $1";
    run(db, sql, &[&&bytes[..], &outcome, &before.0]).await?;
    let body = shape::write(&Body::from(&bare))?;
    run(db, "UPDATE ask_body SET body = $2 WHERE ask = $1", &[&&bytes[..], &body]).await?;
    fact::erase_all(db, id).await?;
    Ok(true)
}
