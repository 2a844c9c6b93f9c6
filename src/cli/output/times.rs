//! Moments and lengths of time as people say them: "12:47", "3 min ago", "in 9 min"; in their own zone.
//! The one place that does: programs get RFC 3339 (`wire::time`).

use std::time::Duration;

use askuser_core::time::Timestamp;
use chrono::{DateTime, Datelike, FixedOffset, Local, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use crate::channel::terminal::Language;
use crate::config::duration;
use crate::wire::time;

/// How long ago is still "now".
const NOW: Duration = Duration::from_secs(5);

/// Tells moments to a person.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    now: Timestamp,
    /// The zone; none is that of this machine.
    zone: Option<FixedOffset>,
    language: Language,
}

impl Times {
    /// Tells them in the zone of this machine.
    pub fn local(now: Timestamp, language: Language) -> Self {
        Self { now, zone: None, language }
    }

    /// Tells them in a zone that is so many seconds east.
    #[cfg(test)]
    pub fn at(now: Timestamp, east: i32, language: Language) -> Self {
        Self { now, zone: FixedOffset::east_opt(east), language }
    }

    /// Returns how many minutes east of UTC the zone is now.
    pub fn minutes_east(&self) -> i32 {
        let zone = self.zone.unwrap_or_else(|| *Local::now().offset());
        zone.local_minus_utc() / 60
    }

    /// Returns the moment that is now.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Says how long ago or how far ahead a moment is: `3 min ago`, `in 9 min`.
    pub fn relative(&self, at: Timestamp) -> String {
        let (ahead, away) = (at > self.now, self.now.since(at).max(at.since(self.now)));
        if away < NOW {
            return self.language.pick("now", "刚刚").to_owned();
        }
        let length = if ahead { self.left(away) } else { self.length(away) };
        match (self.language, ahead) {
            (Language::English, true) => format!("in {length}"),
            (Language::English, false) => format!("{length} ago"),
            (Language::Chinese, true) => format!("{length}后"),
            (Language::Chinese, false) => format!("{length}前"),
        }
    }

    /// Says how old something is: `3 min`.
    pub fn age(&self, at: Timestamp) -> String {
        self.length(self.now.since(at))
    }

    /// Says a length of time in its largest unit: `3 min`.
    pub fn length(&self, length: Duration) -> String {
        let seconds = length.as_secs();
        let (n, english, chinese) = match seconds {
            0..60 => (seconds, "s", "秒"),
            60..3600 => (seconds / 60, "min", "分钟"),
            3600..86_400 => (seconds / 3600, "h", "小时"),
            _ => (seconds / 86_400, "d", "天"),
        };
        format!("{n} {}", self.language.pick(english, chinese))
    }

    /// Says how long something has left, in its two largest units: `1 h 59 min`.
    pub fn left(&self, length: Duration) -> String {
        let seconds = length.as_secs();
        let rest = match seconds {
            3600..86_400 => seconds % 3600 / 60 * 60,
            86_400.. => seconds % 86_400 / 3600 * 3600,
            _ => 0,
        };
        let most = self.length(length);
        if rest == 0 { most } else { format!("{most} {}", self.length(Duration::from_secs(rest))) }
    }

    /// Says when a moment is: `12:47`, with its day where that is another one.
    pub fn clock(&self, at: Timestamp) -> String {
        let (Some(then), Some(now)) = (self.in_zone(at), self.in_zone(self.now)) else {
            return time::write(at);
        };
        if then.date() == now.date() {
            return then.format("%H:%M").to_string();
        }
        let this_year = then.year() == now.year();
        let form = match (self.language, this_year) {
            (Language::English, true) => "%b %-d %H:%M",
            (Language::English, false) => "%Y-%m-%d %H:%M",
            (Language::Chinese, true) => "%-m月%-d日 %H:%M",
            (Language::Chinese, false) => "%Y年%-m月%-d日 %H:%M",
        };
        then.format(form).to_string()
    }

    /// Says a moment in full, with the zone: `2026-11-18 12:47:05 +08:00`.
    pub fn full(&self, at: Timestamp) -> String {
        let Some(utc) = DateTime::<Utc>::from_timestamp_millis(at.0) else { return time::write(at) };
        let form = "%Y-%m-%d %H:%M:%S %:z";
        match self.zone {
            Some(zone) => utc.with_timezone(&zone).format(form).to_string(),
            None => utc.with_timezone(&Local).format(form).to_string(),
        }
    }

    /// Says which day a moment is on.
    pub fn day(&self, at: Timestamp) -> String {
        let form = self.language.pick("%b %-d, %Y", "%Y年%-m月%-d日");
        self.in_zone(at).map_or_else(|| time::write(at), |then| then.format(form).to_string())
    }

