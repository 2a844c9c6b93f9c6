//! What is kept for whoever looks into what happened: security events in a chain of their own, where
//! people acted from, and erasing what is old (D15).

use std::net::IpAddr;

use askuser_core::time::Timestamp;

use super::chain::{self, Link, Verified};
use super::{Head, Later, Served, StoreError};

/// How grave an event is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It happens.
    Low,
    /// Somebody should look, some time.
    Medium,
    /// Somebody should look now.
    High,
}

impl Severity {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// Returns its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Reads its word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == word)
    }
}

/// Something that should not be, or that somebody should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityEvent {
    /// Its number, from 1; 0 before it is stored.
    pub number: u64,
    pub at: Timestamp,
    /// What kind: `wrong_key`, `wrong_origin`, ….
    pub kind: String,
    /// How grave.
    pub severity: Severity,
    /// What is known of it, as a JSON object. Never a secret.
    pub details: String,
}

/// No salt: nothing of a security event is ever erased by itself.
const NO_SALT: [u8; 0] = [];

impl SecurityEvent {
    /// Returns the head after it.
    pub(super) fn next(&self, head: &Head) -> Head {
        let digest = chain::digest(&NO_SALT, self.details.as_bytes());
        chain::next(head, self.at, &chained(&self.kind, self.severity.name()), &digest)
    }
}

/// A security event as it is stored.
#[derive(Debug)]
pub(super) struct EventRow {
    pub(super) number: u64,
    pub(super) at: Timestamp,
    pub(super) kind: String,
    /// The word for how grave it is.
    pub(super) severity: String,
    pub(super) details: String,
    pub(super) hash: Vec<u8>,
}

impl EventRow {
    /// Returns the event. One whose severity has no word that we know is grave.
    pub(super) fn event(self) -> SecurityEvent {
        let severity = Severity::parse(&self.severity).unwrap_or(Severity::High);
        SecurityEvent { number: self.number, at: self.at, kind: self.kind, severity, details: self.details }
    }

    /// Returns it as the chain sees it.
    pub(super) fn link(self) -> Link {
        let digest = chain::digest(&NO_SALT, self.details.as_bytes()).to_vec();
        let kind = chained(&self.kind, &self.severity);
        Link {
            number: self.number,
            at: self.at,
            kind,
            payload: None,
            is_in_place: true,
            digest,
            hash: self.hash,
        }
    }
}

/// The severity stands in the chain too.
fn chained(kind: &str, severity: &str) -> String {
    format!("{kind} {severity}")
}

/// A file that says what the desk does, as it was seen last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedFile {
    /// The server in whose data folder it is.
    pub server: String,
    pub name: String,
    /// The SHA-256 of what stands in it; none where it is not there.
    pub digest: Option<[u8; 32]>,
}

/// The part of a store that is for audits.
pub trait AuditStore: Send + Sync {
    /// Keeps security events, chained to those before.
    fn add_events(&self, events: Vec<SecurityEvent>) -> Later<'_, ()>;
    /// Returns the security events after this number, in order.
    fn events(&self, after: u64, limit: usize) -> Later<'_, Vec<SecurityEvent>>;
    /// Returns the digest of a file of a server as it was noted last; none where it was not there, or never
    /// seen.
    fn file_digest(&self, server: String, name: String) -> Later<'_, Option<[u8; 32]>>;
    /// Notes what a file is now, and adds the event that says so, or neither.
    fn note_file(&self, file: WatchedFile, event: SecurityEvent) -> Later<'_, ()>;
    /// Returns the latest security event's number and hash.
    fn events_head(&self) -> Later<'_, Head>;
    /// Walks the chain of security events.
    fn verify_events(&self) -> Later<'_, Verified>;
    /// Compares every ask, session and task that is served with its facts.
    fn verify_served(&self) -> Later<'_, Served>;
    /// Returns the addresses from which the facts of these numbers were made, as far as they are known.
    fn addresses(&self, numbers: Vec<u64>) -> Later<'_, Vec<(u64, String)>>;
    /// Erases what is told by at most so many asks that ended before then, the oldest first: their
    /// texts, answers and contexts, and the payloads of their facts. Numbers and hashes stay, and the
    /// chain verifies. Rules that people made and that ended before then go. Returns how many asks were
    /// erased.
    fn erase_before(&self, before: Timestamp, limit: usize) -> Later<'_, u64>;
    /// Returns how many asks that would erase, without a limit.
    fn erasable_before(&self, before: Timestamp) -> Later<'_, u64>;
}

tokio::task_local! {
    static ADDRESS: Option<IpAddr>;
}

/// Does something for a caller from this address: facts that come of it say so.
pub async fn from_address<T>(address: Option<IpAddr>, doing: impl Future<Output = T>) -> T {
    ADDRESS.scope(address, doing).await
}

/// Returns the address of the caller for whom something is done now.
pub fn address() -> Option<IpAddr> {
    ADDRESS.try_with(|address| *address).ok().flatten()
}

/// There is no audit in this store.
pub fn no_audit() -> StoreError {
    StoreError::Unavailable("this store keeps no audit".to_owned())
}
