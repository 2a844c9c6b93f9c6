//! At most so many in any window of time (D11), for each of many callers, in bounded memory.
//!
//! A caller's admissions are kept as a list of moments until they leave the window, so the rule is the one
//! that can be predicted: one more is let in when fewer than so many were in the window before it. Where
//! more than [`MOMENTS_MAX`] are allowed, those within a 64th of the window are kept as one moment with a
//! count, and leave with the last of them: never more are let in than allowed, and a place comes free at
//! most a 64th of the window later. So a caller takes a kilobyte at most, whatever the numbers are; of
//! one that has been quiet for a window nothing is kept.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

/// Moments that are kept of one caller, about.
const MOMENTS_MAX: u32 = 64;
/// Parts that are locked apart.
const PARTS: usize = 16;
/// Callers that are told apart at once; beyond, the rest share counters, some two thousand.
const CALLERS_MAX: usize = 100_000;
/// How often quiet callers are looked for, once there are so many.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// Counts callers; time is handed in, as that since any beginning.
pub(super) struct SlidingWindow {
    n_max: u32,
    window: Duration,
    /// Admissions closer together than this are one moment.
    grain: Duration,
    parts: [Mutex<Part>; PARTS],
}

#[derive(Default)]
struct Part {
    callers: HashMap<u64, Admitted>,
    swept: Duration,
}

/// What one caller was let in for.
#[derive(Default)]
struct Admitted {
    moments: VecDeque<Moment>,
    /// The sum of their counts.
    n: u32,
    /// When the last of them began.
    begun: Duration,
}

struct Moment {
    /// The last admission in it.
    last: Duration,
    n: u32,
}

impl SlidingWindow {
    /// At most `n_max` in any `window`; none where either is zero, which is no limit.
    pub(super) fn new(n_max: u32, window: Duration) -> Option<Self> {
        let grain = if n_max > MOMENTS_MAX { window / MOMENTS_MAX } else { Duration::ZERO };
        let parts = std::array::from_fn(|_| Mutex::default());
        (n_max > 0 && !window.is_zero()).then_some(Self { n_max, window, grain, parts })
    }

    /// Lets a caller in, or says how long it takes until it would be.
    pub(super) fn admit(&self, caller: u64, now: Duration) -> Result<(), Duration> {
        let mut part = self.part(caller);
        let caller = part.make_room(caller, self.window, now);
        let admitted = part.callers.entry(caller).or_default();
        admitted.forget(self.window, now);
        if let Some(wait) = admitted.wait(self.n_max, self.window, now) {
            return Err(wait);
        }
        admitted.n += 1;
        match admitted.moments.back_mut() {
            Some(moment) if now.saturating_sub(admitted.begun) < self.grain => {
                // A clock that goes back, as two threads may see it, loses nothing.
                moment.last = moment.last.max(now);
                moment.n += 1;
            }
            last => {
                admitted.begun = last.map_or(now, |last| last.last.max(now));
                admitted.moments.push_back(Moment { last: admitted.begun, n: 1 });
            }
        }
        Ok(())
    }

    /// How long it takes until a caller would be let in.
    pub(super) fn wait(&self, caller: u64, now: Duration) -> Duration {
        let mut part = self.part(caller);
        let Some(admitted) = part.callers.get_mut(&caller) else { return Duration::ZERO };
        admitted.forget(self.window, now);
        admitted.wait(self.n_max, self.window, now).unwrap_or_default()
    }

    /// Takes back the latest admission: what it was for was refused for another reason.
    pub(super) fn give_back(&self, caller: u64) {
        let mut part = self.part(caller);
        let Some(admitted) = part.callers.get_mut(&caller) else { return };
        let Some(moment) = admitted.moments.back_mut() else { return };
        moment.n -= 1;
        if moment.n == 0 {
            admitted.moments.pop_back();
            // What comes next begins a moment of its own.
            admitted.begun = Duration::ZERO;
        }
        admitted.n -= 1;
    }

    fn part(&self, caller: u64) -> MutexGuard<'_, Part> {
        // Every number leads to a part.
        let at = usize::try_from(caller % PARTS as u64).unwrap_or_default();
        let [first, ..] = &self.parts;
        self.parts.get(at).unwrap_or(first).lock()
    }
}

impl Part {
    /// Forgets callers that were quiet for a window, now and then: it looks at all of them. Returns as whom
    /// a caller is counted: whoever makes up too many names shares a counter with others.
    fn make_room(&mut self, caller: u64, window: Duration, now: Duration) -> u64 {
        let is_full = self.callers.len() >= CALLERS_MAX / PARTS;
        if now.saturating_sub(self.swept) >= if is_full { SWEEP_EVERY.min(window) } else { window } {
            self.swept = now;
            self.callers.retain(|_, admitted| {
                admitted.forget(window, now);
                admitted.n > 0
            });
        }
        let is_new = self.callers.len() >= CALLERS_MAX / PARTS && !self.callers.contains_key(&caller);
        if is_new { caller % 1000 } else { caller }
    }
}

