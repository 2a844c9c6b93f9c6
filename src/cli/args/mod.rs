//! The command line of `askuser`: what may be said, and nothing about what it does.

mod access;
mod answer;
mod notify;
mod restore;
mod ask;
mod audit;
mod serve;
mod short;
mod task;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use self::access::{Browsers, KeyRole, KeyVerb, UserVerb};
pub use self::answer::{Answer, List, RuleVerb};
pub use self::ask::{Ask, Delivery, Layout, OnTimeout, Output, Place, Prints};
pub use self::audit::{Audit, AuditForm, Purge};
pub use self::notify::NotifyVerb;
pub use self::restore::Restore;
pub use self::serve::{Backup, Config, ConfigVerb, Migrate, Serve, SupervisedBy, Supervisor, SupervisorVerb};
pub use self::short::{Choose, Confirm, Input};
pub use self::task::{Run, TaskVerb};
pub use self::words::{Word, Words};
use super::completing;
use super::hook::HookArgs;
use super::install::args::{Install, Uninstall};
use super::template::TemplateVerb;

/// Makes any AI agent's question durable, answerable anywhere, and honest about who answered.
///
/// `help::command` is this with its groups and examples.
#[derive(Debug, Parser)]
#[command(name = "askuser", version, about, long_about = None, max_term_width = 100, disable_help_subcommand = true)]
pub struct Args {
    /// When to use colours
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        global = true,
        default_value = "auto",
        hide_possible_values = true,
        help = "When to use colours: auto, always or never",
        hide_default_value = true,
        display_order = 900
    )]
    pub color: Color,
    /// What to do; with nothing, askuser says what is waiting.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Ask a question, wait for the answer, print it
    ///
    /// In words: a question without options is a yes/no question. `-o` offers an option, --text asks for a
    /// text; more questions begin with -q, and flags belong to the question before them. What begins with { or
    /// [ is JSON; a question in words that begins so goes after -q.
    ///
    /// Exit codes: 0 answered, 1 failed, 2 wrong input, 3 declined, 4 withdrawn, 5 not answered yet, 6 nobody
    /// there, 10 no (with --exit-code), 124 timed out, 130 interrupted.
    Ask(Box<Ask>),
    /// Ask a yes/no question: exit code 0 is yes, 10 is no
    ///
    /// Prints nothing, unless --output says otherwise. Every other exit code is neither a yes nor a no: see
    /// `askuser ask --help`.
    Confirm(Box<Confirm>),
    /// Ask to pick from options, print what was picked
    Choose(Box<Choose>),
    /// Ask for a text, print it
    Input(Box<Input>),
    /// Wait again for a question that is still open
    Wait {
        /// The question, by its id or four characters of it [default: the only one that you asked]
        #[arg(add = completing::waiting())]
        ask: Option<String>,
        /// Wait this long at most, e.g. 50s or 5m (exit code 5: still open)
        #[arg(long, value_name = "TIME")]
        patience: Option<String>,
        /// The dialect of the reply [default: the one that was asked for]
        #[arg(long, value_name = "NAME")]
        reply: Option<String>,
        #[command(flatten)]
        prints: Prints,
    },
    /// Take back a question that you asked
    Withdraw {
        /// The question, by its id or four characters of it [default: the only one that you asked]
        #[arg(add = completing::waiting())]
        ask: Option<String>,
        #[command(flatten)]
        form: Form,
    },
    /// Answer everything that is waiting, in this terminal
    Inbox {
        #[command(flatten)]
        insists: Insists,
    },
    /// List the waiting questions, urgent ones first
    List(List),
    /// Show one question in full
    Show {
        /// The question, by its id or four characters of it [default: the one that is waiting]
        #[arg(add = completing::questions())]
        ask: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Answer one question
    Answer(Answer),
    /// Answer the same question automatically: add, list, remove
    Rules {
        /// What to do
        #[command(subcommand)]
        what: RuleVerb,
    },
    /// Statistics: questions per day, response times, agents, outcomes
    Stats {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Decline a question
    Cancel {
        /// The question, by its id or four characters of it [default: the one that is waiting]
        #[arg(add = completing::waiting())]
        ask: Option<String>,
        /// Why, for the asker
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List the conversations, newest first
    Sessions {
        /// End one in which no question is open
        #[arg(long, value_name = "SESSION", add = completing::conversations())]
        end: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// What was asked and answered, newest first; Claude Code transcripts
    History {
        /// One conversation, by its id, four characters of it, or the agent's own id; `file:NAME` is an
        /// imported transcript
        #[arg(add = completing::conversations())]
        session: Option<String>,
        /// Export it: one message per line, a page to read, or one list
        #[arg(long, value_name = "FORM", value_enum, requires = "session")]
        export: Option<Export>,
        /// Import a Claude Code transcript: a file, or an id that --projects lists
        #[arg(long, value_name = "FILE", conflicts_with_all = ["session", "projects"])]
        import: Option<PathBuf>,
        /// List the transcripts in Claude Code's own project folders, newest first
        #[arg(long, conflicts_with = "session")]
        projects: bool,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Continue an earlier conversation in a new one
    Restore(Restore),
    /// Give an agent a task and follow it
    Run(Run),
    /// List the tasks, newest first
    Tasks {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Work with one task: show, follow, stop, say, resume
    Task {
        /// What to do
        #[command(subcommand)]
        what: TaskVerb,
    },
    /// Run the askuser server in the foreground
    Serve(Serve),
    /// Move everything from SQLite to a shared PostgreSQL database
    Migrate(Migrate),
    /// Copy the database to a file, also while askuser runs
    Backup(Backup),
    /// Start askuser when you log in: install, remove, status
    Service {
        /// What to do
        #[command(subcommand)]
        what: SupervisorVerb,
    },
    /// Say whether askuser is running, and where
    Status {
        #[command(flatten)]
        form: Form,
    },
    /// Apply what has changed in the configuration file
    Reload {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop askuser; open questions stay open
    Stop {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Check the whole setup and say what to fix
    Doctor {
        #[command(flatten)]
        form: Form,
    },
    /// Handle an agent's hook event (called by the agent)
    Hook(HookArgs),
    /// Question templates: list, show, check
    Template {
        /// What to do
        #[command(subcommand)]
        what: TemplateVerb,
    },
    /// Connect a coding agent, so that its questions reach you
    Install(Install),
    /// Disconnect a coding agent and restore its settings
    Uninstall(Uninstall),
    /// List the connected agents and test each connection
    Agents {
        #[command(flatten)]
        form: Form,
    },
    /// Open your inbox in the browser, or on the phone with --qr
    Open {
        /// Show the link as a QR code, for the phone
        #[arg(long)]
        qr: bool,
        /// Let devices in your network in, over HTTPS, until askuser is stopped
        #[arg(long, requires = "qr", conflicts_with = "tls_listen")]
        lan: bool,
        /// The same at another address: HOST:PORT or lan:PORT
        #[arg(long, value_name = "PLACE", requires = "qr")]
        tls_listen: Option<String>,
        /// Print the link, and open no browser
        #[arg(long)]
        print: bool,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List, rename or sign out the browsers that are signed in
    Browsers(Browsers),
    /// Manage users: add, list, disable
    User {
        /// What to do
        #[command(subcommand)]
        what: UserVerb,
    },
    /// Manage keys: create, list, renew, revoke
    Key {
        /// What to do
        #[command(subcommand)]
        what: KeyVerb,
    },
    /// Search, export or verify the log of every decision
    Audit(Audit),
    /// Delete the text of questions closed long ago
    Purge(Purge),
    /// Test your notifications
    Notify {
        /// What to do
        #[command(subcommand)]
        what: NotifyVerb,
    },
    /// Show every setting, its value and where it comes from
    Config(Config),
    /// Speak the event protocol: JSON Lines on stdin and stdout
    Events {
        /// Whose end of the line this is: an agent sends requests, a person responses
        #[arg(long = "as", value_name = "WHO", value_enum, default_value = "agent")]
        who: End,
        #[command(flatten)]
        insists: Insists,
    },
    /// Run the MCP server for an agent on stdin and stdout
    Mcp,
    /// Tell whether a shell command is an agent's question
    Route {
        /// The shell line; `-` reads it from standard input
        line: OsString,
    },
    /// Watch a sample agent ask three rounds of questions
    Demo {
        /// Numbered lines instead of the panel: in a box, or as a list under the round
        #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
              default_missing_value = "box")]
        plain: Option<Layout>,
    },
    /// Print the completion script for your shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Show help for a command or a topic
    Help {
        /// A command, e.g. `ask` or `task stop`, or a topic, e.g. `wire`
        #[arg(value_name = "COMMAND OR TOPIC", add = completing::helped())]
        what: Vec<String>,
    },
    /// Write the man pages of both programs into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// When there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Also into a pipe
    Always,
    /// Never
    Never,
}

impl Color {
    /// Returns what words say that could not be read as a whole.
    pub fn said(words: &[OsString]) -> Self {
        let words = || words.iter().filter_map(|word| word.to_str());
        let after = words().skip_while(|word| *word != "--color").nth(1);
        let said = words().find_map(|word| word.strip_prefix("--color=")).or(after);
        said.and_then(|said| Self::from_str(said, true).ok()).unwrap_or(Self::Auto)
    }
}

/// How a listing is printed.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Form {
    /// Print JSON, for programs
    #[arg(long)]
    pub json: bool,
}

/// For a person in an agent's shell.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Insists {
    /// Run even though this looks like an agent's shell (recorded in the audit log)
    #[arg(long)]
    pub as_person: bool,
}

/// Who is at an end of the event protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum End {
    /// It sends requests, and hears the responses to them
    Agent,
    /// It hears every request and every close, and sends responses
    Person,
}

/// How a history leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Export {
    /// One message a line
    Jsonl,
    /// A page to read
    Md,
    /// One list
    Json,
}
