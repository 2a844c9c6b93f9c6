//! How an agent is connected, as data: its files, what should be in them, and what its person has to do then.
//!
//! Timeouts are as long as a person may take: a day, the agent's own and, a little shorter, ours. No key is ever
//! written: the programs that are started find theirs in the data folder.

mod want;

use std::path::{Path, PathBuf};

use askuser_words::commands::setup::{Connecting, Hooks};
use serde_json::{Map, Value, json};

pub use self::want::{NAME, Want, is_our_hook, shell_line};

/// How long an answer may take: a day, in seconds and in milliseconds.
pub(crate) const DAY_S: u64 = 86_400;
pub(crate) const DAY_MS: u64 = 86_400_000;
/// How long a hook may take that only tells us something.
pub(crate) const TELLING_S: u64 = 10;
/// How long our server holds a call of an agent that was told to wait a day: it comes back first.
const HOLD: &str = "23h";
/// Where a person answers, as agents show it while a hook waits.
pub(crate) const INBOX: &str = "askuser inbox";
pub(crate) const OPEN: &str = "askuser open";
/// Commands of a person that an agent is kept from (invariant 6).
pub(crate) const PERSONS_COMMANDS: [&str; 6] = ["answer", "cancel", "open", "key", "user", "uninstall"];

/// How an agent is connected.
pub struct Install {
    /// Its name on the command line.
    pub name: &'static str,
    /// The program that people start.
    pub program: &'static str,
    /// Where its maker puts that besides the path, below the home folder.
    pub folders: &'static [&'static str],
    /// Its folder among the applications of a Mac.
    pub mac_app: Option<&'static str>,
    pub files: &'static [SettingsFile],
    /// What its person has to do then.
    pub next: fn(Connecting, Scope) -> Option<String>,
    /// Where it notes that its person lets it run our hooks.
    pub trust: Option<Trust>,
}

/// Whose settings an agent is connected in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The person's own, for every project.
    User,
    /// This project's files, which others may share.
    Project,
}

/// One file of an agent's settings.
#[derive(Debug, Clone, Copy)]
pub struct SettingsFile {
    /// The person's own.
    pub user: Place,
    /// A project's, below its folder; none where the agent knows no such thing.
    pub project: Option<&'static str>,
    /// Another ending that it may have: then that file is taken, where it is there.
    pub or_ending: Option<&'static str>,
    /// What should be in it.
    pub content: fn(&Connection) -> Content,
}

/// Where a person's own settings are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Below the home folder.
    Home(&'static str),
    /// In the folder that a variable names, else in one below the home folder.
    Named {
        variable: &'static str,
        /// The folder where it is not set.
        usual: &'static str,
        file: &'static str,
    },
    /// Below `XDG_CONFIG_HOME`, else `~/.config`.
    Config(&'static str),
    /// Below the folder in which this system's programs have their settings: that one, and on a Mac another.
    Platform(&'static str),
}

/// What should be in a file, in the file's own language.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// JSON, with or without comments.
    Json(Vec<Want>),
    /// TOML: an entry of ours in a table of tables.
    Toml {
        table: &'static str,
        /// The fields of our entry.
        fields: Map<String, Value>,
    },
    /// A file that is ours alone: this text.
    Whole(String),
}

/// What the person wants beyond questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extras {
    /// Permission prompts.
    pub permissions: bool,
    /// What other MCP servers want to know.
    pub elicitations: bool,
}

/// Where an agent notes that its person lets it run a hook; it runs none before.
#[derive(Debug, Clone, Copy)]
pub struct Trust {
    /// The table, in the first of its files.
    pub table: [&'static str; 2],
    /// How the entry begins, by the path of the second.
    pub entry: fn(&str) -> String,
    /// What its person has to do.
    pub remedy: fn(Connecting) -> &'static str,
}

/// What an agent is to start, and in which words: all that differs from one machine to another.
#[derive(Debug, Clone, Copy)]
pub struct Connection<'a> {
    pub program: &'a str,
    /// The data folder, where it is not the usual one.
    pub data: Option<&'a Path>,
    /// The person's home folder.
    pub home: &'a Path,
    /// What agents show while a hook waits.
    pub says: Hooks,
    /// What is asked beyond questions.
    pub extras: Extras,
}

