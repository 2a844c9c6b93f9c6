//! Ids in SQL.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use rusqlite::{Connection, Params};

use super::ask::id_of;
use super::error::Fail;
use super::{Sqlite, rows};
use crate::{IdStore, IdsOf, Later};

impl IdStore for Sqlite {
    fn ids_between(&self, of: IdsOf, range: RangeInclusive<u128>, limit: usize) -> Later<'_, Vec<u128>> {
        let sql =
            format!("SELECT id FROM {} WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3", of.table());
        let (from, to) = (range.start().to_be_bytes(), range.end().to_be_bytes());
        self.read(move |db| ids(db, &sql, (from, to, rows(limit))))
    }

    fn ids_with_tails(&self, of: IdsOf, tails: Vec<u16>) -> Later<'_, Vec<u128>> {
        let sql = format!(
            "SELECT id FROM {} WHERE substr(id, 15) IN (SELECT unhex(value) FROM json_each(?1))",
            of.table()
        );
        let mut list = String::from("[");
        for (place, tail) in tails.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            // Writing to a text cannot fail.
            let _written = write!(list, "{comma}\"{tail:04x}\"");
        }
        list.push(']');
        self.read(move |db| ids(db, &sql, [list]))
    }
}

fn ids(db: &Connection, sql: &str, params: impl Params) -> Result<Vec<u128>, Fail> {
    let mut statement = db.prepare_cached(sql)?;
    let mut found = statement.query(params)?;
    let mut ids = Vec::new();
    while let Some(row) = found.next()? {
        ids.push(id_of(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?)?);
    }
    Ok(ids)
}
