//! Tells another program by HTTP, signed as Standard Webhooks says; again and again for a while, and
//! what cannot be told is kept in a list. It never holds anything up.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::time::Timestamp;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use hyper::{Method, StatusCode};
use parking_lot::Mutex;
use sha2::Sha256;
use tokio::sync::Semaphore;

use super::http::{Answer, Call, Http, HttpError};
use askuser_system::backoff::Pauses;

/// How long one attempt may take.
const ATTEMPT_MAX: Duration = Duration::from_secs(10);
/// Messages on their way at once; one more is not sent.
const ON_THE_WAY_MAX: usize = 64;
/// Messages that could not be told are kept up to this many, the latest ones.
const DEAD_MAX: usize = 100;

/// Whom to tell, and with which secret.
#[derive(Clone)]
pub struct Webhook {
    url: String,
    secret: Arc<[u8]>,
    pauses: Pauses,
    attempt_max: Duration,
}

/// A message that could not be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dead {
    /// Its id, the same in every attempt.
    pub id: String,
    /// When it was given up.
    pub at: Timestamp,
    /// What it said.
    pub body: String,
    /// Why it could not be told, the last time.
    pub why: String,
    /// How often it was tried.
    pub n_attempts: usize,
}

/// What is on its way, and what was given up.
#[derive(Clone)]
pub struct Outbox {
    turns: Arc<Semaphore>,
    dead: Arc<Mutex<VecDeque<Dead>>>,
}

impl Default for Outbox {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(ON_THE_WAY_MAX)), dead: Arc::default() }
    }
}

/// The secret is none: `whsec_` and base64.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the secret of the webhook is not `whsec_` and base64")]
pub struct NotASecret;

impl Webhook {
    /// Tells at this address, with this secret (`whsec_…`).
    pub fn new(url: &str, secret: &str) -> Result<Self, NotASecret> {
        let secret = secret.trim().strip_prefix("whsec_").ok_or(NotASecret)?;
        let secret = STANDARD.decode(secret).map_err(|_| NotASecret)?;
        let (url, secret) = (url.to_owned(), secret.into());
        Ok(Self { url, secret, pauses: Pauses::OF_A_MESSAGE, attempt_max: ATTEMPT_MAX })
    }

    /// The same with other times, for tests.
    #[must_use]
    pub fn timed(self, pauses: Pauses, attempt_max: Duration) -> Self {
        Self { pauses, attempt_max, ..self }
    }

    /// Returns the signature of a message.
    pub fn signature(&self, id: &str, seconds: i64, body: &str) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).ok()?;
        mac.update(format!("{id}.{seconds}.{body}").as_bytes());
        Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
    }

    /// Tells it once; says why where it was not taken.
    async fn attempt(&self, id: &str, now: Timestamp, body: &str) -> Result<(), String> {
        let told = self.send(&Http::default(), id, now, body).await;
        verdict(told.map_err(|error| error.to_string())?.status)
    }

    /// Tells it once, and returns what is answered.
    pub async fn send(&self, http: &Http, id: &str, now: Timestamp, body: &str) -> Result<Answer, HttpError> {
        let seconds = now.0.div_euclid(1000);
        let signature = self.signature(id, seconds, body).unwrap_or_default();
        let seconds = seconds.to_string();
        let headers = [
            ("content-type", "application/json"),
            ("webhook-id", id),
            ("webhook-timestamp", seconds.as_str()),
            ("webhook-signature", signature.as_str()),
        ];
        let (body, time_max) = (body.to_owned(), self.attempt_max);
        http.call(Call { method: Method::POST, url: &self.url, headers: &headers, body, time_max }).await
    }
}

/// Only 2xx is a yes. A redirect is not followed: it would send what was signed for one to another.
pub fn verdict(status: StatusCode) -> Result<(), String> {
    if status.is_success() {
        return Ok(());
    }
    let hint = if status.is_redirection() {
        ", which is not followed: configure the address it leads to"
    } else {
        ""
    };
    Err(format!("answered {status}{hint}"))
}

impl Outbox {
    /// Sends a message, and returns at once.
    pub fn send(
        &self,
        webhook: Webhook,
        id: String,
        body: String,
        clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    ) {
        let outbox = self.clone();
        let Ok(turn) = Arc::clone(&self.turns).try_acquire_owned() else {
            let why = format!("{ON_THE_WAY_MAX} messages are on their way already");
            return self.bury(Dead { id, at: clock(), body, why, n_attempts: 0 });
        };
        tokio::spawn(async move {
            let mut why = String::new();
            for n_failed in 0..=webhook.pauses.count() {
                if n_failed > 0 {
                    tokio::time::sleep(webhook.pauses.after(n_failed)).await;
                }
                match webhook.attempt(&id, clock(), &body).await {
                    Ok(()) => return,
                    Err(said) => why = said,
                }
            }
            let n_attempts = webhook.pauses.count() + 1;
            outbox.bury(Dead { id, at: clock(), body, why, n_attempts });
            drop(turn);
        });
    }

    fn bury(&self, dead: Dead) {
        tracing::error!(
            webhook.id = dead.id,
            "A webhook was given up after {} attempts: {}",
            dead.n_attempts,
            dead.why
        );
        let mut all = self.dead.lock();
        if all.len() == DEAD_MAX {
            all.pop_front();
        }
        all.push_back(dead);
    }

    /// Returns what was given up, the oldest first.
    pub fn dead(&self) -> Vec<Dead> {
        self.dead.lock().iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests;