impl Install {
    /// One program and nothing to do: what is not so is said in the agent's file.
    pub const PLAIN: Self = Self {
        name: "",
        program: "",
        folders: &[],
        mac_app: None,
        files: &[],
        next: |_, _| None,
        trust: None,
    };

    /// Whether it can be connected for one project.
    pub fn has_project(&self) -> bool {
        self.files.iter().all(|file| file.project.is_some())
    }
}

impl Place {
    /// Finds it, by the home folder and by what variables that name folders are set to.
    pub fn path(self, home: Option<&Path>, folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
        let at_home = |below: &str| home.map(|home| home.join(below));
        let config = || {
            let named = folder("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
            named.or_else(|| at_home(".config"))
        };
        let (folder, file) = match self {
            Self::Home(file) => (at_home(""), file),
            Self::Named { variable, usual, file } => (folder(variable).or_else(|| at_home(usual)), file),
            Self::Platform(file) if cfg!(target_os = "macos") => {
                (at_home("Library/Application Support"), file)
            }
            Self::Config(file) | Self::Platform(file) => (config(), file),
        };
        folder.map(|folder| folder.join(file))
    }
}

impl Scope {
    /// Both.
    pub const ALL: [Self; 2] = [Self::User, Self::Project];

    /// Returns its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

impl Extras {
    /// Reads off our hooks, each an event and the tools that it is for, what they were connected with.
    pub fn of(hooks: &[(String, String)]) -> Self {
        Self {
            permissions: hooks.iter().any(|(event, tools)| event == "PermissionRequest" && tools == "*"),
            elicitations: hooks.iter().any(|(event, _)| event == "Elicitation"),
        }
    }
}

impl Connection<'_> {
    /// The MCP server as most agents write it: an entry with a command and its arguments.
    pub(crate) fn server(&self, at: &[&'static str]) -> Want {
        Want::Entry { at: at.to_vec(), fields: self.server_fields(None, None) }
    }

    /// The fields of such an entry: its type, and how long a call may take, where the agent has these.
    pub(crate) fn server_fields(
        &self,
        kind: Option<&str>,
        timeout: Option<(&str, u64)>,
    ) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.extend(kind.map(|kind| ("type".to_owned(), kind.into())));
        fields.insert("command".to_owned(), self.program.into());
        fields.insert("args".to_owned(), json!(["mcp"]));
        fields.extend(timeout.map(|(name, timeout)| (name.to_owned(), timeout.into())));
        fields.extend(self.variables(timeout.is_some()).map(|env| ("env".to_owned(), env)));
        fields
    }

    /// What the server is started with: where the data folder is, and how long it holds a call where the
    /// agent's own limit is set too. The one without the other is a `pending` every few minutes.
    pub(crate) fn variables(&self, has_limit: bool) -> Option<Value> {
        let home = self.data_text().map(|data| ("ASKUSER_HOME".to_owned(), data.into()));
        let hold = has_limit.then(|| ("ASKUSER_HOLD".to_owned(), HOLD.into()));
        let variables: Map<String, Value> = home.into_iter().chain(hold).collect();
        (!variables.is_empty()).then_some(Value::Object(variables))
    }

    /// The words that start our hook for an agent.
    pub(crate) fn hook_words<'a>(&'a self, agent: &'a str) -> Vec<&'a str> {
        let mut words = vec![self.program, "hook", agent];
        words.extend(self.data_text().into_iter().flat_map(|data| ["--data", data]));
        words
    }

    fn data_text(&self) -> Option<&str> {
        self.data.and_then(Path::to_str)
    }
}
