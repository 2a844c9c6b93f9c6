//! The part of the command line that is about asking.

use std::path::PathBuf;

use clap::ValueEnum;

use super::super::completion;
use super::Word;
use askuser_ask::options::{Layout, Output, Place};

/// What is printed of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct Prints {
    /// How to print the answer
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub output: Option<Output>,
    /// For one yes/no question: exit with 0 for yes, 10 for no; any other code is neither
    #[arg(long)]
    pub exit_code: bool,
}

/// How a question reaches people, and how its answer comes back.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Delivery")]
pub struct Delivery {
    /// The JSON format of the reply; `full` has everything [default: that of the questions]
    #[arg(long, value_name = "NAME")]
    pub reply: Option<String>,
    /// The conversation it belongs to: its id, or a name of your own
    #[arg(long, value_name = "ID", add = completion::names_of_conversations())]
    pub session: Option<String>,
    /// Ask this user instead of yourself; repeat for more
    #[arg(long = "for", value_name = "USER")]
    pub people: Vec<String>,
    /// Ask this group from config.yaml; repeat for more
    #[arg(long = "for-group", value_name = "GROUP")]
    pub groups: Vec<String>,
    /// Let anyone answer
    #[arg(long = "for-anyone")]
    pub anyone: bool,
    /// How many people have to answer [default: 1]
    #[arg(long, value_name = "N")]
    pub quorum: Option<u32>,
    /// Also ask this user or group after this time, e.g. 10m:ops
    #[arg(long, value_name = "TIME:WHO")]
    pub escalate: Option<String>,
    /// A key of your choice: sent again with it, the question is not asked twice
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
    /// Close the question after this time, e.g. 90s, 5m or 2h
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
    /// What to do at the timeout
    #[arg(long, value_name = "ACTION", value_enum)]
    pub on_timeout: Option<OnTimeout>,
    /// Stop waiting after this time, e.g. 50s; the question keeps waiting (exit code 5)
    #[arg(long, value_name = "TIME")]
    pub patience: Option<String>,
    /// Where to ask [default: in the terminal, and everywhere else if askuser is running]
    #[arg(long = "where", value_name = "PLACE", value_enum)]
    pub place: Option<Place>,
    /// Use numbered text prompts instead of the panel
    #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "box")]
    pub plain: Option<Layout>,
    /// Take the answers from a file, for tests and CI; a question without an answer there fails
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
}

/// What happens at the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnTimeout {
    /// Close it unanswered
    Cancel,
    /// Take the default answers, marked as such
    Default,
    /// Close it; the agent should stop its task
    Abort,
}

/// What stands around the one question of `confirm`, `choose` and `input`.
#[derive(Debug, clap::Args)]
pub struct About {
    /// A short title; also the name of the answer in JSON and shell output
    #[arg(long, value_name = "TEXT")]
    pub header: Option<String>,
    /// A longer explanation under the question
    #[arg(long, value_name = "TEXT")]
    pub describe: Option<String>,
    /// Background shown above the question: a text, a file name, or `-` for standard input
    #[arg(long, value_name = "TEXT")]
    pub context: Option<String>,
    #[command(flatten)]
    pub prints: Prints,
    #[command(flatten)]
    pub delivery: Delivery,
}

impl About {
    /// Returns what was said of it.
    pub fn words(&self) -> impl Iterator<Item = Word> {
        let said = |text: &Option<String>, word: fn(String) -> Word| text.clone().map(word);
        [
            said(&self.header, Word::Header),
            said(&self.describe, Word::Describe),
            said(&self.context, Word::Context),
        ]
        .into_iter()
        .flatten()
    }
}
