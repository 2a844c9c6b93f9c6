//! The rules that people made from answers they gave, "always answer this so", and those for permissions
//! that they confirmed.
//!
//! They are where every server of the desk finds them, and are looked up here for every ask: what is made
//! holds everywhere at once, and what was taken back holds nowhere.

use std::sync::atomic::{AtomicU8, Ordering};

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;

use super::{Later, SecurityEvent};

/// Stands for everything that a question must be like for an answer to fit: its SHA-256.
pub type Mark = [u8; 32];

/// A rule as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRule {
    /// Whose it is.
    pub person: UserId,
    /// The ask that it was made from: one of each person at most.
    pub ask: AskId,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// An entry for each question that it answers, under its mark. The store does not read them.
    pub entries: Vec<(Mark, String)>,
}

/// A rule for permissions that a person confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedRule {
    /// Who did.
    pub person: UserId,
    /// The digest of its text.
    pub digest: Mark,
    pub at: Timestamp,
    /// Its text. The store does not read it.
    pub text: String,
}

/// The part of a store that remembers rules. What it returns are entries: of the newest rule first, in
/// the order in which they were added; none of a rule that has ended, or of a person who is disabled.
pub trait RuleStore: Send + Sync {
    /// Adds a rule in the place of the one from the same ask, and the event that says who made it, or
    /// neither; those that ended by then go. False where the person has `n_max` others.
    fn add_rule(&self, rule: KeptRule, n_max: usize, event: SecurityEvent) -> Later<'_, bool>;
    /// Removes a rule, and adds the event that says who did; those that ended by then go. False where
    /// there is none.
    fn remove_rule(&self, person: UserId, ask: AskId, event: SecurityEvent) -> Later<'_, bool>;
    /// Returns the person's rules.
    fn rules_of(&self, person: UserId, now: Timestamp) -> Later<'_, Vec<String>>;
    /// Whether anybody may have a rule; where nobody has one, no mark need be made. True where only looking
    /// would tell.
    fn may_have_rules(&self) -> bool {
        true
    }
    /// Returns what they say under these marks. Asked for every ask that is shown, so it must be quick.
    fn rules_marked(&self, person: UserId, marks: Vec<Mark>, now: Timestamp) -> Later<'_, Vec<String>>;
    /// Notes that a person confirmed a rule, and adds the event that says so. False where they had.
    fn confirm_rule(&self, rule: ConfirmedRule, event: SecurityEvent) -> Later<'_, bool>;
    /// Takes that back, and adds the event that says so. False where they had not.
    fn unconfirm_rule(&self, person: UserId, digest: Mark, event: SecurityEvent) -> Later<'_, bool>;
    /// Returns what a person confirmed, the latest first; nothing of one who is disabled.
    fn confirmed_rules(&self, person: UserId) -> Later<'_, Vec<ConfirmedRule>>;
}

/// Whether anybody may have a rule, where nobody else can add one: where nobody has one, no ask need be
/// looked up.
#[derive(Default)]
pub(super) struct AnyRules(AtomicU8);

impl AnyRules {
    const UNKNOWN: u8 = 0;
    const NONE: u8 = 1;
    const SOME: u8 = 2;

    pub(super) fn is_none(&self) -> bool {
        self.0.load(Ordering::SeqCst) == Self::NONE
    }

    /// One may be there from now on.
    pub(super) fn come(&self) {
        self.0.store(Self::SOME, Ordering::SeqCst);
    }

    /// None was there; one that has come meanwhile counts.
    pub(super) fn saw_none(&self) {
        // Where it is known already, that stays.
        let _known = self.0.compare_exchange(Self::UNKNOWN, Self::NONE, Ordering::SeqCst, Ordering::SeqCst);
    }
}
