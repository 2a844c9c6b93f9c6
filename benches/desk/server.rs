//! A server in this process: the real routes over the real store, in a folder of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use askuser_core::limits::DeskLimits;
use askuser_desk::{Desk, KeyRole, User};
use askuser_http::{self as http, Door, Rates};
use askuser_store::sqlite::{Options, Sqlite};
use askuser_system::clock;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

/// A running server. Its runtime is not the client's, as if it were another process.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) agent: String,
    pub(crate) person: String,
    pub(crate) folder: tempfile::TempDir,
    stopping: CancellationToken,
    runtime: Option<Runtime>,
}

impl Server {
    pub(crate) fn start() -> Self {
        // Beside the build and not in a temporary folder, which may be memory: this is about disks.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
        let stopping = CancellationToken::new();
        let store = Sqlite::open(&folder.path().join("askuser.db"), &options()).unwrap();
        let (address, agent, person) = runtime.block_on(async {
            let desk = Desk::open(Arc::new(store), Arc::new(clock::now)).await.unwrap();
            let user = User { id: "local".into(), created_at: desk.now(), disabled_at: None };
            desk.store().add_user(user).await.unwrap();
            let agent = desk.make_key(KeyRole::Agent, &"local".into(), "bench").await.unwrap().unwrap();
            let person = desk.make_key(KeyRole::Person, &"local".into(), "bench").await.unwrap().unwrap();
            let listener = http::listen("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let door = Door { rates: Rates { requests: 0, ..Rates::default() }, ..Door::new(desk) };
            tokio::spawn(http::serve(listener, door, stopping.clone()));
            (address, agent.reveal().to_owned(), person.reveal().to_owned())
        });
        Self { address, agent, person, folder, stopping, runtime: Some(runtime) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.cancel();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// How the daemon opens its store.
pub(crate) fn options() -> Options {
    Options::new(DeskLimits::default(), clock::now())
}
