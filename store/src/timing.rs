//! What a session says of its asks' deadlines, in two columns of whichever database.

use std::time::Duration;

use askuser_core::asker::{TimeoutPolicy, Timing};

/// Writes after how many milliseconds an ask ends.
pub(super) fn millis(timing: Timing) -> Option<i64> {
    timing.timeout.map(|timeout| i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX))
}

/// Reads both columns, or says what is wrong with them.
pub(super) fn read(millis: Option<i64>, policy: Option<&str>) -> Result<Timing, &'static str> {
    let timeout = millis.map(|millis| u64::try_from(millis).map(Duration::from_millis)).transpose();
    let policy = policy.map(|word| TimeoutPolicy::parse(word).ok_or("its policy has no such word"));
    Ok(Timing { timeout: timeout.map_err(|_| "its timeout is negative")?, policy: policy.transpose()? })
}
