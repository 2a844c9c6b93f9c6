//! Owning a data folder: making it, locking it, saying in it who we are.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::error::StartError;
use askuser_client::home::{Home, Running, write_locked};
use askuser_system::disk;

/// Callers that look for a daemon hold the lock for a moment, shared with one another: as long may
/// it take to get it.
const LOOKERS: Duration = Duration::from_millis(500);

/// A data folder that is ours until this is dropped. The system takes the locks back whatever
/// happens to us, so one that a crash left behind is simply taken.
#[derive(Debug)]
pub(super) struct Owned {
    home: Home,
    _lock: File,
    /// The folder itself, locked as well: a file can be removed while it is locked, and the next one would
    /// lock another. None where the system does not lock folders.
    _folder: Option<File>,
}

/// What we said, locked by us: it counts until this is dropped.
#[derive(Debug)]
#[must_use]
pub(super) struct Claim {
    lock: File,
}

impl Owned {
    /// Makes the folder where it is not there, and takes its lock.
    pub(super) fn take(home: &Home) -> Result<Self, StartError> {
        make(home.folder()).map_err(|source| not_writable(home.folder(), source))?;
        let owned = || StartError::Owned { folder: home.folder().to_owned(), owner: home.said() };
        let path = home.lock();
        let until = Instant::now() + LOOKERS;
        let lock = loop {
            let lock =
                File::options().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
            let lock = lock.map_err(|source| not_writable(&path, source))?;
            match lock.try_lock() {
                // Somebody may have removed it before it was locked.
                Ok(()) if is_at(&lock, &path) => break lock,
                Ok(()) if Instant::now() < until => {}
                Err(TryLockError::WouldBlock) if only_lookers(&lock) && Instant::now() < until => {
                    sleep(Duration::from_millis(1));
                }
                Ok(()) | Err(TryLockError::WouldBlock) => return Err(owned()),
                Err(TryLockError::Error(source)) => return Err(not_writable(&path, source)),
            }
        };
        let folder = File::open(home.folder()).map_err(|source| not_writable(home.folder(), source))?;
        let folder = match folder.try_lock() {
            Ok(()) => Some(folder),
            Err(TryLockError::WouldBlock) => return Err(owned()),
            // Not every file system knows this; then the two files have to do.
            Err(TryLockError::Error(_)) => None,
        };
        // Whoever holds what it said is alive, whatever became of its other lock.
        if home.running().is_some() {
            return Err(owned());
        }
        let owned = Self { home: home.clone(), _lock: lock, _folder: folder };
        // What the one before us said counts no more.
        owned.remove_words()?;
        Ok(owned)
    }

    /// Says where we listen. From here on we are found, for as long as the words are kept.
    pub(super) fn say(&self, running: &Running) -> Result<Claim, StartError> {
        let path = self.home.daemon_json();
        let lock = write_locked(&path, &running.write()).map_err(|source| not_writable(&path, source))?;
        Ok(Claim { lock })
    }

    /// Takes that back, as the last thing before the lock goes; and leaves what somebody else said.
    pub(super) fn say_nothing(&self, words: &Claim) -> Result<(), StartError> {
        if is_at(&words.lock, &self.home.daemon_json()) { self.remove_words() } else { Ok(()) }
    }

    fn remove_words(&self) -> Result<(), StartError> {
        let path = self.home.daemon_json();
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(not_writable(&path, source)),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Whether an open file is still the one that is found under its name.
fn is_at(file: &File, path: &Path) -> bool {
    let place = |found: io::Result<fs::Metadata>| found.map(|found| (found.dev(), found.ino())).ok();
    let ours = place(file.metadata());
    ours.is_some() && ours == place(fs::metadata(path))
}

/// Whether the lock is held by those who look for a daemon, and by no daemon. One that is refused
/// must not wait and come to life later, when the other was stopped on purpose.
fn only_lookers(lock: &File) -> bool {
    let shared = lock.try_lock_shared().is_ok();
    shared && lock.unlock().is_ok()
}

/// Makes the folder for its owner alone. One that holds nothing but ours is closed to others as
/// well; what else lies in a folder is its owner's business.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    disk::make_folder(folder, 0o700)?;
    let ours = |name: &str| name.starts_with("askuser.") || ["daemon.json", "keys", "tls"].contains(&name);
    let mut names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name());
    let only_ours = names.all(|name| name.to_str().is_some_and(ours));
    let mode = fs::metadata(folder)?.permissions().mode();
    if only_ours && mode & 0o077 != 0 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

pub(super) fn not_writable(path: &Path, source: io::Error) -> StartError {
    StartError::NotWritable { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_client::home::ServerState;

    #[test]
    fn a_folder_has_one_owner_and_a_stale_lock_is_taken() {
        let outer = tempfile::tempdir().unwrap();
        let home = Home::new(outer.path().join("new/askuser"));
        let owned = Owned::take(&home).unwrap();
        assert_eq!(fs::metadata(home.folder()).unwrap().permissions().mode() & 0o777, 0o700);
        let running = Running {
            url: "http://127.0.0.1:9".into(),
            socket: None,
            pid: 4711,
            version: "0.1.0".into(),
            by_itself: false,
        };
        let words = owned.say(&running).unwrap();
        let refused = Owned::take(&home).unwrap_err();
        assert!(refused.to_string().contains("process 4711 at http://127.0.0.1:9"), "{refused}");
        // As a crash leaves it: the locks gone, the words still there.
        drop((owned, words));
        assert_eq!(home.look(), ServerState::Crashed);
        let _again = Owned::take(&home).unwrap();
        assert_eq!(home.look(), ServerState::Starting);
    }

    /// A daemon that was refused removed what the one said that runs, where its lock file had been removed;
    /// with both lock files gone, a second one began on the same database.
    #[test]
    fn a_folder_without_its_lock_files_has_one_owner_still() {
        let outer = tempfile::tempdir().unwrap();
        let home = Home::new(outer.path().join("askuser"));
        let owned = Owned::take(&home).unwrap();
        let running = Running {
            url: "http://127.0.0.1:9".into(),
            socket: None,
            pid: 4711,
            version: "0.1.0".into(),
            by_itself: false,
        };
        let words = owned.say(&running).unwrap();
        fs::remove_file(home.lock()).unwrap();
        let refused = Owned::take(&home).unwrap_err();
        assert!(refused.to_string().contains("process 4711"), "{refused}");
        assert_eq!(home.look(), ServerState::Running(running.clone()), "it is found as before");
        // Without what it said, too.
        for gone in [home.lock(), home.daemon_json()] {
            fs::remove_file(gone).unwrap();
        }
        Owned::take(&home).unwrap_err();
        // What another said meanwhile is not removed in the end.
        let other = write_locked(&home.daemon_json(), &running.write()).unwrap();
        owned.say_nothing(&words).unwrap();
        assert_eq!(home.look(), ServerState::Running(running));
        drop((owned, words, other));
        let _next = Owned::take(&home).unwrap();
    }

    #[test]
    fn a_folder_with_other_things_in_it_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("letters.txt"), "").unwrap();
        let _owned = Owned::take(&Home::new(folder.path())).unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o755);
    }
}
