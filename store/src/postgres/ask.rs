//! Asks in SQL.

use askuser_core::id::{AskId, SessionId, UserId};
use tokio_postgres::Row as PgRow;

use super::db::{Client, id_of, rows};
use crate::db::Row;
use crate::fail::Fail;
use crate::sql::asks::{self, Found, SELECT};

/// The open asks of these sessions in the order of asking, and these asks themselves.
pub(super) async fn open_in(db: &Client, sessions: &[SessionId], ids: &[AskId]) -> Result<Vec<Found>, Fail> {
    let sessions: Vec<[u8; 16]> = sessions.iter().map(|id| id.0.to_be_bytes()).collect();
    let ids: Vec<[u8; 16]> = ids.iter().map(|id| id.0.to_be_bytes()).collect();
    let sessions: Vec<&[u8]> = sessions.iter().map(|id| &id[..]).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let found = rows(db, &open_in_sql(), &[&sessions, &ids]).await?;
    found.iter().map(|row| asks::read(&Row::Postgres(row))).collect()
}

/// Prepared before a batch begins, so that it goes out in its turn.
pub(super) fn open_in_sql() -> String {
    format!(
        "{SELECT} WHERE a.id = ANY (ARRAY(
            SELECT id FROM ask WHERE session = ANY ($1::BYTEA[]) AND standing = 0 AND standing < 2
            UNION SELECT unnest($2::BYTEA[])))
         ORDER BY a.session, a.round, a.n"
    )
}

/// The latest ask that was made with each of these keys of these owners.
pub(super) const WITH_KEYS: &str =
    "SELECT k.owner, k.key, a.id FROM unnest($1::TEXT[], $2::TEXT[]) AS k (owner, key)
    CROSS JOIN LATERAL (SELECT id FROM ask WHERE owner = k.owner AND idempotency_key = k.key
        AND idempotency_key IS NOT NULL ORDER BY n DESC LIMIT 1) a";

pub(super) async fn with_keys(
    db: &Client,
    keys: &[(UserId, String)],
) -> Result<Vec<((UserId, String), AskId)>, Fail> {
    let (owners, keys): (Vec<&str>, Vec<&str>) =
        keys.iter().map(|(owner, key)| (owner.as_str(), key.as_str())).unzip();
    let found = rows(db, WITH_KEYS, &[&owners, &keys]).await?;
    let read = |row: &PgRow| {
        let owner = UserId::new(row.try_get::<_, &str>(0)?);
        Ok(((owner, row.try_get(1)?), AskId(id_of(row.try_get(2)?)?)))
    };
    found.iter().map(read).collect()
}
