//! Several daemons over one database, and callers who come to any of them.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::daemon::Daemon;
use crate::dice::Dice;
use crate::http::{Line, Reply};

/// How long a caller comes back before it is a fault that nobody can do it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Several daemons over one database. They share their keys, as an operator would have them.
pub(crate) struct Replicas {
    database: String,
    homes: Vec<TempDir>,
    daemons: Vec<Mutex<Option<Daemon>>>,
    addresses: Vec<Mutex<SocketAddr>>,
    is_up: Vec<AtomicBool>,
    pub(crate) agent_key: String,
    pub(crate) person_key: String,
}

impl Replicas {
    pub(crate) fn start(n: usize, database: &str) -> Self {
        let homes: Vec<TempDir> = (0..n).map(|_| tempfile::tempdir().unwrap()).collect();
        let first = Daemon::start_on(homes[0].path(), database);
        let (agent_key, person_key) = (first.agent.clone(), first.person.clone());
        let mut daemons = vec![first];
        for home in &homes[1..] {
            copy_keys(homes[0].path(), home.path());
            daemons.push(Daemon::start_on(home.path(), database));
        }
        Self {
            database: database.to_owned(),
            addresses: daemons.iter().map(|daemon| Mutex::new(daemon.address)).collect(),
            is_up: daemons.iter().map(|_| AtomicBool::new(true)).collect(),
            daemons: daemons.into_iter().map(Some).map(Mutex::new).collect(),
            homes,
            agent_key,
            person_key,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.homes.len()
    }

    /// Where one of them is, or was before it was killed.
    pub(crate) fn address(&self, number: usize) -> SocketAddr {
        *self.addresses[number].lock().unwrap()
    }

    /// Whether one of them was there when somebody last looked.
    fn is_up(&self, number: usize) -> bool {
        self.is_up[number].load(Ordering::SeqCst)
    }

    /// Kills one as `kill -9` does.
    pub(crate) fn kill(&self, number: usize) {
        self.daemons[number].lock().unwrap().take().unwrap().kill();
        self.is_up[number].store(false, Ordering::SeqCst);
    }

    /// Starts it again, at another address.
    pub(crate) fn start_again(&self, number: usize) {
        let daemon = Daemon::start_on(self.homes[number].path(), &self.database);
        *self.addresses[number].lock().unwrap() = daemon.address;
        *self.daemons[number].lock().unwrap() = Some(daemon);
        self.is_up[number].store(true, Ordering::SeqCst);
    }
}

fn copy_keys(from: &Path, to: &Path) {
    fs::create_dir(to.join("keys")).unwrap();
    for entry in fs::read_dir(from.join("keys")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join("keys").join(entry.file_name())).unwrap();
    }
}

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Agent,
    Person,
}

/// Calls whichever replica chance picks, as behind a load balancer.
pub(crate) struct Roamer<'a> {
    replicas: &'a Replicas,
    pub(crate) dice: Dice,
    /// Connections that are kept: the replica, who, and where it was.
    lines: Vec<(usize, Who, SocketAddr, Line)>,
}

impl<'a> Roamer<'a> {
    pub(crate) fn new(replicas: &'a Replicas, dice: Dice) -> Self {
        Self { replicas, dice, lines: Vec::new() }
    }

    /// Picks a replica; one that is known to be down only now and then, as a load balancer would.
    pub(crate) fn pick(&mut self) -> usize {
        loop {
            let number = self.dice.below(self.replicas.len());
            if self.replicas.is_up(number) || self.dice.once_in(20) {
                return number;
            }
        }
    }

    /// A connection to this replica; a kept one where there is one.
    pub(crate) fn line(&mut self, number: usize, who: Who) -> io::Result<Line> {
        let address = self.replicas.address(number);
        let kept = self.lines.iter().position(|(n, by, at, _)| (*n, *by, *at) == (number, who, address));
        if let Some(place) = kept {
            return Ok(self.lines.swap_remove(place).3);
        }
        self.lines.retain(|(n, by, ..)| (*n, *by) != (number, who));
        let key = if who == Who::Agent { &self.replicas.agent_key } else { &self.replicas.person_key };
        Line::open(address, key)
    }

    /// Keeps a connection that is still good.
    pub(crate) fn keep(&mut self, number: usize, who: Who, line: Line) {
        self.lines.push((number, who, self.replicas.address(number), line));
    }

    /// Calls one replica once. An error, or that the store is away, leaves open what came of it.
    pub(crate) fn call(
        &mut self,
        number: usize,
        who: Who,
        call: impl FnOnce(&mut Line) -> io::Result<Reply>,
    ) -> io::Result<Reply> {
        let mut line = self.line(number, who)?;
        let reply = call(&mut line)?;
        self.keep(number, who, line);
        if reply.status == 503 {
            assert_eq!((reply.error(), reply.retry_after), ("unavailable", Some(1)), "{reply:?}");
            return Err(io::Error::other("unavailable"));
        }
        Ok(reply)
    }

    /// Calls one replica after the other until one has an answer.
    pub(crate) fn surely(&mut self, who: Who, call: impl Fn(&mut Line) -> io::Result<Reply>) -> Reply {
        let begun = Instant::now();
        loop {
            let number = self.pick();
            match self.call(number, who, &call) {
                Ok(reply) => return reply,
                Err(error) => assert!(begun.elapsed() < PATIENCE, "nobody can do it: {error}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
