//! One conversation of one agent, owned by one user.

use std::time::Duration;

use crate::ask::Fingerprint;
use crate::asker::Timing;
use crate::id::{SessionId, UserId};
use crate::time::Timestamp;

/// One conversation (D5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
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
    /// The point of the earlier session that it goes on from, where it does (D13): what ended there later is
    /// no part of it.
    pub restored_to: Option<Timestamp>,
    /// Why it goes on from an earlier session, where it does.
    pub restore_reason: Option<String>,
    /// What the latest round was, for telling repeats (P3).
    pub last_round: Option<LastRound>,
}

/// Returns how many rounds there are, as far as that is known: what the asker announced, until more came (P11).
pub fn rounds_in_all(round: u32, announced: Option<u32>) -> Option<u32> {
    announced.filter(|total| *total >= round)
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
    /// Its agent or its person ended it, or its task is done.
    Completed,
    /// Nothing happened in it for too long.
    Timeout,
}

/// How the names begin that we give to sessions for single asks.
pub const DERIVED: &str = "derived:";

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

impl Session {
    /// A session that begins now, before anything was asked in it.
    pub fn new(id: SessionId, owner: UserId, origin: Origin, now: Timestamp) -> Self {
        Self {
            id,
            owner,
            external_id: None,
            origin,
            status: SessionStatus::Active,
            round: 0,
            total_rounds: None,
            timing: Timing::default(),
            created_at: now,
            last_activity: now,
            restored_to: None,
            restore_reason: None,
            last_round: None,
        }
    }

    /// Whether nothing happened in it for too long. It is over then, whenever somebody notes that (D5), unless
    /// it has an open ask or its task is at work.
    pub fn is_idle(&self, now: Timestamp, idle_max: Duration) -> bool {
        now.since(self.last_activity) >= idle_max
    }

    /// Returns the name that the caller gave it. One that was made for single asks has a name of ours,
    /// and one that was opened without any has an id of ours.
    pub fn given_name(&self) -> Option<&str> {
        let is_given = |name: &&str| self.origin != Origin::Derived && !name.starts_with(DERIVED);
        let name = self.external_id.as_deref().filter(is_given);
        name.filter(|name| name.parse::<SessionId>().is_err())
    }

    /// Returns the session that this one goes on from, and up to when what ended there is part of it (D13).
    pub fn goes_on_from(&self) -> Option<(SessionId, Timestamp)> {
        match self.origin {
            Origin::Restored(from) => Some((from, self.restored_to.unwrap_or(self.created_at))),
            Origin::Named | Origin::Derived => None,
        }
    }
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
