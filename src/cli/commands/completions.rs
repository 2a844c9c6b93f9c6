//! `askuser completions`: the script by which a shell completes both programs.

use clap_complete::Shell;

use crate::cli::completion;
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_ask::report::finish;

/// Prints it.
pub fn run(shell: Shell) -> Result<Exit, Report> {
    finish(completion::script(shell).trim_end(), Exit::Answered)
}
