//! What goes wrong with SQLite, in the words of a store.

use std::fmt;
use std::path::PathBuf;

use askuser_words::Language;
use askuser_words::commands::NoDatabase;
use rusqlite::ErrorCode;

use crate::StoreError;

/// Why a database could not be opened. Each says what to do.
#[derive(Debug)]
pub enum OpenError {
    /// The folder cannot be made or written to.
    NotWritable {
        /// The folder or the file.
        path: PathBuf,
        source: std::io::Error,
    },
    /// Another program has it open.
    InUse(PathBuf),
    /// It is not a database, or is damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite or we found.
        what: String,
    },
    /// It is somebody else's database.
    NotOurs(PathBuf),
    /// A newer program wrote it.
    Newer {
        /// The file.
        path: PathBuf,
        schema: u32,
        /// The newest that this program knows.
        known: u32,
        /// Which version wrote it.
        wrote: String,
    },
    /// This program was built with a SQLite that can corrupt a database in WAL mode.
    OldSqlite(&'static str),
    /// Anything else: a full disk, an I/O error.
    Failed {
        /// The file.
        path: PathBuf,
        what: String,
    },
}

impl OpenError {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = NoDatabase(language);
        match self {
            Self::NotWritable { path, source } => said.not_writable(path.display(), source),
            Self::InUse(path) => said.in_use(path.display()),
            Self::Damaged { path, what } => said.damaged(path.display(), what),
            Self::NotOurs(path) => said.not_ours(path.display()),
            Self::Newer { path, schema, known, wrote } => {
                said.newer(path.display(), wrote, schema, env!("CARGO_PKG_VERSION"), known)
            }
            Self::OldSqlite(version) => said.old_sqlite(version),
            Self::Failed { path, what } => said.not_opened(path.display(), what),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Language::English))
    }
}

impl std::error::Error for OpenError {}

/// Says a failure in the words of a store.
pub(crate) fn told(error: &rusqlite::Error) -> StoreError {
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

pub(crate) fn is_odd_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    )
}
