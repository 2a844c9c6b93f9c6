//! A server in a folder of its own: in this process the real routes over the real store, or a process of `askuser`.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use askuser_core::limits::DeskLimits;
use askuser_desk::{Desk, KeyRole};
use askuser_http::{self as http, Rates, ServerOptions};
use askuser_store::sqlite::{Options, Sqlite};
use askuser_system::clock;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use crate::{is_packed, program};

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) agent: String,
    pub(crate) person: String,
    pub(crate) folder: tempfile::TempDir,
    running: Running,
}

enum Running {
    /// Its runtime is not the client's, as if it were another process.
    Here(CancellationToken, Option<Runtime>),
    Process(Child),
}

impl Server {
    /// Starts one here, or the packed program.
    pub(crate) fn start() -> Self {
        if is_packed() { Self::process() } else { Self::here() }
    }

    /// Starts `askuser`.
    pub(crate) fn process() -> Self {
        let folder = folder();
        let mut child = Command::new(program("askuser"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder.path())
            // All from one agent, faster than any.
            .env("ASKUSER_RATE_LIMIT_REQUESTS", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.trim().rsplit('/').next().unwrap().parse().unwrap();
        let key = |name: &str| fs::read_to_string(folder.path().join("keys").join(name)).unwrap();
        let (agent, person) = (key("agent").trim().to_owned(), key("person").trim().to_owned());
        Self { address, agent, person, folder, running: Running::Process(child) }
    }

    /// The memory of the process that is its own: resident, without the pages of its files.
    pub(crate) fn resident(&self) -> u64 {
        let Running::Process(child) = &self.running else {
            return 0;
        };
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    fn here() -> Self {
        let folder = folder();
        let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
        let stopping = CancellationToken::new();
        let store = Sqlite::open(&folder.path().join("askuser.db"), &options()).unwrap();
        let (address, agent, person) = runtime.block_on(async {
            let desk = Desk::open(Arc::new(store), Arc::new(clock::now)).await.unwrap();
            desk.access().add_user(&"local".into()).await.unwrap();
            let agent =
                desk.access().make_key(KeyRole::Agent, &"local".into(), "bench").await.unwrap().unwrap();
            let person =
                desk.access().make_key(KeyRole::Person, &"local".into(), "bench").await.unwrap().unwrap();
            let listener = http::listen("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let server = ServerOptions {
                rates: Rates { requests: 0, ..Rates::default() },
                ..ServerOptions::new(desk)
            };
            tokio::spawn(http::serve(listener, server, stopping.clone()));
            (address, agent.reveal().to_owned(), person.reveal().to_owned())
        });
        Self { address, agent, person, folder, running: Running::Here(stopping, Some(runtime)) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        match &mut self.running {
            Running::Here(stopping, runtime) => {
                stopping.cancel();
                if let Some(runtime) = runtime.take() {
                    runtime.shutdown_background();
                }
            }
            Running::Process(child) => {
                let _dead = child.kill();
                let _waited = child.wait();
            }
        }
    }
}

/// Beside the build and not among temporary files, which may be in memory: this is about disks.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// How the daemon opens its store.
pub(crate) fn options() -> Options {
    Options::new(DeskLimits::default(), clock::now())
}
