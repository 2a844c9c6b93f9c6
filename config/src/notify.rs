//! The section `notify:`: how each person is told that an agent waits for them.

use std::collections::BTreeMap;
use std::time::Duration;

use askuser_words::commands::Given;
use askuser_words::config::Wrong;
use askuser_words::{Language, both};
use serde::{Deserialize, Deserializer};

use super::channels::{ChannelPart, check};
use super::duration;
use super::said::{Fault, Said};
use super::typed;
use crate::yaml::{Kind, Node};

/// The sample of the section: every key, with what holds where it is left out, and every kind of channel.
pub(super) const SAMPLE: &str = "\
notify:
  url: https://askuser.example.com   # the page's address for links in notifications; null: no links
  certificates: null                 # more certificates to trust, a PEM file
  web_push: true                     # notify browsers that turned it on, also of people not listed here
  push_servers: []                   # push services on your own network, e.g. https://host:port
  contact: null                      # contact for push services: mailto:… or https://…; null: url, if that is https
  people:
    local:                           # the user's name
      content: question              # what leaves this machine: title, question, or choices (with answer buttons)
      language: en                   # en or zh
      quiet: null                    # e.g. 22:00-07:00: notify afterwards
      utc_offset: \"+00:00\"           # the person's time zone, for quiet
      wait: 0                        # how long a question waits before the first notification
      single_max: 3                  # more than this many within `every` are sent as one
      every: 1m
      remind: []                     # e.g. [10m, 1h] after the question; nothing is repeated by default
      escalate: null                 # e.g. {after: 30m, channels: [ops]} or {after: 30m, to: bob}
      channels:
        desk: {kind: desktop}
        own: {kind: command, command: [notify-tool, --stdin], closed: true, time: 30}
        ops: {kind: webhook, url: \"https://ops.example.com/askuser\", secret: \"file:keys/ops\"}
        phone: {kind: ntfy, server: \"https://ntfy.sh\", topic: long-random-name, replies: another-random-name, token: null, priority: 4, closed: delete}
        chat: {kind: telegram, token: \"file:keys/telegram\", chat: 12345, people: [12345], server: \"https://api.telegram.org\"}
        work: {kind: slack, bot_token: \"file:keys/slack-bot\", app_token: \"file:keys/slack-app\", channel: U0123, people: [U0123], server: \"https://slack.com\"}
        browser: {kind: web_push}
        mail: {kind: email, server: \"smtps://mail.example.com\", from: askuser@example.com, to: me@example.com, user: null, password: null}";

/// How people are told.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Notify {
    /// Where people reach the page.
    pub url: Option<String>,
    /// Certificates to trust besides the system's.
    pub certificates: Option<String>,
    /// Whether browsers are told that asked for it.
    pub web_push: bool,
    /// Push services in the own network.
    pub push_servers: Vec<String>,
    /// How a push service reaches whoever runs this.
    pub contact: Option<String>,
    /// Each person's own settings.
    pub people: BTreeMap<String, PersonPart>,
}

impl Default for Notify {
    fn default() -> Self {
        Self {
            url: None,
            certificates: None,
            web_push: true,
            push_servers: Vec::new(),
            contact: None,
            people: BTreeMap::new(),
        }
    }
}

/// How one person is told.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PersonPart {
    /// What a nudge may contain.
    pub content: Content,
    /// In which language.
    #[serde(deserialize_with = "language")]
    pub language: Language,
    /// When nothing is told.
    pub quiet: Option<Quiet>,
    /// The offset of the person's clock.
    pub utc_offset: Offset,
    /// How long an ask is open before the first nudge.
    #[serde(deserialize_with = "time")]
    pub wait: Duration,
    /// More than so many are told of in one.
    pub single_max: usize,
    /// In so long.
    #[serde(deserialize_with = "time")]
    pub every: Duration,
    /// When to remind, counted from when the ask came.
    #[serde(deserialize_with = "times")]
    pub remind: Vec<Duration>,
    /// Whom else to tell.
    pub escalate: Option<Escalate>,
    pub channels: BTreeMap<String, ChannelPart>,
}

impl Default for PersonPart {
    fn default() -> Self {
        Self {
            content: Content::default(),
            language: Language::default(),
            quiet: None,
            utc_offset: Offset::default(),
            wait: Duration::ZERO,
            single_max: 3,
            every: Duration::from_mins(1),
            remind: Vec::new(),
            escalate: None,
            channels: BTreeMap::new(),
        }
    }
}

/// What a nudge may contain. Secrets are never in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Who asks.
    Title,
    #[default]
    Question,
    /// And what may be picked, with buttons where a channel has them.
    Choices,
}

/// A part of every day, in minutes of the person's clock; it may go over midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Quiet {
    /// The first minute.
    pub from: u32,
    /// The first minute after it.
    pub to: u32,
}

impl TryFrom<String> for Quiet {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let read =
            |text: &str| text.split_once('-').and_then(|(from, to)| Some((minute(from)?, minute(to)?)));
        match read(&text) {
            Some((from, to)) if from != to => Ok(Self { from, to }),
            _ => Err(typed::in_one(&both(|say: Wrong| say.no_part_of_a_day(&text)))),
        }
    }
}

