//! The part of the command line that is about answering.

use clap::Subcommand;

use super::super::completing;
use super::{Form, Insists, Layout};

/// Options of `askuser answer`.
#[derive(Debug, clap::Args)]
pub struct Answer {
    /// The question, by its id or four characters of it [default: the one that is waiting; of several, you
    /// pick one in the terminal]
    #[arg(add = completing::waiting())]
    pub ask: Option<String>,
    /// Pick an option by its label, id or number (yes, no, y, n for yes/no), in any case; the question by its
    /// header, id or number, and not at all if there is only one
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
    /// Numbered lines instead of the panel: in a box, or as a list under the round
    #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "box")]
    pub plain: Option<Layout>,
    #[command(flatten)]
    pub insists: Insists,
}

/// Options of `askuser list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Also those that have ended
    #[arg(long)]
    pub all: bool,
    /// Only from this agent, e.g. claude-code
    #[arg(long, value_name = "NAME", add = completing::askers())]
    pub agent: Option<String>,
    /// Only from this project
    #[arg(long, value_name = "NAME", add = completing::projects())]
    pub project: Option<String>,
    /// Only those asked since then: 2h, 3d or 2026-11-15
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// What to do about rules.
#[derive(Debug, Subcommand)]
pub enum RuleVerb {
    /// Always give the same answer again: to the same question, from the same agent in the same project
    Add {
        /// The question that you answered, by its id or four characters of it [default: the only one, or you
        /// pick one]
        #[arg(add = completing::questions())]
        ask: Option<String>,
        /// For how long, e.g. 8h or 30d; a year at most
        #[arg(long = "for", value_name = "TIME", default_value = "30d")]
        length: String,
        #[command(flatten)]
        form: Form,
    },
    /// List the rules that you made, newest first
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Remove a rule, so that you are asked again
    Remove {
        /// The rule, by its id or four characters of it [default: you pick one]
        #[arg(add = completing::rules())]
        rule: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}
