//! Calls the server until it says yes or no, whatever happens to it in between: it is away, closing or busy, or was
//! started anew on another port. The one place where a call is tried again.

use std::time::Duration;

use askuser_system::backoff::{BackOff, Pauses};
use tokio::time::{Instant, sleep};

use super::error::ClientError;
use super::find_or_start::{StartNotice, find_or_start};
use super::home::ServerState;
use super::{Client, Location};

/// The longest that a server which gives a time is waited for between two tries, where there are only so many.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(5);
/// How long a server that crashed is waited for before this caller starts one itself, where somebody started it by hand
/// or under a supervisor: they may start it again.
const GRACE: Duration = Duration::from_secs(3);

/// What happens on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meanwhile {
    /// The server is away; the caller stays.
    Away,
    /// It is back.
    Back,
}

/// When a caller gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Never: what a person did is not lost.
    Endless,
    /// After so many further tries.
    Tries(usize),
    /// When the server was away for so long.
    Away(Duration),
}

/// Who starts a server of this machine that is not there.
#[derive(Clone, Copy)]
enum Start<'a> {
    /// Somebody else.
    Nobody,
    /// This caller, before it calls.
    First(&'a (dyn Fn(StartNotice) + Sync)),
    /// This caller, where it crashed.
    Crashed,
}

/// A caller that stays at it.
pub struct Steady<'a> {
    client: &'a Client,
    start: Start<'a>,
    patience: Patience,
    until: Option<Instant>,
    back_off: BackOff,
    away_since: Option<Instant>,
    n_failed: usize,
}

impl Client {
    /// Returns a caller that stays at it, for as long as it takes.
    pub fn steady(&self) -> Steady<'_> {
        Steady {
            client: self,
            start: Start::Nobody,
            patience: Patience::Endless,
            until: None,
            back_off: BackOff::new(Pauses::OF_THE_SERVER),
            away_since: None,
            n_failed: 0,
        }
    }

    /// Starts the server of the folder again where it crashed: at once if it was started for somebody who asked, else
    /// when nobody else did for a while. One that was stopped is left alone: whoever stopped it wanted that.
    pub async fn start_again(&self, away_since: Instant) {
        let Location::Folder(home) = &self.location else { return };
        let is_ours = || home.said().is_some_and(|said| said.by_itself);
        if home.look() == ServerState::Crashed && (away_since.elapsed() >= GRACE || is_ours()) {
            // Where it does not start, the next round finds that out again.
            let _started = find_or_start(home, |_| {}).await;
        }
    }
}

impl<'a> Steady<'a> {
    /// Finds the server of this machine before each try, or starts it.
    #[must_use]
    pub fn finding_or_starting(self, tell: &'a (dyn Fn(StartNotice) + Sync)) -> Self {
        Self { start: Start::First(tell), ..self }
    }

    /// Starts the server of this machine again where it crashed.
    #[must_use]
    pub fn starting_again(self) -> Self {
        Self { start: Start::Crashed, ..self }
    }

    /// Says when it gives up.
    #[must_use]
    pub fn patience(self, patience: Patience) -> Self {
        let pauses = match patience {
            Patience::Tries(_) => Pauses::OF_A_CALL,
            Patience::Endless | Patience::Away(_) => Pauses::OF_THE_SERVER,
        };
        Self { patience, back_off: BackOff::new(pauses), ..self }
    }

    /// Says until when it is tried.
    #[must_use]
    pub fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Whether the last call was tried more than once: the server may have taken it the first time, and only its word
    /// of that was lost.
    pub fn was_repeated(&self) -> bool {
        self.n_failed > 0
    }

    /// Calls until it is answered. A refusal that passes is tried again; the last one is returned where this gives up.
    pub async fn call<T, Doing>(&mut self, doing: impl Fn() -> Doing) -> Result<T, ClientError>
    where
        Doing: Future<Output = Result<T, ClientError>>,
    {
        self.call_telling(|_| doing(), |_| {}).await
    }

