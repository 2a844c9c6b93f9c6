//! Rules that people made or confirmed, in SQL.

use std::sync::atomic::{AtomicU8, Ordering};

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use rusqlite::{Connection, ToSql, params};

use super::error::Fail;
use super::work::{Change, Done};
use super::{Sqlite, audit};
use crate::rules::{ConfirmedRule, KeptRule, Mark, RuleStore};
use crate::{Later, SecurityEvent};

/// What the writer is given to do.
pub(super) enum RuleChange {
    Add(KeptRule, usize, SecurityEvent),
    Remove(UserId, AskId, SecurityEvent),
    Confirm(ConfirmedRule, SecurityEvent),
    Unconfirm(UserId, Mark, SecurityEvent),
}

/// Whether anybody may have a rule. Nobody else writes to the file, so where nobody has one, no ask need
/// be looked up.
#[derive(Default)]
pub(super) struct AnyRules(AtomicU8);

impl AnyRules {
    const UNKNOWN: u8 = 0;
    const NONE: u8 = 1;
    const SOME: u8 = 2;

    fn is_none(&self) -> bool {
        self.0.load(Ordering::SeqCst) == Self::NONE
    }

    /// One may be there from now on.
    fn come(&self) {
        self.0.store(Self::SOME, Ordering::SeqCst);
    }

    /// None was there; one that has come meanwhile counts.
    fn saw_none(&self) {
        // Where it is known already, that stays.
        let _known = self.0.compare_exchange(Self::UNKNOWN, Self::NONE, Ordering::SeqCst, Ordering::SeqCst);
    }
}

impl RuleStore for Sqlite {
    fn add_rule(&self, rule: KeptRule, n_max: usize, event: SecurityEvent) -> Later<'_, bool> {
        self.any_rules.come();
        self.change(Change::Rule(RuleChange::Add(rule, n_max, event)))
    }

    fn remove_rule(&self, person: UserId, ask: AskId, event: SecurityEvent) -> Later<'_, bool> {
        self.change(Change::Rule(RuleChange::Remove(person, ask, event)))
    }

    fn rules_of(&self, person: UserId, now: Timestamp) -> Later<'_, Vec<String>> {
        self.read(move |db| entries(db, &person, None, now))
    }

    fn may_have_rules(&self) -> bool {
        !self.any_rules.is_none()
    }

    fn rules_marked(&self, person: UserId, marks: Vec<Mark>, now: Timestamp) -> Later<'_, Vec<String>> {
        let looked = self.read(move |db| {
            let found = entries(db, &person, Some(&marks), now)?;
            Ok((!found.is_empty() || any(db)?).then_some(found))
        });
        Box::pin(async {
            let found = looked.await?;
            if found.is_none() {
                self.any_rules.saw_none();
            }
            Ok(found.unwrap_or_default())
        })
    }

    fn confirm_rule(&self, rule: ConfirmedRule, event: SecurityEvent) -> Later<'_, bool> {
        self.change(Change::Rule(RuleChange::Confirm(rule, event)))
    }

    fn unconfirm_rule(&self, person: UserId, digest: Mark, event: SecurityEvent) -> Later<'_, bool> {
        self.change(Change::Rule(RuleChange::Unconfirm(person, digest, event)))
    }

    fn confirmed_rules(&self, person: UserId) -> Later<'_, Vec<ConfirmedRule>> {
        self.read(move |db| confirmed(db, &person))
    }
}

/// Does a piece of the writer's work.
pub(super) fn change(db: &Connection, change: &RuleChange) -> Result<Done, Fail> {
    let changed = match change {
        RuleChange::Add(rule, n_max, event) => add(db, rule, *n_max, event),
        RuleChange::Remove(person, ask, event) => remove(db, person, *ask, event),
        RuleChange::Confirm(rule, event) => confirm(db, rule, event),
        RuleChange::Unconfirm(person, digest, event) => unconfirm(db, person, digest, event),
    };
    changed.map(Done::Changed).map_err(Fail::after_writing)
}

