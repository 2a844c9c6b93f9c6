//! Waiting for an outcome from afar: comes back by id whatever happens in between.
//!
//! A daemon that is stopped, killed or started anew closes no ask, so a waiter that lost its
//! connection just comes back. It gives up only when its own patience ends.

use std::time::Duration;

use askuser_core::id::AskId;
use askuser_system::backoff::Pauses;
use tokio::time::{Instant, sleep};

use super::error::ClientError;
use super::seen::SeenAsk;
use super::steady::Meanwhile;
use super::{Client, WAIT_IN_ONE_GO};
use askuser_core::command::KeyRole;

/// What came of waiting.
#[derive(Debug, Clone)]
pub enum Waited {
    /// The ask ended.
    Closed(Box<SeenAsk>),
    /// The caller's patience ended first. The ask may be waited for again by its id.
    StillOpen,
}

impl Client {
    /// Waits until the ask ends or `patience` does; for ever where none is given.
    pub async fn wait(
        &self,
        who: KeyRole,
        id: AskId,
        reply: Option<&str>,
        patience: Option<Duration>,
        mut tell: impl FnMut(Meanwhile),
    ) -> Result<Waited, ClientError> {
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let mut steady = self.steady().starting_again().until(until);
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let in_one_go = left.map_or(WAIT_IN_ONE_GO, |left| left.min(WAIT_IN_ONE_GO));
            let asked = Instant::now();
            // Of one that was lost it is first found out whether it is back.
            let wait = |is_away| if is_away { Duration::ZERO } else { in_one_go };
            let looking = |is_away| self.get(who, id, reply, wait(is_away));
            match steady.call_telling(looking, &mut tell).await {
                Ok(seen) if !seen.is_open() => return Ok(Waited::Closed(Box::new(seen))),
                // A desk that closes answers at once: then it is about to be away.
                Ok(_) if asked.elapsed() < in_one_go / 2 => {
                    sleep(Pauses::OF_THE_SERVER.after(1).min(in_one_go)).await;
                }
                Ok(_) => {}
                Err(error) if error.may_pass() => return Ok(Waited::StillOpen),
                Err(error) => return Err(error),
            }
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(Waited::StillOpen);
            }
        }
    }
}
