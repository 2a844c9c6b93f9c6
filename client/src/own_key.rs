//! A key of its own for the agent that comes: made up here, kept in a file of the data folder that only its owner
//! reads, and let in by the desk, which is told its digest.
//!
//! It lies beside its name until the desk has it. So whoever is killed in between is taken up again by the next
//! start, and of two that start at once both end with the same key.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askuser_core::hex::hex;
use sha2::{Digest, Sha256};

use super::error::ClientError;
use super::home::{Home, write_private};
use super::keys::read;
use super::{Client, Location};
use askuser_api::access::{AddOwnKey, OwnKey, OwnKeyOf, RenewOwnKey};
use askuser_core::command::KeyRole;
use askuser_system::disk;
use askuser_words::commands::Unreachable;
use askuser_words::{Both, both};

impl Client {
    /// Says which agent comes: with a key of its own, where it has one.
    #[must_use]
    pub fn by_agent(mut self, name: Option<&str>) -> Self {
        self.keys.by_agent(name);
        self
    }

    /// Gets the agent that comes a key of its own, where it is known and has none. Where that does not work, it
    /// comes with the key that all agents of this machine share, and `askuser doctor` says so.
    pub async fn get_own_key(&self) -> Result<(), ClientError> {
        // A desk elsewhere has given the key that it wants to see.
        let (Location::Folder(_), Some((agent, home))) = (&self.location, self.keys.own()) else {
            return Ok(());
        };
        if home.agent_keys().join(agent).exists() {
            return Ok(());
        }
        let mut shared = self.keys.clone();
        shared.by_agent(None);
        shared.find(KeyRole::Agent)?;
        let file = OwnKeyFile::prepare(home, agent)?;
        let by = Self { keys: shared, ..self.clone() };
        let own = OwnKey { agent: agent.to_owned(), digest: file.digest.clone() };
        match by.call::<AddOwnKey>(KeyRole::Agent).body(&own).send().await {
            // Another start of the same agent was quicker; what lies in waiting now may be a third one's.
            Ok(_) if file.path.exists() || !file.is_waiting() => Ok(()),
            Ok(_) => file.keep(),
            Err(error) => {
                // Where the desk does not want it now, the next start asks again with the same one.
                if !error.may_pass() {
                    file.drop();
                }
                Err(error)
            }
        }
    }

    /// The same before an ask: that it did not work keeps nobody from asking.
    pub(super) async fn try_own_key(&self) {
        // In a place of its own: it is done once, and would be carried along by every ask.
        let _tried = Box::pin(self.get_own_key()).await;
    }

    /// Gives an agent another key of its own, and revokes the one that it had: by an admin's key.
    pub async fn renew_own_key(&self, home: &Home, agent: &str) -> Result<PathBuf, ClientError> {
        let file = OwnKeyFile::prepare(home, agent)?;
        let own = OwnKeyOf { agent: agent.to_owned(), digest: file.digest.clone(), user: None };
        self.call::<RenewOwnKey>(KeyRole::Admin).body(&own).send().await?;
        let path = file.path.clone();
        file.keep()?;
        Ok(path)
    }
}

/// The file of a key that the desk does not know yet.
struct OwnKeyFile {
    /// Where it will be looked for.
    path: PathBuf,
    /// Where it lies until then.
    waiting: PathBuf,
    digest: String,
}

impl OwnKeyFile {
    /// Makes a key up, unless one lies there from an earlier start.
    fn prepare(home: &Home, agent: &str) -> Result<Self, ClientError> {
        let folder = home.agent_keys();
        let (path, waiting) = (folder.join(agent), folder.join(format!("{agent}.new")));
        let no_key = |why: Both| ClientError::NoKey { role: "agent", why };
        let failed =
            |error: io::Error| no_key(both(|said: Unreachable| said.not_written(waiting.display(), &error)));
        if !waiting.exists() {
            disk::make_folder(&folder, 0o700).map_err(failed)?;
            put_once(&waiting).map_err(failed)?;
        }
        let digest = hex(&Sha256::digest(read(&waiting).map_err(no_key)?));
        Ok(Self { path, waiting, digest })
    }

    /// Whether it still lies where it was put.
    fn is_waiting(&self) -> bool {
        read(&self.waiting).is_ok_and(|secret| hex(&Sha256::digest(secret)) == self.digest)
    }

    /// The desk has it: from now on the agent comes with it.
    fn keep(self) -> Result<(), ClientError> {
        match fs::rename(&self.waiting, &self.path).and_then(|()| disk::flush_name(&self.path)) {
            Err(error) if !self.path.exists() => {
                let why = both(|said: Unreachable| said.not_written(self.path.display(), &error));
                Err(ClientError::NoKey { role: "agent", why })
            }
            // Another start of the same agent was quicker, with the same key.
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn drop(self) {
        // It opens nothing; where it cannot be removed, it is in nobody's way.
        let _removed = fs::remove_file(self.waiting);
    }
}

/// Writes a new secret to a file that must not be there; one that somebody else just wrote stays.
fn put_once(path: &Path) -> io::Result<()> {
    let (mut bytes, mut unique) = ([0; 32], [0; 8]);
    for random in [&mut bytes[..], &mut unique[..]] {
        getrandom::fill(random).map_err(|_| io::Error::other("the system has no randomness"))?;
    }
    // Threads of one program may do this at once: a file of its own for each.
    let own = path.with_file_name(format!(".{}", hex(&unique)));
    write_private(&own, &format!("askuser_agent_{}\n", hex(&bytes)))?;
    // Whole or not at all, and never over another's: a link fails where there is a file.
    let linked = fs::hard_link(&own, path);
    fs::remove_file(&own)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        // The desk may learn of it next: then it has to be there.
        Ok(()) | Err(_) => disk::flush_name(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn starts_at_once_and_a_start_that_was_killed_end_with_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path());
        let digests: Vec<String> = std::thread::scope(|scope| {
            let starts =
                [(); 8].map(|()| scope.spawn(|| OwnKeyFile::prepare(&home, "codex").unwrap().digest));
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        let again = OwnKeyFile::prepare(&home, "codex").unwrap();
        assert!(digests.iter().all(|digest| *digest == again.digest), "{digests:?}");
        let late = OwnKeyFile::prepare(&home, "codex").unwrap();
        again.keep().unwrap();
        late.keep().unwrap();
        let names: Vec<_> =
            fs::read_dir(home.agent_keys()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["codex"]);
        let mode = fs::metadata(home.agent_keys().join("codex")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