fn add(db: &Connection, rule: &KeptRule, n_max: usize, event: &SecurityEvent) -> Result<bool, Fail> {
    sweep(db, event.at)?;
    let KeptRule { person, ask, made_at, until, entries } = rule;
    let ask = ask.0.to_be_bytes();
    let sql = "SELECT count(DISTINCT ask) FROM made_rule WHERE person = ?1 AND ask <> ?2";
    let n_others: usize =
        db.prepare_cached(sql)?.query_row(params![person.as_str(), ask], |row| row.get(0))?;
    if n_others >= n_max {
        return Ok(false);
    }
    gone(db, person, ask)?;
    let sql = "INSERT INTO made_rule (person, ask, place, mark, made_at, until, entry)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    for (place, (mark, entry)) in entries.iter().enumerate() {
        let row = params![person.as_str(), ask, place, mark, made_at.0, until.0, entry];
        db.prepare_cached(sql)?.execute(row)?;
    }
    audit::add_events(db, std::slice::from_ref(event))
}

fn remove(db: &Connection, person: &UserId, ask: AskId, event: &SecurityEvent) -> Result<bool, Fail> {
    sweep(db, event.at)?;
    let was_there = gone(db, person, ask.0.to_be_bytes())?;
    if was_there {
        audit::add_events(db, std::slice::from_ref(event))?;
    }
    Ok(was_there)
}

fn gone(db: &Connection, person: &UserId, ask: [u8; 16]) -> Result<bool, Fail> {
    let sql = "DELETE FROM made_rule WHERE person = ?1 AND ask = ?2";
    Ok(db.prepare_cached(sql)?.execute(params![person.as_str(), ask])? > 0)
}

/// Sweeps out what had ended by then.
pub(super) fn sweep(db: &Connection, by: Timestamp) -> Result<(), Fail> {
    db.prepare_cached("DELETE FROM made_rule WHERE until <= ?1")?.execute([by.0])?;
    Ok(())
}

fn any(db: &Connection) -> Result<bool, Fail> {
    Ok(db.prepare_cached("SELECT EXISTS (SELECT 1 FROM made_rule)")?.query_row([], |row| row.get(0))?)
}

/// A person's rules; what they say under these marks, where some are named.
fn entries(
    db: &Connection,
    person: &UserId,
    marks: Option<&[Mark]>,
    now: Timestamp,
) -> Result<Vec<String>, Fail> {
    let marked = marks
        .map(|marks| format!("AND r.mark IN ({})", vec!["?"; marks.len()].join(", ")))
        .unwrap_or_default();
    let sql = format!(
        "SELECT r.entry FROM made_rule r WHERE r.person = ?1 AND r.until > ?2 {marked}
         AND NOT EXISTS (SELECT 1 FROM user u WHERE u.name = r.person AND u.disabled_at IS NOT NULL)
         ORDER BY r.made_at DESC, r.ask DESC, r.place"
    );
    let person = person.as_str();
    let mut given: Vec<&dyn ToSql> = vec![&person, &now.0];
    given.extend(marks.unwrap_or_default().iter().map(|mark| mark as &dyn ToSql));
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_map(&*given, |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn confirm(db: &Connection, rule: &ConfirmedRule, event: &SecurityEvent) -> Result<bool, Fail> {
    let ConfirmedRule { person, digest, at, text } = rule;
    let sql = "INSERT INTO confirmed_rule (person, digest, at, entry) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO NOTHING";
    let is_new = db.prepare_cached(sql)?.execute(params![person.as_str(), digest, at.0, text])? > 0;
    if is_new {
        audit::add_events(db, std::slice::from_ref(event))?;
    }
    Ok(is_new)
}

fn unconfirm(db: &Connection, person: &UserId, digest: &Mark, event: &SecurityEvent) -> Result<bool, Fail> {
    let sql = "DELETE FROM confirmed_rule WHERE person = ?1 AND digest = ?2";
    let was_there = db.prepare_cached(sql)?.execute(params![person.as_str(), digest])? > 0;
    if was_there {
        audit::add_events(db, std::slice::from_ref(event))?;
    }
    Ok(was_there)
}

fn confirmed(db: &Connection, person: &UserId) -> Result<Vec<ConfirmedRule>, Fail> {
    let sql = "SELECT r.digest, r.at, r.entry FROM confirmed_rule r WHERE r.person = ?1
         AND NOT EXISTS (SELECT 1 FROM user u WHERE u.name = r.person AND u.disabled_at IS NOT NULL)
         ORDER BY r.at DESC, r.n DESC";
    let mut statement = db.prepare_cached(sql)?;
    let found = statement.query_map([person.as_str()], |row| {
        Ok(ConfirmedRule {
            person: person.clone(),
            digest: row.get(0)?,
            at: Timestamp(row.get(1)?),
            text: row.get(2)?,
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}
