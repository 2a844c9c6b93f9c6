//! The Unix socket over which the commands of this machine come in: there the desk sees for itself which
//! process it is (invariant 6).

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf, absolute};

use sha2::{Digest, Sha256};
use tokio::net::UnixListener;
use tracing::warn;

use askuser_client::home::Home;
use askuser_http as http;
use askuser_system::environment::Environment;

/// The longest path of a socket that every system takes: macOS has room for 104 bytes with the last NUL.
const PATH_MAX: usize = 103;

/// Where a socket lies that is ours until this is dropped.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    /// The folder that was made for it alone.
    folder: Option<PathBuf>,
}

impl SocketFile {
    pub(super) fn path(&self) -> PathBuf {
        self.path.clone()
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // What stays is replaced by the next daemon.
        let _removed = fs::remove_file(&self.path);
        let _empty = self.folder.as_ref().map(fs::remove_dir);
    }
}

/// Listens in the data folder, or in a private folder with a shorter path. Whoever calls this owns the data
/// folder. Without a socket everything works but granting permissions in a terminal.
pub(super) fn open(home: &Home, environment: &Environment) -> Option<(UnixListener, SocketFile)> {
    let file = match place(home, environment) {
        Ok(file) => file,
        Err(error) => return without(home, &error),
    };
    match http::listen_locally(&file.path) {
        Ok(listener) => Some((listener, file)),
        Err(error) => without(home, &error),
    }
}

fn without<T>(home: &Home, error: &io::Error) -> Option<T> {
    let folder = home.folder().display();
    warn!("No Unix socket for {folder}: {error}. Permissions can be granted in the browser only");
    None
}

fn place(home: &Home, environment: &Environment) -> io::Result<SocketFile> {
    let path = absolute(home.socket())?;
    if fits(&path) {
        return Ok(SocketFile { path, folder: None });
    }
    let digest = Sha256::digest(absolute(home.folder())?.as_os_str().as_bytes());
    // Eight bytes of it tell folders apart.
    let name = digest.iter().take(8).fold(0_u64, |name, byte| (name << 8) | u64::from(*byte));
    let roots = ["XDG_RUNTIME_DIR", "TMPDIR"].into_iter().filter_map(|name| environment.path(name));
    let mut failed = io::Error::new(io::ErrorKind::InvalidFilename, "every path for it is too long");
    for root in roots.chain([PathBuf::from("/tmp")]) {
        let folder = root.join(format!("askuser-{name:016x}"));
        let path = folder.join("askuser.sock");
        if !path.is_absolute() || !fits(&path) {
            continue;
        }
        match private(&folder) {
            Ok(()) => return Ok(SocketFile { path, folder: Some(folder) }),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn fits(path: &Path) -> bool {
    path.as_os_str().len() <= PATH_MAX
}

/// Makes a folder that is ours alone, or finds that it is. Devices may write where it lies, so one that they
/// made is not used.
fn private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let found = fs::symlink_metadata(folder)?;
    let own = rustix::process::geteuid().as_raw();
    if found.is_dir() && found.uid() == own && (found.mode() & 0o777).trailing_zeros() >= 6 {
        return Ok(());
    }
    let what = format!("{} is open to others", folder.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn deep(outer: &Path) -> Home {
        let folder = outer.join("a-long-name-of-a-folder-that-goes-on-and-on/".repeat(3));
        fs::create_dir_all(&folder).unwrap();
        Home::new(folder)
    }

    #[tokio::test]
    async fn a_socket_lies_in_the_data_folder_and_is_taken_away() {
        let outer = tempfile::tempdir().unwrap();
        let home = Home::new(outer.path());
        let (_listener, file) = open(&home, &Environment::default()).unwrap();
        assert_eq!(file.path(), home.socket());
        assert!(home.socket().exists());
        drop(file);
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn where_the_path_is_too_long_it_lies_in_a_private_folder() {
        let outer = tempfile::tempdir().unwrap();
        let environment = Environment::of(&[("XDG_RUNTIME_DIR", outer.path().to_str().unwrap())]);
        let home = deep(outer.path());
        let (_listener, file) = open(&home, &environment).unwrap();
        let folder = file.path().parent().unwrap().to_owned();
        assert_eq!(folder.parent(), Some(outer.path()));
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        // As a crash leaves it: the next one of the same data folder takes it over.
        let (_listener, again) = open(&home, &environment).unwrap();
        assert_eq!(again.path(), file.path());
        drop(again);
        assert!(!folder.exists());
    }

    #[tokio::test]
    async fn a_folder_that_somebody_else_prepared_is_not_used() {
        let (outer, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let environment = Environment::of(&[("XDG_RUNTIME_DIR", outer.path().to_str().unwrap())]);
        let home = deep(outer.path());
        let folder = place(&home, &environment).unwrap().folder.clone().unwrap();
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert_ne!(place(&home, &environment).unwrap().folder.as_ref(), Some(&folder));
        fs::remove_dir(&folder).unwrap();
        symlink(theirs.path(), &folder).unwrap();
        assert_ne!(place(&home, &environment).unwrap().folder.as_ref(), Some(&folder));
    }
}
