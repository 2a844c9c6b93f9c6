//! `askuser confirm`: yes or no, and the exit code is the answer.

use super::ask::{go, in_words};
use crate::cli::args::{Confirm, Words};
use askuser_ask::exit::Exit;
use askuser_ask::printing::Printing;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// `askuser confirm`: the exit code is the answer, and nothing is printed unless it is wanted.
pub fn run(args: &Confirm, environment: &Environment) -> Result<Exit, Report> {
    let words = Words { first: args.words(), ..Words::default() };
    let given = in_words(Some(&args.question), words, &args.delivery, environment)?;
    let printing = Printing { output: args.prints.output, exit_code: true };
    go(&given, &args.delivery, printing, environment)
}
