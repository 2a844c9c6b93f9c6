//! Audits in SQL: security events, where people acted from, erasing what is old.

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::ask::{self, id_of};
use super::error::Fail;
use super::hot::Hot;
use super::work::{Change, Done, Work};
use super::{Sqlite, erase, mixed_up, rows};
use crate::store::audit::{AuditStore, SecurityEvent, Severity};
use crate::store::chain::{self, BEGINNING, Link, Verified};
use crate::store::{Head, Later, StoreError, row};

/// No salt: nothing of a security event is ever erased by itself.
const NO_SALT: [u8; 0] = [];

impl AuditStore for Sqlite {
    fn add_events(&self, events: Vec<SecurityEvent>) -> Later<'_, ()> {
        Box::pin(async { self.change(Change::AddEvents(events)).await.map(|_| ()) })
    }

    fn events(&self, after: u64, limit: usize) -> Later<'_, Vec<SecurityEvent>> {
        self.read(move |db| Ok(links(db, after, rows(limit))?.into_iter().map(|(event, _)| event).collect()))
    }

    fn verify_events(&self) -> Later<'_, Verified> {
        self.read(|db| {
            let mut verified = Verified::after(BEGINNING);
            while verified.broken.is_none() {
                let page = links(db, verified.upto.number, 10_000)?;
                let last = page.is_empty();
                for (_, link) in page {
                    if !verified.look(&link) {
                        break;
                    }
                }
                if last {
                    break;
                }
            }
            verified.end(&head(db)?);
            Ok(verified)
        })
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
                Done::Committed(_) | Done::Changed(_) | Done::LetIn(_) => Err(mixed_up()),
            }
        })
    }
}

fn head(db: &Connection) -> Result<Head, Fail> {
    let mut statement = db.prepare_cached("SELECT number, hash FROM security_head WHERE id = 1")?;
    let (number, hash): (u64, Vec<u8>) = statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let wrong = |_| StoreError::Damaged("a hash has not 32 bytes".to_owned());
    Ok(Head { number, hash: hash.try_into().map_err(wrong)? })
}

/// The severity stands in the chain too.
fn chained_kind(event: &SecurityEvent) -> String {
    format!("{} {}", event.kind, event.severity.name())
}

pub(super) fn add_events(db: &Connection, events: &[SecurityEvent]) -> Result<bool, Fail> {
    let mut head = head(db)?;
    for event in events {
        let digest = chain::digest(&NO_SALT, event.details.as_bytes());
        head = chain::next(&head, event.at, &chained_kind(event), &digest);
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

fn links(db: &Connection, after: u64, limit: i64) -> Result<Vec<(SecurityEvent, Link)>, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT number, at, kind, severity, details, hash FROM security_event WHERE number > ?1
         ORDER BY number LIMIT ?2",
    )?;
    let mut found = Vec::new();
    let mut rows = statement.query((i64::try_from(after).unwrap_or(i64::MAX), limit))?;
    while let Some(row) = rows.next()? {
        let word: String = row.get(3)?;
        let event = SecurityEvent {
            number: row.get(0)?,
            at: Timestamp(row.get(1)?),
            kind: row.get(2)?,
            severity: Severity::parse(&word).unwrap_or(Severity::High),
            details: row.get(4)?,
        };
        let digest = chain::digest(&NO_SALT, event.details.as_bytes()).to_vec();
        let kind = chained_kind(&event);
        let (number, at, hash) = (event.number, event.at, row.get(5)?);
        found.push((event, Link { number, at, kind, payload: None, digest, hash }));
    }
    Ok(found)
}

/// Erases the oldest asks that ended before then.
pub(super) fn erase_before(
    db: &Connection,
    hot: &mut Hot,
    changed: &mut Vec<AskId>,
    before: Timestamp,
    limit: usize,
) -> Result<u64, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT a.id FROM ask a JOIN fact f ON f.number = a.closed
         WHERE a.closed IS NOT NULL AND a.erased_at IS NULL AND a.standing = 2 AND f.at < ?1
         ORDER BY a.closed LIMIT ?2",
    )?;
    let ids: Vec<Vec<u8>> =
        statement.query_map((before.0, rows(limit)), |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in &ids {
        let id = AskId(id_of(id)?);
        let Some(found) = ask::by_id(db, id)? else { continue };
        hot.take(found.ask.session);
        erase::ask(db, found.n, &found.ask, before)?;
        changed.push(id);
    }
    Ok(ids.len() as u64)
}
