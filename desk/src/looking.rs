//! Who looks at an ask right now, as their page says: whoever does needs no nudge.
//!
//! Kept in memory only, for as long as somebody says so.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use parking_lot::Mutex;

use super::Desk;

/// A page that was silent for this long is not looked at any more.
const LOOKS_FOR: Duration = Duration::from_secs(40);
/// Asks that are looked at, at most; more are nudged for.
const ASKS_MAX: usize = 10_000;

/// Until when each ask counts as looked at, and by whom.
#[derive(Default)]
pub struct Looks(Mutex<HashMap<(AskId, UserId), Timestamp>>);

impl Looks {
    /// Notes that a person looks at an ask, or has stopped to.
    pub fn note(&self, ask: AskId, person: &UserId, now: Timestamp, is_gone: bool) {
        let look = (ask, person.clone());
        let mut looks = self.0.lock();
        if is_gone {
            looks.remove(&look);
            return;
        }
        if looks.len() >= ASKS_MAX {
            looks.retain(|_, until| *until > now);
        }
        if looks.len() < ASKS_MAX {
            looks.insert(look, now.after(LOOKS_FOR));
        }
    }

    /// Whether a person looks at an ask.
    pub fn at(&self, ask: AskId, person: &UserId, now: Timestamp) -> bool {
        let looks = self.0.lock();
        looks.get(&(ask, person.clone())).is_some_and(|until| *until > now)
    }
}

impl Desk {
    /// Returns who looks at what.
    pub fn looks(&self) -> Arc<Looks> {
        Arc::clone(&self.0.looks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_lasts_while_the_page_says_so_and_is_one_persons() {
        let (looks, ask) = (Looks::default(), AskId(1));
        let (ann, bob) = (UserId::from("ann"), UserId::from("bob"));
        looks.note(ask, &ann, Timestamp(0), false);
        assert!(looks.at(ask, &ann, Timestamp(39_999)) && !looks.at(ask, &ann, Timestamp(40_000)));
        looks.note(ask, &ann, Timestamp(50_000), false);
        assert!(looks.at(ask, &ann, Timestamp(60_000)) && !looks.at(AskId(2), &ann, Timestamp(60_000)));
        assert!(!looks.at(ask, &bob, Timestamp(60_000)), "Bob does not look at it");
        looks.note(ask, &ann, Timestamp(61_000), true);
        assert!(!looks.at(ask, &ann, Timestamp(61_000)));
    }
}
