//! Times as people say them: "12:47", "3 min ago", "in 9 min", in the person's own zone. The one place that
//! does; programs get RFC 3339.

use std::time::Duration;

use askuser_core::time::Timestamp;
use chrono::{DateTime, Datelike, FixedOffset, Local, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use crate::Language;

phrases! {
    /// Lengths of time and moments.
    Time {
        now: "now" | "刚刚";
        seconds(n): "{n} s" | "{n} 秒";
        minutes(n): "{n} min" | "{n} 分钟";
        hours(n): "{n} h" | "{n} 小时";
        days(n): "{n} d" | "{n} 天";
        ago(length): "{length} ago" | "{length}前";
        ahead(length): "in {length}" | "{length}后";
        left(clock): "{clock} left" | "还剩 {clock}";
        this_year: "%b %-d %H:%M" | "%-m月%-d日 %H:%M";
        another_year: "%Y-%m-%d %H:%M" | "%Y年%-m月%-d日 %H:%M";
        day: "%b %-d, %Y" | "%Y年%-m月%-d日";
    }
}

/// How long ago is still "now", where seconds are told.
const NOW: Duration = Duration::from_secs(5);
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

impl Language {
    /// Says a length of time in its largest unit: `3 min`. Hours go on to the second day.
    pub fn length(self, length: Duration) -> String {
        let (seconds, time) = (length.as_secs(), Time(self));
        match seconds {
            0..MINUTE => time.seconds(seconds),
            MINUTE..HOUR => time.minutes(seconds / MINUTE),
            HOUR..172_800 => time.hours(seconds / HOUR),
            _ => time.days(seconds / DAY),
        }
    }

    /// Says how old something is: `now`, `3 min`.
    pub fn age(self, age: Duration) -> String {
        if age.as_secs() < MINUTE { Time(self).now().to_owned() } else { self.length(age) }
    }

    /// Says how long something has left, in its two largest units: `1 h 59 min`.
    pub fn left(self, left: Duration) -> String {
        let (seconds, time) = (left.as_secs(), Time(self));
        let (most, rest) = match seconds {
            0..HOUR => return self.length(left),
            HOUR..DAY => (time.hours(seconds / HOUR), seconds % HOUR / MINUTE * MINUTE),
            _ => (time.days(seconds / DAY), seconds % DAY / HOUR * HOUR),
        };
        if rest == 0 { most } else { format!("{most} {}", self.length(Duration::from_secs(rest))) }
    }

    /// Says how old something is, as a moment: `3 min ago`.
    pub fn ago(self, age: Duration) -> String {
        if age.as_secs() < MINUTE { self.age(age) } else { Time(self).ago(self.length(age)) }
    }

    /// Says how long something has left: as a clock, which counts down, and in days where there are many.
    pub fn countdown(self, left: Duration) -> String {
        if left.as_secs() < 2 * DAY { clock(left) } else { self.length(left) }
    }

    /// Says how much time is left, as a clock: `1:59:02 left`.
    pub fn time_left(self, left: Duration) -> String {
        Time(self).left(clock(left))
    }
}

/// Returns a length of time as a clock shows it: `1:59:02`; nought only when nothing is left.
pub fn clock(left: Duration) -> String {
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    let (hours, minutes) = (seconds / HOUR, seconds / MINUTE % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

/// Says when things are, seen from one moment in one zone.
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
        let time = Time(self.language);
        match ahead {
            _ if away < NOW => time.now().to_owned(),
            true => time.ahead(self.language.left(away)),
            false => time.ago(self.language.length(away)),
        }
    }

    /// Says how old something is: `3 min`.
    pub fn age(&self, at: Timestamp) -> String {
        self.language.age(self.now.since(at))
    }

    /// Says when a moment is: `12:47`, with its day where that is another one.
    pub fn clock(&self, at: Timestamp) -> String {
        let (Some(then), Some(now)) = (self.in_zone(at), self.in_zone(self.now)) else {
            return at.0.to_string();
        };
        if then.date() == now.date() {
            return then.format("%H:%M").to_string();
        }
        let time = Time(self.language);
        let form = if then.year() == now.year() { time.this_year() } else { time.another_year() };
        then.format(form).to_string()
    }

    /// Says a moment in full, with the zone: `2026-11-18 12:47:05 +08:00`.
    pub fn full(&self, at: Timestamp) -> String {
        let Some(utc) = DateTime::<Utc>::from_timestamp_millis(at.0) else { return at.0.to_string() };
        let form = "%Y-%m-%d %H:%M:%S %:z";
        match self.zone {
            Some(zone) => utc.with_timezone(&zone).format(form).to_string(),
            None => utc.with_timezone(&Local).format(form).to_string(),
        }
    }

    /// Says which day a moment is on.
    pub fn day(&self, at: Timestamp) -> String {
        let form = Time(self.language).day();
        self.in_zone(at).map_or_else(|| at.0.to_string(), |then| then.format(form).to_string())
    }

    /// The same as [`Self::clock`], of a moment as programs have it; what is none is told as it is.
    pub fn clock_of(&self, written: &str) -> String {
        read(written).map_or_else(|| written.to_owned(), |at| self.clock(at))
    }

    /// The same as [`Self::age`], of a moment as programs have it.
    pub fn age_of(&self, written: &str) -> String {
        read(written).map_or_else(|| written.to_owned(), |at| self.age(at))
    }

    /// The same as [`Self::relative`], of a moment as programs have it.
    pub fn relative_of(&self, written: &str) -> String {
        read(written).map_or_else(|| written.to_owned(), |at| self.relative(at))
    }

    /// Returns when a day begins, as `2026-11-15`.
    pub fn midnight(&self, day: &str) -> Option<Timestamp> {
        let midnight = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?.and_time(NaiveTime::MIN);
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

/// Reads a moment as programs write it.
pub fn read(text: &str) -> Option<Timestamp> {
    let moment = DateTime::parse_from_rfc3339(text).ok()?;
    Some(Timestamp(moment.timestamp_millis()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-18T12:00:00.000Z";

    fn both<T>(tell: impl Fn(Times) -> T) -> [T; 2] {
        let now = read(NOW).unwrap();
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
        let day = read("2026-11-17T20:00:00.000Z").unwrap();
        assert_eq!(both(|times| times.day(day)), ["Nov 18, 2026", "2026年11月18日"]);
    }

    #[test]
    fn a_length_is_said_in_the_largest_unit_that_fits() {
        let said = |seconds| Language::English.age(Duration::from_secs(seconds));
        assert_eq!(
            [5, 60, 3599, 3600, 170_000, 180_000].map(said),
            ["now", "1 min", "59 min", "1 h", "47 h", "2 d"]
        );
        assert_eq!(Language::Chinese.age(Duration::from_mins(4)), "4 分钟");
        assert_eq!(Language::English.length(Duration::from_secs(12)), "12 s");
    }

    #[test]
    fn time_left_reads_as_a_clock_and_never_shows_nought_early() {
        let check = |ms: u64, expected: &str| {
            let left = Duration::from_millis(ms);
            assert_eq!(Language::English.time_left(left), expected);
        };
        check(160_000, "2:40 left");
        check(500, "0:01 left");
        check(3_725_000, "1:02:05 left");
        assert_eq!(Language::Chinese.time_left(Duration::from_secs(9)), "还剩 0:09");
    }
}
