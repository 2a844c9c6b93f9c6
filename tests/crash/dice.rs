//! Chance that can be repeated: everything random comes from one printed seed.

use askuser_system::clock;
use askuser_system::environment::Environment;

/// A small generator (`SplitMix64`).
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The seed that was given in `ASKUSER_CRASH_SEED`, or one of the moment; printed either way.
    pub(crate) fn of_the_day(what: &str) -> Self {
        let given = Environment::of_this_process();
        let given = given.get("ASKUSER_CRASH_SEED").map(|seed| seed.parse().unwrap());
        let seed = given.unwrap_or_else(|| clock::now().0.unsigned_abs());
        println!("{what}: ASKUSER_CRASH_SEED={seed}");
        Self(seed)
    }

    /// The same chances for the same seed.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// Another one, for a part of the work.
    pub(crate) fn split(&mut self) -> Self {
        Self(self.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
