//! Erasing what ended asks tell: rows, and the payloads of their facts.

use askuser_core::ask::Ask;
use askuser_core::decide::Refusal;
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;

use super::{asks, sessions};
use crate::db::{Db, cells};
use crate::erase::bare;
use crate::fail::Fail;
use crate::plan;
use crate::row::{self, Body, LateRow, OutcomeRow, Sheet};

/// Those that may be erased: over, fetched by their asker, and ended before then.
const ERASABLE: &str = "FROM ask WHERE standing = 2 AND erased_at IS NULL AND ended_at < ?1";

/// Returns how many asks may be erased.
pub(crate) async fn count(db: Db<'_>, before: Timestamp) -> Result<u64, Fail> {
    db.value(&format!("SELECT count(*) {ERASABLE}"), cells![before]).await
}

/// Returns the oldest of them.
pub(crate) async fn oldest(db: Db<'_>, before: Timestamp, limit: usize) -> Result<Vec<AskId>, Fail> {
    let sql = format!("SELECT id {ERASABLE} ORDER BY ended_at, n LIMIT ?2");
    db.rows(&sql, cells![before, limit], |row| row.get(0)).await
}

/// Erases what was answered to the secret questions of an ended ask. Returns how many payloads went.
pub(crate) async fn secrets(db: Db<'_>, id: AskId) -> Result<u64, Fail> {
    lock(db, id).await?;
    let found = asks::by_id(db, id).await?.ok_or(Refusal::AskNotFound)?;
    let mut ask = (*found.ask).clone();
    if !plan::erase(&mut ask)? {
        return Ok(0);
    }
    let outcome = ask.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?;
    let late = ask.late.as_ref().map(|(answers, by)| row::write(&LateRow::new(answers, by))).transpose()?;
    let sheet = row::write(&Sheet::of(&ask))?;
    let sql = "UPDATE ask SET outcome = ?2, late = ?3, sheet = ?4 WHERE id = ?1";
    db.run(sql, cells![id, outcome.as_ref(), late.as_ref(), &sheet]).await?;
    payloads(db, &ask, "AND f.kind IN ('submitted', 'heard', 'closed', 'answered_late')").await
}

/// Erases everything that an ended ask tells. False where another replica was first.
pub(crate) async fn whole(db: Db<'_>, id: AskId, before: Timestamp) -> Result<bool, Fail> {
    lock(db, id).await?;
    let there = "SELECT count(*) FROM ask WHERE id = ?1 AND standing = 2 AND erased_at IS NULL";
    if db.value::<i64>(there, cells![id]).await? == 0 {
        return Ok(false);
    }
    let found = asks::by_id(db, id).await?.ok_or(Refusal::AskNotFound)?;
    let bare = bare(&found.ask);
    let outcome = bare.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?;
    let sql = "UPDATE ask SET outcome = ?2, sheet = NULL, late = NULL, idempotency_key = NULL, erased_at = ?3
         WHERE id = ?1";
    db.run(sql, cells![id, outcome.as_ref(), before]).await?;
    let body = row::write(&Body::from(&bare))?;
    db.run("UPDATE ask_body SET body = ?2 WHERE ask = ?1", cells![id, &body]).await?;
    payloads(db, &bare, "").await?;
    Ok(true)
}

/// Nobody decides about an ask while its words are changed.
async fn lock(db: Db<'_>, id: AskId) -> Result<(), Fail> {
    let sql = "SELECT n FROM session WHERE id = (SELECT session FROM ask WHERE id = ?1)";
    db.one(&format!("{sql}{}", db.for_update()), cells![id], |row| row.get::<i64>(0)).await.map(|_| ())
}

/// Erases the payloads of facts about an ask. Its first ones are those of the session that it was asked in.
async fn payloads(db: Db<'_>, ask: &Ask, only: &str) -> Result<u64, Fail> {
    db.forget(ask.session, ask.id);
    let Some(found) = sessions::by_id(db, ask.session).await? else { return Ok(0) };
    let sql = format!(
        "{} UPDATE fact AS f SET salt = NULL, payload = NULL WHERE {} AND f.ask = ?2 {only} AND f.salt IS NOT NULL",
        db.thread("0"),
        db.facts_in_session("0")
    );
    let mut n_erased = 0;
    for (session, _) in sessions::line(db, &found.session).await? {
        n_erased += db.run(&sql, cells![session, ask.id]).await?;
    }
    Ok(n_erased)
}
