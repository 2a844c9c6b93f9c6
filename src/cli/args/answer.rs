//! The part of the command line that is about answering.

use clap::Subcommand;

use super::super::completion;
use super::{Form, Insists, Layout};

/// Options of `askuser answer`.
#[derive(Debug, clap::Args)]
pub struct Answer {
    /// The question's id, or four characters of it [default: the only one waiting, or pick from a list]
    #[arg(value_name = "QUESTION", add = completion::waiting())]
    pub ask: Option<String>,
    /// Pick an option by label, id or number (yes, no, y or n for yes/no); name the question by header, id or
    /// number, or leave it out if there is only one
    #[arg(long, value_name = "QUESTION=OPTION")]
    pub pick: Vec<String>,
    /// Answer with a text
    #[arg(long, value_name = "QUESTION=TEXT")]
    pub text: Vec<String>,
    /// Add a note to an answer
    #[arg(long, value_name = "QUESTION=TEXT")]
    pub note: Vec<String>,
    /// Print the closed question as JSON; with a value, answer all at once: {"answers":{…},"notes":{…}}
    #[arg(long, value_name = "JSON", num_args = 0..=1)]
    pub json: Option<Option<String>>,
    /// Use numbered text prompts instead of the panel
    #[arg(long, value_name = "LAYOUT", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "box")]
    pub plain: Option<Layout>,
    #[command(flatten)]
    pub insists: Insists,
}

/// Options of `askuser list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Include closed questions
    #[arg(long)]
    pub all: bool,
    /// Only from this agent, e.g. claude-code
    #[arg(long, value_name = "NAME", add = completion::askers())]
    pub agent: Option<String>,
    /// Only from this project
    #[arg(long, value_name = "NAME", add = completion::projects())]
    pub project: Option<String>,
    /// Only since then, e.g. 2h, 3d or 2026-11-15
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
    /// Give the same answer to the same question from the same agent and project
    Add {
        /// The answered question's id, or four characters of it [default: the only one, or pick from a list]
        #[arg(value_name = "QUESTION", add = completion::questions())]
        ask: Option<String>,
        /// How long the rule lasts, e.g. 8h or 30d; at most a year
        #[arg(long = "for", value_name = "TIME", default_value = "30d")]
        length: String,
        #[command(flatten)]
        form: Form,
    },
    /// List your rules, newest first
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Remove a rule and be asked again
    Remove {
        /// The rule's id, or four characters of it [default: pick from a list]
        #[arg(add = completion::rules())]
        rule: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}
