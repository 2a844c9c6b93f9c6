//! Moves a desk from SQLite to PostgreSQL, table by table, page by page.
//!
//! What was copied before is passed over, so it can be run again after whatever stopped it. In the end
//! both are read once more and compared row by row, and the chains of facts and of security events are walked:
//! only then is the new one a desk that a server starts on.

use std::fmt;
use std::path::Path;

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::NoDatabase;
use sha2::{Digest, Sha256};

use super::db::{Cell, Database, Db, Row, cells};
use super::fail::Fail;
use super::postgres;
use super::postgres::filling::Filling;
use super::sqlite::{self, Sqlite};
use super::{AuditStore, FactStore, Head, Store, StoreError};

/// The tables, in the order in which they are copied: who is named comes before what names them. What the heads say
/// comes last, when everything is there.
pub(super) const TABLES: [&str; 18] = [
    "person",
    "access_key",
    "cookie",
    "login_link",
    "answer_link",
    "nudge",
    "browser",
    "push_key",
    "made_rule",
    "confirmed_rule",
    "watched_file",
    "session",
    "ask",
    "ask_body",
    "ask_question",
    "task",
    "fact",
    "security_event",
];

/// A table and the columns that it has in both databases: those of the new one.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: Vec<String>,
}

impl Table {
    /// Returns the names of its columns, for SQL.
    pub(super) fn names(&self) -> String {
        self.columns.join(", ")
    }

    /// Returns the column that orders its rows in both, where one does. In SQLite that is its row's number.
    pub(super) fn number(&self) -> Option<&str> {
        self.columns.iter().map(String::as_str).find(|name| ["n", "number"].contains(name))
    }
}

/// A value on its way from one database to the other.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<Cell<'_>> for Value {
    fn from(cell: Cell<'_>) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Int(number) => Self::Int(number),
            Cell::Text(text) => Self::Text(text.to_owned()),
            Cell::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Cell::Id(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}

impl<'a> From<&'a Value> for Cell<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Int(number) => Self::Int(*number),
            Value::Text(text) => Self::Text(text),
            Value::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

/// Rows that are copied in one transaction.
const PAGE: usize = 2000;

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The tables, each with its rows.
    pub tables: Vec<(&'static str, u64)>,
    /// The latest fact, the same in both.
    pub head: Head,
    /// The latest security event, the same in both.
    pub events: Head,
}

/// Why it could not be moved. Each says what to do.
#[derive(Debug)]
pub enum MoveError {
    /// The old one cannot be opened.
    From(sqlite::OpenError),
    /// The new one cannot be opened.
    To(postgres::OpenError),
    /// Reading or writing failed on the way.
    Store(StoreError),
    /// There is a desk already.
    NotEmpty(String),
    /// Another desk was being moved there, or this one has changed since.
    AnotherSource(String),
    /// What was copied is not what was there.
    Differs { table: &'static str, what: String },
}

impl MoveError {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = NoDatabase(language);
        match self {
            Self::From(error) => error.said(language),
            Self::To(error) => error.said(language),
            Self::Store(error) => said.broke_off(error),
            Self::NotEmpty(place) => said.not_empty(place),
            Self::AnotherSource(place) => said.another_source(place),
            Self::Differs { table, what } => said.differs(table, what),
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Language::English))
    }
}

impl std::error::Error for MoveError {}

impl From<sqlite::OpenError> for MoveError {
    fn from(error: sqlite::OpenError) -> Self {
        Self::From(error)
    }
}

impl From<postgres::OpenError> for MoveError {
    fn from(error: postgres::OpenError) -> Self {
        Self::To(error)
    }
}

