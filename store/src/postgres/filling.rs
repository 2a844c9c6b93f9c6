//! A database that is being filled from another store. Until it is whole, no server starts on it.

use std::fmt::Write as _;

use askuser_core::hex::hex;
use askuser_core::time::Timestamp;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};

use super::db::signed;
use super::error::{OpenError, words};
use super::migrate;
use super::open::Way;
use crate::fail::Fail;
use crate::moving::{Cell, Holds, MoveError, Table};
use crate::{Head, StoreError};

/// A database that is being filled.
pub(crate) struct Filling {
    client: Client,
}

/// The mark of a database that is not whole yet, and what it is filled from.
const MARK: &str = "CREATE TABLE IF NOT EXISTS half_moved (source TEXT NOT NULL)";

impl Filling {
    /// Takes an empty database, or goes on with one that is half filled from the same desk.
    pub(crate) async fn begin(address: &str, source: &Head, now: Timestamp) -> Result<Self, MoveError> {
        let way = Way::read(address)?;
        let away = |what: String| OpenError::Away { place: way.place.clone(), what };
        let (mut client, _driving) = way.connect(None).await.map_err(|error| away(words(&error)))?;
        migrate::run(&mut client, &way.place, now).await?;
        let source = name(source);
        let found = client.query_opt("SELECT to_regclass('half_moved') IS NOT NULL, number FROM head", &[]);
        let found = found.await.map_err(sql)?;
        let (is_half, number) = found.map_or((false, 0), |row| (row.get::<_, bool>(0), row.get::<_, i64>(1)));
        if is_half {
            let begun = client.query_opt("SELECT source FROM half_moved LIMIT 1", &[]).await.map_err(sql)?;
            if begun.is_some_and(|row| row.get::<_, String>(0) != source) {
                return Err(MoveError::AnotherSource(way.place));
            }
        } else {
            let used = client.query_one("SELECT EXISTS (SELECT 1 FROM person)", &[]).await.map_err(sql)?;
            if number > 0 || used.get(0) {
                return Err(MoveError::NotEmpty(way.place));
            }
            let tx = client.transaction().await.map_err(sql)?;
            tx.batch_execute(MARK).await.map_err(sql)?;
            tx.execute("INSERT INTO half_moved VALUES ($1)", &[&source]).await.map_err(sql)?;
            tx.commit().await.map_err(sql)?;
        }
        Ok(Self { client })
    }

    /// The number up to which a table was copied before.
    pub(crate) async fn copied_up_to(&self, table: &Table) -> Result<i64, StoreError> {
        let Some(column) = table.copied else { return Ok(i64::MIN) };
        let asked = format!("SELECT max({column}) FROM {}", table.name);
        let found = self.client.query_one(&asked, &[]).await.map_err(sql)?;
        Ok(found.get::<_, Option<i64>>(0).unwrap_or(i64::MIN))
    }

