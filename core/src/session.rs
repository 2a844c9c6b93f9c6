//! One conversation of one agent, owned by one user.

use crate::ask::Fingerprint;
use crate::asker::Timing;
use crate::id::{SessionId, UserId};
use crate::time::Timestamp;

/// One conversation (D5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its name.
    pub id: SessionId,
    /// Whom it belongs to; for anybody else it is not there.
    pub owner: UserId,
    /// The agent's own name for it.
    pub external_id: Option<String>,
    /// How it came to be.
    pub origin: Origin,
    /// Where it stands.
    pub status: SessionStatus,
    /// The number of the latest round; 0 before the first.
    pub round: u32,
    /// What the asker announced (P11).
    pub total_rounds: Option<u32>,
    /// What holds for its asks where they say nothing else.
    pub timing: Timing,
    /// When it began.
    pub created_at: Timestamp,
    /// When something last happened in it.
    pub last_activity: Timestamp,
    /// Why it goes on from an earlier session, where it does and someone said so (D13).
    pub restore_reason: Option<String>,
    /// What the latest round was, for telling repeats (P3).
    pub last_round: Option<LastRound>,
}

/// How a session came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The asker named it. Counts towards the limit of active sessions.
    Named,
    /// Made for an ask that named none. Does not count: a hundred one-off asks are not a hundred
    /// conversations.
    Derived,
    /// Goes on from an earlier session (D13).
    Restored(SessionId),
}

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionStatus {
    /// Asks may be made in it.
    Active,
    /// Its agent ended it.
    Completed,
    /// Nothing happened in it for too long.
    Timeout,
}

/// What is remembered of the latest round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRound {
    /// What was asked.
    pub fingerprint: Fingerprint,
    /// How deep it was.
    pub depth: u32,
    /// When it was asked.
    pub at: Timestamp,
}

impl SessionStatus {
    /// Returns its word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Timeout => "timeout",
        }
    }
}
