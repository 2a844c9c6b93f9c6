//! The only file that opens the database.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_system::disk;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::OpenError;
use super::migrate;
use super::room::LOG_BYTES_MAX;

/// The first SQLite without the bug that can corrupt a database when its log is reset.
const SQLITE_MIN: i32 = 3_051_003;
/// `ASKU`: tells our databases from others.
const APPLICATION_ID: i32 = 0x4153_4b55;
/// What is read of a log at a time.
const LOG_PIECE: usize = 1024 * 1024;
/// Statements that a connection keeps prepared.
const STATEMENTS_MAX: usize = 64;

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the desk allows: handed to every decision.
    pub limits: DeskLimits,
    /// The time, for the record of migrations.
    pub now: Timestamp,
    /// Connections that read beside the writer.
    pub n_readers: usize,
    /// Session bytes that the writer keeps in memory (D7).
    pub hot_bytes_max: usize,
    /// Sessions that the writer keeps in memory.
    pub hot_sessions_max: usize,
}

impl Options {
    /// Returns the usual ones.
    pub fn new(limits: DeskLimits, now: Timestamp) -> Self {
        Self { limits, now, n_readers: 3, hot_bytes_max: 100 * 1024 * 1024, hot_sessions_max: 100_000 }
    }
}

/// Where a database lives.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// In a file.
    File(PathBuf),
    /// In memory, under a name of this process.
    Memory(String),
}

impl Place {
    pub(super) fn memory() -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        Self::Memory(format!("file:/askuser-{}?vfs=memdb", COUNTER.fetch_add(1, Ordering::Relaxed)))
    }

    pub(super) fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Memory(name) => PathBuf::from(name),
        }
    }
}

/// The connections of one store.
pub(super) struct Opened {
    pub(super) writer: Connection,
    pub(super) readers: Vec<Connection>,
    /// The writer's log, to be flushed; none where the database is in memory.
    pub(super) log: Option<File>,
    /// Held as long as the writer lives.
    pub(super) lock: Option<File>,
}

/// Opens a database, or makes it.
pub(super) fn open(place: &Place, options: &Options) -> Result<Opened, OpenError> {
    if rusqlite::version_number() < SQLITE_MIN {
        return Err(OpenError::OldSqlite(rusqlite::version()));
    }
    let lock = match place {
        Place::File(path) => Some(prepare_file(path)?),
        Place::Memory(_) => None,
    };
    let log = log_path(place)?;
    if let Some(path) = &log {
        flush_again(path).map_err(|source| OpenError::NotWritable { path: path.clone(), source })?;
    }
    let failed = |error: rusqlite::Error| explain(place.path(), &error);
    let mut writer =
        connect(place, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE).map_err(failed)?;
    ours(&writer, place)?;
    set_up_writer(&writer, place).map_err(failed)?;
    migrate::run(&mut writer, &place.path(), options.now)?;
    let readers = (0..options.n_readers.max(1)).map(|_| reader(place)).collect::<Result<_, _>>();
    // It is there from the first transaction to the last connection.
    let log = log.map(|path| open_log(&path).map_err(|source| OpenError::NotWritable { path, source }));
    Ok(Opened { writer, readers: readers.map_err(failed)?, log: log.transpose()?, lock })
}

/// Returns where SQLite writes its log: beside the file itself, also where we were given a link to it.
fn log_path(place: &Place) -> Result<Option<PathBuf>, OpenError> {
    let Place::File(path) = place else { return Ok(None) };
    let real = fs::canonicalize(path);
    let real = real.map_err(|source| OpenError::NotWritable { path: path.clone(), source })?;
    let mut name = real.into_os_string();
    name.push("-wal");
    Ok(Some(PathBuf::from(name)))
}

fn open_log(path: &Path) -> io::Result<File> {
    // Also for writing: some systems flush nothing else.
    File::options().read(true).write(true).open(path)
}

/// Flushes the log that another process left, before anybody reads it. It may have been killed between
/// writing and flushing, or its flush may have failed; the system says so once, and from then on takes
/// what it did not write for written. So the same bytes are written again.
fn flush_again(path: &Path) -> io::Result<()> {
    let mut log = match open_log(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        log => log?,
    };
    let (mut piece, mut at) = (vec![0; LOG_PIECE], 0);
    loop {
        let n_read = log.read(&mut piece)?;
        if n_read == 0 {
            return if at > 0 { log.sync_data() } else { Ok(()) };
        }
        log.seek(SeekFrom::Start(at))?;
        log.write_all(&piece[..n_read])?;
        at += n_read as u64;
    }
}

