//! A copy of the database while it is written to, and whether a copy is whole.
//!
//! Needs no daemon, and disturbs none: it reads as one more reader does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askuser_core::time::Timestamp;
use askuser_system::disk;
use rusqlite::Connection;

use super::error::OpenError;
use super::{migrate, open};
use crate::chain::{self, Chain, Link};
use crate::db::{Local, at_once};
use crate::fail::Fail;
use crate::sql::{facts, replay};
use crate::{Head, Served, StoreError, Verified};

/// Faults of a database that are told, at most.
const FAULTS_MAX: u32 = 5;

/// How a database was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Soundness {
    /// What SQLite finds wrong with the file; nothing where it is sound.
    pub faults: Vec<String>,
    /// How far the chain of facts holds.
    pub chain: Verified,
    /// Whether what is served is what the facts say; none where that was not looked at.
    pub served: Option<Served>,
    /// When the latest fact came to be.
    pub latest: Option<Timestamp>,
}

impl Soundness {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
            && self.chain.broken.is_none()
            && self.served.as_ref().is_none_or(Served::is_whole)
    }

    /// Returns what is wrong, in words.
    pub fn told(&self) -> String {
        let broken = self.chain.broken.as_ref();
        let broken =
            broken.map(|broken| format!("the chain breaks at fact {}: {}", broken.number, broken.fault));
        let served = self.served.iter().flat_map(|served| &served.differences);
        let served = served.take(FAULTS_MAX as usize).map(ToString::to_string);
        self.faults.iter().cloned().chain(broken).chain(served).collect::<Vec<_>>().join("; ")
    }
}

/// Why there is no copy. Nothing is left of one.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be read.
    #[error(transparent)]
    From(#[from] OpenError),
    /// Something is there already.
    #[error("{} is there already; name a file that is not", .0.display())]
    Taken(PathBuf),
    /// The copy cannot be written.
    #[error("{} cannot be written: {source}", .path.display())]
    NotWritten {
        /// The copy.
        path: PathBuf,
        source: io::Error,
    },
    /// It was written, and is not whole.
    #[error("the copy is not whole: {0}")]
    NotSound(String),
    /// It could not be read back.
    #[error("the copy cannot be read back: {0}")]
    Unread(String),
}

/// Copies the database as it is at this moment, checks the copy, and only then gives it its name.
pub fn backup(database: &Path, copy: &Path) -> Result<Soundness, BackupError> {
    if copy.exists() {
        return Err(BackupError::Taken(copy.to_owned()));
    }
    let source = open::look(database)?;
    let part = part_of(copy);
    // Whoever asked for a copy knows nothing of the part.
    let write = |part: &Path| {
        write(&source, part).map_err(|error| match error {
            BackupError::NotWritten { source, .. } => not_written(copy, source),
            other => other,
        })
    };
    let made = write(&part).and_then(|()| check(&part)).and_then(|sound| {
        fs::rename(&part, copy)
            .and_then(|()| disk::flush_name(copy))
            .map_err(|source| not_written(copy, source))?;
        Ok(sound)
    });
    if made.is_err() {
        // Half a copy is worse than none; where it cannot be removed, nothing can be.
        let _removed = fs::remove_file(&part);
    }
    made
}

/// Looks a whole database over: its pages, its indexes, the chain of facts, and whether what is served is
/// what they say. The last only in a database of today's schema: an older one is brought forward first.
pub fn soundness(database: &Path) -> Result<Soundness, BackupError> {
    let db = Local::new(open::look(database)?);
    let sound = as_written(&db)?;
    let is_of_today = migrate::is_of_today(&db.get()).map_err(|error| unread(error.into()))?;
    let served = is_of_today.then(|| at_once(replay::served_here(db.db())).map_err(unread)).transpose()?;
    Ok(Soundness { served, ..sound })
}

/// What a copy has to have: its pages, its indexes and the chain of facts. Also one of a database that
/// somebody changed is a copy worth having.
fn as_written(db: &Local) -> Result<Soundness, BackupError> {
    Ok(Soundness {
        faults: faults(&db.get()).map_err(|error| unread(error.into()))?,
        chain: at_once(async { Ok(chain::verify(&File(db), 1).await?) }).map_err(unread)?,
        served: None,
        latest: at_once(facts::latest(db.db())).map_err(unread)?,
    })
}

/// The chain of facts in a file, of today's schema or of one before.
struct File<'a>(&'a Local);

