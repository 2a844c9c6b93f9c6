//! Writes sessions, and what only the writer asks of them.

use askuser_core::asker::TimeoutPolicy;
use askuser_core::id::{SessionId, UserId};
use askuser_core::session::Session;
use rusqlite::{Connection, OptionalExtension, params};

use crate::fail::Fail;
use crate::sql::sessions::origin;
use crate::timing;

/// Where a session stands in the table, and the number of its latest fact.
pub(super) fn place(db: &Connection, id: SessionId) -> Result<(i64, Option<u64>), Fail> {
    let mut statement = db.prepare_cached("SELECT n, last_fact FROM session WHERE id = ?1")?;
    let found = statement.query_row([id.0.to_be_bytes()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(found.unwrap_or_default())
}

/// How many other sessions of the owner count as active; stops counting at `max`.
pub(super) fn n_others_active(
    db: &Connection,
    owner: &UserId,
    except_n: Option<i64>,
    max: usize,
) -> Result<usize, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT count(*) FROM (SELECT 1 FROM session
         WHERE owner = ?1 AND n_open > 0 AND origin <> 'derived' AND n <> ?2 LIMIT ?3)",
    )?;
    let params = (owner.as_str(), except_n.unwrap_or(0), i64::try_from(max).unwrap_or(i64::MAX));
    let n: i64 = statement.query_row(params, |row| row.get(0))?;
    Ok(usize::try_from(n).unwrap_or(0))
}

/// What is counted of a session beside what the rule book knows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub(super) n_open: usize,
    pub(super) n_closed: i64,
    pub(super) last_fact: u64,
}

/// Writes a new session and returns where.
pub(super) fn insert(db: &Connection, session: &Session, counted: Counted) -> Result<i64, Fail> {
    let (origin, from) = origin(session.origin);
    let last = session.last_round;
    db.prepare_cached(
        "INSERT INTO session (id, owner, external_id, origin, restored_from, status, round, total_rounds,
         created_at, last_activity, last_fingerprint, last_depth, last_at, n_open,
         restore_reason, last_fact, timeout_ms, timeout_policy, restored_to, n_closed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
    )?
    .execute(params![
        session.id.0.to_be_bytes(),
        session.owner.as_str(),
        session.external_id,
        origin,
        from.map(|from| from.0.to_be_bytes()),
        session.status.name(),
        session.round,
        session.total_rounds,
        session.created_at.0,
        session.last_activity.0,
        last.map(|last| last.fingerprint),
        last.map(|last| last.depth),
        last.map(|last| last.at.0),
        counted.n_open,
        session.restore_reason,
        counted.last_fact,
        timing::millis(session.timing),
        session.timing.policy.map(TimeoutPolicy::name),
        session.restored_to.map(|to| to.0),
        counted.n_closed,
    ])?;
    Ok(db.last_insert_rowid())
}

/// Writes what has changed of a session: what is set is also looked up in the indexes on it, so a
/// column that is as it was is left alone.
pub(super) fn update(
    db: &Connection,
    n: i64,
    was: &Session,
    now: &Session,
    counted: Counted,
) -> Result<(), Fail> {
    let Counted { n_open, n_closed, last_fact } = counted;
    if (was.round, was.total_rounds, was.last_round) == (now.round, now.total_rounds, now.last_round) {
        db.prepare_cached(
            "UPDATE session SET last_activity = ?2, n_open = ?3, n_closed = ?4, last_fact = ?5 WHERE n = ?1",
        )?
        .execute(params![n, now.last_activity.0, n_open, n_closed, last_fact])?;
    } else {
        let last = now.last_round;
        db.prepare_cached(
            "UPDATE session SET last_activity = ?2, n_open = ?3, n_closed = ?4, last_fact = ?5, round = ?6,
             total_rounds = ?7, last_fingerprint = ?8, last_depth = ?9, last_at = ?10 WHERE n = ?1",
        )?
        .execute(params![
            n,
            now.last_activity.0,
            n_open,
            n_closed,
            last_fact,
            now.round,
            now.total_rounds,
            last.map(|last| last.fingerprint),
            last.map(|last| last.depth),
            last.map(|last| last.at.0),
        ])?;
    }
    if was.status != now.status {
        db.prepare_cached("UPDATE session SET status = ?2 WHERE n = ?1")?.execute((n, now.status.name()))?;
    }
    Ok(())
}

/// Takes the name off a session, for another to hold it.
pub(super) fn supersede(db: &Connection, n: i64) -> Result<(), Fail> {
    db.prepare_cached("UPDATE session SET superseded = 1 WHERE n = ?1")?.execute([n])?;
    Ok(())
}
