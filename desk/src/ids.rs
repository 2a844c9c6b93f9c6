//! New ids: UUIDs of version 7, so that they order by time and writing them stays cheap.

use askuser_core::id::{AskId, SessionId};
use askuser_core::time::Timestamp;
use parking_lot::Mutex;

/// Makes ids that grow, also within a millisecond and when the clock goes back.
#[derive(Debug, Default)]
pub struct Ids {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// The latest millisecond and counter, 60 bits that only ever grow.
    latest: u64,
    /// Random bits for the next ids: asking the system for many at once is cheaper.
    random: Vec<u64>,
}

/// Ids whose random bits are asked for at once.
const DRAWN: usize = 64;

impl Ids {
    /// Returns a new id of an ask.
    pub fn ask(&self, now: Timestamp) -> AskId {
        AskId(self.next(now))
    }

    /// Returns a new id of a session.
    pub fn session(&self, now: Timestamp) -> SessionId {
        SessionId(self.next(now))
    }

    /// Returns a new id of anything else.
    pub fn next(&self, now: Timestamp) -> u128 {
        let millis = u64::try_from(now.0).unwrap_or(0) & 0xffff_ffff_ffff;
        let (grown, random) = {
            let mut inner = self.inner.lock();
            inner.latest = (inner.latest + 1).max(millis << 12);
            if inner.random.is_empty() {
                inner.random.extend(random());
            }
            (inner.latest, inner.random.pop().unwrap_or_default())
        };
        let (millis, counter) = (u128::from(grown >> 12), u128::from(grown & 0xfff));
        let random = u128::from(random) & 0x3fff_ffff_ffff_ffff;
        (millis << 80) | (0x7 << 76) | (counter << 64) | (0b10 << 62) | random
    }
}

/// Random bits, so that ids of two machines differ. They are names, not secrets: where the system
/// has no randomness to give, the counter alone keeps them apart here.
fn random() -> [u64; DRAWN] {
    let mut bytes = [[0; 8]; DRAWN];
    match getrandom::fill(bytes.as_flattened_mut()) {
        Ok(()) | Err(_) => bytes.map(u64::from_le_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_grow_whatever_the_clock_does() {
        let ids = Ids::default();
        let mut before = 0;
        for millis in [1_000, 1_000, 999, 5_000, 0, -7].iter().cycle().take(20_000) {
            let next = ids.next(Timestamp(*millis));
            assert!(next > before);
            assert_eq!((next >> 76) & 0xf, 7);
            before = next;
        }
    }
}
