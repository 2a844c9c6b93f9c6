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

use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use self::access::{Browsers, KeyPurpose, KeyVerb, UserVerb};
pub use self::answer::{Answer, List, RuleVerb};
pub use self::ask::{Ask, Delivery, OnTimeout, Prints};
pub use self::audit::{Audit, AuditForm, Purge};
pub use self::notify::NotifyVerb;
pub use self::restore::Restore;
pub use self::serve::{Backup, Config, ConfigVerb, Migrate, Serve, SupervisedBy, Supervisor, SupervisorVerb};
pub use self::short::{Choose, Confirm, Input};
pub use self::task::{Run, TaskVerb};
pub use self::words::{Word, Words};
use super::commands::hook::HookArgs;
use super::commands::install::args::{Install, Setup, Uninstall};
use super::commands::template::TemplateVerb;
use super::completion;
pub use askuser_ask::options::{Layout, Output, Place};

/// Makes any AI agent's question durable, answerable anywhere, and honest about who answered.
///
/// In English here; [`crate::cli::help::command`] is this in either language, and draws its pages.
#[derive(Debug, Parser)]
#[command(name = "askuser", version, about = "Answer your AI agents' questions from anywhere", long_about = None, disable_help_subcommand = true,
          disable_help_flag = true, disable_version_flag = true)]
