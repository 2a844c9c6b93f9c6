//! Moves a desk from SQLite to PostgreSQL, table by table, page by page.
//!
//! What was copied before is passed over, so it can be run again after whatever stopped it. In the end
//! both are read once more and compared row by row, and the chains of facts and of security events are walked:
//! only then is the new one a desk that a server starts on.

mod tables;
mod cell;

use std::fmt;
use std::path::Path;

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::NoDatabase;
use sha2::{Digest, Sha256};

use super::postgres;
use super::postgres::filling::Filling;
use super::sqlite::{self, Sqlite};
use super::{AuditStore, Head, Store, StoreError};
use tables::TABLES;

pub(super) use cell::Cell;
pub(super) use tables::{Holds, Table};

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
    Differs {
        /// The table.
        table: &'static str,
        /// How.
        what: String,
    },
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
    for table in TABLES {
        let mut after = new.copied_up_to(table).await?;
        loop {
            let rows = old.cells(table, after, PAGE).await?;
            let Some((last, _)) = rows.last() else { break };
            after = *last;
            new.add(table, rows.into_iter().map(|(_, cells)| cells).collect()).await?;
            tell(table.name, after.unsigned_abs());
        }
        tables.push((table.name, compare(&old, &new, table).await?));
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

/// Reads both once more; returns how many rows there are.
async fn compare(old: &Sqlite, new: &Filling, table: &'static Table) -> Result<u64, MoveError> {
    let (mut were, mut are) = (Sum::default(), Sum::default());
    let mut after = i64::MIN;
    loop {
        let rows = old.cells(table, after, PAGE).await?;
        let Some((last, _)) = rows.last() else { break };
        after = *last;
        were.take(rows.iter().map(|(_, cells)| cells));
    }
    let mut passed = 0;
    loop {
        let rows = new.cells(table, passed, PAGE).await?;
        if rows.is_empty() {
            break;
        }
        passed += rows.len();
        are.take(rows.iter());
    }
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
    fn take<'a>(&mut self, rows: impl Iterator<Item = &'a Vec<Cell>>) {
        for row in rows {
            let mut digest = Sha256::new();
            for cell in row {
                cell.digest(&mut digest);
            }
            // Added up, each row stands for itself: two stores order the same bytes differently.
            let mut carry = 0_u16;
            for (sum, byte) in self.hash.iter_mut().zip(digest.finalize()) {
                let added = u16::from(*sum) + u16::from(byte) + carry;
                *sum = added.to_le_bytes()[0];
                carry = added >> 8;
            }
            self.n_rows += 1;
        }
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
