//! Rules that people made, in SQL. Those of one person are changed one after the other.

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;

use super::as_store::{READS_MAX, change, read};
use super::db::{Db, limit, rows, run, signed, the_row, whole};
use super::error::{Fail, Kind};
use super::floor::lock_number;
use super::{Postgres, audit};
use crate::store::rules::{KeptRule, Mark, RuleStore};
use crate::store::{Later, SecurityEvent, StoreError};

impl RuleStore for Postgres {
    fn add_rule(&self, rule: KeptRule, n_max: usize, event: SecurityEvent) -> Later<'_, bool> {
        change!(self, |db| whole(&db, add(&db, &rule, n_max, event)))
    }

    fn remove_rule(&self, person: UserId, ask: AskId, event: SecurityEvent) -> Later<'_, bool> {
        change!(self, |db| whole(&db, remove(&db, &person, ask, event)))
    }

    fn rules_of(&self, person: UserId, now: Timestamp) -> Later<'_, Vec<String>> {
        read!(self, |db| entries(&db, &person, None, now))
    }

    fn rules_marked(&self, person: UserId, marks: Vec<Mark>, now: Timestamp) -> Later<'_, Vec<String>> {
        read!(self, |db| entries(&db, &person, Some(&marks), now))
    }
}

async fn add(db: &Db, rule: &KeptRule, n_max: usize, event: SecurityEvent) -> Result<bool, Fail> {
    let KeptRule { person, ask, made_at, until, entries } = rule;
    lock(db, person).await?;
    sweep(db, event.at).await?;
    let (person, ask) = (person.as_str(), ask.0.to_be_bytes());
    let sql = "SELECT count(DISTINCT ask) FROM made_rule WHERE person = $1 AND ask <> $2";
    let n_others: i64 = the_row(db, sql, &[&person, &&ask[..]]).await?.try_get(0)?;
    if n_others >= limit(n_max) {
        return Ok(false);
    }
    gone(db, person, ask).await?;
    let sql = "INSERT INTO made_rule (person, ask, place, mark, made_at, until, entry)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    for (place, (mark, entry)) in (0_u64..).zip(entries) {
        let (place, mark) = (signed(place), &mark[..]);
        run(db, sql, &[&person, &&ask[..], &place, &mark, &made_at.0, &until.0, entry]).await?;
    }
    audit::chain(db, &[event]).await?;
    Ok(true)
}

async fn remove(db: &Db, person: &UserId, ask: AskId, event: SecurityEvent) -> Result<bool, Fail> {
    lock(db, person).await?;
    sweep(db, event.at).await?;
    let was_there = gone(db, person.as_str(), ask.0.to_be_bytes()).await?;
    if was_there {
        audit::chain(db, &[event]).await?;
    }
    Ok(was_there)
}

/// Holds up whoever else changes this person's rules until the transaction ends.
async fn lock(db: &Db, person: &UserId) -> Result<(), Fail> {
    run(db, "SELECT pg_advisory_xact_lock($1)", &[&lock_number(person)]).await.map(|_| ())
}

async fn gone(db: &Db, person: &str, ask: [u8; 16]) -> Result<bool, Fail> {
    Ok(run(db, "DELETE FROM made_rule WHERE person = $1 AND ask = $2", &[&person, &&ask[..]]).await? > 0)
}

/// Sweeps out what had ended by then.
pub(super) async fn sweep(db: &Db, by: Timestamp) -> Result<(), Fail> {
    run(db, "DELETE FROM made_rule WHERE until <= $1", &[&by.0]).await.map(|_| ())
}

/// A person's rules; what they say under these marks, where some are named.
async fn entries(
    db: &Db,
    person: &UserId,
    marks: Option<&[Mark]>,
    now: Timestamp,
) -> Result<Vec<String>, Fail> {
    let marked = if marks.is_some() { "AND r.mark = ANY($3)" } else { "AND $3::BYTEA[] IS NULL" };
    let sql = format!(
        "SELECT r.entry FROM made_rule r WHERE r.person = $1 AND r.until > $2 {marked}
         AND NOT EXISTS (SELECT 1 FROM person p WHERE p.name = r.person AND p.disabled_at IS NOT NULL)
         ORDER BY r.made_at DESC, r.ask DESC, r.place"
    );
    let marks: Option<Vec<&[u8]>> = marks.map(|marks| marks.iter().map(|mark| &mark[..]).collect());
    let found = rows(db, &sql, &[&person.as_str(), &now.0, &marks]).await?;
    found.iter().map(|row| Ok(row.try_get(0)?)).collect()
}
