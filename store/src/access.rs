//! Who may come in: users, their keys, the web page's cookies and one-time login links.
//!
//! Secrets never get here: what is stored and looked up is the SHA-256 of a key, a cookie or a
//! link.

pub use askuser_core::command::KeyRole;
pub use askuser_core::id::KeyId;
use askuser_core::id::UserId;
use askuser_core::outcome::Proof;
use askuser_core::time::Timestamp;

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

/// Reads the stored word of a proof.
pub(super) fn proof_of(word: &str) -> Result<Proof, super::StoreError> {
    let known = Proof::ALL.into_iter().find(|proof| proof.name() == word);
    known.ok_or_else(|| super::StoreError::Damaged(format!("no proof is called `{word}`")))
}
