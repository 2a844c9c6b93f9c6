//! One connection, and the few ways in which it is asked: every statement is prepared once on it.

use deadpool_postgres::ClientWrapper;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::StoreError;
use crate::fail::Fail;

/// A connection.
pub(super) type Client = ClientWrapper;
/// What a statement is given.
pub(super) type Params<'a> = [&'a (dyn ToSql + Sync)];

/// Every row that a statement finds.
pub(super) async fn rows(db: &Client, sql: &str, params: &Params<'_>) -> Result<Vec<Row>, Fail> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query(&statement, params).await?)
}

/// The row that a statement always finds.
pub(super) async fn the_row(db: &Client, sql: &str, params: &Params<'_>) -> Result<Row, Fail> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.query_one(&statement, params).await?)
}

/// Carries a statement out and returns how many rows it touched.
pub(super) async fn run(db: &Client, sql: &str, params: &Params<'_>) -> Result<u64, Fail> {
    let statement = db.prepare_cached(sql).await?;
    Ok(db.execute(&statement, params).await?)
}

/// Does several things in one transaction: all of them, or none.
pub(super) async fn whole<T>(db: &Client, doing: impl Future<Output = Result<T, Fail>>) -> Result<T, Fail> {
    db.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = '10s'")
        .await?;
    let done = doing.await;
    let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = db.batch_execute(end).await;
    let done = done?;
    ended?;
    Ok(done)
}

pub(super) use crate::db::clean;

/// A number of rows, for SQL.
pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

/// A number of ours, for SQL: its integers have a sign.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number that was counted, from SQL.
pub(super) fn counted(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn id_of(bytes: &[u8]) -> Result<u128, StoreError> {
    let wrong = |_| StoreError::Damaged(format!("an id has {} bytes, not 16", bytes.len()));
    bytes.try_into().map(u128::from_be_bytes).map_err(wrong)
}
