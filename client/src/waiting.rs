//! Waiting for an outcome from afar: comes back by id whatever happens in between.
//!
//! A daemon that is stopped, killed or started anew closes no ask, so a waiter that lost its
//! connection just comes back. It gives up only when its own patience ends.

use std::time::Duration;

use askuser_core::id::AskId;
use tokio::time::{Instant, sleep};

use super::error::ClientError;
use super::home::Found;
use super::keys::KeyFor;
use super::seen::SeenAsk;
use super::{Client, WAIT_IN_ONE_GO, Whereabouts, find_or_start};

/// The first pause after the desk was lost, and the longest.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long a daemon that crashed is waited for before this waiter starts one itself, where somebody started it by
/// hand or under a supervisor: they may start it again.
const GRACE: Duration = Duration::from_secs(3);

/// What came of waiting.
#[derive(Debug, Clone)]
pub enum Waited {
    /// The ask ended.
    Closed(Box<SeenAsk>),
    /// The caller's patience ended first. The ask may be waited for again by its id.
    StillOpen,
}

/// What happens to a waiter on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meanwhile {
    /// The desk is away; the waiter stays.
    Away,
    /// It is back.
    Back,
}

impl Client {
    /// Waits until the ask ends or `patience` does; for ever where none is given.
    pub async fn wait(
        &self,
        who: KeyFor,
        id: AskId,
        reply: Option<&str>,
        patience: Option<Duration>,
        mut tell: impl FnMut(Meanwhile),
    ) -> Result<Waited, ClientError> {
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let mut lost = Lost::default();
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let mut in_one_go = left.map_or(WAIT_IN_ONE_GO, |left| left.min(WAIT_IN_ONE_GO));
            if lost.since.is_some() {
                // First find out whether it is back.
                in_one_go = Duration::ZERO;
            }
            match self.get(who, id, reply, in_one_go).await {
                Ok(seen) => {
                    if lost.found() {
                        tell(Meanwhile::Back);
                    }
                    if !seen.is_open() {
                        return Ok(Waited::Closed(Box::new(seen)));
                    }
                    // A desk that closes answers at once: then it is about to be away.
                    lost.breathe(in_one_go).await;
                }
                Err(error) if error.may_pass() => {
                    if lost.lose() {
                        tell(Meanwhile::Away);
                    }
                    if let Some(since) = lost.since {
                        self.start_again(since).await;
                    }
                    let pause = error.retry_after().unwrap_or_else(|| lost.pause());
                    sleep(left.map_or(pause, |left| left.min(pause))).await;
                }
                Err(error) => return Err(error),
            }
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(Waited::StillOpen);
            }
        }
    }

    /// Starts the daemon of the folder again where it crashed: at once if it was started for somebody who asked, else
    /// when nobody else did for a while. One that was stopped is left alone: whoever stopped it wanted that.
    pub async fn start_again(&self, away_since: Instant) {
        let Whereabouts::Folder(home) = &self.whereabouts else { return };
        let is_ours = || home.said().is_some_and(|said| said.by_itself);
        if home.look() == Found::Crashed && (away_since.elapsed() >= GRACE || is_ours()) {
            // Where it does not start, the next round finds that out again.
            let _started = find_or_start::find_or_start(home, |_| {}).await;
        }
    }
}

/// How the connection has fared.
#[derive(Debug, Default)]
struct Lost {
    since: Option<Instant>,
    n_times: u32,
    last_asked: Option<Instant>,
}

impl Lost {
    /// Notes that the desk is away; whether that is news.
    fn lose(&mut self) -> bool {
        let is_news = self.since.is_none();
        self.since.get_or_insert_with(Instant::now);
        self.n_times += 1;
        is_news
    }

    /// Notes that the desk is there; whether that is news.
    fn found(&mut self) -> bool {
        self.n_times = 0;
        self.since.take().is_some()
    }

    fn pause(&self) -> Duration {
        let (first, longest) = BACK_OFF;
        let doubled = first.saturating_mul(2_u32.saturating_pow(self.n_times.saturating_sub(1).min(10)));
        doubled.min(longest)
    }

    /// Keeps a desk that answers too early from being asked without end.
    async fn breathe(&mut self, wanted: Duration) {
        let early = self.last_asked.is_some_and(|last| last.elapsed() < wanted / 2);
        if early {
            sleep(BACK_OFF.0.min(wanted)).await;
        }
        self.last_asked = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_limit_and_begin_anew() {
        let mut lost = Lost::default();
        assert!(lost.lose());
        assert!(!lost.lose());
        let mut before = Duration::ZERO;
        for _ in 0..30 {
            assert!(lost.pause() >= before && lost.pause() <= BACK_OFF.1);
            before = lost.pause();
            lost.lose();
        }
        assert_eq!(before, BACK_OFF.1);
        assert!(lost.found());
        assert!(!lost.found());
        lost.lose();
        assert_eq!(lost.pause(), BACK_OFF.0);
    }
}
