//! Starts a server in a test's folder whose first words nobody reads.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread;

use super::folder::Folder;

impl Folder {
    /// Starts a server as its own process, and waits until it is there. It is found, and ended, by its lock.
    pub(crate) fn start_server(&self, mut command: Command) {
        fs::create_dir_all(self.home.folder()).unwrap();
        let log = File::options().create(true).append(true).open(self.path().join("log")).unwrap();
        let mut child = command.stdout(Stdio::null()).stderr(log).spawn().unwrap();
        thread::spawn(move || child.wait());
        self.daemon();
    }
}