    /// The same as [`Self::clock`], of a moment as programs have it; what is none is told as it is.
    pub fn clock_of(&self, written: &str) -> String {
        time::read(written).map_or_else(|| written.to_owned(), |at| self.clock(at))
    }

    /// The same as [`Self::age`], of a moment as programs have it.
    pub fn age_of(&self, written: &str) -> String {
        time::read(written).map_or_else(|| written.to_owned(), |at| self.age(at))
    }

    /// The same as [`Self::relative`], of a moment as programs have it.
    pub fn relative_of(&self, written: &str) -> String {
        time::read(written).map_or_else(|| written.to_owned(), |at| self.relative(at))
    }

    /// Reads a moment as a person gives it: how long ago (`3d`), a day of theirs, or a moment.
    pub fn read(&self, text: &str) -> Option<Timestamp> {
        if let Ok(ago) = duration::parse(text) {
            return Some(Timestamp(self.now.0.saturating_sub(i64::try_from(ago.as_millis()).ok()?)));
        }
        if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
            return Some(Timestamp(moment.timestamp_millis()));
        }
        let midnight = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_time(NaiveTime::MIN);
        let ms = match self.zone {
            Some(zone) => midnight.and_local_timezone(zone).earliest()?.timestamp_millis(),
            None => midnight.and_local_timezone(Local).earliest()?.timestamp_millis(),
        };
        Some(Timestamp(ms))
    }

    fn in_zone(&self, at: Timestamp) -> Option<NaiveDateTime> {
        let utc = DateTime::<Utc>::from_timestamp_millis(at.0)?;
        Some(match self.zone {
            Some(zone) => utc.with_timezone(&zone).naive_local(),
            None => utc.with_timezone(&Local).naive_local(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-18T12:00:00.000Z";

    fn both<T>(tell: impl Fn(Times) -> T) -> [T; 2] {
        let now = time::read(NOW).unwrap();
        [Language::English, Language::Chinese].map(|language| tell(Times::at(now, 8 * 3600, language)))
    }

    #[test]
    fn a_moment_is_told_by_how_far_away_it_is() {
        let told = |at: &str| both(|times| times.relative_of(at));
        assert_eq!(told("2026-11-18T11:57:00.000Z"), ["3 min ago", "3 分钟前"]);
        assert_eq!(told("2026-11-18T12:09:10.000Z"), ["in 9 min", "9 分钟后"]);
        assert_eq!(told("2026-11-18T11:59:58.000Z"), ["now", "刚刚"]);
        assert_eq!(told("2026-11-15T11:59:58.000Z"), ["3 d ago", "3 天前"]);
        assert_eq!(told("yesterday"), ["yesterday", "yesterday"]);
        // What is left is not told an hour short.
        assert_eq!(told("2026-11-18T13:59:30.000Z"), ["in 1 h 59 min", "1 小时 59 分钟后"]);
        assert_eq!(told("2026-11-18T14:00:30.000Z"), ["in 2 h", "2 小时后"]);
        assert_eq!(told("2026-11-20T11:00:00.000Z"), ["in 1 d 23 h", "1 天 23 小时后"]);
        assert_eq!(both(|times| times.age_of("2026-11-18T10:00:00.000Z")), ["2 h", "2 小时"]);
    }

    #[test]
    fn a_moment_is_told_in_the_persons_zone_with_its_day_where_that_is_not_today() {
        let told = |at: &str| both(|times| times.clock_of(at));
        assert_eq!(told("2026-11-18T04:47:05.953Z"), ["12:47", "12:47"]);
        // Still the 18th in UTC, and the 19th where the person is.
        assert_eq!(told("2026-11-18T16:30:00.000Z"), ["Nov 19 00:30", "11月19日 00:30"]);
        assert_eq!(told("2025-01-02T03:04:05.000Z"), ["2025-01-02 11:04", "2025年1月2日 11:04"]);
        let day = time::read("2026-11-17T20:00:00.000Z").unwrap();
        assert_eq!(both(|times| times.day(day)), ["Nov 18, 2026", "2026年11月18日"]);
    }

    #[test]
    fn a_person_gives_a_moment_as_they_like() {
        let read = |text: &str| both(|times| times.read(text).map(time::write))[0].clone();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read("90m"), some("2026-11-18T10:30:00.000Z"));
        assert_eq!(read("3d"), some("2026-11-15T12:00:00.000Z"));
        assert_eq!(read("2026-11-15"), some("2026-11-14T16:00:00.000Z"));
        assert_eq!(read("2026-11-15T10:00:00Z"), some("2026-11-15T10:00:00.000Z"));
        assert_eq!(read("2026-11-15T10:00:00+02:00"), some("2026-11-15T08:00:00.000Z"));
        assert_eq!(read("soon"), None);
    }
}
