//! Deadlines and idle sessions.
//!
//! The store's index of deadlines is the timer: it holds any number of them, needs no memory, and
//! is there after a restart. Here is only one alarm, for the next of them.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::command::{Actor, Command};
use askuser_core::decide::Refusal;
use askuser_core::id::AskId;
use askuser_core::session::{Session, SessionStatus};
use askuser_core::time::Timestamp;
use tokio::task::JoinSet;

use super::{Desk, DeskError, from_address};
use askuser_store::SessionRef;
use askuser_system::backoff::Pauses;

/// Deadlines that end in one go.
const BATCH: usize = 256;
/// How often the store is asked for what is due, whatever we know of it.
const LOOK_EVERY: Duration = Duration::from_secs(20);
/// The wall clock may jump while we sleep by the other one: where there is a deadline, look at it this often.
const LOOK_AT_CLOCK_EVERY: Duration = Duration::from_secs(1);
/// How often idle sessions are swept (D7); more often where they live shorter. Whoever looks at one before that
/// ends it, so only those who listen hear of it later.
const SWEEP_EVERY: Duration = Duration::from_mins(5);
/// Sweeps in the life of an idle session, and the least time between them.
const SWEEPS: u32 = 12;
const SWEEP_PAUSE_MIN: Duration = Duration::from_secs(1);

/// The server itself.
pub(super) fn server() -> Actor {
    Actor::server("server".into())
}

/// Ends asks at their deadlines until the desk closes.
pub(super) async fn keep_time(desk: Desk) {
    let stopping = desk.stopping();
    loop {
        let (next, wait) = match desk.expire_due().await {
            Ok(next) => (next, LOOK_EVERY),
            Err(_) => (None, Pauses::OF_THE_STORE.after(1)),
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = reached(&desk, next) => {}
            () = desk.0.bulletin.sooner.notified() => {}
            () = stopping.cancelled() => return,
        }
        // What rang was a deadline; which one, the store knows.
        let _rung = desk.0.bulletin.take_earliest();
    }
}

/// Waits until the wall clock has reached a deadline; for ever where there is none.
async fn reached(desk: &Desk, deadline: Option<Timestamp>) {
    let Some(deadline) = deadline else { return std::future::pending().await };
    loop {
        let left = deadline.since(desk.now());
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(LOOK_AT_CLOCK_EVERY)).await;
    }
}

/// Ends idle sessions until the desk closes.
pub(super) async fn sweep_sessions(desk: Desk) {
    let stopping = desk.stopping();
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause(desk.0.store.limits().session_idle)) => {}
            () = stopping.cancelled() => return,
        }
        // A store that is away is looked at again next time.
        let _swept = desk.end_idle_sessions().await;
    }
}

fn pause(session_idle: Duration) -> Duration {
    (session_idle / SWEEPS).clamp(SWEEP_PAUSE_MIN, SWEEP_EVERY)
}

impl Desk {
    /// Returns a session as it stands now: one whose time is up is told as ended, whenever that is looked for
    /// otherwise (D5).
    pub(super) async fn as_of_now(&self, session: Session) -> Session {
        let is_idle = session.is_idle(self.now(), self.0.store.limits().session_idle);
        if session.status != SessionStatus::Active || !is_idle {
            return session;
        }
        let id = session.id;
        let command = Command::EndSession { session: id };
        // Not from where whoever looks at it is.
        match from_address(None, self.carry_out(&server(), SessionRef::Id(id), command)).await {
            Ok(committed) => committed.session.map_or(session, Arc::unwrap_or_clone),
            // Somebody else ended it meanwhile.
            Err(DeskError::Refused(Refusal::SessionNotFound)) => {
                self.0.store.session(id).await.ok().flatten().unwrap_or(session)
            }
            // It is in use; or the store is away, and it is told as it was read.
            Err(_) => session,
        }
    }

    /// Ends every ask whose deadline has passed and escalates those that it is time for; returns when
    /// the next is due.
    pub(super) async fn expire_due(&self) -> Result<Option<Timestamp>, DeskError> {
        loop {
            let due = self.0.store.due(self.now(), BATCH).await?;
            if due.is_empty() {
                return Ok(self.0.store.next_deadline().await?);
            }
            let mut ending = JoinSet::new();
            for ask in due {
                let desk = self.clone();
                ending.spawn(async move {
                    let mut done = desk.at_its_time(ask, Command::Expire { ask }).await;
                    if let Err(DeskError::Refused(Refusal::TooEarly)) = done {
                        // Not its end, so it is time that others are shown it.
                        done = desk.at_its_time(ask, Command::Escalate { ask }).await;
                    }
                    // Someone may have been first: then it has ended all the same.
                    matches!(done, Ok(()) | Err(DeskError::Refused(Refusal::AlreadyClosed(_))))
                });
            }
            let mut ended = false;
            while let Some(one) = ending.join_next().await {
                ended |= one.unwrap_or(false);
            }
            if !ended {
                // Nothing could be ended now: no use in asking again at once.
                return Ok(Some(self.now().after(Pauses::OF_THE_STORE.after(1))));
            }
        }
    }

    async fn at_its_time(&self, ask: AskId, command: Command) -> Result<(), DeskError> {
        self.carry_out(&server(), SessionRef::OfAsk(ask), command).await.map(drop)
    }

    /// Ends sessions in which nothing happened for too long.
    pub(super) async fn end_idle_sessions(&self) -> Result<(), DeskError> {
        let idle = self.0.store.limits().session_idle;
        let before =
            Timestamp(self.now().0.saturating_sub(i64::try_from(idle.as_millis()).unwrap_or(i64::MAX)));
        loop {
            let sessions = self.0.store.idle_sessions(before, BATCH).await?;
            let n_found = sessions.len();
            let mut n_ended = 0;
            for session in sessions {
                let command = Command::EndSession { session };
                // Something may have happened in it since: then it lives on.
                let ended = self.carry_out(&server(), SessionRef::Id(session), command).await;
                n_ended += usize::from(ended.is_ok());
            }
            if n_found < BATCH || n_ended == 0 {
                return Ok(());
            }
        }
    }
}