fn connect(place: &Place, flags: OpenFlags) -> rusqlite::Result<Connection> {
    // No mutex: every connection is used by one thread at a time.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match place {
        Place::File(path) => Connection::open_with_flags(path, flags)?,
        Place::Memory(name) => Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI)?,
    };
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    // Without it SQLite plans a statement anew for every value that might suit a partial index
    // better: measured at a tenth of the writer's time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "busy_timeout", 5000)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "cache_size", -65536)?;
    Ok(connection)
}

fn set_up_writer(writer: &Connection, place: &Place) -> rusqlite::Result<()> {
    if let Place::File(_) = place {
        // Without a log of its own nothing of it would be flushed.
        writer.pragma_update_and_check(None, "journal_mode", "wal", |row| {
            match row.get_ref(0)?.as_str()? {
                "wal" => Ok(()),
                _ => Err(rusqlite::Error::InvalidQuery),
            }
        })?;
    }
    // What was acknowledged survives a loss of power, not only of the program (invariant 2): SQLite
    // writes the log, and we flush it before anybody is answered, while the next batch is written.
    writer.pragma_update(None, "synchronous", "normal")?;
    // Under load the log is written back when it is nearly as long as it may stay: each time costs
    // two flushes for which everybody waits.
    writer.pragma_update(None, "wal_autocheckpoint", 16_000)?;
    writer.pragma_update(None, "journal_size_limit", LOG_BYTES_MAX)?;
    // It works at the ends of its tables: more pages would only be memory that is new each time.
    writer.pragma_update(None, "cache_size", -16384)?;
    // What is erased is overwritten where that costs no extra writing.
    writer.pragma_update(None, "secure_delete", "fast")?;
    writer.pragma_update(None, "application_id", APPLICATION_ID)
}

fn reader(place: &Place) -> rusqlite::Result<Connection> {
    let reader = connect(place, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    reader.pragma_update(None, "query_only", true)?;
    Ok(reader)
}

/// Opens a database that is there to be read, whoever else has it open.
pub(super) fn look(path: &Path) -> Result<Connection, OpenError> {
    let place = Place::File(path.to_owned());
    let db =
        connect(&place, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(|error| explain(place.path(), &error))?;
    ours(&db, &place)?;
    Ok(db)
}

/// Refuses a database that somebody else's program made.
fn ours(writer: &Connection, place: &Place) -> Result<(), OpenError> {
    let look = |sql: &str| writer.query_row(sql, [], |row| row.get::<_, i32>(0));
    let failed = |error: rusqlite::Error| explain(place.path(), &error);
    let n_tables = look("SELECT count(*) FROM sqlite_schema").map_err(failed)?;
    let id = look("PRAGMA application_id").map_err(failed)?;
    if n_tables > 0 && id != APPLICATION_ID { Err(OpenError::NotOurs(place.path())) } else { Ok(()) }
}

/// Makes the folder and the file, closed to others, and takes the lock beside it. SQLite gives its
/// other files the mode of the first.
fn prepare_file(path: &Path) -> Result<File, OpenError> {
    let not_writable = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| OpenError::NotWritable { path, source }
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        // Only a folder that we make is closed to others: one that was there is its owner's business.
        disk::make_folder(folder, 0o700).map_err(not_writable(folder))?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock_path = PathBuf::from(name);
    let lock = private_file(&lock_path).map_err(not_writable(&lock_path))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Err(OpenError::InUse(path.to_owned())),
        Err(fs::TryLockError::Error(source)) => return Err(not_writable(&lock_path)(source)),
    }
    private_file(path).map_err(not_writable(path))?;
    Ok(lock)
}

#[cfg(unix)]
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let file = File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

#[cfg(not(unix))]
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Says why SQLite would not, and what to do.
pub(super) fn explain(path: PathBuf, error: &rusqlite::Error) -> OpenError {
    let what = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => OpenError::InUse(path),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => OpenError::Damaged { path, what },
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            OpenError::NotWritable { path, source: io::Error::other(what) }
        }
        _ => OpenError::Failed { path, what },
    }
}
