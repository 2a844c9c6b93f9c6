//! What a typed text must look like, where the asker said so (form fields of other programs).

/// The kind of value a text field takes.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Format {
    #[default]
    Any,
    /// A whole number within bounds.
    Integer {
        /// The smallest allowed.
        min: Option<f64>,
        /// The largest allowed.
        max: Option<f64>,
    },
    /// A number within bounds.
    Number {
        /// The smallest allowed.
        min: Option<f64>,
        /// The largest allowed.
        max: Option<f64>,
    },
    /// An e-mail address.
    Email,
    /// An absolute address: a scheme, a colon, something.
    Uri,
    /// A day: `2026-11-15`.
    Date,
    /// A day and a time with its zone: `2026-11-15T10:00:00Z`.
    DateTime,
}

/// What a text is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatFault {
    /// Not a whole number.
    #[error("is not a whole number")]
    NotWhole,
    /// Not a number.
    #[error("is not a number")]
    NotNumber,
    /// A number that is too small.
    #[error("is less than {0}")]
    Below(String),
    /// A number that is too large.
    #[error("is more than {0}")]
    Above(String),
    /// Not an e-mail address.
    #[error("is not an e-mail address")]
    NotEmail,
    /// Not an address with a scheme.
    #[error("is not an address with a scheme, as https://…")]
    NotUri,
    /// Not a date.
    #[error("is not a date, as 2026-11-15")]
    NotDate,
    /// Not a date and time with its zone.
    #[error("is not a date and time, as 2026-11-15T10:00:00Z")]
    NotDateTime,
}

impl Format {
    /// Says what is wrong with the text, if anything is.
    pub fn fault(&self, text: &str) -> Option<FormatFault> {
        let text = text.trim();
        match self {
            Self::Any => None,
            Self::Integer { min, max } => match text.parse::<i64>() {
                #[expect(clippy::cast_precision_loss, reason = "bounds are JSON numbers, so doubles anyway")]
                Ok(number) => out_of_bounds(number as f64, *min, *max),
                Err(_) => Some(FormatFault::NotWhole),
            },
            Self::Number { min, max } => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => out_of_bounds(number, *min, *max),
                _ => Some(FormatFault::NotNumber),
            },
            Self::Email => (!is_email(text)).then_some(FormatFault::NotEmail),
            Self::Uri => (!is_uri(text)).then_some(FormatFault::NotUri),
            Self::Date => (!is_date(text)).then_some(FormatFault::NotDate),
            Self::DateTime => (!is_date_time(text)).then_some(FormatFault::NotDateTime),
        }
    }
}

fn out_of_bounds(number: f64, min: Option<f64>, max: Option<f64>) -> Option<FormatFault> {
    if let Some(min) = min.filter(|min| number < *min) {
        return Some(FormatFault::Below(min.to_string()));
    }
    max.filter(|max| number > *max).map(|max| FormatFault::Above(max.to_string()))
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.rsplit_once('@') else {
        return false;
    };
    let plain = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '@');
    plain(user) && plain(host) && !host.starts_with('.') && !host.ends_with('.')
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.is_empty()
        && !rest.contains(char::is_whitespace)
}

/// Reads exactly `digits` digits off the front.
fn number(text: &mut &str, digits: usize) -> Option<u32> {
    let (head, tail) = text.split_at_checked(digits)?;
    if !head.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    *text = tail;
    head.parse().ok()
}

fn mark(text: &mut &str, marks: &[char]) -> Option<()> {
    *text = text.strip_prefix(marks)?;
    Some(())
}

fn day(text: &mut &str) -> Option<()> {
    let year = number(text, 4)?;
    mark(text, &['-'])?;
    let month = number(text, 2)?;
    mark(text, &['-'])?;
    let day = number(text, 2)?;
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    (1..=last).contains(&day).then_some(())
}

fn is_date(mut text: &str) -> bool {
    day(&mut text).is_some() && text.is_empty()
}

fn is_date_time(text: &str) -> bool {
    fn read(text: &mut &str) -> Option<()> {
        day(text)?;
        mark(text, &['T', 't', ' '])?;
        let hour = number(text, 2)?;
        mark(text, &[':'])?;
        let minute = number(text, 2)?;
        mark(text, &[':'])?;
        let second = number(text, 2)?;
        if mark(text, &['.']).is_some() {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            if rest.len() == text.len() {
                return None;
            }
            *text = rest;
        }
        if mark(text, &['Z', 'z']).is_none() {
            mark(text, &['+', '-'])?;
            let zone_hour = number(text, 2)?;
            mark(text, &[':'])?;
            if zone_hour > 23 || number(text, 2)? > 59 {
                return None;
            }
        }
        (hour < 24 && minute < 60 && second <= 60 && text.is_empty()).then_some(())
    }
    let mut text = text;
    read(&mut text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: &Format, text: &str, expected: &str) {
        let got = format.fault(text).map_or_else(|| "ok".to_owned(), |fault| fault.to_string());
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn a_field_takes_what_its_format_says() {
        let age = Format::Integer { min: Some(1.0), max: Some(9.0) };
        check(&age, " 3 ", "ok");
        check(&age, "0", "is less than 1");
        check(&age, "10", "is more than 9");
        check(&age, "3.5", "is not a whole number");
        let part = Format::Number { min: None, max: Some(0.5) };
        check(&part, "-1e3", "ok");
        check(&part, "inf", "is not a number");
        check(&Format::Email, "a@b.example", "ok");
        for wrong in ["", "a", "@b", "a@", "a b@c", "a@.c"] {
            check(&Format::Email, wrong, "is not an e-mail address");
        }
        check(&Format::Uri, "https://a.example/x", "ok");
        check(&Format::Uri, "a.example", "is not an address with a scheme, as https://…");
        check(&Format::Date, "2024-02-29", "ok");
        check(&Format::Date, "2023-02-29", "is not a date, as 2026-11-15");
        check(&Format::Date, "2023-1-9", "is not a date, as 2026-11-15");
        check(&Format::DateTime, "2026-11-15T10:00:00.5+08:00", "ok");
        check(&Format::DateTime, "2026-11-15T10:00:00", "is not a date and time, as 2026-11-15T10:00:00Z");
        check(&Format::DateTime, "2026-11-15T24:00:00Z", "is not a date and time, as 2026-11-15T10:00:00Z");
        check(&Format::Any, "", "ok");
    }
}
