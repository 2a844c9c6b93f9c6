//! `askuser confirm`: yes or no, and the exit code is the answer.

use super::ask::{go, in_words};
use crate::cli::args::{About, Word, Words};
use askuser_ask::exit::Exit;
use askuser_ask::printing::Printing;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Ask yes or no; exit with 0 for yes, 10 for no
///
/// Prints nothing unless --output is given. Any other exit code means neither yes nor no; see `askuser
/// ask --help`.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser confirm "Delete the old backups?" --default no"#)]
pub struct Confirm {
    /// The question
    #[arg(value_name = "QUESTION")]
    pub question: String,
    /// The preselected answer: yes or no
    #[arg(long, value_name = "ANSWER")]
    pub default: Option<String>,
    #[command(flatten)]
    pub about: About,
}

impl Confirm {
    /// Returns what was said of the question.
    pub fn words(&self) -> Vec<Word> {
        self.default.iter().cloned().map(Word::Default).chain(self.about.words()).collect()
    }
}

/// `askuser confirm`: the exit code is the answer, and nothing is printed unless it is wanted.
pub fn run(args: &Confirm, environment: &Environment) -> Result<Exit, Report> {
    let words = Words { first: args.words(), ..Words::default() };
    let given = in_words(Some(&args.question), words, &args.about.delivery, environment)?;
    let printing = Printing { output: args.about.prints.output, exit_code: true };
    go(&given, &args.about.delivery, printing, environment)
}
