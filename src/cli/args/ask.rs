//! The part of the command line that is about asking.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;

/// Options of `askuser ask`.
#[derive(Debug, clap::Args)]
pub struct Ask {
    /// The questions as JSON, in any dialect; `-` reads them from standard input
    #[arg(conflicts_with = "file", required_unless_present_any = ["file", "template"])]
    pub json: Option<OsString>,
    /// Read the questions from a file
    #[arg(long, value_name = "F")]
    pub file: Option<PathBuf>,
    /// Ask a template by its name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["json", "file"])]
    pub template: Option<String>,
    /// What the template wants to know
    #[arg(long, value_name = "NAME=VALUE", requires = "template", conflicts_with_all = ["json", "file"])]
    pub var: Vec<String>,
    /// The dialect of the questions [default: recognised from their shape]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// The dialect of the reply; `full` is our own [default: the one the questions came in]
    #[arg(long, value_name = "NAME")]
    pub reply: Option<String>,
    /// The conversation that it belongs to, by our id or your own
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// A user whom it is for, instead of yourself; may be given again
    #[arg(long = "for", value_name = "USER")]
    pub people: Vec<String>,
    /// A group whom it is for, as configured; may be given again
    #[arg(long = "for-group", value_name = "GROUP")]
    pub groups: Vec<String>,
    /// Whoever comes first may answer it
    #[arg(long = "for-anyone")]
    pub anyone: bool,
    /// How many of them have to answer [default: 1]
    #[arg(long, value_name = "N")]
    pub quorum: Option<u32>,
    /// Show it to others as well after this time, as 10m:ops; a group or a user
    #[arg(long, value_name = "TIME:WHO")]
    pub escalate: Option<String>,
    /// Joins a repeated ask to the first one of this key
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
    /// End the ask after this time, as 90s, 5m or 2h
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// What happens then
    #[arg(long, value_name = "POLICY", value_enum)]
    pub on_timeout: Option<OnTimeout>,
    /// Wait this long, then leave the ask open (exit code 5)
    #[arg(long, value_name = "TIME")]
    pub patience: Option<String>,
    /// Where to ask [default: the terminal, and the desk as well when its daemon runs]
    #[arg(long = "where", value_name = "PLACE", value_enum)]
    pub place: Option<Place>,
    /// Numbered lines instead of the panel
    #[arg(long)]
    pub plain: bool,
    /// Take the answers from a file, for tests and CI: nobody is asked, and what it does not answer fails
    #[arg(long, value_name = "F")]
    pub answers: Option<PathBuf>,
}

/// What happens at the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnTimeout {
    /// The ask ends, unanswered
    Cancel,
    /// What the asker marked as default is taken, and the outcome says so
    Default,
    /// The ask ends, and the task should too
    Abort,
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
}

impl Place {
    /// Reads a place as a variable names it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "terminal" => Some(Self::Terminal),
            "desk" => Some(Self::Desk),
            "both" => Some(Self::Both),
            _ => None,
        }
    }
}
