//! Audits in SQL: security events, where people acted from, erasing what is old.

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;

use super::as_store::{READS_MAX, change, read};
use super::db::{Db, counted, id_of, limit, row, rows, run, the_row, whole};
use super::error::Kind;
use super::{Postgres, ask, fact, verify};
use crate::audit::{AuditStore, EventRow, SecurityEvent, WatchedFile};
use crate::db::Database;
use crate::erase::bare;
use crate::fail::Fail;
use crate::row::{self as shape, Body, OutcomeRow};
use crate::sql::{audit, rules};
use crate::{Head, Later, Served, StoreError, Verified};

impl AuditStore for Postgres {
    fn add_events(&self, events: Vec<SecurityEvent>) -> Later<'_, ()> {
        self.change(events, |db, events| Box::pin(audit::add_events(db, events)))
    }

    fn events(&self, after: u64, limit: usize) -> Later<'_, Vec<SecurityEvent>> {
        let found = self
            .read((after, limit), |db, (after, limit)| Box::pin(audit::events(db, *after, u64::MAX, *limit)));
        Box::pin(async { Ok(found.await?.into_iter().map(EventRow::event).collect()) })
    }

    fn file_digest(&self, server: String, name: String) -> Later<'_, Option<[u8; 32]>> {
        self.read((server, name), |db, (server, name)| Box::pin(audit::file_digest(db, server, name)))
    }

    fn note_file(&self, file: WatchedFile, event: SecurityEvent) -> Later<'_, ()> {
        self.change((file, event), |db, (file, event)| Box::pin(audit::note_file(db, file, event)))
    }

    fn events_head(&self) -> Later<'_, Head> {
        self.read((), |db, ()| Box::pin(audit::head(db)))
    }

    fn verify_events(&self) -> Later<'_, Verified> {
        Box::pin(audit::verify(self))
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

async fn erasable_before(db: &Db, before: Timestamp) -> Result<u64, Fail> {
    let sql = "SELECT count(*) FROM ask WHERE standing = 2 AND erased_at IS NULL AND ended_at < $1";
    Ok(the_row(db, sql, &[&before.0]).await?.try_get::<_, i64>(0).map(counted)?)
}

/// Erases the oldest asks that ended before then, each by itself: nobody waits for more than one.
async fn erase_before(db: Object, before: Timestamp, most: usize) -> Result<u64, Fail> {
    let sql = "SELECT id FROM ask WHERE standing = 2 AND erased_at IS NULL AND ended_at < $1
         ORDER BY ended_at, n LIMIT $2";
    rules::sweep(crate::db::Db::Postgres(&db), before).await?;
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
