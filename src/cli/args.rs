//! The command line of `askuser`: what may be said, and nothing about what it does.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

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
  askuser route \"AskUserQuestion '{…}'\"";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Ask a person, wait, print the answer as JSON
    Ask(Ask),
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

/// Options of `askuser ask`.
#[derive(Debug, clap::Args)]
pub struct Ask {
    /// The questions as JSON, in any dialect; `-` reads them from standard input
    #[arg(conflicts_with = "file", required_unless_present = "file")]
    pub json: Option<OsString>,
    /// Read the questions from a file
    #[arg(long, value_name = "F")]
    pub file: Option<PathBuf>,
    /// The dialect of the questions [default: recognised from their shape]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// The dialect of the reply; `full` is our own [default: the one the questions came in]
    #[arg(long, value_name = "NAME")]
    pub reply: Option<String>,
    /// End the ask after this time, as 90s, 5m or 2h
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// What happens then
    #[arg(long, value_name = "POLICY", value_enum)]
    pub on_timeout: Option<OnTimeout>,
    /// Where to ask [default: the terminal]
    #[arg(long = "where", value_name = "PLACE", value_enum)]
    pub place: Option<Place>,
    /// Numbered lines instead of the panel
    #[arg(long)]
    pub plain: bool,
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