impl Admitted {
    /// Forgets what has left the window.
    fn forget(&mut self, window: Duration, now: Duration) {
        while let Some(gone) = self.moments.pop_front_if(|moment| now.saturating_sub(moment.last) >= window) {
            self.n -= gone.n;
        }
        if self.moments.is_empty() {
            self.moments.shrink_to_fit();
        }
    }

    /// How long until there is a place; none where there is one.
    fn wait(&self, n_max: u32, window: Duration, now: Duration) -> Option<Duration> {
        let first = self.moments.front().filter(|_| self.n >= n_max)?;
        Some((first.last + window).saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Moments from the lengths of time between them.
    fn moments(between: &[u64]) -> impl Iterator<Item = Duration> {
        between.iter().scan(Duration::ZERO, |now, millis| {
            *now += Duration::from_millis(*millis);
            Some(*now)
        })
    }

    proptest! {
        /// D11: whatever the moments, never more than so many are let in within any window, and whoever
        /// waits as long as they were told is let in, and not before.
        #[test]
        fn d11_never_more_than_allowed_in_any_window_and_retry_after_is_exact(
            n_max in prop_oneof![1_u32..=12, 60_u32..=200],
            window in 1_u64..=20,
            between in vec(prop_oneof![0_u64..3, 0_u64..300, 0_u64..5000], 1..600),
        ) {
            let window = Duration::from_secs(window);
            let limit = SlidingWindow::new(n_max, window).unwrap();
            let mut admitted: Vec<Duration> = Vec::new();
            for now in moments(&between) {
                let n_recent = admitted.iter().rev().take_while(|then| now.saturating_sub(**then) < window).count();
                let n_close = admitted.iter().rev().take_while(|then| now.saturating_sub(**then) < window + limit.grain).count();
                match limit.admit(7, now) {
                    Ok(()) => {
                        prop_assert!(n_recent < n_max as usize, "one too many at {now:?}");
                        admitted.push(now);
                    }
                    Err(wait) => {
                        prop_assert!(n_close >= n_max as usize, "refused too early at {now:?}");
                        prop_assert!(wait > Duration::ZERO && wait <= window);
                        prop_assert_eq!(limit.wait(7, now), wait);
                        let nearly = now + wait.saturating_sub(Duration::from_nanos(1));
                        prop_assert_eq!(limit.wait(7, nearly), Duration::from_nanos(1));
                    }
                }
            }
            for (first, last) in admitted.iter().zip(admitted.iter().skip(n_max as usize)) {
                prop_assert!(last.saturating_sub(*first) >= window);
            }
            // It is as good as told.
            let now = moments(&between).last().unwrap();
            let then = now + limit.wait(7, now);
            prop_assert_eq!(limit.admit(7, then), Ok(()));
            let kept = limit.part(7).callers[&7].moments.len();
            prop_assert!(kept <= MOMENTS_MAX as usize + 2, "{kept} moments");
        }
    }

    /// D11: ten in six seconds were nineteen or twenty, as a bucket refills while it is emptied.
    #[test]
    fn d11_ten_in_six_seconds_are_ten() {
        let limit = SlidingWindow::new(10, Duration::from_secs(6)).unwrap();
        let within = |from: u64, to: u64| {
            (from..to)
                .step_by(50)
                .filter(|millis| limit.admit(1, Duration::from_millis(*millis)).is_ok())
                .count()
        };
        assert_eq!(within(0, 6000), 10);
        assert_eq!(within(6000, 12_000), 10);
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        for n_max in [2, 100] {
            let limit = SlidingWindow::new(n_max, Duration::from_mins(1)).unwrap();
            let now = Duration::from_secs(5);
            for _ in 0..1000 {
                limit.admit(1, now).unwrap();
                limit.give_back(1);
            }
            limit.give_back(1);
            limit.give_back(2);
            assert_eq!((0..300).filter(|_| limit.admit(1, now).is_ok()).count(), n_max as usize);
        }
    }

    /// A hundred thousand names need no more memory than that, and those that are quiet none.
    #[test]
    fn d11_memory_is_bounded_by_the_callers_of_the_last_window() {
        let window = Duration::from_mins(1);
        let limit = SlidingWindow::new(1, window).unwrap();
        let n_kept = || limit.parts.iter().map(|part| part.lock().callers.len()).sum::<usize>();
        for caller in 0..2 * CALLERS_MAX as u64 {
            let _counted = limit.admit(caller.wrapping_mul(0x9e37_79b9_7f4a_7c15), Duration::ZERO);
        }
        assert!((CALLERS_MAX - PARTS..=CALLERS_MAX + 2000).contains(&n_kept()), "{}", n_kept());
        for part in 0..PARTS as u64 {
            let _counted = limit.admit(part, window * 2);
        }
        assert_eq!(n_kept(), PARTS);
        assert!(SlidingWindow::new(0, window).is_none() && SlidingWindow::new(1, Duration::ZERO).is_none());
    }
}
