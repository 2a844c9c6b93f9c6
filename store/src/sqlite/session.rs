//! Sessions in SQL.

use askuser_core::ask::Fingerprint;
use askuser_core::asker::TimeoutPolicy;
use askuser_core::id::{SessionId, UserId};
use askuser_core::session::{LastRound, Origin, Session, SessionStatus};
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::ask::id_of;
use crate::fail::Fail;
use crate::{StoreError, plan, timing};

const COLUMNS: &str = "n, id, owner, external_id, origin, restored_from, status, round, total_rounds, \
    created_at, last_activity, last_fingerprint, last_depth, last_at, restore_reason, last_fact, timeout_ms, \
    timeout_policy, restored_to";

/// A session and where it stands in the table.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) n: i64,
    pub(super) session: Session,
    /// The number of its latest fact.
    pub(super) last_fact: Option<u64>,
}

pub(super) fn by_id(db: &Connection, id: SessionId) -> Result<Option<Found>, Fail> {
    Ok(select(db, "WHERE id = ?1", [id.0.to_be_bytes()])?.into_iter().next())
}

/// The session in this row.
pub(super) fn at(db: &Connection, n: i64) -> Result<Option<Found>, Fail> {
    Ok(select(db, "WHERE n = ?1", [n])?.into_iter().next())
}

