//! `confirm`, `choose`, `input`: short names for asking one question of one kind.

use super::words::Word;
use super::{Delivery, Prints};

/// Options of `askuser confirm`.
#[derive(Debug, clap::Args)]
pub struct Confirm {
    /// The question
    #[arg(value_name = "QUESTION")]
    pub question: String,
    /// The preselected answer: yes or no
    #[arg(long, value_name = "ANSWER")]
    pub default: Option<String>,
    #[command(flatten)]
    pub about: About,
    #[command(flatten)]
    pub prints: Prints,
    #[command(flatten)]
    pub delivery: Delivery,
}

/// Options of `askuser choose`.
#[derive(Debug, clap::Args)]
pub struct Choose {
    /// The question
    #[arg(value_name = "QUESTION")]
    pub question: String,
    /// The options [default: the lines piped in]
    #[arg(value_name = "LABEL[: DESCRIPTION]")]
    pub options: Vec<String>,
    /// Allow more than one choice
    #[arg(long)]
    pub multi: bool,
    /// Offer no free-text answer
    #[arg(long)]
    pub no_other: bool,
    /// Preselect an option; repeat for more with --multi
    #[arg(long, value_name = "OPTION")]
    pub default: Vec<String>,
    /// Mark an option as recommended
    #[arg(long, value_name = "OPTION")]
    pub recommend: Vec<String>,
    #[command(flatten)]
    pub about: About,
    #[command(flatten)]
    pub prints: Prints,
    #[command(flatten)]
    pub delivery: Delivery,
}

/// Options of `askuser input`.
#[derive(Debug, clap::Args)]
pub struct Input {
    /// The question
    #[arg(value_name = "QUESTION")]
    pub question: String,
    /// The text to start with
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub default: Option<String>,
    /// Keep the answer out of logs and history
    #[arg(long)]
    pub secret: bool,
    #[command(flatten)]
    pub about: About,
    #[command(flatten)]
    pub prints: Prints,
    #[command(flatten)]
    pub delivery: Delivery,
}

/// What stands around a question.
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
}

impl About {
    fn words(&self) -> impl Iterator<Item = Word> {
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

impl Confirm {
    /// Returns what was said of the question.
    pub fn words(&self) -> Vec<Word> {
        self.default.iter().cloned().map(Word::Default).chain(self.about.words()).collect()
    }
}

impl Choose {
    /// Returns what was said of the question, beside its options.
    pub fn words(&self) -> Vec<Word> {
        let flags = [(self.multi, Word::Multi), (self.no_other, Word::NoOther)];
        let flags = flags.into_iter().filter(|(said, _)| *said).map(|(_, word)| word);
        let default = self.default.iter().cloned().map(Word::Default);
        let recommend = self.recommend.iter().cloned().map(Word::Recommend);
        flags.chain(default).chain(recommend).chain(self.about.words()).collect()
    }
}

impl Input {
    /// Returns what was said of the question.
    pub fn words(&self) -> Vec<Word> {
        let kind = if self.secret { Word::Secret } else { Word::Text };
        let default = self.default.iter().cloned().map(Word::Default);
        std::iter::once(kind).chain(default).chain(self.about.words()).collect()
    }
}
