//! The table: what, how much, beside what, and whether it is what the product is held to.

use std::time::Duration;

/// Prints the head.
pub(crate) fn head() {
    println!("{:<52}{:>16}{:>16}{:>9}  target", "what", "figure", "beside", "ratio");
}

/// Prints a figure that stands by itself.
pub(crate) fn figure(what: &str, figure: &str) {
    println!("{what:<52}{figure:>16}");
}

/// Prints a figure beside its measure; `met` says whether the target is.
pub(crate) fn ratio(what: &str, figure: &str, beside: &str, ratio: f64, target: &str, met: bool) {
    let verdict = if met { "met" } else { "MISSED" };
    println!("{what:<52}{figure:>16}{beside:>16}{ratio:>8.2}x  {target}: {verdict}");
}

/// Returns the value below which this part of the samples lies.
pub(crate) fn percentile(samples: &mut [Duration], part: f64) -> Duration {
    samples.sort();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a short list"
    )]
    let place = (samples.len() as f64 * part) as usize;
    samples[place.min(samples.len() - 1)]
}

/// Writes a time.
pub(crate) fn time(time: Duration) -> String {
    if time < Duration::from_millis(1) {
        format!("{:.0} µs", time.as_secs_f64() * 1e6)
    } else {
        format!("{:.2} ms", time.as_secs_f64() * 1e3)
    }
}

/// Writes how many there were in a second.
pub(crate) fn rate(per_second: f64) -> String {
    format!("{per_second:.0} /s")
}

/// Writes a size.
#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
pub(crate) fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / 1024.0 / 1024.0)
}