/// The links of the chain where facts name sessions and asks by their place in the table, as once.
const LINKS_BY_PLACE: &str =
    "SELECT f.number, f.at, f.kind, f.salt, coalesce(f.payload, b.body), f.digest, f.hash, s.id, a.id
    FROM fact f LEFT JOIN session s ON s.n = f.session LEFT JOIN ask a ON a.n = f.ask
    LEFT JOIN ask_body b ON f.kind = 'asked' AND f.salt IS NOT NULL AND b.n = f.ask
    WHERE f.number > ?1 AND f.number <= ?2 ORDER BY f.number LIMIT ?3";

impl Chain for File<'_> {
    async fn head(&self) -> Result<Head, StoreError> {
        facts::head(self.0.db()).await.map_err(Fail::told)
    }

    async fn before(&self, number: u64) -> Result<Option<Head>, StoreError> {
        facts::before(self.0.db(), number).await.map_err(Fail::told)
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        let by_place = self.0.get().prepare("SELECT n FROM ask_body LIMIT 0").is_ok();
        let sql = if by_place { LINKS_BY_PLACE } else { facts::LINKS };
        facts::links(self.0.db(), sql, after, upto).await.map_err(Fail::told)
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        facts::beyond(self.0.db()).await.map_err(Fail::told)
    }
}

fn unread(error: Fail) -> BackupError {
    BackupError::Unread(error.told().to_string())
}

fn part_of(copy: &Path) -> PathBuf {
    let mut name = copy.as_os_str().to_owned();
    name.push(format!(".part-{}", std::process::id()));
    PathBuf::from(name)
}

fn not_written(path: &Path, source: io::Error) -> BackupError {
    BackupError::NotWritten { path: path.to_owned(), source }
}

/// One reading of the database as it is now, whatever is written meanwhile, packed tight.
fn write(source: &Connection, part: &Path) -> Result<(), BackupError> {
    // An empty file that is there is taken, with its mode: everybody's answers are in it.
    open::private_file(part).map_err(|source| not_written(part, source))?;
    let path = part.to_str().ok_or_else(|| {
        not_written(part, io::Error::new(io::ErrorKind::InvalidInput, "its name is not text"))
    })?;
    let copied = source.execute("VACUUM INTO ?1", [path]);
    // SQLite flushes it, by what it is told of the database itself.
    copied.map_err(|error| not_written(part, io::Error::other(error.to_string()))).map(drop)
}

fn check(part: &Path) -> Result<Soundness, BackupError> {
    let sound = as_written(&Local::new(open::look(part)?))?;
    if sound.is_sound() { Ok(sound) } else { Err(BackupError::NotSound(sound.told())) }
}

fn faults(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = db.prepare(&format!("PRAGMA integrity_check({FAULTS_MAX})"))?;
    let told = statement.query_map([], |row| row.get::<_, String>(0))?;
    told.filter(|line| line.as_ref().map_or(true, |line| line != "ok")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{Options, Sqlite};
    use askuser_core::limits::DeskLimits;

    #[test]
    fn a_copy_is_made_beside_a_writer_and_what_is_there_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (database, copy) = (folder.path().join("desk.db"), folder.path().join("copy.db"));
        let _store = Sqlite::open(&database, &Options::new(DeskLimits::default(), Timestamp(0))).unwrap();
        assert!(backup(&database, &copy).unwrap().is_sound());
        let before = fs::read(&copy).unwrap();
        assert!(matches!(backup(&database, &copy), Err(BackupError::Taken(_))));
        assert_eq!(fs::read(&copy).unwrap(), before);
        let nowhere = folder.path().join("none").join("copy.db");
        assert!(matches!(backup(&database, &nowhere), Err(BackupError::NotWritten { .. })));
        assert!(matches!(
            backup(&folder.path().join("other.db"), &folder.path().join("x")),
            Err(BackupError::From(_))
        ));
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().contains("part")), "{left:?}");
    }

    #[test]
    fn a_damaged_database_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("desk.db");
        drop(Sqlite::open(&database, &Options::new(DeskLimits::default(), Timestamp(0))).unwrap());
        assert!(soundness(&database).unwrap().is_sound());
        let db = Connection::open(&database).unwrap();
        db.execute("UPDATE head SET number = 7", []).unwrap();
        drop(db);
        let found = soundness(&database).unwrap();
        assert!(!found.is_sound() && found.told().contains("the chain breaks at fact"), "{}", found.told());
        assert!(matches!(backup(&database, &folder.path().join("c")), Err(BackupError::NotSound(_))));
    }
}
