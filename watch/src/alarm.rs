//! One rule and whether it fires: once when it is above, once when it has cleared (D17).

use askuser_core::time::Timestamp;

use super::window::Summary;
use askuser_config::{AlertRule, Figure};

/// Whether a rule fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Alarm {
    /// Since when; none where it does not.
    pub(super) since: Option<Timestamp>,
}

/// What has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It fires from now on.
    Fired,
    /// It no longer does.
    Cleared,
}

impl Change {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::Cleared => "cleared",
        }
    }
}

/// Returns the figure that a rule looks at.
#[expect(clippy::cast_precision_loss, reason = "nobody counts so far")]
pub(super) fn figure(of: Figure, summary: &Summary) -> f64 {
    match of {
        Figure::Average => summary.average(),
        Figure::P95 => summary.p95,
        Figure::Min => summary.min,
        Figure::Max => summary.max,
        Figure::Count => summary.count as f64,
    }
}

impl Alarm {
    /// Looks at the figures now; says what has changed. Between `clear` and `threshold` nothing does: one
    /// that wavers is told once.
    pub(super) fn judge(&mut self, rule: &AlertRule, summary: &Summary, now: Timestamp) -> Option<Change> {
        let value = figure(rule.figure, summary);
        match self.since {
            None if summary.count >= rule.at_least && value > rule.threshold => {
                self.since = Some(now);
                Some(Change::Fired)
            }
            Some(_) if summary.count == 0 || value <= rule.clear => {
                self.since = None;
                Some(Change::Cleared)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_config::Alerts;

    /// D17: fires once, does not repeat, wavers in silence, clears once.
    #[test]
    fn d17_an_alarm_fires_once_and_clears_once() {
        let rule = Alerts::default().rules.remove(0);
        let rate = |errors: f64| Summary { count: 100, sum: errors, ..Summary::default() };
        let mut alarm = Alarm::default();
        let mut told = Vec::new();
        let rates = [0.0, 5.0, 5.1, 9.0, 4.5, 5.5, 4.1, 4.0, 3.0, 4.9, 5.0, 6.0];
        for (n, errors) in rates.into_iter().enumerate() {
            let change = alarm.judge(&rule, &rate(errors), Timestamp(i64::try_from(n).unwrap()));
            told.extend(change.map(|change| (n, change)));
        }
        assert_eq!(told, [(2, Change::Fired), (7, Change::Cleared), (11, Change::Fired)]);
        assert_eq!(alarm.since, Some(Timestamp(11)));
        // Nothing happens any more: that is no error.
        assert_eq!(alarm.judge(&rule, &Summary::default(), Timestamp(12)), Some(Change::Cleared));
        // Too few to prove anything.
        let few = Summary { count: 9, sum: 9.0, ..Summary::default() };
        assert_eq!(alarm.judge(&rule, &few, Timestamp(13)), None);
    }
}
