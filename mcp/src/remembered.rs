//! MCP sessions that outlive the daemon. A client that was given a session goes on using it after a restart, and
//! some wait for their own timer where it is not known; so what each began with is kept, a file a session. So are its
//! calls, until they are answered or cancelled: a client that comes back for the stream of one finds it made again.
//!
//! Where a file cannot be written or read, the client begins anew, as with any server.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use rmcp::model::{ClientJsonRpcMessage, RequestId};
use rmcp::transport::streamable_http_server::session::{SessionState, SessionStore, SessionStoreError};
use serde::{Deserialize, Serialize};

use super::json_rpc::is_request;
use super::sessions::{SESSIONS_MAX, caller};

/// Sessions of a daemon that is long gone are not kept.
const KEPT_FOR: Duration = Duration::from_hours(24 * 7);
/// As the SDK makes them: letters, digits and hyphens, so that an id is never a path.
const ID_CHARS_MAX: usize = 64;

/// The sessions below a folder.
#[derive(Debug, Clone)]
pub(super) struct Remembered(PathBuf);

#[derive(Serialize, Deserialize)]
struct Kept {
    /// The key that began it.
    owner: String,
    state: SessionState,
}

impl Remembered {
    /// Keeps them in this folder, and forgets those that are too old or too many, with their calls.
    pub(super) fn new(folder: PathBuf) -> Self {
        let kept = Self(folder);
        let files = fs::read_dir(&kept.0).into_iter().flatten().flatten();
        let paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
        let sessions = paths.iter().filter(|path| path.extension().is_none());
        let mut sessions: Vec<(SystemTime, &Path)> = sessions
            .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path.as_path())))
            .filter(|(at, _)| !at.elapsed().is_ok_and(|age| age > KEPT_FOR))
            .collect();
        sessions.sort();
        let newest: HashSet<&Path> =
            sessions.iter().rev().take(SESSIONS_MAX).map(|(_, path)| *path).collect();
        for path in paths.iter().filter(|path| !newest.contains(path.with_extension("").as_path())) {
            remove(path);
        }
        kept
    }

    /// Forgets a session that has ended.
    pub(super) fn forget(&self, id: &str) {
        if let Some(path) = self.path(id) {
            self.calls(id).keys().for_each(|stream| self.forget_call(id, stream));
            remove(&path);
        }
    }

    /// Keeps a call of a session until it is answered, by the name of its stream.
    pub(super) fn keep_call(&self, id: &str, stream: &str, call: &ClientJsonRpcMessage) {
        let (Some(path), Ok(text)) = (self.call_path(id, stream), serde_json::to_string(call)) else {
            return;
        };
        if let Err(error) = write(&path, &text) {
            tracing::warn!("A call of an MCP client would not outlive the daemon: {error}");
        }
    }

    /// Forgets a call that was answered.
    pub(super) fn forget_call(&self, id: &str, stream: &str) {
        if let Some(path) = self.call_path(id, stream) {
            remove(&path);
        }
    }

    /// Forgets a call that was cancelled, by its own id: it gets no answer.
    pub(super) fn forget_cancelled(&self, id: &str, request: &RequestId) {
        for (stream, call) in self.calls(id) {
            if is_request(&call, request) {
                self.forget_call(id, &stream);
            }
        }
    }

    /// Returns the calls of a session that were never answered, by the names of their streams.
    pub(super) fn calls(&self, id: &str) -> HashMap<String, ClientJsonRpcMessage> {
        let files = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let calls = files.filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            let stream = name.strip_prefix(id)?.strip_prefix('.')?.to_owned();
            Some((stream, serde_json::from_slice(&fs::read(file.path()).ok()?).ok()?))
        });
        calls.collect()
    }

    fn call_path(&self, id: &str, stream: &str) -> Option<PathBuf> {
        let is_number =
            !stream.is_empty() && stream.len() <= 20 && stream.bytes().all(|it| it.is_ascii_digit());
        let path = self.path(id).filter(|_| is_number)?;
        Some(path.with_extension(stream))
    }

    fn path(&self, id: &str) -> Option<PathBuf> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let is_id = !id.is_empty() && id.len() <= ID_CHARS_MAX && id.bytes().all(is_plain);
        is_id.then(|| self.0.join(id))
    }

    fn read(&self, id: &str) -> Option<Kept> {
        serde_json::from_slice(&fs::read(self.path(id)?).ok()?).ok()
    }

    fn write(&self, id: &str, kept: &Kept) -> Result<(), SessionStoreError> {
        let Some(path) = self.path(id) else { return Ok(()) };
        fs::create_dir_all(&self.0)?;
        Ok(write(&path, &serde_json::to_string(kept)?)?)
    }
}

/// Not flushed: after a power cut clients begin anew.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

fn remove(path: &Path) {
    // What is not there any more need not be removed.
    let _removed = fs::remove_file(path);
}

#[async_trait]
impl SessionStore for Remembered {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        // The session of another key is none.
        let owner = caller();
        Ok(self.read(id).filter(|kept| Some(&kept.owner) == owner.as_ref()).map(|kept| kept.state))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let Some(owner) = caller() else { return Ok(()) };
        self.write(id, &Kept { owner, state: state.clone() })
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        self.forget(id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a file that was written so many minutes ago.
    fn put(folder: &Path, name: &str, minutes: u64) {
        let file = File::create(folder.join(name)).unwrap();
        let now = file.metadata().unwrap().modified().unwrap();
        file.set_modified(now - Duration::from_mins(minutes)).unwrap();
    }

    #[test]
    fn a_session_that_makes_room_takes_its_calls_along_and_calls_take_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for number in 0..SESSIONS_MAX {
            put(path, &format!("s{number:03}"), 10);
            put(path, &format!("s{number:03}.0"), 9);
        }
        let count = || fs::read_dir(path).unwrap().count();
        Remembered::new(path.to_owned());
        assert_eq!(count(), 2 * SESSIONS_MAX, "no more sessions than there may be");
        put(path, "newer", 1);
        put(path, "nobodys.7", 0);
        Remembered::new(path.to_owned());
        let is_there = |name: &str| path.join(name).exists();
        assert!(is_there("newer") && !is_there("nobodys.7"));
        assert_eq!(count(), 2 * SESSIONS_MAX - 1, "one session with its call");
        put(path, "newer.1", 0);
        let week = 7 * 24 * 60;
        put(path, "newer", week + 1);
        Remembered::new(path.to_owned());
        assert!(!is_there("newer") && !is_there("newer.1"), "too old");
    }
}
