//! The command line of `askuser`: what may be said, and nothing about what it does.

mod access;
mod answer;
mod notify;
mod ask;
mod audit;
mod serve;
mod task;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub use self::access::{Browsers, KeyRole, KeyVerb, UserVerb};
pub use self::answer::{Answer, RuleVerb};
pub use self::ask::{Ask, OnTimeout, Place};
pub use self::audit::{Audit, AuditForm, Purge};
pub use self::notify::NotifyVerb;
pub use self::serve::{Backup, Config, Migrate, Serve, SupervisedBy, Supervisor, SupervisorVerb};
pub use self::task::{Run, TaskVerb};
use super::hook::HookArgs;
use super::install::args::{Install, Uninstall};
use super::template::TemplateVerb;

/// Makes any AI agent's question durable, answerable anywhere, and honest about who answered.
#[derive(Debug, Parser)]
#[command(name = "askuser", version, about, max_term_width = 100, after_help = EXAMPLES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  askuser demo
  askuser ask '{\"question_text\":\"Ship it?\",\"type\":\"boolean\"}'
  askuser ask --file questions.json --timeout 5m --on-timeout default
  askuser inbox
  askuser list
  askuser answer ask_01… --pick q1=oauth2
  askuser serve --listen 127.0.0.1:8275";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Ask a person, wait, print the answer as JSON
    Ask(Box<Ask>),
    /// Come back to an open ask, wait, print the answer as JSON
    Wait {
        /// The ask
        ask: String,
        /// Wait this long, then say that it is still open, as 50s or 5m
        #[arg(long, value_name = "TIME")]
        patience: Option<String>,
        /// The dialect of the reply [default: the one that was asked for]
        #[arg(long, value_name = "NAME")]
        reply: Option<String>,
    },
    /// Take an ask back, as its asker
    Withdraw {
        /// The ask
        ask: String,
        #[command(flatten)]
        form: Form,
    },
    /// The inbox of all agents on this terminal: read, answer, decline, look back
    Inbox {
        #[command(flatten)]
        insists: Insists,
    },
    /// The waiting questions: urgent ones first, then the oldest
    List {
        /// Also those that have ended
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// One ask in full
    Show {
        /// The ask
        ask: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Answer an ask; on a terminal in the panel, where nothing else is given
    Answer(Answer),
    /// Always the same answer to the same question, until a time: add, list, remove
    Rules {
        /// What to do
        #[command(subcommand)]
        what: RuleVerb,
    },
    /// What your asks say together: by day, response time, agent and outcome
    Stats {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Decline an ask
    Cancel {
        /// The ask
        ask: String,
        /// Why, for the asker
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// The conversations, the newest first
    Sessions {
        /// Ends one that has no open ask: nothing more is asked in it
        #[arg(long, value_name = "SESSION")]
        end: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// What was asked and answered in a session; transcripts of Claude Code
    History {
        /// The session, by our id or the agent's own; `file:NAME` is a transcript that was taken in
        #[arg(required_unless_present_any = ["import", "projects"])]
        session: Option<String>,
        /// As a file: one message a line, a page, or one list
        #[arg(long, value_name = "FORM", value_enum, requires = "session")]
        export: Option<Export>,
        /// Take a Claude Code transcript in: a file, or the id of one that --projects lists
        #[arg(long, value_name = "FILE", conflicts_with_all = ["session", "projects"])]
        import: Option<PathBuf>,
        /// List the transcripts in Claude Code's own project folders, the newest first
        #[arg(long, conflicts_with = "session")]
        projects: bool,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Go on from an earlier point of a session, in a new one; nothing is lost
    Restore {
        /// The session, by our id or the agent's own
        session: String,
        /// The version to go on from [default: the latest]
        #[arg(long, value_name = "V", conflicts_with = "round")]
        version: Option<u64>,
        /// The round to go on from
        #[arg(long, value_name = "N")]
        round: Option<u32>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Give a task to an agent and follow it
    Run(Run),
    /// The tasks, the newest first
    Tasks {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// One task: show, follow, stop, say, resume
    Task {
        /// What to do
        #[command(subcommand)]
        what: TaskVerb,
    },
    /// Run the daemon
    Serve(Serve),
    /// Move the desk from its SQLite file to a PostgreSQL database that several servers can share
    Migrate(Migrate),
    /// Copy the database to a file while the daemon runs, and check the copy
    Backup(Backup),
    /// Have the system run the daemon (systemd, launchd): install, remove, status
    Service {
        /// What to do
        #[command(subcommand)]
        what: SupervisorVerb,
    },
    /// How the daemon is doing
    Status {
        #[command(flatten)]
        form: Form,
    },
    /// Stop the daemon in good order; open asks stay open
    Stop {
        #[command(flatten)]
        insists: Insists,
    },
    /// Look the whole set-up over, in plain words
    Doctor {
        #[command(flatten)]
        form: Form,
    },
    /// An agent's hook event on standard input, its decision on standard output
    Hook(HookArgs),
    /// Question templates: list, show, check
    Template {
        /// What to do
        #[command(subcommand)]
        what: TemplateVerb,
    },
    /// Connect a coding agent: its questions reach you from then on
    Install(Install),
    /// Let a coding agent go; its settings are as they were
    Uninstall(Uninstall),
    /// Which agents are connected, and whether it works
    Agents {
        #[command(flatten)]
        form: Form,
    },
    /// Open the web page with a one-time login link, or show it for the phone
    Open {
        /// Show the link as a QR code, for the phone
        #[arg(long)]
        qr: bool,
        /// Let devices in this machine's network in first, over HTTPS, until the desk is stopped
        #[arg(long, requires = "qr", conflicts_with = "tls_listen")]
        lan: bool,
        /// The same at another place: HOST:PORT or lan:PORT
        #[arg(long, value_name = "PLACE", requires = "qr")]
        tls_listen: Option<String>,
        /// Print the link and start no browser
        #[arg(long)]
        print: bool,
        #[command(flatten)]
        insists: Insists,
    },
    /// The browsers that are signed in to the web page: list, rename, sign out
    Browsers(Browsers),
    /// Who may ask and answer: users
    User {
        /// What to do
        #[command(subcommand)]
        what: UserVerb,
    },
    /// Who may ask and answer: keys
    Key {
        /// What to do
        #[command(subcommand)]
        what: KeyVerb,
    },
    /// The log of decisions: search it, take it away as a file, prove that it is whole
    Audit(Audit),
    /// Erase what asks tell that ended long ago; the chain still verifies
    Purge(Purge),
    /// Notifications: try whether they reach you
    Notify {
        /// What to do
        #[command(subcommand)]
        what: NotifyVerb,
    },
    /// Every setting, its value, where it came from
    Config(Config),
    /// The event protocol: JSON Lines on standard input and output
    Events {
        /// Whose end of the line this is: an agent sends requests, a person responses
        #[arg(long = "as", value_name = "WHO", value_enum, default_value = "agent")]
        who: End,
        #[command(flatten)]
        insists: Insists,
    },
    /// The MCP server for an agent: JSON-RPC on standard input and output
    Mcp,
    /// Tell whether a shell line is an agent's question, as JSON
    Route {
        /// The shell line; `-` reads it from standard input
        line: OsString,
    },
    /// Watch a sample agent ask three rounds of questions
    Demo {
        /// Numbered lines instead of the panel
        #[arg(long)]
        plain: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// How a listing is printed.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Form {
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// For a person in an agent's shell.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Insists {
    /// I am a person, although an agent's mark is in the environment; this is noted
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }
}