/// Where a session stands in the table; in no row where it is not there.
pub(super) fn n_of(db: &Connection, id: SessionId) -> Result<i64, Fail> {
    let mut statement = db.prepare_cached("SELECT n FROM session WHERE id = ?1")?;
    Ok(statement.query_row([id.0.to_be_bytes()], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// The rows of a session and of those that it goes on from, the nearest first; with each up to when what ended
/// there is part of it.
pub(super) type Line = Vec<(i64, Timestamp)>;

/// The line of the session in this row.
pub(super) fn line(db: &Connection, n: i64, session: &Session) -> Result<Line, Fail> {
    let mut line = vec![(n, Timestamp(i64::MAX))];
    let mut earlier = session.goes_on_from();
    let mut until = Timestamp(i64::MAX);
    while let Some((from, to)) = earlier.filter(|_| line.len() < plan::LINE_MAX) {
        let Some(found) = by_id(db, from)? else { break };
        until = until.min(to);
        line.push((found.n, until));
        earlier = found.session.goes_on_from();
    }
    Ok(line)
}

/// The session that holds this name now.
pub(super) fn named(db: &Connection, owner: &UserId, external_id: &str) -> Result<Option<Found>, Fail> {
    let tail = "WHERE owner = ?1 AND external_id = ?2 AND superseded = 0";
    Ok(select(db, tail, (owner.as_str(), external_id))?.into_iter().next())
}

pub(super) fn of_user(db: &Connection, owner: &UserId, limit: i64) -> Result<Vec<Found>, Fail> {
    select(db, "WHERE owner = ?1 ORDER BY n DESC LIMIT ?2", (owner.as_str(), limit))
}

pub(super) fn idle(db: &Connection, before: Timestamp, limit: i64) -> Result<Vec<SessionId>, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM session WHERE status = 'active' AND created_at < ?1 AND last_activity < ?1
         AND n_open = 0 AND NOT EXISTS
         (SELECT 1 FROM task WHERE task.session = session.n AND task.state IN ('queued', 'running')) ORDER BY created_at LIMIT ?2",
    )?;
    let mut rows = statement.query((before.0, limit))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(SessionId(id_of(&row.get::<_, Vec<u8>>(0)?)?));
    }
    Ok(found)
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

/// Writes a new session and returns where.
pub(super) fn insert(db: &Connection, session: &Session, n_open: usize, last_fact: u64) -> Result<i64, Fail> {
    let (origin, from) = match session.origin {
        Origin::Named => ("named", None),
        Origin::Derived => ("derived", None),
        Origin::Restored(from) => ("restored", Some(from.0.to_be_bytes())),
    };
    let last = session.last_round;
    db.prepare_cached(
        "INSERT INTO session (id, owner, external_id, origin, restored_from, status, round, total_rounds,
         created_at, last_activity, last_fingerprint, last_depth, last_at, n_open,
         restore_reason, last_fact, timeout_ms, timeout_policy, restored_to)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
    )?
    .execute(params![
        session.id.0.to_be_bytes(),
        session.owner.as_str(),
        session.external_id,
        origin,
        from,
        session.status.name(),
        session.round,
        session.total_rounds,
        session.created_at.0,
        session.last_activity.0,
        last.map(|last| last.fingerprint),
        last.map(|last| last.depth),
        last.map(|last| last.at.0),
        n_open,
        session.restore_reason,
        last_fact,
        timing::millis(session.timing),
        session.timing.policy.map(TimeoutPolicy::name),
        session.restored_to.map(|to| to.0),
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
    n_open: usize,
    last_fact: u64,
) -> Result<(), Fail> {
    if (was.round, was.total_rounds, was.last_round) == (now.round, now.total_rounds, now.last_round) {
        db.prepare_cached("UPDATE session SET last_activity = ?2, n_open = ?3, last_fact = ?4 WHERE n = ?1")?
            .execute(params![n, now.last_activity.0, n_open, last_fact])?;
    } else {
        let last = now.last_round;
        db.prepare_cached(
            "UPDATE session SET last_activity = ?2, n_open = ?3, last_fact = ?4, round = ?5,
             total_rounds = ?6, last_fingerprint = ?7, last_depth = ?8, last_at = ?9 WHERE n = ?1",
        )?
        .execute(params![
            n,
            now.last_activity.0,
            n_open,
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
    db.prepare_cached("UPDATE session SET superseded = n WHERE n = ?1")?.execute([n])?;
    Ok(())
}

fn select(db: &Connection, tail: &str, params: impl Params) -> Result<Vec<Found>, Fail> {
    let mut statement = db.prepare_cached(&format!("SELECT {COLUMNS} FROM session {tail}"))?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Found, Fail> {
    let n: i64 = row.get(0)?;
    let wrong = |what: &str| StoreError::Damaged(format!("session in row {n}: {what}"));
    let origin: String = row.get(4)?;
    let from: Option<Vec<u8>> = row.get(5)?;
    let origin = match (origin.as_str(), from) {
        ("named", None) => Origin::Named,
        ("derived", None) => Origin::Derived,
        ("restored", Some(from)) => Origin::Restored(SessionId(id_of(&from)?)),
        _ => return Err(wrong("its origin has no such word").into()),
    };
    let word: String = row.get(6)?;
    let all = [SessionStatus::Active, SessionStatus::Completed, SessionStatus::Timeout];
    let status = all.into_iter().find(|status| status.name() == word);
    let last: (Option<Vec<u8>>, Option<u32>, Option<i64>) = (row.get(11)?, row.get(12)?, row.get(13)?);
    let last_round = match last {
        (Some(fingerprint), Some(depth), Some(at)) => {
            let sized = Fingerprint::try_from(fingerprint);
            let fingerprint = sized.map_err(|_| wrong("its fingerprint has not 16 bytes"))?;
            Some(LastRound { fingerprint, depth, at: Timestamp(at) })
        }
        _ => None,
    };
    let session = Session {
        id: SessionId(id_of(&row.get::<_, Vec<u8>>(1)?)?),
        owner: UserId::new(row.get::<_, String>(2)?),
        external_id: row.get(3)?,
        origin,
        status: status.ok_or_else(|| wrong("its status has no such word"))?,
        round: row.get(7)?,
        total_rounds: row.get(8)?,
        timing: timing::read(row.get(16)?, row.get::<_, Option<String>>(17)?.as_deref()).map_err(wrong)?,
        created_at: Timestamp(row.get(9)?),
        last_activity: Timestamp(row.get(10)?),
        restored_to: row.get::<_, Option<i64>>(18)?.map(Timestamp),
        restore_reason: row.get(14)?,
        last_round,
    };
    Ok(Found { n, session, last_fact: row.get(15)? })
}
