//! Sessions in SQL.

use askuser_core::ask::Fingerprint;
use askuser_core::asker::TimeoutPolicy;
use askuser_core::id::{SessionId, UserId};
use askuser_core::session::{LastRound, Origin, Session, SessionStatus};
use askuser_core::time::Timestamp;
use tokio_postgres::Row;

use super::db::{Db, Params, id_of, limit, row, rows, run, small};
use crate::fail::Fail;
use crate::{StoreError, plan, timing};

const COLUMNS: &str = "id, owner, external_id, origin, restored_from, status, round, total_rounds, \
    created_at, last_activity, last_fingerprint, last_depth, last_at, restore_reason, superseded, n_closed, \
    timeout_ms, timeout_policy, restored_to";

/// A session and what is counted of it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) session: Session,
    /// Whether another session holds its name now.
    pub(super) superseded: bool,
    /// How many of its asks have ended.
    pub(super) n_closed: i64,
}

pub(super) async fn by_id(db: &Db, id: SessionId) -> Result<Option<Found>, Fail> {
    let sql = format!("SELECT {COLUMNS} FROM session WHERE id = $1");
    let found = row(db, &sql, &[&&id.0.to_be_bytes()[..]]).await?;
    found.as_ref().map(read).transpose()
}

/// A session, and how many of its asks are open and have ended.
pub(super) struct Counted {
    pub(super) session: Session,
    pub(super) n_open: i64,
    pub(super) n_closed: i64,
}

/// The next sessions in the order of beginning, as a comparison with their facts needs them: each with its place,
/// and its number of open asks, or without anything where its row cannot be read.
pub(super) async fn next_by_place(
    db: &Db,
    after: i64,
    most: usize,
) -> Result<Vec<(i64, SessionId, Option<Counted>)>, Fail> {
    let sql = format!("SELECT {COLUMNS}, n_open, n FROM session WHERE n > $1 ORDER BY n LIMIT $2");
    let mut sessions = Vec::new();
    for row in rows(db, &sql, &[&after, &limit(most)]).await? {
        let session = read(&row).ok().map(|found| {
            let (session, n_closed) = (found.session, found.n_closed);
            Ok::<_, Fail>(Counted { session, n_open: row.try_get(19)?, n_closed })
        });
        sessions.push((row.try_get(20)?, SessionId(id_of(row.try_get(0)?)?), session.transpose()?));
    }
    Ok(sessions)
}

/// A session and those that it goes on from, the nearest first; with each up to when what ended there is part of it.
pub(super) type Line = Vec<(SessionId, Timestamp)>;

/// The line of a session.
pub(super) async fn line(db: &Db, session: &Session) -> Result<Line, Fail> {
    let mut line = vec![(session.id, Timestamp(i64::MAX))];
    let mut earlier = session.goes_on_from();
    let mut until = Timestamp(i64::MAX);
    while let Some((from, to)) = earlier.filter(|_| line.len() < plan::LINE_MAX) {
        let Some(found) = by_id(db, from).await? else { break };
        until = until.min(to);
        line.push((from, until));
        earlier = found.session.goes_on_from();
    }
    Ok(line)
}

/// The session that holds this name now.
pub(super) async fn named(db: &Db, owner: &UserId, external_id: &str) -> Result<Option<Found>, Fail> {
    let sql = format!(
        "SELECT {COLUMNS} FROM session WHERE owner = $1 AND external_id = $2 AND external_id IS NOT NULL
         AND NOT superseded"
    );
    let found = row(db, &sql, &[&owner.as_str(), &external_id]).await?;
    found.as_ref().map(read).transpose()
}

pub(super) async fn of_user(db: &Db, owner: &UserId, most: usize) -> Result<Vec<Session>, Fail> {
    let sql = format!("SELECT {COLUMNS} FROM session WHERE owner = $1 ORDER BY n DESC LIMIT $2");
    let found = rows(db, &sql, &[&owner.as_str(), &limit(most)]).await?;
    found.iter().map(|row| Ok(read(row)?.session)).collect()
}

pub(super) async fn idle(db: &Db, before: Timestamp, most: usize) -> Result<Vec<SessionId>, Fail> {
    let sql = "SELECT id FROM session WHERE status = 'active' AND created_at < $1 AND last_activity < $1
         AND n_open = 0 AND NOT EXISTS (SELECT 1 FROM task
            WHERE task.session = session.id AND task.state IN ('queued', 'running'))
         ORDER BY created_at LIMIT $2";
    let found = rows(db, sql, &[&before.0, &limit(most)]).await?;
    found.iter().map(|row| Ok(SessionId(id_of(row.try_get(0)?)?))).collect()
}

