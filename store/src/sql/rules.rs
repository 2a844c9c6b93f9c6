//! Rules that people made or confirmed. They are changed one after the other: each change locks the head of
//! the security events, among which it stands.

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;

use super::audit;
use crate::db::{Cell, Database, Db, Row, cells, places};
use crate::fail::Fail;
use crate::rules::{AnyRules, ConfirmedRule, KeptRule, Mark, RuleStore};
use crate::{Later, SecurityEvent};

impl<D: Database> RuleStore for D {
    fn add_rule(&self, rule: KeptRule, n_max: usize, event: SecurityEvent) -> Later<'_, bool> {
        self.any_rules().into_iter().for_each(AnyRules::come);
        self.change((rule, n_max, event), |db, (rule, n_max, event)| Box::pin(add(db, rule, *n_max, event)))
    }

    fn remove_rule(&self, person: UserId, ask: AskId, event: SecurityEvent) -> Later<'_, bool> {
        self.change((person, ask, event), |db, (person, ask, event)| {
            Box::pin(async move {
                audit::lock_head(db).await?;
                sweep(db, event.at).await?;
                let was_there = remove(db, person, *ask).await?;
                note(db, was_there, event).await
            })
        })
    }

    fn rules_of(&self, person: UserId, now: Timestamp) -> Later<'_, Vec<String>> {
        self.read((person, now), |db, (person, now)| Box::pin(entries(db, person, None, *now)))
    }

    fn may_have_rules(&self) -> bool {
        !self.any_rules().is_some_and(AnyRules::is_none)
    }

    fn rules_marked(&self, person: UserId, marks: Vec<Mark>, now: Timestamp) -> Later<'_, Vec<String>> {
        let looked = self.read((person, marks, now), |db, (person, marks, now)| {
            Box::pin(async move {
                let found = entries(db, person, Some(marks), *now).await?;
                let any = !found.is_empty()
                    || db
                        .value::<i64>("SELECT count(*) FROM (SELECT 1 FROM made_rule LIMIT 1) r", &[])
                        .await?
                        > 0;
                Ok((found, any))
            })
        });
        Box::pin(async {
            let (found, any) = looked.await?;
            self.any_rules().filter(|_| !any).into_iter().for_each(AnyRules::saw_none);
            Ok(found)
        })
    }

    fn confirm_rule(&self, rule: ConfirmedRule, event: SecurityEvent) -> Later<'_, bool> {
        self.change((rule, event), |db, (rule, event)| {
            Box::pin(async move {
                let ConfirmedRule { person, digest, at, text } = rule;
                // What is confirmed is found by its digest; the text is for people.
                let sql = "INSERT INTO confirmed_rule (person, digest, at, entry) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO NOTHING";
                let is_new = db.run(sql, cells![person, digest, *at, text]).await? > 0;
                note(db, is_new, event).await
            })
        })
    }

    fn unconfirm_rule(&self, person: UserId, digest: Mark, event: SecurityEvent) -> Later<'_, bool> {
        self.change((person, digest, event), |db, (person, digest, event)| {
            Box::pin(async move {
                let sql = "DELETE FROM confirmed_rule WHERE person = ?1 AND digest = ?2";
                let was_there = db.run(sql, cells![person, digest]).await? > 0;
                note(db, was_there, event).await
            })
        })
    }

    fn confirmed_rules(&self, person: UserId) -> Later<'_, Vec<ConfirmedRule>> {
        self.read(person, |db, person| {
            Box::pin(async move {
                let sql = "SELECT r.digest, r.at, r.entry FROM confirmed_rule r WHERE r.person = ?1
                     AND NOT EXISTS (SELECT 1 FROM person p
                        WHERE p.name = r.person AND p.disabled_at IS NOT NULL)
                     ORDER BY r.at DESC, r.digest";
                let read = |row: &Row<'_>| {
                    let (digest, at, text) = (row.get(0)?, row.get(1)?, row.get(2)?);
                    Ok(ConfirmedRule { person: person.clone(), digest, at, text })
                };
                db.rows(sql, cells![person], read).await
            })
        })
    }
}

async fn add(db: Db<'_>, rule: &KeptRule, n_max: usize, event: &SecurityEvent) -> Result<bool, Fail> {
    let KeptRule { person, ask, made_at, until, entries } = rule;
    audit::lock_head(db).await?;
    sweep(db, event.at).await?;
    let sql = "SELECT count(DISTINCT ask) FROM made_rule WHERE person = ?1 AND ask <> ?2";
    let n_others: i64 = db.value(sql, cells![person, *ask]).await?;
    if usize::try_from(n_others).unwrap_or(0) >= n_max {
        return Ok(false);
    }
    remove(db, person, *ask).await?;
    let sql = "INSERT INTO made_rule (person, ask, place, mark, made_at, until, entry)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    for (place, (mark, entry)) in entries.iter().enumerate() {
        db.run(sql, cells![person, *ask, place, mark, *made_at, *until, entry]).await?;
    }
    note(db, true, event).await
}

/// Adds the event that says what was done, if it was.
async fn note(db: Db<'_>, done: bool, event: &SecurityEvent) -> Result<bool, Fail> {
    if done {
        audit::add_events(db, std::slice::from_ref(event)).await?;
    }
    Ok(done)
}

async fn remove(db: Db<'_>, person: &UserId, ask: AskId) -> Result<bool, Fail> {
    Ok(db.run("DELETE FROM made_rule WHERE person = ?1 AND ask = ?2", cells![person, ask]).await? > 0)
}

/// Sweeps out what had ended by then.
pub(super) async fn sweep(db: Db<'_>, by: Timestamp) -> Result<(), Fail> {
    db.run("DELETE FROM made_rule WHERE until <= ?1", cells![by]).await.map(|_| ())
}

/// A person's rules; what they say under these marks, where some are named.
async fn entries(
    db: Db<'_>,
    person: &UserId,
    marks: Option<&Vec<Mark>>,
    now: Timestamp,
) -> Result<Vec<String>, Fail> {
    let mut given = vec![Cell::from(person), now.into()];
    let mut marked = String::new();
    if let Some(marks) = marks {
        let mut marks: Vec<Cell<'_>> = marks.iter().map(Cell::from).collect();
        marked = format!("AND r.mark IN ({})", places(3, &mut marks));
        given.extend(marks);
    }
    let sql = format!(
        "SELECT r.entry FROM made_rule r WHERE r.person = ?1 AND r.until > ?2 {marked}
         AND NOT EXISTS (SELECT 1 FROM person p WHERE p.name = r.person AND p.disabled_at IS NOT NULL)
         ORDER BY r.made_at DESC, r.ask DESC, r.place"
    );
    db.rows(&sql, &given, |row| row.get(0)).await
}
