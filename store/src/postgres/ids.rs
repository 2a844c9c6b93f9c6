//! Ids in SQL.

use std::ops::RangeInclusive;

use deadpool_postgres::Object;

use super::Postgres;
use super::as_store::{READS_MAX, read};
use super::db::{Db, Params, id_of, limit, rows};
use super::error::{Fail, Kind};
use crate::{IdStore, IdsOf, Later};

impl IdStore for Postgres {
    fn ids_between(&self, of: IdsOf, range: RangeInclusive<u128>, most: usize) -> Later<'_, Vec<u128>> {
        read!(self, |db| between(&db, of, &range, most))
    }

    fn ids_with_tails(&self, of: IdsOf, tails: Vec<u16>) -> Later<'_, Vec<u128>> {
        read!(self, |db| with_tails(&db, of, &tails))
    }
}

async fn between(db: &Db, of: IdsOf, range: &RangeInclusive<u128>, most: usize) -> Result<Vec<u128>, Fail> {
    let sql = format!("SELECT id FROM {} WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT $3", of.table());
    let (from, to) = (range.start().to_be_bytes(), range.end().to_be_bytes());
    ids(db, &sql, &[&&from[..], &&to[..], &limit(most)]).await
}

async fn with_tails(db: &Db, of: IdsOf, tails: &[u16]) -> Result<Vec<u128>, Fail> {
    let sql = format!("SELECT id FROM {} WHERE substr(id, 15) = ANY ($1::BYTEA[])", of.table());
    let tails: Vec<[u8; 2]> = tails.iter().map(|tail| tail.to_be_bytes()).collect();
    let tails: Vec<&[u8]> = tails.iter().map(|tail| &tail[..]).collect();
    ids(db, &sql, &[&tails]).await
}

async fn ids(db: &Db, sql: &str, params: &Params<'_>) -> Result<Vec<u128>, Fail> {
    let found = rows(db, sql, params).await?;
    found.iter().map(|row| Ok(id_of(row.get(0))?)).collect()
}
