//! What every channel does: sends a letter, and takes it back.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use hyper::StatusCode;

use super::nudge::{Ended, Letter};
use askuser_net::http::{Answer, HttpError};
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both};

/// What a channel answers, later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why a letter was not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", why.english)]
pub struct SendError {
    /// Why, in both languages; what a service or the system said is the same in both.
    pub why: Both,
    /// When it may work.
    pub again: Retry,
    /// What the service answered, where it did.
    pub status: Option<StatusCode>,
}

/// When something may work that did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Later; not before that where the service said so.
    Later(Option<Duration>),
    /// Never, as things are: somebody must change something first.
    Never,
}

impl Retry {
    /// Returns how long to wait: this, or longer where the service said so.
    pub(super) fn no_sooner(self, pause: Duration) -> Duration {
        match self {
            Self::Later(Some(wanted)) => pause.max(wanted),
            Self::Later(None) | Self::Never => pause,
        }
    }
}

impl SendError {
    /// It may work later.
    pub fn later(why: Both) -> Self {
        Self { why, again: Retry::Later(None), status: None }
    }

    /// It will not work.
    pub fn never(why: Both) -> Self {
        Self { why, again: Retry::Never, status: None }
    }

    /// There was no answer: there may be one later.
    #[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
    pub(super) fn unanswered(error: HttpError) -> Self {
        Self::later(error.said())
    }

    /// Judges what a service answered: too much and its own faults pass, everything else does not.
    pub fn of(answer: &Answer) -> Result<(), Self> {
        let status = answer.status;
        if status.is_success() {
            return Ok(());
        }
        let passes = status.is_server_error()
            || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(&status);
        let again = if passes { Retry::Later(answer.retry_after) } else { Retry::Never };
        let say = |say: Undelivered| {
            if status.is_redirection() { say.redirects(status) } else { say.answered(status) }
        };
        Err(Self { why: both(say), again, status: Some(status) })
    }
}

/// One channel of one person.
pub trait Carrier: Send + Sync {
    /// Sends a letter; returns what the service calls it, for taking it back. Empty where it cannot be.
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>>;

    /// Takes a message back, or says on it how the ask ended.
    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>>;

    /// Listens for answers until it is dropped, where the service brings any.
    fn listen(&self) -> Option<Later<'_, ()>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_tried_again_and_what_does_not_is_not() {
        let answer = |status: u16, retry_after: Option<u64>| Answer {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after: retry_after.map(Duration::from_secs),
            body: String::new(),
        };
        let judged = |status, after| SendError::of(&answer(status, after)).map_err(|trouble| trouble.again);
        assert_eq!(judged(204, None), Ok(()));
        assert_eq!(judged(429, Some(7)), Err(Retry::Later(Some(Duration::from_secs(7)))));
        assert_eq!(judged(503, None), Err(Retry::Later(None)));
        for status in [301, 400, 401, 403, 404, 410, 413] {
            assert_eq!(judged(status, None), Err(Retry::Never), "{status}");
        }
    }
}