    /// Adds rows; those that are there already stay as they are.
    pub(crate) async fn add(&self, table: &Table, rows: Vec<Vec<Cell>>) -> Result<(), StoreError> {
        let (mut names, mut values, mut arrays) = (String::new(), String::new(), String::new());
        let mut columns: Vec<Box<dyn ToSql + Sync + Send>> = Vec::new();
        for (place, (name, holds, _)) in table.columns.iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            let array = match holds {
                Holds::Int | Holds::Small | Holds::YesNo => "BIGINT",
                Holds::Text => "TEXT",
                Holds::Bytes => "BYTEA",
            };
            let cast = match holds {
                Holds::Small => "::SMALLINT",
                Holds::YesNo => "::INT::BOOLEAN",
                Holds::Int | Holds::Text | Holds::Bytes => "",
            };
            // Writing to a string does not fail.
            let _ = write!(names, "{comma}{name}");
            let _ = write!(values, "{comma}row.c{place}{cast}");
            let _ = write!(arrays, "{comma}${}::{array}[]", place + 1);
            let cells = rows.iter().filter_map(|row| row.get(place));
            columns.push(match holds {
                Holds::Text => Box::new(cells.map(|cell| cell.text().map(str::to_owned)).collect::<Vec<_>>()),
                Holds::Bytes => {
                    Box::new(cells.map(|cell| cell.bytes().map(<[u8]>::to_vec)).collect::<Vec<_>>())
                }
                Holds::Int | Holds::Small | Holds::YesNo => {
                    Box::new(cells.map(Cell::int).collect::<Vec<_>>())
                }
            });
        }
        let aliases: Vec<String> = (0..table.columns.len()).map(|place| format!("c{place}")).collect();
        let insert = format!(
            "INSERT INTO {} ({names}) SELECT {values} FROM unnest({arrays}) AS row ({}) ON CONFLICT DO NOTHING",
            table.name,
            aliases.join(", ")
        );
        let params: Vec<&(dyn ToSql + Sync)> = columns.iter().map(|column| &**column as _).collect();
        self.client.execute(&insert, &params).await.map_err(sql)?;
        Ok(())
    }

    /// Reads rows back, passing over so many.
    pub(crate) async fn cells(
        &self,
        table: &Table,
        passed: usize,
        most: usize,
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        let column = |(name, holds, _): &(&str, Holds, &str)| match holds {
            Holds::Small => format!("{name}::BIGINT"),
            Holds::YesNo => format!("{name}::INT::BIGINT"),
            Holds::Int | Holds::Text | Holds::Bytes => (*name).to_owned(),
        };
        let columns: Vec<String> = table.columns.iter().map(column).collect();
        // Nobody writes meanwhile, so the order of the rows on the disk stays what it is.
        let asked = format!(
            "SELECT {} FROM {} ORDER BY {} OFFSET {passed} LIMIT {most}",
            columns.join(", "),
            table.name,
            table.copied.unwrap_or("ctid")
        );
        let found = self.client.query(&asked, &[]).await.map_err(sql)?;
        found.iter().map(|row| read(table, row)).collect()
    }

    /// Makes it a desk: sets the heads, lets new rows come after the old ones, and takes the mark away.
    pub(crate) async fn finish(&mut self, head: &Head, events: &Head) -> Result<(), StoreError> {
        let tx = self.client.transaction().await.map_err(sql)?;
        for (table, head) in [("head", head), ("security_head", events)] {
            let set = format!("UPDATE {table} SET number = $1, hash = $2 WHERE id = 1");
            tx.execute(&set, &[&signed(head.number), &&head.hash[..]]).await.map_err(sql)?;
        }
        for table in ["session", "ask", "access_key", "task"] {
            let set = format!(
                "SELECT setval(pg_get_serial_sequence('{table}', 'n'), (SELECT coalesce(max(n), 0) + 1 FROM {table}))"
            );
            tx.execute(&set, &[]).await.map_err(sql)?;
        }
        tx.batch_execute("DROP TABLE half_moved").await.map_err(sql)?;
        tx.commit().await.map_err(sql)
    }
}

fn read(table: &Table, row: &Row) -> Result<Vec<Cell>, StoreError> {
    let mut cells = Vec::with_capacity(table.columns.len());
    for (place, (_, holds, _)) in table.columns.iter().enumerate() {
        let cell = match holds {
            Holds::Int | Holds::Small | Holds::YesNo => {
                row.try_get::<_, Option<i64>>(place).map(|it| it.map(Cell::Int))
            }
            Holds::Text => row.try_get::<_, Option<String>>(place).map(|it| it.map(Cell::Text)),
            Holds::Bytes => row.try_get::<_, Option<Vec<u8>>>(place).map(|it| it.map(Cell::Bytes)),
        };
        cells.push(cell.map_err(sql)?.unwrap_or(Cell::Null));
    }
    Ok(cells)
}

/// The desk that it is filled from, as it stands.
fn name(head: &Head) -> String {
    format!("{} {}", head.number, hex(&head.hash))
}

/// Whether a database is being filled.
pub(super) async fn is_half(client: &Client) -> Result<bool, tokio_postgres::Error> {
    Ok(client.query_one("SELECT to_regclass('half_moved') IS NOT NULL", &[]).await?.get(0))
}

fn sql(error: tokio_postgres::Error) -> StoreError {
    Fail::Postgres(error).told()
}