impl From<StoreError> for MoveError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Moves the desk in this file to the database at this address; `tell` hears how far it is.
pub async fn move_over(
    from: &Path,
    to: &str,
    now: Timestamp,
    mut tell: impl FnMut(&'static str, u64),
) -> Result<Moved, MoveError> {
    let options = sqlite::Options::new(DeskLimits::default(), now);
    // As long as it is open, no daemon can have it.
    let old = Sqlite::open(from, &options)?;
    let head = old.head().await?;
    let events = old.events_head().await?;
    let mut new = Filling::begin(to, &head, now).await?;
    let mut tables = Vec::new();
    for name in TABLES {
        let table = new.table(name).await?;
        let mut after = new.copied_up_to(&table).await?;
        loop {
            let rows = page(&old, &table, after, PAGE).await?;
            let Some((last, _)) = rows.last() else { break };
            after = *last;
            new.add(&table, rows).await?;
            tell(name, after.unsigned_abs());
        }
        tables.push((name, compare(&old, &new, &table).await?));
    }
    new.finish(&head, &events).await?;
    let there = verified(to, now).await?;
    for (table, is_same) in [("fact", there.0 == head), ("security_event", there.1 == events)] {
        if !is_same {
            let what = "its chain does not end where the old one does".to_owned();
            return Err(MoveError::Differs { table, what });
        }
    }
    old.close().await?;
    Ok(Moved { tables, head, events })
}

/// The next rows of a table in SQLite, each with its number.
async fn page(
    old: &Sqlite,
    table: &Table,
    after: i64,
    most: usize,
) -> Result<Vec<(i64, Vec<Value>)>, StoreError> {
    let sql = format!(
        "SELECT rowid, {} FROM {} WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        table.names(),
        table.name
    );
    let given = (sql, after, most, table.columns.len());
    let rows = old.read(given, |db, (sql, after, most, n_columns)| {
        Box::pin(async move {
            let read = |row: &Row<'_>| {
                let values = (1..=*n_columns).map(|column| Ok(row.cell(column)?.into()));
                Ok((row.get(0)?, values.collect::<Result<Vec<Value>, Fail>>()?))
            };
            db.rows(sql, cells![*after, *most], read).await
        })
    });
    rows.await
}

/// Reads both once more; returns how many rows there are.
async fn compare(old: &Sqlite, new: &Filling, table: &Table) -> Result<u64, MoveError> {
    let sql = format!("SELECT {} FROM {}", table.names(), table.name);
    let n_columns = table.columns.len();
    let were =
        old.read((sql.clone(), n_columns), |db, (sql, n_columns)| Box::pin(Sum::of(db, sql, *n_columns)));
    let (were, are) = (were.await?, Sum::of(new.db(), &sql, n_columns).await.map_err(Fail::told)?);
    if were.n_rows != are.n_rows {
        let what = format!("{} rows became {}", were.n_rows, are.n_rows);
        return Err(MoveError::Differs { table: table.name, what });
    }
    if were.hash != are.hash {
        let what = "the contents of its rows".to_owned();
        return Err(MoveError::Differs { table: table.name, what });
    }
    Ok(were.n_rows)
}

/// Stands for all rows of a table, in whatever order they come.
#[derive(Default)]
struct Sum {
    n_rows: u64,
    hash: [u8; 32],
}

impl Sum {
    /// Reads a whole table, and keeps none of it.
    async fn of(db: Db<'_>, sql: &str, n_columns: usize) -> Result<Self, Fail> {
        let mut sum = Self::default();
        db.each(sql, &[], |row| sum.take(row, n_columns)).await?;
        Ok(sum)
    }

    fn take(&mut self, row: &Row<'_>, n_columns: usize) -> Result<(), Fail> {
        let mut digest = Sha256::new();
        for column in 0..n_columns {
            let cell = row.cell(column)?;
            let number;
            // Each value with its kind and its length, so that no two rows look the same.
            let (kind, bytes): (u8, &[u8]) = match &cell {
                Cell::Null => (0, &[]),
                Cell::Int(value) => {
                    number = value.to_be_bytes();
                    (1, &number)
                }
                Cell::Text(text) => (2, text.as_bytes()),
                Cell::Bytes(bytes) => (3, bytes),
                Cell::Id(bytes) => (3, bytes),
            };
            digest.update([kind]);
            digest.update((bytes.len() as u64).to_be_bytes());
            digest.update(bytes);
        }
        // Added up, each row stands for itself: two stores order the same bytes differently.
        let mut carry = 0_u16;
        for (sum, byte) in self.hash.iter_mut().zip(digest.finalize()) {
            let added = u16::from(*sum) + u16::from(byte) + carry;
            *sum = added.to_le_bytes()[0];
            carry = added >> 8;
        }
        self.n_rows += 1;
        Ok(())
    }
}

/// Walks the chains of the new desk, of facts and of security events, as a server would find them.
async fn verified(to: &str, now: Timestamp) -> Result<(Head, Head), MoveError> {
    let store = postgres::Postgres::open(to, &postgres::Options::new(DeskLimits::default(), now)).await?;
    let (facts, events) = (store.verify(1).await?, store.verify_events().await?);
    store.close().await?;
    for (table, verified) in [("fact", &facts), ("security_event", &events)] {
        if let Some(broken) = &verified.broken {
            let what = format!("number {} {}", broken.number, broken.fault);
            return Err(MoveError::Differs { table, what });
        }
    }
    Ok((facts.upto, events.upto))
}

#[cfg(test)]
mod tests;