    /// The same; says when the server is away and when it is back. What is called is told whether the server is away,
    /// as far as is known.
    pub async fn call_telling<T, Doing>(
        &mut self,
        doing: impl Fn(bool) -> Doing,
        mut tell: impl FnMut(Meanwhile),
    ) -> Result<T, ClientError>
    where
        Doing: Future<Output = Result<T, ClientError>>,
    {
        self.n_failed = 0;
        loop {
            if let (Start::First(told), Location::Folder(home)) = (self.start, &self.client.location) {
                find_or_start(home, told).await?;
            }
            match doing(self.away_since.is_some()).await {
                Ok(done) => {
                    self.back_off.reset();
                    if self.away_since.take().is_some() {
                        tell(Meanwhile::Back);
                    }
                    return Ok(done);
                }
                Err(error) if error.may_pass() => {
                    if self.away_since.is_none() {
                        tell(Meanwhile::Away);
                    }
                    self.pause(error).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits before the next try; returns the error where there is none.
    async fn pause(&mut self, error: ClientError) -> Result<(), ClientError> {
        let since = *self.away_since.get_or_insert_with(Instant::now);
        self.n_failed += 1;
        let is_over = match self.patience {
            Patience::Endless => false,
            Patience::Tries(max) => self.n_failed > max,
            Patience::Away(max) => since.elapsed() > max,
        };
        if is_over {
            return Err(error);
        }
        if let Start::Crashed = self.start {
            self.client.start_again(since).await;
        }
        let cap = if let Patience::Tries(_) = self.patience { RETRY_AFTER_MAX } else { Duration::MAX };
        let pause = error.retry_after().map_or_else(|| self.back_off.pause(), |wanted| wanted.min(cap));
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        sleep(left.map_or(pause, |left| left.min(pause))).await;
        if left.is_some_and(|left| left <= pause) { Err(error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use askuser_system::environment::Environment;

    use super::*;
    use crate::error::Failure;
    use crate::home::Home;

    fn client() -> Client {
        Client::new(&Environment::of(&[("ASKUSER_URL", "http://127.0.0.1:1")]), Home::new("/nowhere"))
    }

    fn away() -> ClientError {
        ClientError::NotRunning
    }

    fn refused(status: u16, code: &str) -> ClientError {
        let body = format!(r#"{{"success":false,"error":"{code}","message":"","problems":[]}}"#);
        ClientError::Refused(Box::new(Failure::read(status, None, body.as_bytes())))
    }

    #[tokio::test]
    async fn what_passes_is_tried_again_and_whoever_waits_is_told_once() {
        let (client, n_calls) = (client(), Cell::new(0));
        let mut steady = client.steady();
        let mut told = Vec::new();
        let called = steady.call_telling(
            |is_away| {
                n_calls.set(n_calls.get() + 1);
                let n_calls = n_calls.get();
                assert_eq!(is_away, n_calls > 1);
                async move {
                    match n_calls {
                        1 => Err(away()),
                        2 => Err(refused(503, "unavailable")),
                        3 => Err(refused(429, "rate_limited")),
                        _ => Ok(n_calls),
                    }
                }
            },
            |meanwhile| told.push(meanwhile),
        );
        assert_eq!(called.await.unwrap(), 4);
        assert_eq!(told, [Meanwhile::Away, Meanwhile::Back]);
        assert!(steady.was_repeated());
        steady.call(async || Ok(())).await.unwrap();
        assert!(!steady.was_repeated(), "the next call was answered at once");
    }

    #[tokio::test]
    async fn a_refusal_ends_it_and_so_does_patience() {
        let (client, n_calls) = (client(), Cell::new(0));
        let count = |error: fn() -> ClientError| {
            let n_calls = &n_calls;
            move || {
                n_calls.set(n_calls.get() + 1);
                async move { Err::<(), _>(error()) }
            }
        };
        let refused = client.steady().call(count(|| refused(409, "already_closed"))).await.unwrap_err();
        assert!(!refused.may_pass() && n_calls.replace(0) == 1);
        let given_up = client.steady().patience(Patience::Tries(2)).call(count(away)).await.unwrap_err();
        assert!(given_up.may_pass() && n_calls.replace(0) == 3);
        let begun = Instant::now();
        let patience = Patience::Away(Duration::from_millis(100));
        assert!(client.steady().patience(patience).call(count(away)).await.is_err());
        assert!(begun.elapsed() > Duration::from_millis(100) && n_calls.replace(0) > 1);
        let until = Instant::now() + Duration::from_millis(100);
        assert!(client.steady().until(Some(until)).call(count(away)).await.is_err());
        assert!(Instant::now() >= until && n_calls.get() > 1);
    }
}