fn minute(text: &str) -> Option<u32> {
    let (hour, minute) = text.trim().split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// Minutes that a clock is ahead of UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "String")]
pub struct Offset(pub i64);

impl TryFrom<String> for Offset {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (sign, rest) = match text.split_at_checked(1) {
            Some(("+", rest)) => (1, rest),
            Some(("-", rest)) => (-1, rest),
            _ => (1, ""),
        };
        let minutes = minute(rest).filter(|minutes| *minutes <= 14 * 60);
        let wrong = || typed::in_one(&both(|say: Wrong| say.no_offset(&text)));
        minutes.map(|minutes| Self(sign * i64::from(minutes))).ok_or_else(wrong)
    }
}

/// Whom else to tell when nobody has answered for a while.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escalate {
    /// After how long.
    #[serde(deserialize_with = "time")]
    pub after: Duration,
    /// Through these of the person's own channels, which are not used otherwise.
    #[serde(default)]
    pub channels: Vec<String>,
    /// Another person, through theirs.
    #[serde(default)]
    pub to: Option<String>,
}

/// Seconds as a number, or a text with units.
#[derive(Deserialize)]
#[serde(untagged)]
enum Time {
    Seconds(u64),
    Text(String),
}

impl Time {
    fn read<E: serde::de::Error>(self) -> Result<Duration, E> {
        match self {
            Self::Seconds(seconds) => Ok(Duration::from_secs(seconds)),
            Self::Text(text) => duration::parse(&text)
                .map_err(|error| typed::carried(&both(|say: Given| say.not_a_time(&error.0)))),
        }
    }
}

pub(super) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    Time::deserialize(from)?.read()
}

/// A language by its short name.
fn language<'de, D: Deserializer<'de>>(from: D) -> Result<Language, D::Error> {
    match String::deserialize(from)?.as_str() {
        "en" => Ok(Language::English),
        "zh" => Ok(Language::Chinese),
        other => Err(serde::de::Error::unknown_variant(other, &["en", "zh"])),
    }
}

fn times<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Duration>, D::Error> {
    let all = Vec::<Time>::deserialize(from)?;
    all.into_iter().map(Time::read).collect()
}

impl Notify {
    pub(super) fn len(&self) -> usize {
        self.people.len()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Around {
    url: Option<String>,
    certificates: Option<String>,
    web_push: Option<bool>,
    push_servers: Vec<String>,
    contact: Option<String>,
    #[serde(rename = "people")]
    _people: serde::de::IgnoredAny,
}

/// Reads the section; what is wrong with it, person by person and channel by channel.
pub(super) fn read(node: &Node, faults: &mut Vec<Fault>) -> Notify {
    if node.kind == Kind::Null {
        return Notify::default();
    }
    let around: Around = match serde_json::from_value(node.json()) {
        Ok(around) => around,
        Err(what) => {
            faults.push(Fault { at: node.at, what: under("notify", &typed::said(&what)) });
            return Notify::default();
        }
    };
    let mut notify = Notify {
        url: around.url,
        certificates: around.certificates,
        web_push: around.web_push.unwrap_or(true),
        push_servers: around.push_servers,
        contact: around.contact,
        people: BTreeMap::new(),
    };
    for (name, part) in node.get("people").map(Node::entries).unwrap_or_default() {
        let named = name.text().unwrap_or_default();
        match person(part) {
            Ok(person) => drop(notify.people.insert(named.to_owned(), person)),
            Err(fault) => {
                let what = under(&format!("notify.people.{named}"), &fault.what);
                faults.push(Fault { what, ..fault });
            }
        }
    }
    let begins = |text: &str, with: [&str; 2]| with.iter().any(|begin| text.starts_with(begin));
    let mut check = |name: &str, given: &str, with: [&str; 2]| {
        if !begins(given, with) {
            let wanted = |say: Wrong| say.begins_with(with.join(say.or()));
            faults.push(Fault::new(node.at, |say| say.of(name, say.is_not(say.quoted(given), wanted(say)))));
        }
    };
    let web = ["https://", "http://"];
    notify.url.iter().for_each(|url| check("notify.url", url, web));
    notify.push_servers.iter().for_each(|server| check("notify.push_servers", server, web));
    notify.contact.iter().for_each(|contact| check("notify.contact", contact, ["mailto:", "https://"]));
    let lost = notify.people.values().filter_map(|person| person.escalate.as_ref()?.to.as_ref());
    for lost in lost.filter(|to| !notify.people.contains_key(*to)) {
        faults.push(Fault::new(node.at, |say| say.of("escalate.to", say.not_among(lost, "notify.people"))));
    }
    notify
}

/// Says in which part of the section something is wrong.
fn under(name: &str, what: &Said) -> Said {
    what.within(|say, what| say.under(name, what))
}

fn person(node: &Node) -> Result<PersonPart, Fault> {
    // Channel by channel first: what is wrong with one is said where it stands.
    for (name, channel) in node.get("channels").map(Node::entries).unwrap_or_default() {
        let named = name.text().unwrap_or_default();
        let read = serde_json::from_value::<ChannelPart>(channel.json());
        let of =
            |what: &Said| Fault { at: channel.at, what: what.within(|say, what| say.channel(named, what)) };
        let part = read.map_err(|what| of(&typed::said(&what)))?;
        check(&part).map_err(|what| of(&what))?;
    }
    let read = serde_json::from_value::<PersonPart>(node.json());
    let person = read.map_err(|what| Fault { at: node.at, what: typed::said(&what) })?;
    let lost = person.escalate.iter().flat_map(|escalate| &escalate.channels);
    if let Some(lost) = lost.into_iter().find(|name| !person.channels.contains_key(*name)) {
        return Err(Fault::new(node.at, |say| say.no_channel(lost)));
    }
    Ok(person)
}

#[cfg(test)]
mod tests;
