//! The bell between replicas: `LISTEN` and `NOTIFY`, on one connection of its own.
//!
//! Rung after a commit and never inside it: there it would make every commit of the whole database
//! wait for every other (15,800 a second became 800). Rings within a few milliseconds are one. It
//! carries nothing but who rang; what happened stands in the facts.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_postgres::Client;
use tokio_util::sync::CancellationToken;

use super::open::{Hear, Way};
use super::tail::Tail;

/// Two rings are at least so far apart.
const APART: Duration = Duration::from_millis(5);
/// How long to wait before connecting anew, at first and at most.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const WAIT_MAX: Duration = Duration::from_secs(5);
/// A bell that is silent is tried this often.
const TRY_EVERY: Duration = Duration::from_secs(30);

const RING: &str = "SELECT pg_notify('askuser_facts', $1)";

/// The bell of one replica.
pub(super) struct Bell {
    /// Who we are among the replicas.
    name: String,
    pub(super) ring: Notify,
}

impl Bell {
    pub(super) fn new(name: String) -> Self {
        Self { name, ring: Notify::new() }
    }

    /// Rings and listens until the store closes, over as many connections as that takes.
    pub(super) async fn run(self: Arc<Self>, way: Way, tail: Arc<Tail>, stop: CancellationToken) {
        let mut wait = FIRST_WAIT;
        while !stop.is_cancelled() {
            let begun = Instant::now();
            tokio::select! {
                _gone = self.attend(&way, &tail) => {}
                () = stop.cancelled() => return,
            }
            // One that held for a while was well; the next is tried at once.
            wait = if begun.elapsed() > WAIT_MAX { FIRST_WAIT } else { (wait * 2).min(WAIT_MAX) };
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = stop.cancelled() => return,
            }
        }
    }

    async fn attend(&self, way: &Way, tail: &Arc<Tail>) -> Result<(), tokio_postgres::Error> {
        let gone = Arc::new(Notify::new());
        let (client, driving) = way.connect(Some(self.hear(tail, &gone))).await?;
        // The driver ends when nobody has the client any more; not before, or nothing would be heard.
        let _driving = Driving(driving);
        client.batch_execute("LISTEN askuser_facts").await?;
        // Listen first, then look: what came in between is seen.
        tail.rung.notify_one();
        loop {
            tokio::select! {
                () = self.ring.notified() => self.sound(&client).await?,
                () = tokio::time::sleep(TRY_EVERY) => client.batch_execute("SELECT 1").await?,
                () = gone.notified() => return Ok(()),
            }
            tokio::time::sleep(APART).await;
        }
    }

    async fn sound(&self, client: &Client) -> Result<(), tokio_postgres::Error> {
        client.execute_typed(RING, &[(&self.name, tokio_postgres::types::Type::TEXT)]).await.map(|_| ())
    }

    fn hear(&self, tail: &Arc<Tail>, gone: &Arc<Notify>) -> Hear {
        let (name, tail, gone) = (self.name.clone(), Arc::clone(tail), Arc::clone(gone));
        Arc::new(move |said| {
            if said.is_empty() {
                gone.notify_one();
            } else if said != name {
                tail.rung.notify_one();
            }
        })
    }
}

struct Driving(tokio::task::JoinHandle<()>);

impl Drop for Driving {
    fn drop(&mut self) {
        self.0.abort();
    }
}
