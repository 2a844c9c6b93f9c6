//! One figure over a span of time (D14): how many, the mean, the least, the most, and what nineteen
//! of twenty do not exceed.
//!
//! The last ten thousand values are kept one by one, and figures over them are exact to the moment. Of what
//! lies further back there are sums of ten seconds each, for a day: figures over more than ten thousand
//! values may reach up to ten seconds further back than asked, never less far. So memory is bounded,
//! however much happens.

use std::collections::VecDeque;
use std::time::Duration;

use askuser_core::time::Timestamp;
use parking_lot::{Mutex, MutexGuard};

/// How long a slot is.
const SLOT_MS: i64 = 10_000;
/// Slots that are kept: a day.
const SLOTS_MAX: usize = 8640;
/// Single values that are kept.
const VALUES_MAX: usize = 10_000;

/// What was measured, and when.
#[derive(Debug, Default)]
pub struct Window(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    slots: VecDeque<Slot>,
    values: VecDeque<(Timestamp, f64)>,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    number: i64,
    summary: Summary,
}

/// Figures over a span of time. All are 0 where nothing was measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// What nineteen of twenty do not exceed, of the last ten thousand.
    pub p95: f64,
}

impl Summary {
    /// Returns the mean.
    #[expect(clippy::cast_precision_loss, reason = "a mean of so many needs no last digit")]
    pub fn average(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    fn of(value: f64) -> Self {
        Self { count: 1, sum: value, min: value, max: value, p95: 0.0 }
    }

    fn take(&mut self, other: &Self) {
        if self.count == 0 {
            *self = *other;
            return;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
}

impl Window {
    /// Notes a value.
    pub fn note(&self, now: Timestamp, value: f64) {
        let mut kept = self.kept();
        // A clock that was set back goes on where it was.
        let now = kept.values.back().map_or(now, |(last, _)| now.max(*last));
        let number = now.0.div_euclid(SLOT_MS);
        let one = Summary::of(value);
        match kept.slots.back_mut() {
            Some(last) if last.number == number => last.summary.take(&one),
            _ => kept.slots.push_back(Slot { number, summary: one }),
        }
        if kept.slots.len() > SLOTS_MAX {
            kept.slots.pop_front();
        }
        if kept.values.len() == VALUES_MAX {
            kept.values.pop_front();
        }
        kept.values.push_back((now, value));
    }

    /// Returns the figures over the last so long.
    pub fn summary(&self, now: Timestamp, over: Duration) -> Summary {
        let kept = self.kept();
        let since = now.0.saturating_sub(i64::try_from(over.as_millis()).unwrap_or(i64::MAX));
        let recent = kept.values.iter().rev().take_while(|(at, _)| at.0 > since);
        let mut values: Vec<f64> = recent.map(|(_, value)| *value).collect();
        let mut summary = Summary::default();
        if values.len() < VALUES_MAX {
            for value in &values {
                summary.take(&Summary::of(*value));
            }
        } else {
            let within = |slot: &&Slot| (slot.number + 1).saturating_mul(SLOT_MS) > since;
            for slot in kept.slots.iter().rev().take_while(within) {
                summary.take(&slot.summary);
            }
        }
        values.sort_unstable_by(f64::total_cmp);
        let place = (values.len() * 95).div_ceil(100).saturating_sub(1);
        summary.p95 = values.get(place).copied().unwrap_or_default();
        summary
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D14: count, average, least, most and p95 over a window.
    #[test]
    fn d14_figures_are_over_the_window_and_nothing_before_it() {
        let window = Window::default();
        let hour = Duration::from_hours(1);
        assert_eq!(window.summary(Timestamp(0), hour), Summary::default());
        window.note(Timestamp(0), 1000.0);
        let now = Timestamp(4_000_000);
        for value in 1..=100 {
            window.note(now, f64::from(value));
        }
        let summary = window.summary(now, hour);
        assert_eq!((summary.count, summary.min, summary.max, summary.p95), (100, 1.0, 100.0, 95.0));
        assert!((summary.average() - 50.5).abs() < 1e-9);
        assert_eq!(window.summary(now, Duration::from_hours(24)).count, 101);
        assert_eq!(window.summary(Timestamp(9_000_000), hour).count, 0);
        // A clock that goes back loses nothing.
        window.note(Timestamp(1), 7.0);
        assert_eq!(window.summary(now, hour).count, 101);
    }

    #[test]
    fn memory_is_bounded_and_sums_are_exact_all_the_same() {
        let window = Window::default();
        for n in 0..3 * i64::try_from(VALUES_MAX).unwrap() {
            window.note(Timestamp(n * SLOT_MS / 3), 2.0);
        }
        let kept = window.kept();
        assert!(kept.slots.len() <= SLOTS_MAX && kept.values.len() == VALUES_MAX);
        drop(kept);
        let now = Timestamp(i64::try_from(VALUES_MAX).unwrap() * SLOT_MS);
        assert_eq!(window.summary(now, Duration::from_hours(1)).count, 360 * 3 - 1);
    }

    /// D14, D17: a burst is in a window of any length from the moment it happens, and until that window is
    /// over: slots of ten seconds forgot it early, or never saw it.
    #[test]
    fn d17_a_burst_is_seen_for_exactly_as_long_as_the_window() {
        for over in [1, 5, 8, 10, 20, 300] {
            for at in [0, 1, 4_999, 9_999, 10_000, 12_345] {
                let window = Window::default();
                for _ in 0..30 {
                    window.note(Timestamp(at), 1.0);
                }
                let seen =
                    |after: i64| window.summary(Timestamp(at + after), Duration::from_secs(over)).count;
                let length = i64::try_from(over).unwrap() * 1000;
                for after in [0, 1, length / 2, length - 1] {
                    assert_eq!(seen(after), 30, "{over} s, {after} ms after {at}");
                }
                assert_eq!(seen(length), 0, "{over} s, after {at}");
            }
        }
        // However much happens beside it, it is not forgotten early.
        let window = Window::default();
        window.note(Timestamp(9_000), 7.0);
        for n in 0..3 * i64::try_from(VALUES_MAX).unwrap() {
            window.note(Timestamp(9_001 + n / 10), 1.0);
        }
        assert!((window.summary(Timestamp(18_999), Duration::from_secs(10)).max - 7.0).abs() < 1e-9);
    }
}
