//! Who may come in: users, their keys, the web page's cookies and one-time login links.
//!
//! Secrets never get here: what is stored and looked up is the SHA-256 of a key, a cookie or a
//! link.

pub use askuser_core::command::KeyRole;
pub use askuser_core::id::KeyId;
use askuser_core::id::UserId;
use askuser_core::outcome::Proof;
use askuser_core::time::Timestamp;

use super::Later;

/// The SHA-256 of a secret.
pub type SecretHash = [u8; 32];

/// A user of the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub id: UserId,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when no key, cookie or link of theirs opens anything.
    pub disabled_at: Option<Timestamp>,
}

/// A key, without the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// Its name for us.
    pub id: KeyId,
    /// What it is found by.
    pub hash: SecretHash,
    /// What it may do.
    pub role: KeyRole,
    /// Whose it is.
    pub user: UserId,
    /// Its name for people.
    pub name: String,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when it opens nothing.
    pub revoked_at: Option<Timestamp>,
}

/// What a login link lets in, how long, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// Whose it is.
    pub user: UserId,
    /// Until when.
    pub expires_at: Timestamp,
    /// How we knew whoever made it.
    pub made_with: Proof,
}

/// Names a signed-in browser, for listing and revoking. Not its cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrowserId(pub u128);

/// A browser that is signed in, without its cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Its name for us.
    pub id: BrowserId,
    /// Who signed in.
    pub user: UserId,
    /// How we knew whoever made its link.
    pub made_with: Proof,
    /// Its name for people.
    pub name: String,
    /// What it says of itself.
    pub user_agent: String,
    /// Since when.
    pub created_at: Timestamp,
    /// When it was last heard of, to a few minutes.
    pub last_seen_at: Timestamp,
    /// Up to when its person was told in it of others that signed in.
    pub told_at: Timestamp,
    /// Until when.
    pub expires_at: Timestamp,
}

/// What changes about a signed-in browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrowserChange {
    /// It was heard of.
    Seen(Timestamp),
    /// Its person was told in it of others that signed in.
    Told(Timestamp),
    /// It has another name.
    Named(String),
    /// It is signed in no more.
    Revoked,
}

/// The part of a store that knows who may come in.
pub trait AccessStore: Send + Sync {
    /// Adds a user. False where the name is taken.
    fn add_user(&self, user: User) -> Later<'_, bool>;
    /// Returns every user, by name.
    fn users(&self) -> Later<'_, Vec<User>>;
    /// Disables a user: their keys, cookies and links open nothing any more. False where there is
    /// no such user, or was disabled before.
    fn disable_user(&self, user: &UserId, now: Timestamp) -> Later<'_, bool>;
    /// Adds a key. False where there is no such user, or is disabled.
    fn add_key(&self, key: KeyRow) -> Later<'_, bool>;
    /// Returns the key of this hash, unless it was revoked or its user disabled.
    fn key_by_hash(&self, hash: SecretHash) -> Later<'_, Option<KeyRow>>;
    /// Returns every key, revoked ones included, oldest first.
    fn keys(&self) -> Later<'_, Vec<KeyRow>>;
    /// Revokes a key. False where there is none, or was revoked before.
    fn revoke_key(&self, key: KeyId, now: Timestamp) -> Later<'_, bool>;

    /// Signs a browser in by the hash of its cookie. False where there is no such user, or is disabled.
    fn add_cookie(&self, hash: SecretHash, browser: SignedIn, now: Timestamp) -> Later<'_, bool>;
    /// Returns the browser whose cookie has this hash, if it is good now.
    fn cookie(&self, hash: SecretHash, now: Timestamp) -> Later<'_, Option<SignedIn>>;
    /// Returns the browsers in which a user is signed in now, the newest first.
    fn signed_in(&self, user: &UserId, now: Timestamp) -> Later<'_, Vec<SignedIn>>;
    /// Changes a signed-in browser of a user. False where they have none of this name.
    fn change_browser(&self, user: &UserId, id: BrowserId, change: BrowserChange) -> Later<'_, bool>;
    /// Revokes a cookie. False where there is none.
    fn revoke_cookie(&self, hash: SecretHash) -> Later<'_, bool>;
    /// Adds a one-time login link. False where there is no such user, or is disabled.
    fn add_login_link(&self, hash: SecretHash, pass: Pass, now: Timestamp) -> Later<'_, bool>;
    /// Uses a login link up: exactly one caller ever gets what it lets in.
    fn use_login_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, Option<Pass>>;
}
