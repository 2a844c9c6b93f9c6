//! The part of the command line that is about asking.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

use super::super::completing;
use super::words::Words;

/// Options of `askuser ask`.
#[derive(Debug, clap::Args)]
pub struct Ask {
    // Before the question: clap takes out what it has handed over, and these look where it stood.
    #[command(flatten)]
    pub words: Words,
    /// The question in words, or questions as JSON in any dialect; `-` reads JSON from standard input, and so
    /// does a pipe when nothing else is given
    #[arg(id = ALONE, value_name = "QUESTION", conflicts_with = "file")]
    pub question: Option<OsString>,
    /// Read the questions as JSON from a file
    #[arg(long, value_name = "F")]
    pub file: Option<PathBuf>,
    /// Ask a template by its name
    #[arg(long, value_name = "NAME", add = completing::templates(), conflicts_with_all = [ALONE, "file"])]
    pub template: Option<String>,
    /// What the template wants to know
    #[arg(long, value_name = "NAME=VALUE", requires = "template", conflicts_with_all = [ALONE, "file"])]
    pub var: Vec<String>,
    /// The dialect of the questions [default: recognised from their shape]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    #[command(flatten)]
    pub prints: Prints,
    #[command(flatten)]
    pub delivery: Delivery,
}

/// The id of the question that stands by itself.
pub(super) const ALONE: &str = "alone";

/// What is printed of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct Prints {
    /// How the answer is printed
    #[arg(long, value_name = "FORM", value_enum)]
    pub output: Option<Output>,
    /// For one yes/no question: exit with 0 for yes and 10 for no; any other code is neither
    #[arg(long)]
    pub exit_code: bool,
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The reply as JSON
    Json,
    /// Just the answer: one line per pick, yes or no, the text
    Value,
    /// Quoted assignments for `eval` in a POSIX shell: header='answer'
    Shell,
}

/// How a question reaches people, and how its answer comes back.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Delivery")]
pub struct Delivery {
    /// The dialect of the JSON reply; `full` is our own [default: the one the questions came in]
    #[arg(long, value_name = "NAME")]
    pub reply: Option<String>,
    /// The conversation that it belongs to, by our id or your own
    #[arg(long, value_name = "ID", add = completing::names_of_conversations())]
    pub session: Option<String>,
    /// Ask this user instead of yourself; may be repeated
    #[arg(long = "for", value_name = "USER")]
    pub people: Vec<String>,
    /// Ask this group, as configured; may be repeated
    #[arg(long = "for-group", value_name = "GROUP")]
    pub groups: Vec<String>,
    /// Whoever comes first may answer it
    #[arg(long = "for-anyone")]
    pub anyone: bool,
    /// How many of them have to answer [default: 1]
    #[arg(long, value_name = "N")]
    pub quorum: Option<u32>,
    /// Show it to others too after this time, e.g. 10m:ops; a group or a user
    #[arg(long, value_name = "TIME:WHO")]
    pub escalate: Option<String>,
    /// A key of your own: a question that is sent again with it joins the first one
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
    /// End the question after this time, e.g. 90s, 5m or 2h
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// What happens then
    #[arg(long, value_name = "POLICY", value_enum)]
    pub on_timeout: Option<OnTimeout>,
    /// Wait this long at most, then leave it open (exit code 5)
    #[arg(long, value_name = "TIME")]
    pub patience: Option<String>,
    /// Where to ask [default: the terminal, and the desk as well when its daemon runs]
    #[arg(long = "where", value_name = "PLACE", value_enum)]
    pub place: Option<Place>,
    /// Numbered lines instead of the panel: in a box, or as a list under the round
    #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "box")]
    pub plain: Option<Layout>,
    /// Take the answers from a file, for tests and CI: nobody is asked, and what it does not answer fails
    #[arg(long, value_name = "F")]
    pub answers: Option<PathBuf>,
}

/// What happens at the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnTimeout {
    /// It ends unanswered
    Cancel,
    /// The default answers are taken, and the outcome says so
    Default,
    /// It ends, and the task should too
    Abort,
}

/// How numbered lines are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// Each question in a box
    Box,
    /// `Round 1/3: …`, `1) label - description`, `> `; no box characters, for screen readers
    List,
}

impl Layout {
    /// Reads a layout as a variable or an option names it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "box" => Some(Self::Box),
            "list" => Some(Self::List),
            _ => None,
        }
    }
}

/// Where to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// This terminal; where there is none, lines of standard input
    Terminal,
    /// The desk, whose daemon is found or started
    Desk,
    /// Both: the first answer wins
    Both,
    /// Nowhere but lines of standard input, which a script of yours pipes in; refused where an agent runs this
    Stdin,
}

impl Place {
    /// Reads a place as a variable names it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "terminal" => Some(Self::Terminal),
            "desk" => Some(Self::Desk),
            "both" => Some(Self::Both),
            "stdin" => Some(Self::Stdin),
            _ => None,
        }
    }
}
