//! Handing outcomes over to their askers, and noting that they were: when there is time, and many in one go.
//!
//! The asker has its outcome already when it is noted, so that costs no flush of its own for which the next ask
//! would have to wait. What was handed over and not noted yet is known here: an asker that asks the same again
//! meanwhile wants another answer.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command};
use askuser_core::id::{AskId, KeyId, SessionId, UserId};
use futures_util::future::join_all;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::{Desk, DeskError};
use askuser_store::SessionRef;

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
    /// The asks of those, until their notes are written.
    unnoted: Mutex<HashSet<AskId>>,
}

impl Deliveries {
    fn put(&self, note: Note) {
        let mut waiting = self.waiting.lock();
        if waiting.len() < NOTES_MAX {
            self.unnoted().insert(note.ask);
            waiting.push(note);
        }
        drop(waiting);
        self.came.notify_one();
    }

    fn unnoted(&self) -> MutexGuard<'_, HashSet<AskId>> {
        self.unnoted.lock()
    }

    /// Whether the outcome of an ask was handed over a moment ago, and is about to be noted.
    pub(super) fn is_being_noted(&self, ask: AskId) -> bool {
        self.unnoted().contains(&ask)
    }

    /// All of those.
    pub(super) fn being_noted(&self) -> HashSet<AskId> {
        self.unnoted().clone()
    }

    /// Takes what is waiting, by session: each costs one command then, however many outcomes it had.
    fn take(&self) -> Vec<(Actor, SessionId, Vec<AskId>)> {
        let waiting = std::mem::take(&mut *self.waiting.lock());
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
                async move {
                    let deliver = Command::Deliver { asks: asks.clone() };
                    // A note that cannot be kept is not missed.
                    let _noted = desk.carry_out(&actor, SessionRef::Id(session), deliver).await;
                    let mut unnoted = desk.0.deliveries.unnoted();
                    for ask in &asks {
                        unnoted.remove(ask);
                    }
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

    /// Whether an ask that ended without a note was handed over all the same, by now or before it was looked up;
    /// then it is noted now.
    pub(super) async fn was_handed_over(
        &self,
        actor: &Actor,
        ask: &Ask,
        before: &HashSet<AskId>,
    ) -> Result<bool, DeskError> {
        if !before.contains(&ask.id) && !self.0.deliveries.is_being_noted(ask.id) {
            return Ok(false);
        }
        let deliver = Command::Deliver { asks: vec![ask.id] };
        self.carry_out(actor, SessionRef::Id(ask.session), deliver).await?;
        Ok(true)
    }
}
