//! Lengths of time as people write them: `90s`, `5m`, `1h30m`, `250ms`.

use std::fmt;
use std::time::Duration;

use askuser_words::Language;
use askuser_words::commands::Given;

/// A text that is no length of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotADuration(pub String);

impl fmt::Display for NotADuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Given(Language::English).not_a_time(&self.0))
    }
}

/// Reads a length of time; it must have a unit and be longer than nothing.
pub fn parse(text: &str) -> Result<Duration, NotADuration> {
    let time = parse_any(text)?;
    if time.is_zero() { Err(NotADuration(text.to_owned())) } else { Ok(time) }
}

/// The same, where nothing at all is a length, too: `0s` switches off.
pub fn parse_any(text: &str) -> Result<Duration, NotADuration> {
    let wrong = || NotADuration(text.to_owned());
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, tail) = rest.split_at_checked(n_digits).ok_or_else(wrong)?;
        let number: u32 = digits.parse().map_err(|_| wrong())?;
        let n_letters = tail.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, tail) = tail.split_at_checked(n_letters).ok_or_else(wrong)?;
        let unit = match unit {
            "ms" => Duration::from_millis(1),
            "s" => Duration::from_secs(1),
            "m" => Duration::from_mins(1),
            "h" => Duration::from_hours(1),
            "d" => Duration::from_hours(24),
            _ => return Err(wrong()),
        };
        total = unit.checked_mul(number).and_then(|part| total.checked_add(part)).ok_or_else(wrong)?;
        rest = tail;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_read_as_people_write_them() {
        for (text, millis) in
            [("90s", 90_000), ("5m", 300_000), ("1h30m", 5_400_000), ("250ms", 250), ("1d", 86_400_000)]
        {
            assert_eq!(parse(text).unwrap(), Duration::from_millis(millis));
        }
        for wrong in ["", "5", "m", "0s", "-5m", "5 m", "5x", "1h-", "5m 3", "99999999999s", "５m"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_any("0s").unwrap(), Duration::ZERO);
        assert!(parse_any("").is_err() && parse_any("0").is_err());
    }
}
