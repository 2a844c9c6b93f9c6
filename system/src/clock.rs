//! The clock of the wall. Everything else is handed the time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use askuser_core::time::Timestamp;

/// Returns the time now.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads it")]
pub fn now() -> Timestamp {
    of(SystemTime::now())
}

/// Returns a moment of the system as one of ours.
pub fn of(moment: SystemTime) -> Timestamp {
    let since = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
