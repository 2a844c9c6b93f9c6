//! A task that has its turn: how whoever is outside reaches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askuser_core::command::Actor;
use askuser_core::id::SessionId;
use askuser_core::task::{Task, TaskMove};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::driver::{ASK_USER_TIMEOUT, BY_USER};
use super::message_writer::Speaking;

/// What a person says that waits for the agent to take it.
const SAYS_MAX: usize = 64;

/// The outside of one run.
#[derive(Clone)]
pub(super) struct RunHandle {
    /// Which run of the task.
    pub(super) run: u32,
    /// The task's session.
    pub(super) session: SessionId,
    /// What the person says.
    pub(super) says: mpsc::Sender<String>,
    /// Cancelled when it is to stop.
    pub(super) stop: CancellationToken,
    /// Cancelled when the run is over, whoever ended it: nothing more is to be done in its name.
    pub(super) over: CancellationToken,
    /// What the agent is writing.
    pub(super) speaking: Speaking,
    /// Who stopped it.
    stopper: Arc<Mutex<Option<Actor>>>,
    /// Whether it is to stop because nobody answered it in time.
    timed_out: Arc<AtomicBool>,
    /// Whether it is on record that its process runs.
    begun: Arc<AtomicBool>,
    /// Whether that was heard: what is said from then on is for the agent.
    hears: Arc<AtomicBool>,
}

impl RunHandle {
    pub(super) fn new(task: &Task) -> (Self, mpsc::Receiver<String>) {
        let (says, heard) = mpsc::channel(SAYS_MAX);
        let handle = Self {
            run: task.n_runs,
            session: task.session,
            says,
            stop: CancellationToken::new(),
            over: CancellationToken::new(),
            speaking: Speaking::default(),
            stopper: Arc::default(),
            timed_out: Arc::default(),
            begun: Arc::default(),
            hears: Arc::default(),
        };
        (handle, heard)
    }

    /// Tells it to stop, for this person. The first one counts.
    pub(super) fn stop(&self, actor: &Actor) {
        let mut stopper = self.stopper.lock();
        stopper.get_or_insert_with(|| actor.clone());
        drop(stopper);
        self.stop.cancel();
    }

    /// Tells it to stop because nobody answered it in time (O4).
    pub(super) fn time_out(&self) {
        self.timed_out.store(true, Ordering::SeqCst);
        self.stop.cancel();
    }

    /// Returns how it ended, with why it was told to stop where no person did.
    pub(super) fn explained(&self, ended: TaskMove) -> TaskMove {
        let is_anybody = self.stopper.lock().is_some();
        match ended {
            TaskMove::Stop { .. } if self.timed_out.load(Ordering::SeqCst) && !is_anybody => {
                TaskMove::Stop { reason: ASK_USER_TIMEOUT.to_owned() }
            }
            ended => ended,
        }
    }

    /// Returns who stopped it, where that is how it ended.
    pub(super) fn stopped_by(&self, ended: &TaskMove) -> Option<Actor> {
        let by_user = matches!(ended, TaskMove::Stop { reason } if reason == BY_USER);
        let stopper = self.stopper.lock();
        stopper.clone().filter(|_| by_user)
    }

    /// Notes that it is on record that the process runs.
    pub(super) fn begin(&self) {
        self.begun.store(true, Ordering::SeqCst);
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::SeqCst)
    }

    /// Has the agent hear what is said from now on.
    pub(super) fn hear(&self) {
        self.hears.store(true, Ordering::SeqCst);
    }

    pub(super) fn hears(&self) -> bool {
        self.hears.load(Ordering::SeqCst) && !self.over.is_cancelled()
    }
}
