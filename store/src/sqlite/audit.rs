//! Audits in SQL: security events, where people acted from, erasing what is old.

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::ask::{self, id_of};
use super::hot::Hot;
use super::{Sqlite, erase, rows, verify};
use crate::audit::{AuditStore, EventRow, SecurityEvent, WatchedFile};
use crate::db::Database;
use crate::fail::Fail;
use crate::sql::{audit, rules};
use crate::{Head, Later, Served, Verified, row};

impl AuditStore for Sqlite {
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
        Box::pin(verify::served(&self.readers))
    }

    fn addresses(&self, numbers: Vec<u64>) -> Later<'_, Vec<(u64, String)>> {
        self.look(move |db| {
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
            self.work(move |db, desk| {
                db.ask(&before, |db, before| Box::pin(rules::sweep(db, *before)))?;
                let mut erased = Vec::new();
                let n_erased = erase_before(&db.get(), &mut desk.hot, &mut erased, before, limit);
                desk.changed.extend(erased.into_iter().map(|ask| (ask, None)));
                n_erased.map_err(Fail::after_writing)
            })
            .await
        })
    }

    fn erasable_before(&self, before: Timestamp) -> Later<'_, u64> {
        self.look(move |db| {
            let sql = format!("SELECT count(*) FROM {ERASABLE}");
            Ok(db.prepare_cached(&sql)?.query_row([before.0], |row| row.get(0))?)
        })
    }
}

/// The asks that may be erased: over, fetched by their asker, and ended before then.
const ERASABLE: &str = "ask a JOIN fact f ON f.number = a.closed
    WHERE a.closed IS NOT NULL AND a.erased_at IS NULL AND a.standing = 2 AND f.at < ?1";

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
