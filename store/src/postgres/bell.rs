//! The bell between replicas: `LISTEN` and `NOTIFY`, on one connection of its own.
//!
//! Rung after a commit and never inside it: there it would make every commit of the whole database
//! wait for every other (15,800 a second became 800). Rings within a few milliseconds are one. It
//! carries nothing but who rang; what happened stands in the facts. What replicas whisper to each other
//! goes the same way: it need not be kept, and nobody may hear it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_postgres::Client;
use tokio_util::sync::CancellationToken;

use super::open::{Hear, Way};
use super::tail::Tail;
use crate::Overhearing;

/// Two rings are at least so far apart.
const APART: Duration = Duration::from_millis(5);
/// How long to wait before connecting anew, at first and at most.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const WAIT_MAX: Duration = Duration::from_secs(5);
/// A bell that is silent is tried this often.
const TRY_EVERY: Duration = Duration::from_secs(30);

/// Whispers that wait to be told; beyond, the oldest is not told.
const WHISPERS_MAX: usize = 1000;

const FACTS: &str = "askuser_facts";
const WHISPERS: &str = "askuser_whispers";
const NOTIFY: &str = "SELECT pg_notify($1, $2)";

/// The bell of one replica.
pub(super) struct Bell {
    /// Who we are among the replicas.
    name: String,
    has_rung: AtomicBool,
    whispers: Mutex<VecDeque<String>>,
    wanted: Notify,
    ear: OnceLock<Overhearing>,
}

impl Bell {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            has_rung: AtomicBool::new(false),
            whispers: Mutex::default(),
            wanted: Notify::new(),
            ear: OnceLock::new(),
        }
    }

    /// Says that there are new facts.
    pub(super) fn ring(&self) {
        self.has_rung.store(true, Ordering::SeqCst);
        self.wanted.notify_one();
    }

    pub(super) fn whisper(&self, words: String) {
        let mut whispers = self.whispers.lock();
        if whispers.len() >= WHISPERS_MAX {
            whispers.pop_front();
        }
        whispers.push_back(words);
        drop(whispers);
        self.wanted.notify_one();
    }

    pub(super) fn overhear(&self, ear: Overhearing) {
        // The desk is one.
        let _first = self.ear.set(ear);
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

    async fn attend(self: &Arc<Self>, way: &Way, tail: &Arc<Tail>) -> Result<(), tokio_postgres::Error> {
        let gone = Arc::new(Notify::new());
        let (client, driving) = way.connect(Some(self.hear(tail, &gone))).await?;
        // The driver ends when nobody has the client any more; not before, or nothing would be heard.
        let _driving = Driving(driving);
        client.batch_execute(&format!("LISTEN {FACTS}; LISTEN {WHISPERS}")).await?;
        // Listen first, then look: what came in between is seen.
        tail.rung.notify_one();
        loop {
            tokio::select! {
                () = self.wanted.notified() => self.sound(&client).await?,
                () = tokio::time::sleep(TRY_EVERY) => client.batch_execute("SELECT 1").await?,
                () = gone.notified() => return Ok(()),
            }
            tokio::time::sleep(APART).await;
        }
    }

    async fn sound(&self, client: &Client) -> Result<(), tokio_postgres::Error> {
        if self.has_rung.swap(false, Ordering::SeqCst) {
            notify(client, FACTS, &self.name).await?;
        }
        loop {
            let next = self.whispers.lock().pop_front();
            let Some(words) = next else { return Ok(()) };
            notify(client, WHISPERS, &format!("{} {words}", self.name)).await?;
        }
    }

    fn hear(self: &Arc<Self>, tail: &Arc<Tail>, gone: &Arc<Notify>) -> Hear {
        let (bell, tail, gone) = (Arc::clone(self), Arc::clone(tail), Arc::clone(gone));
        Arc::new(move |channel, said| {
            let (who, words) = said.split_once(' ').unwrap_or((said, ""));
            match channel {
                "" => gone.notify_one(),
                _ if who == bell.name => {}
                FACTS => tail.rung.notify_one(),
                _ => bell.ear.get().into_iter().for_each(|ear| ear(words)),
            }
        })
    }
}

async fn notify(client: &Client, channel: &str, words: &str) -> Result<(), tokio_postgres::Error> {
    let text = tokio_postgres::types::Type::TEXT;
    client.execute_typed(NOTIFY, &[(&channel, text.clone()), (&words, text)]).await.map(|_| ())
}

struct Driving(tokio::task::JoinHandle<()>);

impl Drop for Driving {
    fn drop(&mut self) {
        self.0.abort();
    }
}
