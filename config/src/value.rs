//! What a value of a key may be: read from the file or from a text, and written as the file has it.

use std::fmt::Display;
use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use askuser_words::config::Wrong;

use super::duration;
use super::said::{Said, kind};
use crate::yaml::{Kind, Node};

/// A value as it was given.
#[derive(Debug, Clone, Copy)]
pub(super) enum Given<'a> {
    /// In the file.
    Yaml(&'a Node),
    /// As text, by a flag or a variable.
    Text(&'a str),
}

/// A value of a key.
pub(super) trait Value: Sized {
    /// Reads it; says what it should have been.
    fn read(given: &Given<'_>) -> Result<Self, Said>;
    /// Writes it as the file has it.
    fn show(&self) -> String;
}

impl Given<'_> {
    /// Says that this is something else than what is wanted.
    fn not(&self, wanted: impl Fn(Wrong) -> String) -> Said {
        Said::new(|say| say.is_not(self.shown(say), wanted(say)))
    }

    fn shown(&self, say: Wrong) -> String {
        match self {
            Self::Text(text) => say.quoted(text),
            Self::Yaml(node) => match &node.kind {
                Kind::Text(text) => say.quoted(text),
                Kind::Number(number) => say.bare(number),
                Kind::Bool(flag) => say.bare(flag),
                Kind::Null | Kind::List(_) | Kind::Table(_) => kind(node, say).to_owned(),
            },
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Self::Text(text) => *text == "null",
            Self::Yaml(node) => node.kind == Kind::Null,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Yaml(node) => node.text(),
        }
    }

    fn whole(&self) -> Option<u64> {
        match self {
            Self::Text(text) => text.trim().parse().ok(),
            Self::Yaml(node) => match &node.kind {
                Kind::Number(number) => number.as_u64(),
                _ => None,
            },
        }
    }
}

macro_rules! whole_number {
    ($($kind:ty),+) => { $(
        impl Value for $kind {
            fn read(given: &Given<'_>) -> Result<Self, Said> {
                let whole = given.whole().and_then(|number| number.try_into().ok());
                whole.ok_or_else(|| given.not(|say| say.whole_number().to_owned()))
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )+ };
}

whole_number!(u32, u64, usize);

impl Value for bool {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        let flag = match given {
            Given::Yaml(Node { kind: Kind::Bool(flag), .. }) => Some(*flag),
            // The variables say on and off.
            Given::Text("true" | "on") => Some(true),
            Given::Text("false" | "off") => Some(false),
            _ => None,
        };
        flag.ok_or_else(|| given.not(|say| say.true_or_false().to_owned()))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// Seconds as a number, or a text with units.
impl Value for Duration {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        let seconds = given.whole().map(Self::from_secs);
        let written = || given.text().and_then(|text| duration::parse_any(text).ok());
        seconds.or_else(written).ok_or_else(|| given.not(|say| say.time().to_owned()))
    }

    fn show(&self) -> String {
        if self.subsec_millis() == 0 { self.as_secs().to_string() } else { format!("{}ms", self.as_millis()) }
    }
}

impl<V: Value> Value for Option<V> {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        if given.is_nothing() { Ok(None) } else { V::read(given).map(Some) }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), Value::show)
    }
}

impl Value for String {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        given.text().map(ToOwned::to_owned).ok_or_else(|| given.not(|say| say.text().to_owned()))
    }

    fn show(&self) -> String {
        quoted(self)
    }
}

/// A list; as a text, separated by commas.
impl Value for Vec<String> {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        match given {
            Given::Text(text) => {
                Ok(text.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect())
            }
            Given::Yaml(node) if matches!(node.kind, Kind::List(_)) => {
                let texts = node.items().iter().map(|item| item.text().map(str::to_owned));
                texts.collect::<Option<_>>().ok_or_else(|| given.not(|say| say.list_of_texts().to_owned()))
            }
            Given::Yaml(_) => Err(given.not(|say| say.list_of_texts().to_owned())),
        }
    }

    fn show(&self) -> String {
        format!("[{}]", self.iter().map(|one| quoted(one)).collect::<Vec<_>>().join(", "))
    }
}

impl Value for TimeoutPolicy {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        let policy = given.text().and_then(Self::parse);
        policy.ok_or_else(|| given.not(|say| say.any_of(Self::NAMES.join(", "))))
    }

    fn show(&self) -> String {
        self.name().to_owned()
    }
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// What somebody must act on.
    Error,
    /// And what we coped with.
    Warn,
    /// And the story of every ask.
    Info,
    /// And what helps to find a fault.
    Debug,
}

impl Level {
    const ALL: [(&str, Self); 4] =
        [("error", Self::Error), ("warn", Self::Warn), ("info", Self::Info), ("debug", Self::Debug)];
}

impl Value for Level {
    fn read(given: &Given<'_>) -> Result<Self, Said> {
        let level = Self::ALL.iter().find(|(name, _)| given.text() == Some(name));
        level.map(|(_, level)| *level).ok_or_else(|| given.not(|say| say.any_of("error, warn, info, debug")))
    }

    fn show(&self) -> String {
        Self::ALL.iter().find(|(_, level)| level == self).map_or("info", |(name, _)| name).to_owned()
    }
}

/// A text as YAML takes it everywhere; most need no quotes.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "./:-_".contains(c);
    let starts =
        text.starts_with(|c: char| c.is_ascii_alphabetic()) || text.parse::<std::net::SocketAddr>().is_ok();
    if starts && text.chars().all(plain) && !text.ends_with(':') && !["true", "false", "null"].contains(&text)
    {
        text.to_owned()
    } else {
        serde_json::Value::from(text).to_string()
    }
}

/// Checks that a value is not less than this and not more than that.
pub(super) fn within<V: PartialOrd + Display + Copy>(value: &V, min: V, max: V) -> Result<(), Said> {
    let given = *value;
    if given < min {
        return Err(Said::new(|say| say.at_least(given, min)));
    }
    if given > max { Err(Said::new(|say| say.at_most(given, max))) } else { Ok(()) }
}

/// The same for a length of time, in seconds.
pub(super) fn seconds(value: Duration, min: u64, max: u64) -> Result<(), Said> {
    let given = value.as_secs_f64();
    if value < Duration::from_secs(min) {
        return Err(Said::new(|say| say.at_least(say.seconds(given), min)));
    }
    if value > Duration::from_secs(max) {
        Err(Said::new(|say| say.at_most(say.seconds(given), max)))
    } else {
        Ok(())
    }
}
