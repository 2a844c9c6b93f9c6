//! What lies in the data folder: the lock, who holds it, the keys, the log, the database.
//!
//! Two locks, both the system's, which end with their process, so nothing here can be stale. One on
//! `askuser.lock` says that a daemon owns the folder. One on `daemon.json` itself says that whoever
//! wrote these very words is alive: a daemon that has just taken a folder over is never mistaken for
//! the one before it, whose words still lie there.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use askuser_system::disk;
use serde::{Deserialize, Serialize};

/// The data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home(PathBuf);

/// The daemon of a data folder, as it says itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// Where it listens.
    pub url: String,
    /// The Unix socket for this machine's own commands; none where there is none.
    pub socket: Option<PathBuf>,
    pub pid: u32,
    pub version: String,
    /// Whether a command started it that needed one, and the next would start it just so again.
    #[serde(default)]
    pub by_itself: bool,
}

/// What a data folder says about its daemon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerState {
    /// One is there and takes calls.
    Running(Running),
    /// One holds the lock and has not said yet where it listens.
    Starting,
    /// None is there, and the last one ended in good order, or there never was one.
    Nobody,
    /// None is there, and the last one left without a word.
    Crashed,
}

impl Home {
    /// Takes a data folder, which need not be there.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// Returns the folder itself.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns the file whose lock says that a daemon owns the folder.
    pub fn lock(&self) -> PathBuf {
        self.0.join("askuser.lock")
    }

    /// Returns the file in which the daemon says where it listens.
    pub fn daemon_json(&self) -> PathBuf {
        self.0.join("daemon.json")
    }

    /// Returns the Unix socket of the daemon, where its path is short enough.
    pub fn socket(&self) -> PathBuf {
        self.0.join("askuser.sock")
    }

    /// Returns the log of a daemon in the background.
    pub fn log(&self) -> PathBuf {
        self.0.join("askuser.log")
    }

    /// Returns the database.
    pub fn database(&self) -> PathBuf {
        self.0.join("askuser.db")
    }

    /// Returns the file with the server's own name.
    pub fn server(&self) -> PathBuf {
        self.0.join("askuser.server")
    }

    /// Returns the file with the page's own host name.
    pub fn page_host(&self) -> PathBuf {
        self.0.join("askuser.page-host")
    }

    /// Returns the file of the configuration.
    pub fn config(&self) -> PathBuf {
        self.0.join("config.yaml")
    }

    /// Returns the file of the person's rules.
    pub fn rules(&self) -> PathBuf {
        self.0.join("rules.yaml")
    }

    /// Returns the folder of the person's templates.
    pub fn templates(&self) -> PathBuf {
        self.0.join("templates")
    }

    /// Returns the folder of the transcripts that were taken in, one below it a person.
    pub fn transcripts(&self) -> PathBuf {
        self.0.join("transcripts")
    }

    /// Returns the folder of what tasks leave behind: their long messages.
    pub fn tasks(&self) -> PathBuf {
        self.0.join("tasks")
    }

    /// Returns the folder of the MCP sessions that are known again after a restart.
    pub fn mcp_sessions(&self) -> PathBuf {
        self.folder().join("mcp-sessions")
    }

    /// Returns the folder of the certificate that the desk made for itself.
    pub fn tls(&self) -> PathBuf {
        self.0.join("tls")
    }

    /// Returns the folder of the keys.
    pub fn keys(&self) -> PathBuf {
        self.0.join("keys")
    }

    /// Returns the folder of the keys that are one agent's own, each in a file by its name.
    pub fn agent_keys(&self) -> PathBuf {
        self.keys().join("agents")
    }

    /// Looks for the daemon: reads one small file and tries its lock, and the folder's where nobody
    /// holds that.
    pub fn look(&self) -> ServerState {
        let words = File::open(self.daemon_json()).ok();
        let said = words.as_ref().and_then(|file| Running::read(&io::read_to_string(file).ok()?));
        match (words.as_ref().is_some_and(is_locked), said) {
            (true, Some(running)) => ServerState::Running(running),
            (_, said) => match (self.is_held(), said) {
                (true, _) => ServerState::Starting,
                (false, Some(_)) => ServerState::Crashed,
                (false, None) => ServerState::Nobody,
            },
        }
    }

    /// Returns the daemon that is alive and takes calls.
    pub fn running(&self) -> Option<Running> {
        match self.look() {
            ServerState::Running(running) => Some(running),
            ServerState::Starting | ServerState::Nobody | ServerState::Crashed => None,
        }
    }

    /// Whether a daemon holds the lock.
    pub fn is_held(&self) -> bool {
        File::open(self.lock()).is_ok_and(|file| is_locked(&file))
    }

    /// Returns what `daemon.json` says, whoever wrote it.
    pub fn said(&self) -> Option<Running> {
        Running::read(&std::fs::read_to_string(self.daemon_json()).ok()?)
    }
}

/// Whether somebody owns a file. Asked with a shared lock: many may look at once, and only for a
/// moment.
fn is_locked(file: &File) -> bool {
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

impl Running {
    fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns it as `daemon.json` holds it.
    pub fn write(&self) -> String {
        format!("{}\n", serde_json::to_string(self).unwrap_or_default())
    }
}

/// Writes a file of the data folder whole or not at all, readable by its owner only.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    write_then(path, text, |_| Ok(())).map(drop)
}

/// The same, and locked before anybody sees it, for as long as the file that comes back is open.
pub fn write_locked(path: &Path, text: &str) -> io::Result<File> {
    write_then(path, text, |file| Ok(file.try_lock()?))
}

fn write_then(path: &Path, text: &str, then: impl FnOnce(&File) -> io::Result<()>) -> io::Result<File> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let new = path.with_extension(format!("new-{}", std::process::id()));
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let moved = written.and_then(|()| then(&file)).and_then(|()| std::fs::rename(&new, path));
    let moved = moved.and_then(|()| disk::flush_name(path));
    if moved.is_err() {
        // Half a file is worse than none; where it cannot be removed, nothing can be.
        let _removed = std::fs::remove_file(&new);
    }
    moved.map(|()| file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_daemon_is_there_as_long_as_its_lock_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path());
        assert_eq!(home.look(), ServerState::Nobody);
        let lock = File::create(home.lock()).unwrap();
        lock.try_lock().unwrap();
        assert_eq!(home.look(), ServerState::Starting);
        let running = Running {
            url: "http://127.0.0.1:1".into(),
            socket: Some(home.socket()),
            pid: 7,
            version: "0.1.0".into(),
            by_itself: true,
        };
        let words = write_locked(&home.daemon_json(), &running.write()).unwrap();
        assert_eq!(home.look(), ServerState::Running(running));
        // Somebody else owns the folder, and has not taken away yet what the dead one said. Unlocked and not just
        // dropped: a child that another test starts at this moment has the file open until it is its own program.
        words.unlock().unwrap();
        assert_eq!(home.look(), ServerState::Starting);
        lock.unlock().unwrap();
        assert_eq!(home.look(), ServerState::Crashed);
        std::fs::write(home.daemon_json(), "{\"url\":").unwrap();
        assert_eq!(home.look(), ServerState::Nobody);
    }

    #[test]
    fn a_private_file_is_the_owners_alone_and_replaces_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        for text in ["first\n", "second\n"] {
            write_private(&path, text).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
