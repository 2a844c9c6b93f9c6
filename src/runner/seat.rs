//! A task that has its turn: how whoever is outside reaches it.

use std::sync::{Arc, Mutex, PoisonError};

use askuser_core::command::Actor;
use askuser_core::task::TaskMove;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::driver::BY_USER;
use super::telling::Speaking;

/// What a person says that waits for the agent to take it.
const SAYS_MAX: usize = 64;

/// The outside of one run.
#[derive(Clone)]
pub(super) struct Seat {
    /// What the person says.
    pub(super) says: mpsc::Sender<String>,
    /// Cancelled when it is to stop.
    pub(super) stop: CancellationToken,
    /// What the agent is writing.
    pub(super) speaking: Speaking,
    /// Who stopped it.
    stopper: Arc<Mutex<Option<Actor>>>,
}

impl Seat {
    pub(super) fn new() -> (Self, mpsc::Receiver<String>) {
        let (says, heard) = mpsc::channel(SAYS_MAX);
        let seat = Self {
            says,
            stop: CancellationToken::new(),
            speaking: Speaking::default(),
            stopper: Arc::default(),
        };
        (seat, heard)
    }

    /// Tells it to stop, for this person. The first one counts.
    pub(super) fn stop(&self, actor: &Actor) {
        let mut stopper = self.stopper.lock().unwrap_or_else(PoisonError::into_inner);
        stopper.get_or_insert_with(|| actor.clone());
        drop(stopper);
        self.stop.cancel();
    }

    /// Returns who stopped it, where that is how it ended.
    pub(super) fn stopped_by(&self, ended: &TaskMove) -> Option<Actor> {
        let by_user = matches!(ended, TaskMove::Stop { reason } if reason == BY_USER);
        let stopper = self.stopper.lock().unwrap_or_else(PoisonError::into_inner);
        stopper.clone().filter(|_| by_user)
    }
}
