//! Several servers and their tasks: each says now and then that it is there, and whoever notices that
//! another is not interrupts what that one left behind. Nobody leads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use askuser_core::id::ServerId;
use askuser_core::task::{Task, TaskMove, TaskState};
use tokio::time::Instant;

use super::{QUEUED_MAX, Runner, server};
use crate::REASONS;
use askuser_desk::{DeskError, Present};

/// How often a server says that it is there, in the time that others wait for it: one row every five
/// seconds where that is a minute, and eleven may be lost before anybody minds.
const BEATS: u32 = 12;
/// Where somebody waits only for a moment, a beat is still not a burst.
const BEAT_MIN: Duration = Duration::from_millis(100);

/// Which server this is, and how long others wait for it.
#[derive(Debug, Clone, Copy)]
pub struct Post {
    /// Its name, for as long as its data folder is there.
    pub server: ServerId,
    /// How long others wait for it before they hold it for gone.
    pub patience: Duration,
}

/// That we are there, as the others see it.
pub(super) struct Presence {
    present: Present,
    begun: Instant,
    /// When it was last noted, in milliseconds after the beginning.
    noted: AtomicU64,
}

impl Presence {
    pub(super) fn new(post: Post, start: u128) -> Self {
        let present = Present { server: post.server, start, patience: post.patience };
        Self { present, begun: Instant::now(), noted: AtomicU64::new(0) }
    }

    pub(super) fn server(&self) -> ServerId {
        self.present.server
    }

    fn beat(&self) -> Duration {
        (self.present.patience / BEATS).max(BEAT_MIN)
    }

    /// Others may have held us for gone since it was noted.
    fn is_late(&self) -> bool {
        let noted = Duration::from_millis(self.noted.load(Ordering::SeqCst));
        self.begun.elapsed().saturating_sub(noted) > self.present.patience / 2
    }

    fn note(&self, at: Duration) {
        self.noted.store(u64::try_from(at.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }
}

/// Says that we are there, and looks after what others left behind, until the runner closes.
pub(super) async fn attend(runner: Runner) {
    let mut is_alone = true;
    loop {
        tokio::select! {
            () = tokio::time::sleep(runner.presence().beat()) => {}
            () = runner.closing().cancelled() => return,
        }
        // Where the store is away, everybody is; it is tried again at the next beat.
        let Ok(ours) = runner.is_there().await else { continue };
        if is_alone && !ours {
            tracing::error!(
                "Another server goes by the name of this one, {}: where a data folder was copied, remove \
                 `askuser.server` from one of the two and start that one again",
                runner.presence().server()
            );
        }
        is_alone = ours;
        if let Err(error) = runner.take_care().await {
            tracing::warn!("Tasks of other servers were not checked: {error}");
        }
    }
}

impl Runner {
    /// Notes that we begin.
    pub(super) async fn arrive(&self) -> Result<(), DeskError> {
        let presence = self.presence();
        let at = presence.begun.elapsed();
        self.desk().replicas().arrive(presence.present).await?;
        presence.note(at);
        Ok(())
    }

    /// Notes that we are there; whether nobody else goes by our name.
    async fn is_there(&self) -> Result<bool, DeskError> {
        let presence = self.presence();
        let at = presence.begun.elapsed();
        let ours = self.desk().replicas().attend(presence.present).await?;
        presence.note(at);
        Ok(ours)
    }

    /// Makes sure that nobody holds us for gone, before we take something on.
    pub(super) async fn be_there(&self) -> Result<(), DeskError> {
        if self.desk().replicas().may_be() && self.presence().is_late() {
            self.is_there().await?;
        }
        Ok(())
    }

    /// Interrupts what servers left behind that are gone. Of several that notice, one does.
    async fn take_care(&self) -> Result<(), DeskError> {
        let left = self.desk().replicas().tasks_left(self.presence().server(), QUEUED_MAX).await?;
        for task in left {
            let reason = Some(why(&task));
            match self.desk().move_run(&server(&task), &task, TaskMove::Interrupt { reason }).await {
                Ok(_) => {
                    let name = task.server.map(|server| server.to_string()).unwrap_or_default();
                    tracing::warn!(task.id = %task.id, server = name, "Task {} was interrupted: its server {name} is gone", task.id);
                }
                // Another was quicker, or it has just ended.
                Err(DeskError::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// What the person reads of it.
fn why(task: &Task) -> String {
    let name = task.server.map(|server| format!(" ({server})")).unwrap_or_default();
    match task.state {
        TaskState::Queued => REASONS.server_away_before(name),
        _ => REASONS.server_away(name),
    }
}
