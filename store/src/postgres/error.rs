//! What goes wrong with PostgreSQL, in the words of a store.

use std::fmt;

use askuser_words::Language;
use askuser_words::commands::NoDatabase;
use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::error::{Error as SqlError, SqlState};

use crate::StoreError;
use crate::fail::Fail;

/// Why a database could not be opened. Each says what to do.
#[derive(Debug)]
pub enum OpenError {
    /// The address makes no sense.
    Address(String),
    /// The certificates of this system cannot be read.
    Certificates(String),
    /// It is not who it should be.
    Certificate {
        /// Where, without the password.
        place: String,
        what: String,
    },
    /// It does not encrypt, and the address wants it to.
    Unencrypted {
        /// Where, without the password.
        place: String,
    },
    /// It is not there, or does not let us in.
    Away {
        /// Where, without the password.
        place: String,
        what: String,
    },
    /// A newer program wrote it.
    Newer {
        place: String,
        schema: i64,
        /// The newest that this program knows.
        known: i64,
        /// Which version wrote it.
        wrote: String,
    },
    /// Its schema is not what was released under its number.
    Altered { place: String, schema: i64 },
    /// A desk is being moved into it.
    HalfMoved { place: String },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Language::English))
    }
}

impl std::error::Error for OpenError {}

impl OpenError {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = NoDatabase(language);
        match self {
            Self::Address(what) => said.bad_address(what),
            Self::Certificates(what) => said.no_certificates(what),
            Self::Certificate { place, what } => said.bad_certificate(place, what),
            Self::Unencrypted { place } => said.unencrypted(place),
            Self::Away { place, what } => said.away(place, what),
            Self::Newer { place, schema, known, wrote } => {
                said.newer(place, wrote, schema, env!("CARGO_PKG_VERSION"), known)
            }
            Self::Altered { place, schema } => said.altered(place, schema),
            Self::HalfMoved { place } => said.half_moved(place),
        }
    }

    /// Why a first connection could not be made. What waiting does not mend is told at once.
    pub(super) fn at(place: &str, error: &SqlError) -> Self {
        let (place, what) = (place.to_owned(), words(error));
        if let Some((_, what)) = what.split_once("invalid peer certificate: ") {
            return Self::Certificate { place, what: what.to_owned() };
        }
        if what.contains("server does not support TLS") {
            return Self::Unencrypted { place };
        }
        Self::Away { place, what }
    }
}

impl From<PoolError> for Fail {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => Self::NoConnection(words(&error)),
            PoolError::Timeout(TimeoutType::Wait) => {
                Self::NoConnection("every connection to the database is at work".to_owned())
            }
            PoolError::Timeout(_) => Self::NoConnection("the database does not answer".to_owned()),
            PoolError::Closed => Self::Told(closed()),
            other @ (PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_)) => {
                Self::NoConnection(other.to_string())
            }
        }
    }
}

/// Says a failure in the words of a store.
pub(crate) fn told(error: &SqlError) -> StoreError {
    match kind(error) {
        // What we wrote does not fit what we wrote it into, or what stands there is not ours.
        Kind::Row | Kind::Schema => StoreError::Damaged(words(error)),
        Kind::Full if error.code() == Some(&SqlState::DISK_FULL) => StoreError::Full(words(error)),
        Kind::Again | Kind::Away | Kind::Full => StoreError::Unavailable(words(error)),
    }
}

impl Fail {
    /// What is to be done about it.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Told(_) | Self::Undo(_) | Self::Sqlite(_) => Kind::Row,
            Self::NoConnection(_) => Kind::Away,
            Self::Postgres(error) => kind(error),
        }
    }
}

/// What is to be done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One row breaks a rule: the others of its batch are done without it.
    Row,
    /// Two got in each other's way: do it over.
    Again,
    /// The connection is gone: do it over with another.
    Away,
    /// No room, no memory: nobody's work can be done now.
    Full,
    /// A table or a column is not what we expect.
    Schema,
}

fn kind(error: &SqlError) -> Kind {
    if error.is_closed() {
        return Kind::Away;
    }
    let Some(state) = error.code() else {
        // An answer that cannot be read as what it should be; or the connection broke.
        let odd = error.to_string().starts_with("error deserializing");
        return if odd { Kind::Row } else { Kind::Away };
    };
    match *state {
        SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::LOCK_NOT_AVAILABLE => Kind::Again,
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        // A copy that was the original: another connection finds that.
        | SqlState::READ_ONLY_SQL_TRANSACTION
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => Kind::Away,
        _ => match &state.code()[..2] {
            "08" => Kind::Away,
            "22" | "23" => Kind::Row,
            "42" | "3D" | "3F" | "XX" => Kind::Schema,
            _ => Kind::Full,
        },
    }
}

/// The words of the database itself, where it said any.
pub(super) fn words(error: &SqlError) -> String {
    use std::error::Error as _;
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => format!("{} ({})", said.message(), said.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

pub(super) fn closed() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}
