//! `askuser choose`: offers options and prints what was picked.

use askuser_words::commands::ToAsk;

use super::ask::{as_value, go, in_words};
use crate::cli::args::{Choose, Word, Words};
use askuser_ask::destination::{self};
use askuser_ask::exit::Exit;
use askuser_ask::input;
use askuser_ask::report::Report;
use askuser_ask::surface::{self};
use askuser_system::environment::Environment;

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
    let mut given = in_words(Some(&args.question), words, &args.delivery, environment)?;
    if takes_lines {
        given.stdin = destination::Stdin::Questions;
    }
    go(&given, &args.delivery, as_value(args.prints), environment)
}
