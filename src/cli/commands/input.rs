//! `askuser input`: asks for a text and prints it.

use super::ask::{as_value, go, in_words};
use crate::cli::args::{About, Word, Words};
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Ask for a text and print it
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser input "What is the project called?" --default shop"#)]
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
}

impl Input {
    /// Returns what was said of the question.
    pub fn words(&self) -> Vec<Word> {
        let kind = if self.secret { Word::Secret } else { Word::Text };
        let default = self.default.iter().cloned().map(Word::Default);
        std::iter::once(kind).chain(default).chain(self.about.words()).collect()
    }
}

/// `askuser input`: prints what was typed.
pub fn run(args: &Input, environment: &Environment) -> Result<Exit, Report> {
    let words = Words { first: args.words(), ..Words::default() };
    let given = in_words(Some(&args.question), words, &args.about.delivery, environment)?;
    go(&given, &args.about.delivery, as_value(args.about.prints), environment)
}
