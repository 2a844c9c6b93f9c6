//! How long to wait before something is tried again: longer each time, up to a limit, and not by everybody at once.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The pauses between attempts, in their order; the last one is the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pauses(&'static [Duration]);

impl Pauses {
    /// Between attempts to deliver one message: as many attempts follow as there are pauses.
    pub const OF_A_MESSAGE: Self = Self(&[
        Duration::from_secs(1),
        Duration::from_secs(5),
        Duration::from_secs(30),
        Duration::from_mins(2),
        Duration::from_mins(10),
    ]);
    /// Before a service elsewhere is listened to again.
    pub const OF_A_SERVICE: Self = Self(&[
        Duration::from_secs(1),
        Duration::from_secs(5),
        Duration::from_secs(30),
        Duration::from_mins(2),
    ]);
    /// Before the server is called again. It is mostly on this machine, and somebody waits.
    pub const OF_THE_SERVER: Self = Self(&[
        Duration::from_millis(50),
        Duration::from_millis(100),
        Duration::from_millis(200),
        Duration::from_millis(400),
        Duration::from_millis(800),
        Duration::from_millis(1600),
        Duration::from_secs(2),
    ]);
    /// Between the tries of a call that is given up after a few.
    pub const OF_A_CALL: Self = Self(&[Duration::from_millis(250)]);
    /// Before the database is asked again.
    pub const OF_THE_STORE: Self = Self(&[Duration::from_secs(1)]);

    /// Takes other pauses.
    pub const fn new(pauses: &'static [Duration]) -> Self {
        Self(pauses)
    }

    /// Returns how many there are.
    pub const fn count(self) -> usize {
        self.0.len()
    }

    /// Returns the pause after so many failures, the first of which is the first: cut by up to a quarter, so that those
    /// who failed together do not come back together.
    pub fn after(self, n_failed: usize) -> Duration {
        let place = n_failed.saturating_sub(1).min(self.0.len().saturating_sub(1));
        let pause = self.0.get(place).copied().unwrap_or_default();
        pause.mul_f64(1.0 - random_share() / 4.0)
    }
}

/// Counts the failures in a row of one thing, and says how long to wait after each.
#[derive(Debug, Clone, Copy)]
pub struct BackOff {
    pauses: Pauses,
    n_failed: usize,
}

impl BackOff {
    /// Begins without a failure.
    pub const fn new(pauses: Pauses) -> Self {
        Self { pauses, n_failed: 0 }
    }

    /// Counts a failure; returns how long to wait now.
    pub fn pause(&mut self) -> Duration {
        self.n_failed = self.n_failed.saturating_add(1);
        self.pauses.after(self.n_failed)
    }

    /// It worked: the next failure is a first one.
    pub fn reset(&mut self) {
        self.n_failed = 0;
    }
}

/// A number from nought to one. Each `RandomState` hashes otherwise, which is random enough to spread callers.
fn random_share() -> f64 {
    f64::from(u16::try_from(RandomState::new().hash_one(()) & 0xffff).unwrap_or_default())
        / f64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_limit_and_begin_anew() {
        let mut back_off = BackOff::new(Pauses::OF_THE_SERVER);
        let within = |pause: Duration, millis: u64| {
            let whole = Duration::from_millis(millis);
            assert!(pause <= whole && pause >= whole * 3 / 4, "{pause:?} {whole:?}");
        };
        for millis in [50, 100, 200, 400, 800, 1600, 2000, 2000, 2000] {
            within(back_off.pause(), millis);
        }
        back_off.reset();
        within(back_off.pause(), 50);
        assert_eq!(Pauses::new(&[]).after(3), Duration::ZERO);
    }

    #[test]
    fn those_who_failed_together_come_back_apart() {
        let pauses: std::collections::BTreeSet<Duration> =
            (0..50).map(|_| Pauses::OF_A_SERVICE.after(9)).collect();
        assert!(pauses.len() > 10, "{pauses:?}");
    }
}