pub struct Args {
    /// When to use colors: auto, always or never
    #[arg(
        long,
        value_name = "MODE",
        value_enum,
        global = true,
        default_value = "auto",
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub color: Color,
    /// Print help
    #[arg(long, short, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    /// Print the version
    #[arg(long, short = 'V', action = ArgAction::Version)]
    version: Option<bool>,
    /// What to do; with nothing, askuser says what is waiting.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Ask a question and print the answer
    ///
    /// Without options it is a yes/no question. Add options with -o, or ask for a text with --text. Add
    /// more questions with -q; flags apply to the question before them. Input that looks like JSON is read
    /// as JSON; if a question looks like that, put it after -q.
    ///
    /// Exit codes: 0 answered, 1 failed, 2 invalid input, 3 declined, 4 withdrawn, 5 not answered yet, 6
    /// nobody to ask, 10 no (with --exit-code), 124 timed out, 130 interrupted.
    Ask(Box<Ask>),
    /// Ask yes or no; exit with 0 for yes, 10 for no
    ///
    /// Prints nothing unless --output is given. Any other exit code means neither yes nor no; see `askuser
    /// ask --help`.
    Confirm(Box<Confirm>),
    /// Offer options and print the choice
    Choose(Box<Choose>),
    /// Ask for a text and print it
    Input(Box<Input>),
    /// Wait again for an answer
    Wait {
        /// The question's id, or four characters of it [default: the only one you asked]
        #[arg(value_name = "QUESTION", add = completion::waiting())]
        ask: Option<String>,
        /// Stop waiting after this time, e.g. 50s; the question keeps waiting (exit code 5)
        #[arg(long, value_name = "TIME")]
        patience: Option<String>,
        /// The JSON format of the reply [default: the one asked for]
        #[arg(long, value_name = "NAME")]
        reply: Option<String>,
        #[command(flatten)]
        prints: Prints,
    },
    /// Withdraw a question you asked
    Withdraw {
        /// The question's id, or four characters of it [default: the only one you asked]
        #[arg(value_name = "QUESTION", add = completion::waiting())]
        ask: Option<String>,
        #[command(flatten)]
        form: Form,
    },
    /// Answer waiting questions in this terminal
    Inbox {
        #[command(flatten)]
        insists: Insists,
    },
    /// List waiting questions, most urgent first
    List(List),
    /// Show one question in full
    Show {
        /// The question's id, or four characters of it [default: the only one waiting, or pick from a list]
        #[arg(value_name = "QUESTION", add = completion::questions())]
        ask: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Answer one question
    Answer(Answer),
    /// Manage auto-answer rules: add, list, remove
    Rules {
        /// What to do
        #[command(subcommand)]
        what: RuleVerb,
    },
    /// Show questions per day, response times and outcomes
    Stats {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Decline a question
    Cancel {
        /// The question's id, or four characters of it [default: the only one waiting, or pick from a list]
        #[arg(value_name = "QUESTION", add = completion::waiting())]
        ask: Option<String>,
        /// The reason, for the agent
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List conversations, newest first
    Sessions {
        /// End a conversation that has no waiting question
        #[arg(long, value_name = "CONVERSATION", add = completion::conversations())]
        end: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Show past questions and answers, newest first
    History {
        /// The conversation: its id, four characters of it, or the agent's own id; `file:NAME` is an imported
        /// transcript [default: all]
        #[arg(value_name = "CONVERSATION", add = completion::conversations())]
        session: Option<String>,
        /// Export the conversation
        #[arg(long, value_name = "FORMAT", value_enum, requires = "session")]
        export: Option<Export>,
        /// Import a Claude Code transcript: a file, or an id from --projects
        #[arg(long, value_name = "FILE", conflicts_with_all = ["session", "projects"])]
        import: Option<PathBuf>,
        /// List the transcripts in Claude Code's project folders, newest first
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
    /// List tasks, newest first
    Tasks {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Manage one task: show, follow, stop, say, resume
    Task {
        /// What to do
        #[command(subcommand)]
        what: TaskVerb,
    },
    /// Run the askuser server in the foreground
    Serve(Serve),
    /// Move all data from SQLite to PostgreSQL
    Migrate(Migrate),
    /// Back up the database to a file
    Backup(Backup),
    /// Start askuser at login: install, remove, status
    Service {
        /// What to do
        #[command(subcommand)]
        what: SupervisorVerb,
    },
    /// Show whether askuser is running, and where
    Status {
        #[command(flatten)]
        form: Form,
    },
    /// Show the version and how to update it
    Update(Form),
    /// Apply changes to the configuration file
    Reload {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop askuser; waiting questions are kept
    Stop {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Check the setup and show what to fix
    Doctor {
        #[command(flatten)]
        form: Form,
    },
    /// Handle a hook event (run by the agent)
    Hook(HookArgs),
    /// Manage question templates: list, show, check
    Template {
        /// What to do
        #[command(subcommand)]
        what: TemplateVerb,
    },
    /// Connect the coding agents on this machine
    Setup(Setup),
    /// Connect a coding agent, so its questions reach you
    Install(Install),
    /// Disconnect a coding agent and restore its settings
    Uninstall(Uninstall),
    /// List connected agents and test each connection
    Agents {
        #[command(flatten)]
        form: Form,
    },
    /// Open the inbox in the browser, or on your phone (--qr)
    Open {
        /// Show the link as a QR code for your phone
        #[arg(long)]
        qr: bool,
        /// Let devices on your network in over HTTPS until askuser stops
        #[arg(long, requires = "qr", conflicts_with = "tls_listen")]
        lan: bool,
        /// Like --lan, at another address: HOST:PORT or lan:PORT
        #[arg(long, value_name = "ADDRESS", requires = "qr")]
        tls_listen: Option<String>,
        /// Print the link instead of opening a browser
        #[arg(long)]
        print: bool,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List, rename or sign out your browsers
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
    /// Search, export or verify the audit log
    Audit(Audit),
    /// Delete the text of questions closed long ago
    Purge(Purge),
    /// Test your notifications
    Notify {
        /// What to do
        #[command(subcommand)]
        what: NotifyVerb,
    },
    /// Show or change settings
    Config(Config),
    /// Exchange events as JSON Lines on stdin and stdout
    Events {
        /// Which side to take
        #[arg(long = "as", value_name = "SIDE", value_enum, default_value = "agent")]
        who: End,
        #[command(flatten)]
        insists: Insists,
    },
    /// Run the MCP server for an agent on stdin and stdout
    Mcp,
    /// Check whether a shell command asks a question
    Route {
        /// The shell command; `-` reads it from standard input
        line: OsString,
    },
    /// Try askuser with a sample agent
    Demo {
        /// Use numbered text prompts instead of the panel
        #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
              default_missing_value = "box")]
        plain: Option<Layout>,
    },
    /// Print the completion script for your shell
    Completions {
        /// Your shell
        shell: Shell,
    },
    /// Show help for a command or a topic
    Help {
        /// A command, e.g. `ask` or `task stop`, or a topic, e.g. `asking`
        #[arg(value_name = "COMMAND OR TOPIC", add = completion::helped())]
        what: Vec<String>,
    },
    /// Write the man pages to a folder
    #[command(hide = true)]
    Man {
        /// The folder to write to
        #[arg(value_name = "FOLDER")]
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
    /// Print JSON
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
    /// Send questions and receive their answers
    Agent,
    /// Receive questions and send answers
    Person,
}

/// How a history leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Export {
    /// One JSON message per line
    Jsonl,
    /// A page to read
    Md,
    /// One JSON list
    Json,
}
