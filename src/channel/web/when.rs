//! Moments as a person reads them. Without the script an age says it best, because only the browser
//! knows the person's zone; with it, clock times are in that zone and ages go on.

use std::time::Duration;

use askuser_core::time::Timestamp;
use maud::{Markup, html};

use super::words::{Words, fill};
use crate::wire::time;

/// How long ago something was.
pub(super) fn age(words: &Words, at: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(time::write(at)) data-as="age" { (ago(words, now.since(at))) } }
}

/// When something was: the clock where the script runs, else how long ago.
pub(super) fn clock(words: &Words, at: Timestamp, now: Timestamp) -> Markup {
    html! { time datetime=(time::write(at)) data-as="clock" { (ago(words, now.since(at))) } }
}

/// An age in words: `4 min`.
pub(super) fn ago(words: &Words, age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (pattern, number) = match minutes {
        0 => return words.just_now.to_owned(),
        1..=59 => (words.minutes, minutes),
        60..=2879 => (words.hours, minutes / 60),
        _ => (words.days, minutes / 1440),
    };
    fill(pattern, &[("n", &number.to_string())])
}

/// How long something took: `12 s`, then as an age.
pub(super) fn took(words: &Words, time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=59 => fill(words.seconds, &[("n", &seconds.max(1).to_string())]),
        _ => ago(words, time),
    }
}

/// How long until something happens: `4:10`; none where that is over.
pub(super) fn countdown(words: &Words, left: Duration) -> Option<String> {
    match left.as_secs() {
        0 => None,
        1..=172_799 => Some(clockwise(left)),
        seconds => Some(fill(words.days, &[("n", &(seconds / 86_400).to_string())])),
    }
}

fn clockwise(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::web::words::words;
    use askuser_words::Language;

    #[test]
    fn ages_are_said_in_the_largest_unit_that_fits() {
        let english = words(Language::English);
        let said = |seconds| ago(english, Duration::from_secs(seconds));
        assert_eq!(
            [said(5), said(60), said(3599), said(3600), said(180_000)],
            ["just now", "1 min", "59 min", "1 h", "2 d"]
        );
        let chinese = words(Language::Chinese);
        assert_eq!(ago(chinese, Duration::from_mins(4)), "4 分钟");
        assert_eq!(took(english, Duration::from_millis(400)), "1 s");
        assert_eq!(
            [160, 3661, 200_000, 0].map(|seconds| countdown(english, Duration::from_secs(seconds))),
            [Some("2:40".to_owned()), Some("1:01:01".to_owned()), Some("2 d".to_owned()), None]
        );
    }
}
