//! What happens at the deadline of an ask, when it is urgent, and what comes first because of it.

use std::sync::Arc;
use std::time::Duration;

use crate::answer::{Answer, Answers};
use crate::ask::Ask;
use crate::asker::{Purpose, TimeoutPolicy};
use crate::sheet::Sheet;
use crate::time::Timestamp;

/// An ask with less than this left is urgent.
pub const URGENT: Duration = Duration::from_mins(2);

/// What happens to an ask at its deadline, as things stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtDeadline {
    /// It ends, and the asker is told that nobody answered.
    Unanswered,
    /// These answers are taken, which the asker marked as default.
    Default(Answers),
    /// It ends, and the task is stopped with it.
    Stops,
}

impl Ask {
    /// Says what will happen at its deadline; nothing where it has none.
    pub fn at_deadline(&self) -> Option<AtDeadline> {
        self.deadline?;
        match self.terms.policy.unwrap_or_default() {
            TimeoutPolicy::Abort => Some(AtDeadline::Stops),
            TimeoutPolicy::Cancel => Some(AtDeadline::Unanswered),
            TimeoutPolicy::Default => {
                Some(self.default_answers().map_or(AtDeadline::Unanswered, AtDeadline::Default))
            }
        }
    }

    /// Only what the asker marked: a half-filled sheet is not a person's answer. What they answered for good
    /// is, and where nothing is marked there is no default. Nor is one put in the place of what some of
    /// several people said, or of a permission.
    fn default_answers(&self) -> Option<Answers> {
        if self.terms.purpose != Purpose::Decision || self.hearing.has_begun() {
            return None;
        }
        let sheet = Sheet::suggested_around(Arc::clone(&self.questions), self.answered_for_good().cloned());
        let is_default = |answer: &Answer| {
            !answer.skipped && !answer.collected && !self.submitted.contains(&answer.question)
        };
        sheet.answers().ok().filter(|answers| answers.0.iter().any(is_default))
    }

    /// Whether little time is left to answer it.
    pub fn is_urgent(&self, now: Timestamp) -> bool {
        let left = self.deadline.map(|deadline| deadline.since(now));
        self.is_open() && left.is_some_and(|left| left < URGENT)
    }
}

/// Brings a list into the order in which people should look at it: what is urgent by its deadline, then
/// everything else as it was.
pub fn urgent_first(asks: &mut [Arc<Ask>], now: Timestamp) {
    asks.sort_by_key(|ask| match ask.deadline {
        Some(deadline) if ask.is_urgent(now) => (false, deadline),
        _ => (true, Timestamp(0)),
    });
}
