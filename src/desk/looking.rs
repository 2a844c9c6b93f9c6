//! Who looks at an ask right now, as their page says: whoever does needs no nudge.
//!
//! Kept in memory only, for as long as somebody says so.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;

use super::Desk;

/// A page that was silent for this long is not looked at any more.
const LOOKS_FOR: Duration = Duration::from_secs(40);
/// Asks that are looked at, at most; more are nudged for.
const ASKS_MAX: usize = 10_000;

/// Until when each ask counts as looked at.
#[derive(Default)]
pub struct Looks(Mutex<HashMap<AskId, Timestamp>>);

impl Looks {
    /// Notes that the person looks at an ask, or has stopped to.
    pub fn note(&self, ask: AskId, now: Timestamp, is_gone: bool) {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if is_gone {
            looks.remove(&ask);
            return;
        }
        if looks.len() >= ASKS_MAX {
            looks.retain(|_, until| *until > now);
        }
        if looks.len() < ASKS_MAX {
            looks.insert(ask, now.after(LOOKS_FOR));
        }
    }

    /// Whether the person looks at an ask.
    pub fn at(&self, ask: AskId, now: Timestamp) -> bool {
        let looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        looks.get(&ask).is_some_and(|until| *until > now)
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
    fn a_look_lasts_while_the_page_says_so() {
        let (looks, ask) = (Looks::default(), AskId(1));
        looks.note(ask, Timestamp(0), false);
        assert!(looks.at(ask, Timestamp(39_999)) && !looks.at(ask, Timestamp(40_000)));
        looks.note(ask, Timestamp(50_000), false);
        assert!(looks.at(ask, Timestamp(60_000)) && !looks.at(AskId(2), Timestamp(60_000)));
        looks.note(ask, Timestamp(61_000), true);
        assert!(!looks.at(ask, Timestamp(61_000)));
    }
}
