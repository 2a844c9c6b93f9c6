//! What people were told of open asks, and the links with which they answer from outside.
//!
//! A nudge is claimed before it is sent: of all replicas, and of all starts of a daemon, exactly one
//! gets it. So nobody is nudged twice; one that was being sent when the power went may be lost.

use std::time::Duration;

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;

use super::{Later, SecretHash};

/// How long a link that is over is kept: so long it can be told from one that was made up.
const LINK_KEPT_FOR: Duration = Duration::from_hours(24 * 30);

/// Links that were over before then are forgotten.
pub(super) fn links_kept_since(now: Timestamp) -> Timestamp {
    let kept = i64::try_from(LINK_KEPT_FOR.as_millis()).unwrap_or(i64::MAX);
    Timestamp(now.0.saturating_sub(kept))
}

/// Names one nudge: of one ask, for one person, through one of their channels.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NudgeKey {
    pub ask: AskId,
    /// Whom it is for.
    pub person: UserId,
    /// The first nudge is 0; reminders and escalations follow.
    pub step: u32,
    /// Through what, by the name that it is configured under; empty where the person saw it anyway.
    pub channel: String,
}

/// How a nudge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NudgeState {
    /// Being sent right now.
    Trying,
    /// Not sent yet: to be tried again.
    Waiting,
    Sent,
    /// Not needed, or given up.
    Over,
}

impl NudgeState {
    /// Every state there is.
    pub const ALL: [Self; 4] = [Self::Trying, Self::Waiting, Self::Sent, Self::Over];

    /// Returns its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trying => "trying",
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Over => "over",
        }
    }

    /// Finds it by its word.
    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == word)
    }
}

/// A nudge as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NudgeRow {
    pub key: NudgeKey,
    /// How it stands.
    pub state: NudgeState,
    /// What its service calls the message, for taking it back.
    pub receipt: Option<String>,
}

/// A nudge that was sent and whose ask has ended, for everybody or for its person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedNudge {
    pub key: NudgeKey,
    /// What its service calls the message.
    pub receipt: String,
    /// How many other asks the same message tells of that are still open.
    pub n_left: u64,
}

/// A link or button that answers one ask, for one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLink {
    pub ask: AskId,
    pub person: UserId,
    /// The channel that it was sent through.
    pub channel: String,
    /// Until when it is good, if the ask is open so long.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

/// The part of a store that remembers nudges and answer links.
pub trait NudgeStore: Send + Sync {
    /// Takes a nudge on. Exactly one caller ever gets true.
    fn claim_nudge(&self, key: NudgeKey, state: NudgeState, now: Timestamp) -> Later<'_, bool>;
    /// Moves a nudge on, if it stands there. False where it does not, or its ask has ended.
    fn move_nudge(&self, key: NudgeKey, from: NudgeState, to: NudgeState) -> Later<'_, bool>;
    /// Notes that a nudge was sent. False where its ask has ended meanwhile: then it must be taken back.
    fn sent_nudge(&self, key: NudgeKey, receipt: String) -> Later<'_, bool>;
    /// Forgets the nudges of an ask that has ended, and returns those that were sent. Exactly one
    /// caller gets each.
    fn end_nudges(&self, ask: AskId) -> Later<'_, Vec<EndedNudge>>;
    /// The same for those of one person, who has spoken while others are still to; or only for those
    /// of one of their channels.
    fn end_nudges_of(
        &self,
        ask: AskId,
        person: UserId,
        channel: Option<String>,
    ) -> Later<'_, Vec<EndedNudge>>;
    /// Returns every nudge that is not forgotten.
    fn nudges(&self) -> Later<'_, Vec<NudgeRow>>;

    /// Adds a link. False where there is no such user, or is disabled.
    fn add_answer_link(&self, hash: SecretHash, link: AnswerLink, now: Timestamp) -> Later<'_, bool>;
    /// Returns the link of this hash, whatever became of it, unless its user was disabled.
    fn answer_link(&self, hash: SecretHash) -> Later<'_, Option<AnswerLink>>;
    /// Notes that a link was used. False where it was before.
    fn use_answer_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, bool>;
}
