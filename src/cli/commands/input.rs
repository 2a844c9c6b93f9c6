//! `askuser input`: asks for a text and prints it.

use super::ask::{as_value, go, in_words};
use crate::cli::args::{Input, Words};
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// `askuser input`: prints what was typed.
pub fn run(args: &Input, environment: &Environment) -> Result<Exit, Report> {
    let words = Words { first: args.words(), ..Words::default() };
    let given = in_words(Some(&args.question), words, &args.delivery, environment)?;
    go(&given, &args.delivery, as_value(args.prints), environment)
}
