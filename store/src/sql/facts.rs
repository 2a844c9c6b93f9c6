//! Facts: read by number, walked to verify the chain, and what they tell erased.

use std::sync::Arc;

use askuser_core::id::{AskId, SessionId};
use askuser_core::time::Timestamp;

use super::erase;
use crate::chain::{self, Chain, Hash, Link};
use crate::db::{Cell, Database, Db, Row, cells};
use crate::fail::Fail;
use crate::{Counts, FactStore, Head, Later, Numbered, StoreError, Verified, plan, row as shape};

/// Facts that are verified in one reading.
pub(crate) const WALK: usize = 1000;

const READ: &str = "SELECT f.number, f.at, f.kind, f.session, s.owner, f.ask, f.salt IS NULL,
    coalesce(f.payload, b.body), a.people
    FROM fact f JOIN session s ON s.id = f.session LEFT JOIN ask a ON a.id = f.ask
    LEFT JOIN ask_body b ON f.kind = 'asked' AND b.ask = f.ask";

pub(crate) const LINKS: &str =
    "SELECT f.number, f.at, f.kind, f.salt, coalesce(f.payload, b.body), f.digest, f.hash, f.session, f.ask
    FROM fact f LEFT JOIN ask_body b ON f.kind = 'asked' AND f.salt IS NOT NULL AND b.ask = f.ask
    WHERE f.number > ?1 AND f.number <= ?2 ORDER BY f.number LIMIT ?3";

impl<D: Database> FactStore for D {
    fn facts_since(&self, number: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        self.read((number, limit), |db, (number, limit)| Box::pin(since(db, *number, *limit)))
    }

    fn facts_of(&self, session: SessionId, after: u64, limit: usize) -> Later<'_, Vec<Numbered>> {
        self.read((session, after, limit), |db, (session, after, limit)| {
            Box::pin(async move {
                let sql = format!(
                    "{} {READ} WHERE {} ORDER BY f.number LIMIT ?3",
                    db.thread("?2"),
                    db.facts_in_session("?2")
                );
                db.rows(&sql, cells![*session, *after, *limit], read).await
            })
        })
    }

    fn facts_before(
        &self,
        session: SessionId,
        before: Option<u64>,
        limit: usize,
    ) -> Later<'_, Vec<Numbered>> {
        self.read((session, before, limit), |db, (session, before, limit)| {
            Box::pin(async move {
                let sql = format!(
                    "{} {READ} WHERE f.number IN ({}) ORDER BY f.number",
                    db.thread("0"),
                    db.last_in_session()
                );
                db.rows(&sql, cells![*session, before.unwrap_or(u64::MAX), *limit], read).await
            })
        })
    }

    fn head(&self) -> Later<'_, Head> {
        self.read((), |db, ()| Box::pin(head(db)))
    }

    fn verify(&self, from: u64) -> Later<'_, Verified> {
        Box::pin(async move { chain::verify(&Facts(self), from).await })
    }

    fn erase_secrets(&self, ask: AskId) -> Later<'_, u64> {
        self.change(ask, |db, ask| Box::pin(erase::secrets(db, *ask)))
    }

    fn counts(&self) -> Later<'_, Counts> {
        self.read((), |db, ()| {
            Box::pin(async move {
                let sql = "SELECT (SELECT count(*) FROM ask WHERE standing = 0), (SELECT number FROM head),
                     (SELECT count(*) FROM session)";
                let read = |row: &Row<'_>| {
                    Ok(Counts { open_asks: row.get(0)?, facts: row.get(1)?, sessions: row.get(2)? })
                };
                Ok(db.one(sql, &[], read).await?.unwrap_or_default())
            })
        })
    }
}

/// The chain of facts.
struct Facts<'a, D>(&'a D);

impl<D: Database> Chain for Facts<'_, D> {
    async fn head(&self) -> Result<Head, StoreError> {
        self.0.read((), |db, ()| Box::pin(head(db))).await
    }

    async fn before(&self, number: u64) -> Result<Option<Head>, StoreError> {
        self.0.read(number, |db, number| Box::pin(before(db, *number))).await
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        self.0.read((after, upto), |db, (after, upto)| Box::pin(links(db, LINKS, *after, *upto))).await
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        self.0.read((), |db, ()| Box::pin(beyond(db))).await
    }
}

