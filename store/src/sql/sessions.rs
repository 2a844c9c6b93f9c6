//! Sessions.

use askuser_core::id::{SessionId, UserId};
use askuser_core::session::{LastRound, Origin, Session, SessionStatus};
use askuser_core::time::Timestamp;

use super::asks::FOR_EVER;
use crate::db::{Database, Db, Row, cells};
use crate::fail::Fail;
use crate::{Later, SessionStore, StoreError, plan, timing};

pub(crate) const COLUMNS: &str = "id, owner, external_id, origin, restored_from, status, round, total_rounds, \
    created_at, last_activity, last_fingerprint, last_depth, last_at, restore_reason, superseded, n_closed, \
    timeout_ms, timeout_policy, restored_to";

/// A session and what else is stored of it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) session: Session,
    /// Whether another session holds its name now.
    pub(crate) superseded: bool,
    /// How many of its asks have ended, or more.
    pub(crate) n_closed: i64,
}

impl<D: Database> SessionStore for D {
    fn session(&self, id: SessionId) -> Later<'_, Option<Session>> {
        self.read(id, |db, id| Box::pin(async move { Ok(by_id(db, *id).await?.map(|found| found.session)) }))
    }

    fn session_named(&self, user: &UserId, external_id: &str) -> Later<'_, Option<Session>> {
        self.read((user.clone(), external_id.to_owned()), |db, (user, external_id)| {
            Box::pin(async move { Ok(named(db, user, external_id).await?.map(|found| found.session)) })
        })
    }

    fn sessions(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Session>> {
        self.read((user.clone(), limit), |db, (user, limit)| {
            Box::pin(async move {
                let sql = format!("SELECT {COLUMNS} FROM session WHERE owner = ?1 ORDER BY n DESC LIMIT ?2");
                db.rows(&sql, cells![user, *limit], |row| Ok(read(row)?.session)).await
            })
        })
    }

    fn idle_sessions(&self, before: Timestamp, limit: usize) -> Later<'_, Vec<SessionId>> {
        self.read((before, limit), |db, (before, limit)| {
            Box::pin(async move {
                let sql = "SELECT id FROM session WHERE status = 'active' AND created_at < ?1 AND last_activity < ?1
                     AND n_open = 0 AND NOT EXISTS (SELECT 1 FROM task
                        WHERE task.session = session.id AND task.state IN ('queued', 'running'))
                     ORDER BY created_at LIMIT ?2";
                db.rows(sql, cells![*before, *limit], |row| row.get(0)).await
            })
        })
    }
}

pub(crate) async fn by_id(db: Db<'_>, id: SessionId) -> Result<Option<Found>, Fail> {
    db.one(&format!("SELECT {COLUMNS} FROM session WHERE id = ?1"), cells![id], read).await
}

/// The session that holds this name now.
pub(crate) async fn named(db: Db<'_>, owner: &UserId, external_id: &str) -> Result<Option<Found>, Fail> {
    let sql = format!(
        "SELECT {COLUMNS} FROM session WHERE owner = ?1 AND external_id = ?2 AND external_id IS NOT NULL
         AND NOT superseded"
    );
    db.one(&sql, cells![owner, external_id], read).await
}

/// A session and those that it goes on from, the nearest first; with each up to when what ended there is part of
/// it.
pub(crate) type Line = Vec<(SessionId, Timestamp)>;

/// The line of a session.
pub(crate) async fn line(db: Db<'_>, session: &Session) -> Result<Line, Fail> {
    let mut line = vec![(session.id, FOR_EVER)];
    let (mut earlier, mut until) = (session.goes_on_from(), FOR_EVER);
    while let Some((from, to)) = earlier.filter(|_| line.len() < plan::LINE_MAX) {
        let Some(found) = by_id(db, from).await? else { break };
        until = until.min(to);
        line.push((from, until));
        earlier = found.session.goes_on_from();
    }
    Ok(line)
}

/// The word of an origin, and the session that it says.
pub(crate) fn origin(origin: Origin) -> (&'static str, Option<SessionId>) {
    match origin {
        Origin::Named => ("named", None),
        Origin::Derived => ("derived", None),
        Origin::Restored(from) => ("restored", Some(from)),
    }
}

/// Reads a session from `COLUMNS`.
pub(crate) fn read(row: &Row<'_>) -> Result<Found, Fail> {
    let id: SessionId = row.get(0)?;
    let wrong = |what: &str| StoreError::Damaged(format!("session {id}: {what}"));
    let origin = match (row.get(3)?, row.get(4)?) {
        ("named", None) => Origin::Named,
        ("derived", None) => Origin::Derived,
        ("restored", Some(from)) => Origin::Restored(from),
        _ => return Err(wrong("its origin has no such word").into()),
    };
    let word: &str = row.get(5)?;
    let all = [SessionStatus::Active, SessionStatus::Completed, SessionStatus::Timeout];
    let status = all.into_iter().find(|status| status.name() == word);
    let last_round = match (row.get(10)?, row.get(11)?, row.get(12)?) {
        (Some(fingerprint), Some(depth), Some(at)) => Some(LastRound { fingerprint, depth, at }),
        _ => None,
    };
    let session = Session {
        id,
        owner: row.get(1)?,
        external_id: row.get(2)?,
        origin,
        status: status.ok_or_else(|| wrong("its status has no such word"))?,
        round: row.get(6)?,
        total_rounds: row.get(7)?,
        timing: timing::read(row.get(16)?, row.get(17)?).map_err(wrong)?,
        created_at: row.get(8)?,
        last_activity: row.get(9)?,
        restored_to: row.get(18)?,
        restore_reason: row.get(13)?,
        last_round,
    };
    Ok(Found { session, superseded: row.get(14)?, n_closed: row.get(15)? })
}