/// Which sessions the orders of a batch mean.
#[derive(Debug, Default)]
pub(super) struct Meant {
    pub(super) ids: Vec<SessionId>,
    pub(super) asks: Vec<askuser_core::id::AskId>,
    /// Owners and names.
    pub(super) names: (Vec<String>, Vec<String>),
}

/// Locks the sessions that a batch means, in an order that is the same for everybody, so that no two
/// batches wait for each other.
pub(super) async fn lock(db: &Db, meant: &Meant) -> Result<Vec<Found>, Fail> {
    let ids: Vec<[u8; 16]> = meant.ids.iter().map(|id| id.0.to_be_bytes()).collect();
    let asks: Vec<[u8; 16]> = meant.asks.iter().map(|id| id.0.to_be_bytes()).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let asks: Vec<&[u8]> = asks.iter().map(|id| &id[..]).collect();
    let params: &Params<'_> = &[&ids, &asks, &meant.names.0, &meant.names.1];
    let found = rows(db, &lock_sql(), params).await?;
    found.iter().map(read).collect()
}

/// Prepared before a batch begins, so that it goes out in its turn.
pub(super) fn lock_sql() -> String {
    format!(
        "SELECT {COLUMNS} FROM session WHERE id = ANY (ARRAY(
            SELECT unnest($1::BYTEA[])
            UNION SELECT session FROM ask WHERE id = ANY ($2::BYTEA[])
            UNION SELECT s.id FROM unnest($3::TEXT[], $4::TEXT[]) AS name (owner, external_id)
                JOIN session s ON s.owner = name.owner AND s.external_id = name.external_id
                AND s.external_id IS NOT NULL AND NOT s.superseded))
         ORDER BY id FOR UPDATE"
    )
}

/// The sessions of each of these owners that count as active, at most so many of each.
pub(super) const COUNTED: &str = "SELECT o.owner, c.id FROM unnest($1::TEXT[]) AS o (owner)
    CROSS JOIN LATERAL (SELECT s.id FROM session s
        WHERE s.owner = o.owner AND s.n_open > 0 AND s.origin <> 'derived' LIMIT $2) c";

pub(super) async fn counted(db: &Db, owners: &[&str], most: usize) -> Result<Vec<(UserId, SessionId)>, Fail> {
    let found = rows(db, COUNTED, &[&owners, &limit(most)]).await?;
    let read = |row: &Row| Ok((UserId::new(row.try_get::<_, &str>(0)?), SessionId(id_of(row.try_get(1)?)?)));
    found.iter().map(read).collect()
}

/// One session to be written.
pub(super) struct Written<'a> {
    pub(super) session: &'a Session,
    pub(super) superseded: bool,
    pub(super) n_open: usize,
    pub(super) n_closed: i64,
}

pub(super) const WRITE: &str =
    "INSERT INTO session (id, owner, external_id, superseded, origin, restored_from,
        restore_reason, status, round, total_rounds, created_at, last_activity, last_fingerprint, last_depth,
        last_at, n_open, n_closed, timeout_ms, timeout_policy, restored_to)
    SELECT * FROM unnest($1::BYTEA[], $2::TEXT[], $3::TEXT[], $4::BOOLEAN[], $5::TEXT[], $6::BYTEA[],
        $7::TEXT[], $8::TEXT[], $9::BIGINT[], $10::BIGINT[], $11::BIGINT[], $12::BIGINT[], $13::BYTEA[],
        $14::BIGINT[], $15::BIGINT[], $16::BIGINT[], $17::BIGINT[], $18::BIGINT[], $19::TEXT[],
        $20::BIGINT[])
    ON CONFLICT (id) DO UPDATE SET superseded = excluded.superseded, status = excluded.status,
        round = excluded.round, total_rounds = excluded.total_rounds, last_activity = excluded.last_activity,
        last_fingerprint = excluded.last_fingerprint, last_depth = excluded.last_depth,
        last_at = excluded.last_at, n_open = excluded.n_open, n_closed = excluded.n_closed";

