//! The part of the command line that is about answering.

use clap::Subcommand;

use super::{Form, Insists};

/// Options of `askuser answer`.
#[derive(Debug, clap::Args)]
pub struct Answer {
    /// The question [default: the one that is waiting; of several, you pick one in the terminal]
    pub ask: Option<String>,
    /// Pick a choice, by its id or label; the question by its id or header
    #[arg(long, value_name = "QUESTION=CHOICE")]
    pub pick: Vec<String>,
    /// Write a text
    #[arg(long, value_name = "QUESTION=TEXT")]
    pub text: Vec<String>,
    /// Put a note beside an answer
    #[arg(long, value_name = "QUESTION=TEXT")]
    pub note: Vec<String>,
    /// Print the ended ask as JSON; with a value, that is the whole sheet: {"answers":{…},"notes":{…}}
    #[arg(long, value_name = "SHEET", num_args = 0..=1)]
    pub json: Option<Option<String>>,
    /// Numbered lines instead of the panel
    #[arg(long)]
    pub plain: bool,
    #[command(flatten)]
    pub insists: Insists,
}

/// What to do about rules.
#[derive(Debug, Subcommand)]
pub enum RuleVerb {
    /// Always give the answer that you gave to an ask, to the same question from the same agent in the
    /// same project
    Add {
        /// The ask, which you answered
        ask: String,
        /// For how long, as 8h or 30d; a year at most
        #[arg(long = "for", value_name = "TIME", default_value = "30d")]
        length: String,
        #[command(flatten)]
        form: Form,
    },
    /// The rules that you made, the newest first
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Take a rule back: you are asked again
    Remove {
        /// The rule
        rule: String,
        #[command(flatten)]
        insists: Insists,
    },
}
