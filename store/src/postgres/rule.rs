//! Rules that people made or confirmed, in SQL. Those of one person are changed one after the other.

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;
use tokio_postgres::Row;

use super::as_store::{READS_MAX, change, read};
use super::db::{Db, clean, digest_of, limit, rows, run, signed, the_row, whole};
use super::error::{Fail, Kind};
use super::floor::lock_number;
use super::{Postgres, audit};
use crate::rules::{ConfirmedRule, KeptRule, Mark, RuleStore};
use crate::{Later, SecurityEvent, StoreError};

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

    fn confirm_rule(&self, rule: ConfirmedRule, event: SecurityEvent) -> Later<'_, bool> {
        change!(self, |db| whole(&db, confirm(&db, &rule, event)))
    }

    fn unconfirm_rule(&self, person: UserId, digest: Mark, event: SecurityEvent) -> Later<'_, bool> {
        change!(self, |db| whole(&db, unconfirm(&db, &person, &digest, event)))
    }

    fn confirmed_rules(&self, person: UserId) -> Later<'_, Vec<ConfirmedRule>> {
        read!(self, |db| confirmed(&db, &person))
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
    audit::add_to_chain(db, &[event]).await?;
    Ok(true)
}

async fn remove(db: &Db, person: &UserId, ask: AskId, event: SecurityEvent) -> Result<bool, Fail> {
    lock(db, person).await?;
    sweep(db, event.at).await?;
    let was_there = gone(db, person.as_str(), ask.0.to_be_bytes()).await?;
    if was_there {
        audit::add_to_chain(db, &[event]).await?;
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

async fn confirm(db: &Db, rule: &ConfirmedRule, event: SecurityEvent) -> Result<bool, Fail> {
    let ConfirmedRule { person, digest, at, text } = rule;
    let sql = "INSERT INTO confirmed_rule (person, digest, at, entry) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING";
    // What is confirmed is found by its digest; the text is for people, and a NUL in it cannot be stored.
    let is_new = run(db, sql, &[&person.as_str(), &&digest[..], &at.0, &clean(text)]).await? > 0;
    if is_new {
        audit::add_to_chain(db, &[event]).await?;
    }
    Ok(is_new)
}

async fn unconfirm(db: &Db, person: &UserId, digest: &Mark, event: SecurityEvent) -> Result<bool, Fail> {
    let sql = "DELETE FROM confirmed_rule WHERE person = $1 AND digest = $2";
    let was_there = run(db, sql, &[&person.as_str(), &&digest[..]]).await? > 0;
    if was_there {
        audit::add_to_chain(db, &[event]).await?;
    }
    Ok(was_there)
}

async fn confirmed(db: &Db, person: &UserId) -> Result<Vec<ConfirmedRule>, Fail> {
    let sql = "SELECT r.digest, r.at, r.entry FROM confirmed_rule r WHERE r.person = $1
         AND NOT EXISTS (SELECT 1 FROM person p WHERE p.name = r.person AND p.disabled_at IS NOT NULL)
         ORDER BY r.at DESC, r.digest";
    let found = rows(db, sql, &[&person.as_str()]).await?;
    let rule = |row: &Row| {
        let (digest, at) = (digest_of(row.try_get(0)?)?, Timestamp(row.try_get(1)?));
        Ok(ConfirmedRule { person: person.clone(), digest, at, text: row.try_get(2)? })
    };
    found.iter().map(rule).collect()
}
