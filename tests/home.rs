//! A data folder of its own for a test, and the server that owns it, which is gone when the test is, however it
//! ended.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askuser_client::home::{Home, Running, ServerState};
use rustix::process::{Pid, Signal, kill_process};

/// The program that is tested.
pub(crate) const ASKUSER: &str = env!("CARGO_BIN_EXE_askuser");
/// Longer than anything takes.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A person's folder, with the data folder in it.
pub(crate) struct Folder {
    root: tempfile::TempDir,
    pub(crate) home: Home,
    ended_by: Signal,
}

/// Waits until something is so, bounded.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "waited for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Ends a process, by its id.
pub(crate) fn signal(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

impl Folder {
    /// A folder with nothing in it. What owns it at the end of the test gets this signal.
    pub(crate) fn new(ended_by: Signal) -> Self {
        let root = tempfile::tempdir().unwrap();
        let home = Home::new(root.path().join("desk"));
        Self { root, home, ended_by }
    }

    /// The person's own folder.
    pub(crate) fn path(&self) -> &Path {
        self.root.path()
    }

    /// `askuser` here, without anything else in its environment.
    pub(crate) fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(ASKUSER);
        command.args(args).env_clear().current_dir(self.path()).stdin(Stdio::null());
        command.env("HOME", self.path()).env("ASKUSER_HOME", self.home.folder()).env("PATH", "/usr/bin:/bin");
        command
    }

    /// The server that owns the folder now.
    #[track_caller]
    pub(crate) fn daemon(&self) -> Running {
        eventually("a server", || self.home.running())
    }

    /// Kills it as a crash would, and waits until it holds its lock no longer.
    pub(crate) fn kill(&self) {
        self.end_by(Signal::KILL);
    }

    /// Ends it by a signal, and waits until its lock is free, or somebody who waited has started the next.
    pub(crate) fn end_by(&self, with: Signal) {
        let pid = self.daemon().pid;
        signal(pid, with);
        let is_over = || !self.home.is_held() || self.home.running().is_some_and(|next| next.pid != pid);
        eventually("the lock to be free", || is_over().then_some(()));
    }

    /// A key of the data folder.
    pub(crate) fn key(&self, name: &str) -> String {
        let path = self.home.keys().join(name);
        eventually("a key", || fs::read_to_string(&path).ok()).trim().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let until = Instant::now() + PATIENCE;
        // One that is just starting says soon who it is.
        while self.home.look() == ServerState::Starting && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        if let ServerState::Running(running) = self.home.look() {
            let pid = i32::try_from(running.pid).ok().and_then(Pid::from_raw);
            // Whoever holds the lock of this folder is this test's own.
            let _ended = pid.map(|pid| kill_process(pid, self.ended_by));
        }
        // What is left now was left by the program, and a test that passed so far has failed.
        while self.home.is_held() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(thread::panicking() || !self.home.is_held(), "a server was left behind");
    }
}
