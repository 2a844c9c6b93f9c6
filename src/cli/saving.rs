//! Keeps a half-filled sheet at the desk while it is being filled, without holding anybody up.

use std::time::Duration;

use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::sheet::Sheet;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::client::Client;

/// How long the sheet must rest before it is saved.
const REST: Duration = Duration::from_millis(300);
/// How long the last save may take when the person leaves.
const LAST: Duration = Duration::from_secs(2);

type Entries = Vec<(QuestionId, Entry)>;

/// Saves the latest sheet, one at a time.
pub struct Saver {
    latest: watch::Sender<Entries>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Saver {
    /// Begins to save the sheets of an ask.
    pub fn start(client: Client, ask: AskId) -> Self {
        let (latest, mut changed) = watch::channel(Entries::new());
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    change = changed.changed() => if change.is_err() { return },
                    () = stopped.cancelled() => return,
                }
                tokio::select! {
                    () = sleep(REST) => {}
                    () = stopped.cancelled() => {}
                }
                let entries = changed.borrow_and_update().clone();
                // A save that fails is made good by the next one, or by the answer itself.
                let _saved = client.save(ask, &entries).await;
            }
        });
        Self { latest, stop, task }
    }

    /// Takes a changed sheet. The desk keeps no secret of it.
    pub fn note(&self, sheet: &Sheet) {
        let kept = sheet.entries().filter(|(_, entry)| !entry.suggested);
        self.latest.send_replace(kept.map(|(id, entry)| (id.clone(), entry.clone())).collect());
    }

    /// Saves what is left to be saved, for a person who leaves.
    pub async fn finish(self) {
        self.stop.cancel();
        let _saved_in_time = timeout(LAST, self.task).await;
    }

    /// Saves nothing more: the answer itself is on its way.
    pub fn abandon(self) {
        self.task.abort();
    }
}
