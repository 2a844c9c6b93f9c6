//! The browsers that asked to be told (Web Push), and the key that the desk signs with.
//!
//! Both are where every server of the desk finds them: a browser takes messages of one key only.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;

use super::{Later, SecretHash};

/// A browser that asked to be told, for one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    /// Whom it tells.
    pub person: UserId,
    /// Its address at the service that carries messages to it. Whoever knows it may knock there.
    pub endpoint: String,
    /// Its public key.
    pub key: Vec<u8>,
    /// The secret that it shares with us.
    pub auth: Vec<u8>,
    /// The language of its page.
    pub language: String,
    /// When it asked.
    pub at: Timestamp,
}

/// The part of a store that remembers browsers.
pub trait PushStore: Send + Sync {
    /// Keeps this key where there is none yet; returns the one that is kept.
    fn push_key(&self, made: Vec<u8>, now: Timestamp) -> Later<'_, Vec<u8>>;
    /// Adds a browser under the hash of its address, or says anew whom it tells; the oldest of the
    /// person's go where there are more than `n_max`. False where there is no such user, or is disabled.
    fn add_browser(&self, hash: SecretHash, browser: Browser, n_max: usize) -> Later<'_, bool>;
    /// Forgets a browser, if it is this person's. False where it is not.
    fn remove_browser(&self, hash: SecretHash, person: UserId) -> Later<'_, bool>;
    /// Returns the browsers of everybody who is not disabled, the oldest first; those of one person
    /// where one is named.
    fn browsers(&self, person: Option<UserId>) -> Later<'_, Vec<Browser>>;
}
