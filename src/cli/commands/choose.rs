//! `askuser choose`: offers options and prints what was picked.

use askuser_words::commands::ToAsk;

use super::ask::{as_value, go, in_words};
use crate::cli::args::{About, Word, Words};
use askuser_ask::destination::{self};
use askuser_ask::exit::Exit;
use askuser_ask::input;
use askuser_ask::report::Report;
use askuser_ask::surface::{self};
use askuser_system::environment::Environment;

/// Offer options and print the choice
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser choose "Deploy where?" staging production --no-other
askuser choose "Which features?" --multi Search Cart "Login: with a link""#)]
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

/// `askuser choose`: prints what was picked.
pub fn run(args: &Choose, environment: &Environment) -> Result<Exit, Report> {
    let mut first = args.words();
    let takes_lines = args.options.is_empty();
    if takes_lines {
        let takes_context = first.contains(&Word::Context("-".to_owned()));
        if takes_context || !surface::is_piped() {
            return Err(Report::input(ToAsk::no_options).hint(ToAsk::no_options_hint));
        }
        let text = input::argument("-".as_ref())?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        first.extend(lines.map(|line| Word::Offer(line.to_owned())));
    } else {
        first.extend(args.options.iter().cloned().map(Word::Offer));
    }
    let words = Words { first, ..Words::default() };
    let mut given = in_words(Some(&args.question), words, &args.about.delivery, environment)?;
    if takes_lines {
        given.stdin = destination::Stdin::Questions;
    }
    go(&given, &args.about.delivery, as_value(args.about.prints), environment)
}
