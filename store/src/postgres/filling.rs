//! A database that is being filled from another store. Until it is whole, no server starts on it.

use askuser_core::hex::hex;
use askuser_core::time::Timestamp;
use deadpool_postgres::ClientWrapper;
use futures_util::future::try_join_all;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

use super::db::signed;
use super::error::{OpenError, words};
use super::migrate;
use super::open::Way;
use crate::db::{Cell, Db, cells};
use crate::fail::Fail;
use crate::moving::{MoveError, Table, Value};
use crate::{Head, StoreError};

/// A database that is being filled.
pub(crate) struct Filling {
    client: ClientWrapper,
}

/// The mark of a database that is not whole yet, and what it is filled from.
const MARK: &str = "CREATE TABLE IF NOT EXISTS half_moved (source TEXT NOT NULL)";

impl Filling {
    /// Takes an empty database, or goes on with one that is half filled from the same desk.
    pub(crate) async fn begin(address: &str, source: &Head, now: Timestamp) -> Result<Self, MoveError> {
        let way = Way::read(address)?;
        let away = |what: String| OpenError::Away { place: way.place.clone(), what };
        let (mut client, driving) = way.connect(None).await.map_err(|error| away(words(&error)))?;
        migrate::run(&mut client, &way.place, now).await?;
        let mut client = ClientWrapper::new(client, driving);
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

    /// Returns the way to ask it.
    pub(crate) fn db(&self) -> Db<'_> {
        Db::Postgres(&self.client)
    }

    /// Returns a table with its columns.
    pub(crate) async fn table(&self, name: &'static str) -> Result<Table, StoreError> {
        let asked = "SELECT column_name::TEXT FROM information_schema.columns
             WHERE table_schema = current_schema() AND table_name = ?1 ORDER BY ordinal_position";
        let columns = self.db().rows(asked, cells![name], |row| row.get(0)).await.map_err(Fail::told)?;
        Ok(Table { name, columns })
    }

    /// Returns the number up to which a table was copied before.
    pub(crate) async fn copied_up_to(&self, table: &Table) -> Result<i64, StoreError> {
        let Some(number) = table.number() else { return Ok(i64::MIN) };
        let asked = format!("SELECT max({number}) FROM {}", table.name);
        let found: Option<i64> = self.db().value(&asked, &[]).await.map_err(Fail::told)?;
        Ok(found.unwrap_or(i64::MIN))
    }

    /// Adds rows, all of them or none; those that are there already stay as they are.
    pub(crate) async fn add(
        &mut self,
        table: &Table,
        rows: Vec<(i64, Vec<Value>)>,
    ) -> Result<(), StoreError> {
        let places: Vec<String> = (1..=table.columns.len()).map(|place| format!("${place}")).collect();
        let insert = format!(
            "INSERT INTO {} ({}) VALUES ({}) ON CONFLICT DO NOTHING",
            table.name,
            table.names(),
            places.join(", ")
        );
        let statement = self.client.prepare_cached(&insert).await.map_err(sql)?;
        let tx = self.client.transaction().await.map_err(sql)?;
        // Each goes out without waiting for the one before it.
        let adding = rows.iter().map(async |(_, values)| {
            let cells: Vec<Cell<'_>> = values.iter().map(Cell::from).collect();
            let given: Vec<&(dyn ToSql + Sync)> = cells.iter().map(|cell| cell as _).collect();
            tx.execute(&statement, &given).await
        });
        try_join_all(adding).await.map_err(sql)?;
        tx.commit().await.map_err(sql)
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
