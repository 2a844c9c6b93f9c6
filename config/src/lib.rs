//! Settings: one typed struct, and where each value came from. Flags go before variables, variables
//! before the file, the file before defaults (D16).
//!
//! `keys` is the one table: the struct, its defaults, the variables, the sample and what `askuser
//! config` prints are all made from it, with what `askuser_words::settings` says of each. A section of its own shape (a list, names of the operator's
//! choosing) is a file here with a type and a reader, and a line at the end of that table.

#![forbid(unsafe_code)]

pub mod yaml;
pub mod rules;
pub mod template;
pub mod duration;
mod folder;
mod groups;
mod typed;
mod value;
mod agents;
mod keys;
mod alerts;
mod notify;
mod channels;
mod nearest;
mod load;
mod live;
mod edit;
mod said;
mod sample;
mod settings;

use askuser_words::Language;
use askuser_words::settings as settings_said;

pub use agents::{AgentPart, Driver};
pub use alerts::{AlertRule, Alerts, Figure, METRICS};
pub use channels::{
    ChannelPart, CommandPart, DesktopPart, EmailPart, Hidden, NtfyPart, SlackPart, TelegramPart, WebPushPart,
    WebhookPart, WhenClosed,
};
pub use edit::{NotSet, set};
pub use folder::{NoHome, data_folder};
pub use keys::{
    AnswerKeys, Asks, AuditKeys, Config, DeskKeys, KEYS, Key, LISTEN, LogKeys, McpKeys, RunnerKeys,
    ServerKeys, TABLES, TLS_PORT, Table, TraceKeys, When,
};
pub use live::{Difference, LiveConfig, Settings, Wish};
pub use load::{ConfigError, FILE, Loaded, Sources};
pub use nearest::nearest;
pub use notify::{Content, Escalate, Notify, Offset, PersonPart, Quiet};
pub use said::{Fault, Said};
pub use sample::sample;
pub use settings::{Setting, settings};
pub use value::Level;

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A flag of this call.
    Flag,
    /// A variable of the environment.
    Variable(&'static str),
    /// A line of the file.
    File {
        /// Which, from 1.
        line: u64,
    },
    /// The way it is unless told otherwise.
    Default,
}

impl Origin {
    /// Returns its words in JSON.
    pub fn name(self) -> String {
        if self == Self::Flag { "flag".to_owned() } else { self.said(Language::English) }
    }

    /// Says it to a person.
    pub fn said(self, language: Language) -> String {
        let said = settings_said::Settings(language);
        match self {
            Self::Flag => said.from_option().to_owned(),
            Self::Variable(name) => name.to_owned(),
            Self::File { line } => said.from_line(line),
            Self::Default => said.from_default().to_owned(),
        }
    }
}