pub(crate) async fn since(db: Db<'_>, number: u64, limit: usize) -> Result<Vec<Numbered>, Fail> {
    let sql = format!("{READ} WHERE f.number > ?1 ORDER BY f.number LIMIT ?2");
    db.rows(&sql, cells![number, limit], read).await
}

pub(crate) async fn head(db: Db<'_>) -> Result<Head, Fail> {
    let read = |row: &Row<'_>| Ok(Head { number: row.get(0)?, hash: row.get(1)? });
    let found = db.one("SELECT number, hash FROM head WHERE id = 1", &[], read).await?;
    found.ok_or_else(|| StoreError::Damaged("the head of the facts is missing".to_owned()).into())
}

/// The hash of the fact of this number.
pub(crate) async fn hash(db: Db<'_>, number: u64) -> Result<Option<Hash>, Fail> {
    db.one("SELECT hash FROM fact WHERE number = ?1", cells![number], |row| row.get(0)).await
}

/// Where a walk from this number begins: the fact before it.
pub(crate) async fn before(db: Db<'_>, from: u64) -> Result<Option<Head>, Fail> {
    let number = from.saturating_sub(1);
    Ok(hash(db, number).await?.map(|hash| Head { number, hash }))
}

/// The next facts after this number, as the chain sees them.
pub(crate) async fn links(db: Db<'_>, sql: &str, after: u64, upto: u64) -> Result<Vec<Link>, Fail> {
    let read = |row: &Row<'_>| {
        let mut link = link(row)?;
        let (session, ask) = (row.get(7)?, row.get(8)?);
        link.is_in_place = link.payload.as_ref().is_none_or(|(_, text)| shape::is_about(text, session, ask));
        Ok(link)
    };
    db.rows(sql, cells![after, upto, WALK], read).await
}

/// Reads a fact as the chain sees it, from the first seven columns.
pub(crate) fn link(row: &Row<'_>) -> Result<Link, Fail> {
    let (salt, payload): (Option<Vec<u8>>, Option<String>) = (row.get(3)?, row.get(4)?);
    // One that went without the other was not erased but lost.
    let is_erased = salt.is_none() && payload.is_none();
    Ok(Link {
        number: row.get(0)?,
        at: row.get(1)?,
        kind: row.get(2)?,
        payload: (!is_erased).then(|| (salt.unwrap_or_default(), payload.unwrap_or_default())),
        is_in_place: true,
        digest: row.get(5)?,
        hash: row.get(6)?,
    })
}

/// A fact that stands after the head.
pub(crate) async fn beyond(db: Db<'_>) -> Result<Option<u64>, Fail> {
    let sql = "SELECT min(number) FROM fact WHERE number > (SELECT number FROM head WHERE id = 1)";
    db.value(sql, &[]).await
}

/// When the latest fact came to be.
pub(crate) async fn latest(db: Db<'_>) -> Result<Option<Timestamp>, Fail> {
    db.one("SELECT at FROM fact ORDER BY number DESC LIMIT 1", &[], |row| row.get(0)).await
}

/// The payloads of the facts of these numbers, those that are there.
pub(crate) async fn payloads(db: Db<'_>, numbers: &[u64]) -> Result<Vec<(u64, String)>, Fail> {
    let mut found = Vec::new();
    for numbers in numbers.chunks(WALK) {
        let mut numbers: Vec<Cell<'_>> = numbers.iter().map(|number| (*number).into()).collect();
        let sql = format!(
            "SELECT number, payload FROM fact WHERE number IN ({}) AND payload IS NOT NULL ORDER BY number",
            crate::db::places(1, &mut numbers)
        );
        found.extend(db.rows(&sql, &numbers, |row| Ok((row.get(0)?, row.get(1)?))).await?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Numbered, Fail> {
    let (number, session): (u64, SessionId) = (row.get(0)?, row.get(3)?);
    let place = || format!("fact {number}");
    let fact = if row.get(6)? {
        None
    } else {
        let payload: Option<&str> = row.get(7)?;
        let (told, fact) =
            shape::read_fact(row.get(2)?, payload.unwrap_or_default()).map_err(|wrong| wrong.at(place()))?;
        if told != session {
            return Err(StoreError::Damaged(format!("{}: is of {told}, not of {session}", place())).into());
        }
        Some(Arc::new(fact))
    };
    Ok(Numbered {
        number,
        at: row.get(1)?,
        owner: row.get(4)?,
        session,
        people: plan::read_people(row.get(8)?),
        ask: row.get(5)?,
        fact,
    })
}
