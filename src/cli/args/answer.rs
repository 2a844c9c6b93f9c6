//! The part of the command line that is about answering.

use super::Insists;

/// Options of `askuser answer`.
#[derive(Debug, clap::Args)]
pub struct Answer {
    /// The ask [default: the oldest open one]
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