/// Writes sessions, new ones and changed ones: those that lose their name before those that take it.
pub(super) async fn write(db: &Db, written: &[Written<'_>]) -> Result<(), Fail> {
    if written.is_empty() {
        return Ok(());
    }
    let ids: Vec<[u8; 16]> = written.iter().map(|it| it.session.id.0.to_be_bytes()).collect();
    let froms: Vec<Option<[u8; 16]>> = written
        .iter()
        .map(|it| match it.session.origin {
            Origin::Restored(from) => Some(from.0.to_be_bytes()),
            Origin::Named | Origin::Derived => None,
        })
        .collect();
    let lasts: Vec<Option<LastRound>> = written.iter().map(|it| it.session.last_round).collect();
    macro_rules! column {
        ($it:ident => $value:expr) => {
            written.iter().map(|$it| $value).collect::<Vec<_>>()
        };
    }
    let params: &Params<'_> = &[
        &ids.iter().map(|id| &id[..]).collect::<Vec<_>>(),
        &column!(it => it.session.owner.as_str()),
        &column!(it => it.session.external_id.as_deref()),
        &column!(it => it.superseded),
        &column!(it => origin_word(it.session.origin)),
        &froms.iter().map(|from| from.as_ref().map(|from| &from[..])).collect::<Vec<_>>(),
        &column!(it => it.session.restore_reason.as_deref()),
        &column!(it => it.session.status.name()),
        &column!(it => i64::from(it.session.round)),
        &column!(it => it.session.total_rounds.map(i64::from)),
        &column!(it => it.session.created_at.0),
        &column!(it => it.session.last_activity.0),
        &lasts.iter().map(|last| last.as_ref().map(|last| &last.fingerprint[..])).collect::<Vec<_>>(),
        &lasts.iter().map(|last| last.map(|last| i64::from(last.depth))).collect::<Vec<_>>(),
        &lasts.iter().map(|last| last.map(|last| last.at.0)).collect::<Vec<_>>(),
        &column!(it => limit(it.n_open)),
        &column!(it => it.n_closed),
        &column!(it => timing::millis(it.session.timing)),
        &column!(it => it.session.timing.policy.map(TimeoutPolicy::name)),
        &column!(it => it.session.restored_to.map(|to| to.0)),
    ];
    run(db, WRITE, params).await.map(|_| ())
}

fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Named => "named",
        Origin::Derived => "derived",
        Origin::Restored(_) => "restored",
    }
}

fn read(row: &Row) -> Result<Found, Fail> {
    let id = SessionId(id_of(row.try_get(0)?)?);
    let wrong = |what: &str| StoreError::Damaged(format!("session {id}: {what}"));
    let origin: &str = row.try_get(3)?;
    let from: Option<&[u8]> = row.try_get(4)?;
    let origin = match (origin, from) {
        ("named", None) => Origin::Named,
        ("derived", None) => Origin::Derived,
        ("restored", Some(from)) => Origin::Restored(SessionId(id_of(from)?)),
        _ => return Err(wrong("its origin has no such word").into()),
    };
    let word: &str = row.try_get(5)?;
    let all = [SessionStatus::Active, SessionStatus::Completed, SessionStatus::Timeout];
    let status = all.into_iter().find(|status| status.name() == word);
    let last: (Option<&[u8]>, Option<i64>, Option<i64>) =
        (row.try_get(10)?, row.try_get(11)?, row.try_get(12)?);
    let last_round = match last {
        (Some(fingerprint), Some(depth), Some(at)) => {
            let sized = Fingerprint::try_from(fingerprint);
            let fingerprint = sized.map_err(|_| wrong("its fingerprint has not 16 bytes"))?;
            Some(LastRound { fingerprint, depth: small(depth)?, at: Timestamp(at) })
        }
        _ => None,
    };
    let session = Session {
        id,
        owner: UserId::new(row.try_get::<_, &str>(1)?),
        external_id: row.try_get(2)?,
        origin,
        status: status.ok_or_else(|| wrong("its status has no such word"))?,
        round: small(row.try_get(6)?)?,
        total_rounds: row.try_get::<_, Option<i64>>(7)?.map(small).transpose()?,
        timing: timing::read(row.try_get(16)?, row.try_get(17)?).map_err(wrong)?,
        created_at: Timestamp(row.try_get(8)?),
        last_activity: Timestamp(row.try_get(9)?),
        restored_to: row.try_get::<_, Option<i64>>(18)?.map(Timestamp),
        restore_reason: row.try_get(13)?,
        last_round,
    };
    Ok(Found { session, superseded: row.try_get(14)?, n_closed: row.try_get(15)? })
}
