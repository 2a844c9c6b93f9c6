//! Noting that outcomes were handed over: when there is time, and many in one go.
//!
//! The asker has its outcome already, and whether the note is kept changes nothing for anybody. So
//! it does not cost a flush of its own for which the next ask would have to wait.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use askuser_core::command::{Actor, Command};
use askuser_core::id::AskId;
use futures_util::future::join_all;
use tokio::sync::Notify;

use super::Desk;

/// How long notes are gathered.
const GATHERED_FOR: Duration = Duration::from_millis(50);
/// Notes that are gathered at most; more are not taken.
const NOTES_MAX: usize = 100_000;
/// Notes that are written in one go.
const BATCH: usize = 256;

/// Outcomes that were handed over and not noted yet.
#[derive(Default)]
pub(super) struct Deliveries {
    waiting: Mutex<Vec<(Actor, AskId)>>,
    came: Notify,
}

impl Deliveries {
    fn put(&self, actor: &Actor, ask: AskId) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < NOTES_MAX {
            waiting.push((actor.clone(), ask));
        }
        drop(waiting);
        self.came.notify_one();
    }

    fn take(&self) -> Vec<(Actor, AskId)> {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Notes what was handed over until the desk closes.
pub(super) async fn note_deliveries(desk: Desk) {
    let stopping = desk.stopping();
    while !stopping.is_cancelled() {
        tokio::select! {
            () = desk.0.deliveries.came.notified() => {}
            () = stopping.cancelled() => {}
        }
        tokio::select! {
            () = tokio::time::sleep(GATHERED_FOR) => {}
            () = stopping.cancelled() => {}
        }
        let mut notes = desk.0.deliveries.take().into_iter().peekable();
        while notes.peek().is_some() {
            // In this one task, which is woken once for all of them.
            join_all(notes.by_ref().take(BATCH).map(|(actor, ask)| {
                let desk = &desk;
                // A note that cannot be kept is not missed.
                async move { desk.on_ask(&actor, ask, Command::Deliver { ask }).await.ok() }
            }))
            .await;
        }
    }
}

impl Desk {
    /// Notes, when there is time, that the outcome was handed over.
    pub fn delivered(&self, actor: &Actor, ask: AskId) {
        self.0.deliveries.put(actor, ask);
    }
}
