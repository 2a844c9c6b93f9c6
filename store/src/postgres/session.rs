//! Sessions in SQL.

use askuser_core::asker::TimeoutPolicy;
use askuser_core::id::{SessionId, UserId};
use askuser_core::session::{LastRound, Session};
use tokio_postgres::Row as PgRow;

use super::db::{Client, Params, id_of, limit, rows, run};
use crate::db::Row;
use crate::fail::Fail;
use crate::sql::sessions::{self, Found, origin};
use crate::timing;

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
pub(super) async fn lock(db: &Client, meant: &Meant) -> Result<Vec<Found>, Fail> {
    let ids: Vec<[u8; 16]> = meant.ids.iter().map(|id| id.0.to_be_bytes()).collect();
    let asks: Vec<[u8; 16]> = meant.asks.iter().map(|id| id.0.to_be_bytes()).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let asks: Vec<&[u8]> = asks.iter().map(|id| &id[..]).collect();
    let params: &Params<'_> = &[&ids, &asks, &meant.names.0, &meant.names.1];
    let found = rows(db, &lock_sql(), params).await?;
    found.iter().map(|row| sessions::read(&Row::Postgres(row))).collect()
}

/// Prepared before a batch begins, so that it goes out in its turn.
pub(super) fn lock_sql() -> String {
    format!(
        "SELECT {} FROM session WHERE id = ANY (ARRAY(
            SELECT unnest($1::BYTEA[])
            UNION SELECT session FROM ask WHERE id = ANY ($2::BYTEA[])
            UNION SELECT s.id FROM unnest($3::TEXT[], $4::TEXT[]) AS name (owner, external_id)
                JOIN session s ON s.owner = name.owner AND s.external_id = name.external_id
                AND s.external_id IS NOT NULL AND NOT s.superseded))
         ORDER BY id FOR UPDATE",
        sessions::COLUMNS
    )
}

/// The sessions of each of these owners that count as active, at most so many of each.
pub(super) const COUNTED: &str = "SELECT o.owner, c.id FROM unnest($1::TEXT[]) AS o (owner)
    CROSS JOIN LATERAL (SELECT s.id FROM session s
        WHERE s.owner = o.owner AND s.n_open > 0 AND s.origin <> 'derived' LIMIT $2) c";

pub(super) async fn counted(
    db: &Client,
    owners: &[&str],
    most: usize,
) -> Result<Vec<(UserId, SessionId)>, Fail> {
    let found = rows(db, COUNTED, &[&owners, &limit(most)]).await?;
    let read =
        |row: &PgRow| Ok((UserId::new(row.try_get::<_, &str>(0)?), SessionId(id_of(row.try_get(1)?)?)));
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
pub(super) async fn write(db: &Client, written: &[Written<'_>]) -> Result<(), Fail> {
    if written.is_empty() {
        return Ok(());
    }
    let ids: Vec<[u8; 16]> = written.iter().map(|it| it.session.id.0.to_be_bytes()).collect();
    let from = |it: &Written<'_>| origin(it.session.origin).1.map(|from| from.0.to_be_bytes());
    let froms: Vec<Option<[u8; 16]>> = written.iter().map(from).collect();
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
        &column!(it => origin(it.session.origin).0),
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
