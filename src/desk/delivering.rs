//! Noting that outcomes were handed over: when there is time, and many in one go.
//!
//! The asker has its outcome already, and whether the note is kept changes nothing for anybody. So
//! it does not cost a flush of its own for which the next ask would have to wait.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use askuser_core::command::{Actor, Command};
use askuser_core::id::{AskId, KeyId, SessionId, UserId};
use futures_util::future::join_all;
use tokio::sync::Notify;

use super::Desk;
use crate::store::SessionRef;

/// How long notes are gathered at least.
const GATHERED_FOR: Duration = Duration::from_millis(50);
/// How long at most: people see that the agent has their answer.
const GATHERED_FOR_MAX: Duration = Duration::from_millis(250);
/// Times as long as writing them took last, so that a busy desk has the fewest writes for them.
const GATHERED_TIMES: u32 = 20;
/// Notes that are gathered at most; more are not taken.
const NOTES_MAX: usize = 100_000;
/// Notes of one session that are one command: others wait for it.
const ASKS_MAX: usize = 64;
/// Commands that are handed in at once.
const BATCH: usize = 256;

/// Who asked, and in which session: their notes are one command.
type Asker = (SessionId, UserId, Option<KeyId>);

/// One outcome that was handed over.
struct Note {
    actor: Actor,
    session: SessionId,
    ask: AskId,
}

/// Outcomes that were handed over and not noted yet.
#[derive(Default)]
pub(super) struct Deliveries {
    waiting: Mutex<Vec<Note>>,
    came: Notify,
}

impl Deliveries {
    fn put(&self, note: Note) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < NOTES_MAX {
            waiting.push(note);
        }
        drop(waiting);
        self.came.notify_one();
    }

    /// Takes what is waiting, by session: each costs one command then, however many outcomes it had.
    fn take(&self) -> Vec<(Actor, SessionId, Vec<AskId>)> {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        let mut groups: BTreeMap<Asker, (Actor, Vec<AskId>)> = BTreeMap::new();
        for Note { actor, session, ask } in waiting {
            let asker = (session, actor.user.clone(), actor.key);
            let (_, asks) = groups.entry(asker).or_insert((actor, Vec::new()));
            asks.push(ask);
        }
        let mut parts = Vec::with_capacity(groups.len());
        for ((session, ..), (actor, mut asks)) in groups {
            asks.sort_unstable();
            asks.dedup();
            parts.extend(asks.chunks(ASKS_MAX).map(|part| (actor.clone(), session, part.to_vec())));
        }
        parts
    }
}

/// Notes what was handed over until the desk closes.
pub(super) async fn note_deliveries(desk: Desk) {
    let stopping = desk.stopping();
    let mut gathered_for = GATHERED_FOR;
    while !stopping.is_cancelled() {
        tokio::select! {
            () = desk.0.deliveries.came.notified() => {}
            () = stopping.cancelled() => {}
        }
        tokio::select! {
            () = tokio::time::sleep(gathered_for) => {}
            () = stopping.cancelled() => {}
        }
        let mut notes = desk.0.deliveries.take().into_iter().peekable();
        let begun = Instant::now();
        while notes.peek().is_some() {
            // In this one task, which is woken once for all of them.
            join_all(notes.by_ref().take(BATCH).map(|(actor, session, asks)| {
                let desk = &desk;
                // A note that cannot be kept is not missed.
                async move {
                    desk.carry_out(&actor, SessionRef::Id(session), Command::Deliver { asks }).await.ok()
                }
            }))
            .await;
        }
        gathered_for = (begun.elapsed() * GATHERED_TIMES).clamp(GATHERED_FOR, GATHERED_FOR_MAX);
    }
}

impl Desk {
    /// Notes, when there is time, that the outcome was handed over.
    pub fn delivered(&self, actor: &Actor, session: SessionId, ask: AskId) {
        self.0.deliveries.put(Note { actor: actor.clone(), session, ask });
    }
}
