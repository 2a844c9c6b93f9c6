//! How long operations take (D8): the last thousand are kept, the figures are over the last hundred.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

/// Operations kept.
const KEPT: usize = 1000;
/// Operations that the figures are over.
const OVER: usize = 100;
/// An operation that took longer is slow: it is logged and counted.
pub const SLOW: Duration = Duration::from_millis(200);

/// The last operations.
#[derive(Debug, Default)]
pub struct Operations(Mutex<Record>);

#[derive(Debug, Default)]
struct Record {
    last: VecDeque<Duration>,
}

/// Figures over the last operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// How many they are over.
    pub count: usize,
    /// The mean.
    pub average: Duration,
    /// Nineteen of twenty took no longer.
    pub p95: Duration,
    /// How many of them were slow.
    pub n_slow: usize,
}

impl Operations {
    /// Notes how long an operation took; true where it was slow.
    pub fn note(&self, took: Duration) -> bool {
        let mut record = self.record();
        if record.last.len() == KEPT {
            record.last.pop_front();
        }
        record.last.push_back(took);
        took > SLOW
    }

    /// Returns the figures.
    pub fn figures(&self) -> Figures {
        let record = self.record();
        let mut last: Vec<Duration> = record.last.iter().rev().take(OVER).copied().collect();
        last.sort_unstable();
        let count = last.len();
        let total: Duration = last.iter().sum();
        let average = total.checked_div(u32::try_from(count).unwrap_or(u32::MAX)).unwrap_or_default();
        // The smallest that at least 95 of 100 do not exceed.
        let place = (count * 95).div_ceil(100).saturating_sub(1);
        let n_slow = last.iter().filter(|took| **took > SLOW).count();
        Figures { count, average, p95: last.get(place).copied().unwrap_or_default(), n_slow }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d8_figures_are_over_the_last_hundred_and_so_are_the_slow_ones() {
        let operations = Operations::default();
        assert_eq!(operations.figures(), Figures::default());
        for _ in 0..5000 {
            assert!(operations.note(Duration::from_secs(1)));
        }
        assert_eq!(operations.figures().n_slow, 100);
        for millis in 1..=100 {
            assert!(!operations.note(Duration::from_millis(millis)));
        }
        let figures = operations.figures();
        assert_eq!((figures.count, figures.n_slow), (100, 0));
        assert_eq!(figures.average, Duration::from_micros(50_500));
        assert_eq!(figures.p95, Duration::from_millis(95));
        assert_eq!(operations.record().last.len(), KEPT);
        assert!(!operations.note(SLOW));
    }
}
