//! Moments on the wire: RFC 3339 in UTC with milliseconds, as `2026-11-15T10:00:00.000Z`.
//!
//! `core` counts milliseconds; a calendar is needed only here, and twenty lines of it are less
//! than a crate.

use askuser_core::time::Timestamp;

const DAY_MS: i64 = 86_400_000;

/// Writes a moment.
pub fn write(at: Timestamp) -> String {
    let (year, month, day) = civil(at.0.div_euclid(DAY_MS));
    let ms = at.0.rem_euclid(DAY_MS);
    let (hour, minute) = (ms / 3_600_000, ms / 60_000 % 60);
    let (second, ms) = (ms / 1000 % 60, ms % 1000);
    if !(0..=9999).contains(&year) {
        return format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z");
    }
    // Every answer has a few of these, and formatting is slow.
    let mut text = String::with_capacity(24);
    for (number, width, after) in [
        (year, 4, '-'),
        (month, 2, '-'),
        (day, 2, 'T'),
        (hour, 2, ':'),
        (minute, 2, ':'),
        (second, 2, '.'),
        (ms, 3, 'Z'),
    ] {
        for place in (0..width).rev() {
            text.push(char::from(b'0' + u8::try_from(number / 10_i64.pow(place) % 10).unwrap_or(0)));
        }
        text.push(after);
    }
    text
}

/// Reads a moment as it is written here; other zones and precisions are not ours.
pub fn read(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_once('T')?;
    let (clock, ms) = rest.strip_suffix('Z')?.split_once('.')?;
    let mut date = date.rsplitn(3, '-').map(number);
    let (day, month, year) = (date.next()??, date.next()??, date.next()??);
    let mut clock = clock.splitn(3, ':').map(number);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let ms = number(ms).filter(|_| ms.len() == 3)?;
    let fits = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60
        && year <= 9999;
    let of_day = ((hour * 60 + minute) * 60 + second) * 1000 + ms;
    fits.then(|| Timestamp(days(year, month, day) * DAY_MS + of_day))
}

fn number(digits: &str) -> Option<i64> {
    let plain = !digits.is_empty() && digits.len() <= 4;
    (plain && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// Returns year, month and day of a day counted from 1970-01-01, in the calendar that starts its
/// years in March, so that the leap day is the last one.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the day counted from 1970-01-01, the other way round.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let march_month = (month + 9) % 12;
    let of_year = (153 * march_month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ms: i64, expected: &str) {
        assert_eq!(write(Timestamp(ms)), expected);
        assert_eq!(read(expected), Some(Timestamp(ms)));
    }

    #[test]
    fn a_moment_is_written_in_utc_with_milliseconds_and_reads_back() {
        check(0, "1970-01-01T00:00:00.000Z");
        check(-1, "1969-12-31T23:59:59.999Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_709_210_096_789, "2024-02-29T12:34:56.789Z");
        check(1_794_736_800_000, "2026-11-15T10:00:00.000Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
        check(253_402_300_799_999, "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn every_day_of_eight_hundred_years_reads_back() {
        for day in -200_000..92_000 {
            let at = Timestamp(day * DAY_MS + 3_723_004);
            assert_eq!(read(&write(at)), Some(at));
        }
    }

    #[test]
    fn what_is_no_moment_is_refused_and_the_end_of_time_does_not_overflow() {
        for wrong in ["", "2026-11-15", "2026-13-01T00:00:00.000Z", "2026-11-15T10:00:00Z", "x"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert!(write(Timestamp(i64::MAX)).ends_with('Z'));
        assert!(write(Timestamp(i64::MIN)).ends_with('Z'));
    }
}
