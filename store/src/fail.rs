//! Why a piece of work was not done, whichever database it was for.

use askuser_core::decide::Refusal;
use rusqlite::ErrorCode;

use super::StoreError;
use super::{postgres, sqlite};

/// Why a piece of work was not done.
#[derive(Debug)]
pub(crate) enum Fail {
    /// Only this one, and before it wrote anything: the others of its batch go on.
    Told(StoreError),
    /// Only this one, but it may have written: the batch is undone and the others are done over.
    Undo(StoreError),
    /// SQLite failed: nobody's work is kept.
    Sqlite(rusqlite::Error),
    /// PostgreSQL said no to a statement, or went away.
    Postgres(tokio_postgres::Error),
    /// There was no connection to be had.
    NoConnection(String),
}

impl From<StoreError> for Fail {
    fn from(error: StoreError) -> Self {
        Self::Told(error)
    }
}

impl From<Refusal> for Fail {
    fn from(refusal: Refusal) -> Self {
        Self::Told(refusal.into())
    }
}

impl From<rusqlite::Error> for Fail {
    fn from(error: rusqlite::Error) -> Self {
        // A value that is not what its column holds is one row's damage, not the database's.
        if sqlite::is_odd_value(&error) {
            Self::Told(StoreError::Damaged(error.to_string()))
        } else {
            Self::Sqlite(error)
        }
    }
}

impl From<tokio_postgres::Error> for Fail {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Postgres(error)
    }
}

impl Fail {
    /// Returns it in the words of a store.
    pub(crate) fn told(self) -> StoreError {
        match self {
            Self::Told(error) | Self::Undo(error) => error,
            Self::Sqlite(error) => sqlite::told(&error),
            Self::Postgres(error) => postgres::told(&error),
            Self::NoConnection(what) => StoreError::Unavailable(what),
        }
    }

    /// Says that something may have been written before it failed.
    pub(crate) fn after_writing(self) -> Self {
        match self {
            Self::Told(error) => Self::Undo(error),
            Self::Undo(_) | Self::Sqlite(_) | Self::Postgres(_) | Self::NoConnection(_) => self,
        }
    }

    /// Whether it is the fault of one piece of work alone: also where a row breaks a rule of the schema.
    pub(crate) fn is_of_one(&self) -> bool {
        match self {
            Self::Told(_) | Self::Undo(_) => true,
            Self::Sqlite(error) => error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation),
            Self::Postgres(_) | Self::NoConnection(_) => false,
        }
    }
}
