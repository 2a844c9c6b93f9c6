//! Erases what is older than it may be kept (D15), a little at a time.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::{Watch, audit};

/// How often it is looked at.
const LOOK_EVERY: Duration = Duration::from_hours(1);
/// How long after the start it is looked at first.
const AFTER_START: Duration = Duration::from_mins(1);

/// How long what asks tell is kept; none is for ever.
#[derive(Debug, Default)]
pub(super) struct Retention(Mutex<Option<Duration>>);

impl Watch {
    /// Keeps what asks tell for so long from now on.
    pub fn set_retention(&self, kept: Option<Duration>) {
        *self.retention.0.lock() = kept;
    }
}

/// Looks every hour until the desk closes.
pub(super) async fn keep(watch: Arc<Watch>) {
    let stopping = watch.desk.stopping();
    let mut pause = AFTER_START;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stopping.cancelled() => return,
        }
        pause = LOOK_EVERY;
        let kept = *watch.retention.0.lock();
        let Some(kept) = kept else { continue };
        match audit::erase_older(&watch.desk, kept).await {
            Ok(0) => {}
            Ok(n_erased) => {
                tracing::info!(
                    n_erased,
                    "Deleted the contents of {n_erased} questions: they are older than `audit.retention`"
                );
            }
            Err(error) => tracing::warn!("Old contents could not be deleted: {error}"),
        }
    }
}
