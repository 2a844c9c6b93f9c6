//! The command line of `askuser`: what every command may be told, and what several share.

mod ask;
mod words;

use std::ffi::OsString;

use clap::{ArgAction, Parser, ValueEnum};

pub use self::ask::{About, Delivery, OnTimeout, Prints};
pub use self::words::{ALONE, Word, Words};
pub use super::commands::Verb;
pub use askuser_ask::connect::Insists;
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
