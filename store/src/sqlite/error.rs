//! What goes wrong with SQLite, in the words of a store.

use std::path::PathBuf;

use askuser_core::decide::Refusal;
use rusqlite::ErrorCode;

use crate::StoreError;

/// Why a database could not be opened. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be made or written to.
    #[error("{} cannot be written: {source}; choose another data folder, or make it writable", .path.display())]
    NotWritable {
        /// The folder or the file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another program has it open.
    #[error("{} is in use by another askuser; `askuser status` shows it, `askuser stop` ends it", .0.display())]
    InUse(PathBuf),
    /// It is not a database, or is damaged.
    #[error("{} is not a database or is damaged ({what}); restore a backup, or move it away to begin anew", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite or we found.
        what: String,
    },
    /// It is somebody else's database.
    #[error("{} is a database of another program; choose another data folder", .0.display())]
    NotOurs(PathBuf),
    /// A newer program wrote it.
    #[error("{} was written by askuser {wrote} (schema {schema}), this is askuser {own} (schema {known}); upgrade askuser", .path.display(), own = env!("CARGO_PKG_VERSION"))]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        schema: u32,
        /// The newest that this program knows.
        known: u32,
        /// Which version wrote it.
        wrote: String,
    },
    /// This program was built with a SQLite that can corrupt a database in WAL mode.
    #[error("SQLite {0} is too old: before 3.51.3 it can damage a database; build with the bundled one")]
    OldSqlite(&'static str),
    /// Anything else: a full disk, an I/O error.
    #[error("{} cannot be opened: {what}", .path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What.
        what: String,
    },
}

/// Why a piece of work was not done.
#[derive(Debug)]
pub(super) enum Fail {
    /// Only this one, and before it wrote anything: the others of its batch go on.
    Told(StoreError),
    /// Only this one, but it may have written: the batch is undone and the others are done over.
    Undo(StoreError),
    /// The database failed: nobody's work is kept.
    Sql(rusqlite::Error),
}

impl From<rusqlite::Error> for Fail {
    fn from(error: rusqlite::Error) -> Self {
        // A value that is not what its column holds is one row's damage, not the database's.
        if is_odd_value(&error) {
            Self::Told(StoreError::Damaged(error.to_string()))
        } else {
            Self::Sql(error)
        }
    }
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

impl Fail {
    pub(super) fn told(self) -> StoreError {
        match self {
            Self::Told(error) | Self::Undo(error) => error,
            Self::Sql(error) => told(&error),
        }
    }

    /// Says that something may have been written before it failed.
    pub(super) fn after_writing(self) -> Self {
        match self {
            Self::Told(error) => Self::Undo(error),
            Self::Undo(_) | Self::Sql(_) => self,
        }
    }

    /// Whether it is the fault of one piece of work alone: also where a row breaks a rule of the
    /// schema.
    pub(super) fn is_of_one(&self) -> bool {
        match self {
            Self::Told(_) | Self::Undo(_) => true,
            Self::Sql(error) => error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation),
        }
    }
}

/// Says a failure in the words of a store.
pub(super) fn told(error: &rusqlite::Error) -> StoreError {
    let damaged = matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch)
    );
    let what = error.to_string();
    match error {
        _ if damaged || is_odd_value(error) => StoreError::Damaged(what),
        _ if is_full(error) => StoreError::Full(what),
        _ => StoreError::Unavailable(what),
    }
}

/// Whether the disk takes no more. Beyond a quota, or a limit on the size of files, SQLite only says that
/// it could not write.
fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| {
        error.code == ErrorCode::DiskFull || error.extended_code == rusqlite::ffi::SQLITE_IOERR_WRITE
    })
}

fn is_odd_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    )
}
