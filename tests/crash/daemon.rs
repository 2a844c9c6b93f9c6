//! The real daemon, started and killed by its process.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::http::Line;

/// A running daemon. It dies with this, whatever happens.
pub(crate) struct Daemon {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) agent: String,
    pub(crate) person: String,
}

impl Daemon {
    /// Starts it over a data folder and waits until it says that it listens.
    pub(crate) fn start(home: &Path) -> Self {
        Self::start_as(Command::new(env!("CARGO_BIN_EXE_askuser")), home)
    }

    /// The same over a database that others use too.
    pub(crate) fn start_on(home: &Path, database: &str) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_askuser"));
        Self::start_with(command, home, &["--database", database])
    }

    /// The same through another command, whose last words are the program's own.
    pub(crate) fn start_as(command: Command, home: &Path) -> Self {
        Self::start_with(command, home, &[])
    }

    fn start_with(mut command: Command, home: &Path, more: &[&str]) -> Self {
        let log = fs::File::options().create(true).append(true).open(home.join("log")).unwrap();
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(home)
            .args(more)
            .env_remove("ASKUSER_CONFIG")
            // Hundreds of agents here share one key.
            .env("ASKUSER_KEY_RATE_FACTOR", "0")
            .env("ASKUSER_HOME", home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut first = String::new();
        let told = BufReader::new(child.stdout.take().unwrap()).read_line(&mut first);
        let url = first.trim().strip_prefix("askuser listening on http://");
        let Some(address) = url.and_then(|address| address.parse().ok()).filter(|_| told.is_ok()) else {
            kill(&mut child);
            let log = fs::read_to_string(home.join("log")).unwrap_or_default();
            panic!("the daemon did not start: {first:?}\n{log}");
        };
        let key = |name: &str| fs::read_to_string(home.join("keys").join(name)).unwrap().trim().to_owned();
        let (agent, person) = (key("agent"), key("person"));
        Self { child, address, agent, person }
    }

    /// A line with the agent's key.
    pub(crate) fn agent(&self) -> Line {
        Line::open(self.address, &self.agent).unwrap()
    }

    /// A line with the person's key.
    pub(crate) fn person(&self) -> Line {
        Line::open(self.address, &self.person).unwrap()
    }

    /// Kills it as `kill -9` does, in the middle of whatever it does.
    pub(crate) fn kill(mut self) {
        kill(&mut self.child);
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        kill(&mut self.child);
    }
}

/// `Child::kill` is SIGKILL to this process alone; once it was waited for it does nothing.
fn kill(child: &mut Child) {
    let _dead = child.kill();
    let _waited = child.wait();
}
