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
const VIEWED_FOR: Duration = Duration::from_secs(40);
/// Asks that are looked at, at most; more are nudged for.
const ASKS_MAX: usize = 10_000;

/// Until when each ask counts as looked at, and by whom.
#[derive(Default)]
pub struct Viewers(Mutex<HashMap<(AskId, UserId), Timestamp>>);

impl Viewers {
    /// Notes that a person looks at an ask, or has stopped to.
    pub fn note(&self, ask: AskId, person: &UserId, now: Timestamp, is_gone: bool) {
        let look = (ask, person.clone());
        let mut viewers = self.0.lock();
        if is_gone {
            viewers.remove(&look);
            return;
        }
        if viewers.len() >= ASKS_MAX {
            viewers.retain(|_, until| *until > now);
        }
        if viewers.len() < ASKS_MAX {
            viewers.insert(look, now.after(VIEWED_FOR));
        }
    }

    /// Whether a person looks at an ask.
    pub fn has(&self, ask: AskId, person: &UserId, now: Timestamp) -> bool {
        let viewers = self.0.lock();
        viewers.get(&(ask, person.clone())).is_some_and(|until| *until > now)
    }
}

impl Desk {
    /// Returns who looks at what.
    pub fn viewers(&self) -> Arc<Viewers> {
        Arc::clone(&self.0.viewers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_lasts_while_the_page_says_so_and_is_one_persons() {
        let (viewers, ask) = (Viewers::default(), AskId(1));
        let (ann, bob) = (UserId::from("ann"), UserId::from("bob"));
        viewers.note(ask, &ann, Timestamp(0), false);
        assert!(viewers.has(ask, &ann, Timestamp(39_999)) && !viewers.has(ask, &ann, Timestamp(40_000)));
        viewers.note(ask, &ann, Timestamp(50_000), false);
        assert!(viewers.has(ask, &ann, Timestamp(60_000)) && !viewers.has(AskId(2), &ann, Timestamp(60_000)));
        assert!(!viewers.has(ask, &bob, Timestamp(60_000)), "Bob does not look at it");
        viewers.note(ask, &ann, Timestamp(61_000), true);
        assert!(!viewers.has(ask, &ann, Timestamp(61_000)));
    }
}
