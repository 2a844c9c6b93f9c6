//! Who comes in: by a key, or by the page's cookie (`browsers`).
//!
//! A secret is 32 random bytes, shown once; what is stored and looked up is its SHA-256, so that
//! finding it leaks nothing about it.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use askuser_core::command::{Actor, Role};
use askuser_core::hex::hex;
use askuser_core::id::UserId;
use askuser_core::outcome::{By, Channel, Proof};
use parking_lot::{Mutex, MutexGuard};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::{Desk, DeskError};
use askuser_store::{BrowserId, KeyId, KeyRole, KeyRow, SecretHash, User};

/// How long a key that was looked up is taken as known: a revoked one opens nothing after this,
/// on every replica.
const KNOWN_FOR: Duration = Duration::from_secs(2);
/// Keys known at once; more are looked up each time.
const KNOWN_MAX: usize = 10_000;
/// Someone who came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What they may do.
    pub role: KeyRole,
    /// Who they are.
    pub user: UserId,
    /// The key they came with; none with a cookie.
    pub key: Option<KeyId>,
    /// The signed-in browser they came with; none with a key.
    pub browser: Option<BrowserId>,
    /// How we know.
    pub proof: Proof,
}

impl Caller {
    /// Returns them as an agent, if they may be one.
    pub fn agent(&self) -> Option<Actor> {
        (self.role == KeyRole::Agent).then(|| self.actor(Role::Agent, Channel::Agent))
    }

    /// Returns them as a person, if they are one.
    pub fn person(&self) -> Option<Actor> {
        let channel = if self.browser.is_some() { Channel::Web } else { Channel::Api };
        (self.role == KeyRole::Person).then(|| self.actor(Role::Person, channel))
    }

    fn actor(&self, role: Role, channel: Channel) -> Actor {
        let by = By::new(Some(self.user.clone()), channel, self.proof);
        Actor { role, user: self.user.clone(), by, key: self.key }
    }
}

/// A secret, to be shown once. Prints as nothing, so that it does not end up in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Makes one up; `what` stands before it, so that a stray one says what it is.
    pub(super) fn new(what: &str) -> Result<Self, DeskError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| DeskError::no_randomness())?;
        Ok(Self(format!("{what}_{}", hex(&bytes))))
    }

    /// Makes up that of a key, which opens nothing yet.
    pub fn of_key(role: KeyRole) -> Result<Self, DeskError> {
        Self::new(&format!("askuser_{}", role.name()))
    }

    /// Takes one that was made up.
    pub(super) fn of(secret: String) -> Self {
        Self(secret)
    }

    /// Returns it, to be shown.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

pub(super) fn hash(secret: &str) -> SecretHash {
    Sha256::digest(secret).into()
}

/// Who has the keys that were just found, so that not every request asks the store.
#[derive(Default)]
pub(super) struct KnownKeys(Mutex<Known>);

#[derive(Default)]
struct Known {
    callers: HashMap<SecretHash, (Caller, Instant)>,
    /// How often all were forgotten.
    n_cleared: u64,
}

impl KnownKeys {
    /// Returns who has a key, or what [`KnownKeys::put`] wants to hear after the store was asked.
    fn get(&self, hash: &SecretHash) -> Result<Caller, u64> {
        let known = self.known();
        let caller = known.callers.get(hash).filter(|(_, since)| since.elapsed() < KNOWN_FOR);
        caller.map(|(caller, _)| caller.clone()).ok_or(known.n_cleared)
    }

    /// Keeps who has a key, unless keys were forgotten since it was looked for: it may be the one that was
    /// revoked meanwhile.
    fn put(&self, hash: SecretHash, caller: Caller, since: u64) {
        let mut known = self.known();
        if known.callers.len() >= KNOWN_MAX {
            known.callers.retain(|_, (_, since)| since.elapsed() < KNOWN_FOR);
        }
        if known.callers.len() < KNOWN_MAX && known.n_cleared == since {
            known.callers.insert(hash, (caller, Instant::now()));
        }
    }

    fn clear(&self) {
        let mut known = self.known();
        known.callers.clear();
        known.n_cleared += 1;
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock()
    }
}

/// Who may come in: users, keys, signed-in browsers.
#[derive(Clone, Copy)]
pub struct Access<'a>(pub(super) &'a Desk);

impl Desk {
    /// Returns who may come in.
    pub fn access(&self) -> Access<'_> {
        Access(self)
    }
}

impl Access<'_> {
    /// Returns every user, by name.
    pub async fn users(self) -> Result<Vec<User>, DeskError> {
        Ok(self.0.0.store.users().await?)
    }

    /// Adds a user. None where the name is taken.
    pub async fn add_user(self, name: &UserId) -> Result<Option<User>, DeskError> {
        let user = User { id: name.clone(), created_at: self.0.now(), disabled_at: None };
        Ok(self.0.0.store.add_user(user.clone()).await?.then_some(user))
    }

    /// Returns every key, revoked ones included, oldest first.
    pub async fn keys(self) -> Result<Vec<KeyRow>, DeskError> {
        Ok(self.0.0.store.keys().await?)
    }

    /// Finds who has this key.
    pub async fn by_key(self, secret: &str) -> Result<Option<Caller>, DeskError> {
        let hash = hash(secret);
        let since = match self.0.0.known_keys.get(&hash) {
            Ok(caller) => return Ok(Some(caller)),
            Err(since) => since,
        };
        let Some(KeyRow { id, role, user, .. }) = self.0.0.store.key_by_hash(hash).await? else {
            return Ok(None);
        };
        let caller = Caller { role, user, key: Some(id), browser: None, proof: Proof::KeyFile };
        self.0.0.known_keys.put(hash, caller.clone(), since);
        Ok(Some(caller))
    }

    /// Makes a key for a user; it is shown once and never again.
    pub async fn make_key(
        self,
        role: KeyRole,
        user: &UserId,
        name: &str,
    ) -> Result<Option<Secret>, DeskError> {
        let secret = Secret::of_key(role)?;
        Ok(self.add_key(&secret, role, user, name).await?.then_some(secret))
    }

    /// Lets a user in by a key that was made up for them. False where there is no such user.
    pub async fn add_key(
        self,
        secret: &Secret,
        role: KeyRole,
        user: &UserId,
        name: &str,
    ) -> Result<bool, DeskError> {
        Ok(self.put_key(hash(secret.reveal()), role, user, name).await?.is_some())
    }

    /// Adds a key of which only the digest is known here. None where there is no such user.
    pub(super) async fn put_key(
        self,
        hash: SecretHash,
        role: KeyRole,
        user: &UserId,
        name: &str,
    ) -> Result<Option<KeyId>, DeskError> {
        let now = self.0.now();
        let id = KeyId(self.0.0.ids.next(now));
        let (user, name) = (user.clone(), name.to_owned());
        let key = KeyRow { id, hash, role, user, name, created_at: now, revoked_at: None };
        self.0.0.known_keys.clear();
        Ok(self.0.0.store.add_key(key).await?.then_some(id))
    }

    /// Revokes a key. False where there is none.
    pub async fn revoke_key(self, key: KeyId) -> Result<bool, DeskError> {
        let revoked = self.0.0.store.revoke_key(key, self.0.now()).await?;
        self.0.0.known_keys.clear();
        Ok(revoked)
    }

    /// Disables a user, with everything that lets them in.
    pub async fn disable_user(self, user: &UserId) -> Result<bool, DeskError> {
        let disabled = self.0.0.store.disable_user(user, self.0.now()).await?;
        self.0.0.known_keys.clear();
        Ok(disabled)
    }
}
