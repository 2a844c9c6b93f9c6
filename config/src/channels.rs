//! The channels of the section `notify:`: a part a kind.

use std::time::Duration;

use askuser_words::config::Wrong;
use askuser_words::{Both, both};
use serde::Deserialize;

use super::notify::time;
use super::said::Said;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChannelPart {
    /// The desktop's own notifications.
    Desktop(DesktopPart),
    /// A program of the person's own.
    Command(CommandPart),
    /// A signed webhook.
    Webhook(WebhookPart),
    Ntfy(NtfyPart),
    /// A Telegram bot.
    Telegram(TelegramPart),
    /// Slack, by Socket Mode.
    Slack(SlackPart),
    Email(EmailPart),
    /// The browsers that asked for it on the page.
    WebPush(WebPushPart),
}

impl ChannelPart {
    /// Returns the word for its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Desktop(_) => "desktop",
            Self::Command(_) => "command",
            Self::Webhook(_) => "webhook",
            Self::Ntfy(_) => "ntfy",
            Self::Telegram(_) => "telegram",
            Self::Slack(_) => "slack",
            Self::Email(_) => "email",
            Self::WebPush(_) => "web_push",
        }
    }
}

/// The desktop's own notifications.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesktopPart {}

/// A program of the person's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandPart {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whether it is run again when the ask has closed.
    #[serde(default)]
    pub closed: bool,
    /// How long it may run.
    #[serde(default = "half_a_minute", deserialize_with = "time")]
    pub time: Duration,
}

/// A signed webhook.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookPart {
    pub url: String,
    /// What it is signed with, `whsec_…`.
    pub secret: Hidden,
}

/// A topic of an ntfy server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NtfyPart {
    #[serde(default = "ntfy_sh")]
    pub server: String,
    pub topic: Hidden,
    /// The topic from which replies are read; none: no buttons.
    #[serde(default)]
    pub replies: Option<Hidden>,
    /// The key of an account there.
    #[serde(default)]
    pub token: Option<Hidden>,
    /// From 1 to 5.
    #[serde(default = "high")]
    pub priority: u8,
    /// What becomes of a message when its ask closes.
    #[serde(default)]
    pub closed: WhenClosed,
}

/// What becomes of a message when its ask closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenClosed {
    /// It is deleted.
    #[default]
    Delete,
    /// It says how the ask ended.
    Update,
    /// Nothing.
    Keep,
}

/// A Telegram bot.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelegramPart {
    /// The bot's key.
    pub token: Hidden,
    /// The chat that it writes to.
    pub chat: i64,
    /// Whose answers count, by their numbers at Telegram.
    pub people: Vec<i64>,
    #[serde(default = "telegram_org")]
    pub server: String,
}

/// An app of a Slack workspace, by Socket Mode.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlackPart {
    /// The key of its bot, `xoxb-…`.
    pub bot_token: Hidden,
    /// The key of its sockets, `xapp-…`.
    pub app_token: Hidden,
    /// Where it writes: a channel, or a person.
    pub channel: String,
    /// Whose answers count, by their ids at Slack.
    pub people: Vec<String>,
    #[serde(default = "slack_com")]
    pub server: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EmailPart {
    /// The server: `smtps://host` (TLS from the beginning), `smtp://host` (STARTTLS).
    pub server: String,
    pub from: String,
    pub to: String,
    /// The account there.
    #[serde(default)]
    pub user: Option<String>,
    #[serde(default)]
    pub password: Option<Hidden>,
}

/// The browsers that asked for it on the page (Web Push).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebPushPart {}

/// A text that is not printed: it stands in the file, or in another one (`file:PATH`, from the data folder).
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Hidden(String);

impl std::fmt::Debug for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hidden(…)")
    }
}

impl Hidden {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text.
    pub fn reveal(&self, folder: &std::path::Path) -> Result<String, Both> {
        let Some(path) = self.0.strip_prefix("file:") else { return Ok(self.0.clone()) };
        let path = folder.join(path);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| both(|say: Wrong| say.in_file(path.display(), &error)))?;
        Ok(text.trim().to_owned())
    }
}

fn half_a_minute() -> Duration {
    Duration::from_secs(30)
}

fn ntfy_sh() -> String {
    "https://ntfy.sh".to_owned()
}

fn telegram_org() -> String {
    "https://api.telegram.org".to_owned()
}

fn slack_com() -> String {
    "https://slack.com".to_owned()
}

fn high() -> u8 {
    4
}

/// Says what is wrong with a channel that could be read.
pub(super) fn check(part: &ChannelPart) -> Result<(), Said> {
    let begins = |key: &str, given: &str, with: &[&str]| {
        let wanted = |say: Wrong| say.begins_with(with.join(say.or()));
        let wrong = || Said::new(|say| say.of(key, say.is_not(say.quoted(given), wanted(say))));
        if with.iter().any(|begin| given.starts_with(begin)) { Ok(()) } else { Err(wrong()) }
    };
    let web = |key: &str, url: &str| begins(key, url, &["https://", "http://"]);
    let some_people = |is_empty: bool| {
        if is_empty { Err(Said::new(|say| say.of("people", say.nobody_could_answer()))) } else { Ok(()) }
    };
    match part {
        ChannelPart::Command(part) if part.command.is_empty() => {
            Err(Said::new(|say| say.of("command", say.names_no_program())))
        }
        ChannelPart::Webhook(part) => web("url", &part.url),
        ChannelPart::Ntfy(part) if !(1..=5).contains(&part.priority) => {
            Err(Said::new(|say| say.of("priority", say.not_from_to(part.priority, 1, 5))))
        }
        ChannelPart::Ntfy(part) => web("server", &part.server),
        ChannelPart::Telegram(part) => {
            some_people(part.people.is_empty()).and_then(|()| web("server", &part.server))
        }
        ChannelPart::Slack(part) => {
            some_people(part.people.is_empty()).and_then(|()| web("server", &part.server))
        }
        ChannelPart::Email(part) => begins("server", &part.server, &["smtps://", "smtp://"]),
        ChannelPart::Command(_) | ChannelPart::Desktop(_) | ChannelPart::WebPush(_) => Ok(()),
    }
}
