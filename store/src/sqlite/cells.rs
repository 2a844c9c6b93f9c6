//! Rows as they stand, for moving them to another database.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::{Sqlite, rows};
use crate::Later;
use crate::fail::Fail;
use crate::moving::{Cell, Table};

/// Rows, each with its number.
pub(crate) type Numbered = Vec<(i64, Vec<Cell>)>;

impl Sqlite {
    /// Returns the rows of a table after a number, in order.
    pub(crate) fn cells(&self, table: &'static Table, after: i64, most: usize) -> Later<'_, Numbered> {
        self.look(move |db| read(db, table, after, rows(most)))
    }
}

fn read(db: &Connection, table: &Table, after: i64, most: i64) -> Result<Numbered, Fail> {
    let Table { from, number, columns, .. } = table;
    let expressions: Vec<&str> = columns.iter().map(|(_, _, expression)| *expression).collect();
    let sql = format!(
        "SELECT {number}, {} FROM {from} WHERE {number} > ?1 ORDER BY {number} LIMIT ?2",
        expressions.join(", ")
    );
    let mut statement = db.prepare_cached(&sql)?;
    let mut found = statement.query((after, most))?;
    let mut all = Vec::new();
    while let Some(row) = found.next()? {
        let cells = (1..=columns.len()).map(|column| Ok(cell(row.get_ref(column)?)));
        all.push((row.get(0)?, cells.collect::<Result<_, rusqlite::Error>>()?));
    }
    Ok(all)
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Int(number),
        // There are none in any of our tables; kept as what it looks like.
        ValueRef::Real(number) => Cell::Text(number.to_string()),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
    }
}
