//! `askuser completions`: the script by which a shell completes both programs.

use clap_complete::Shell;

use super::ask::finish;
use crate::cli::completing;
use crate::cli::exit::Exit;
use crate::cli::report::Report;

/// Prints it.
pub fn run(shell: Shell) -> Result<Exit, Report> {
    finish(completing::script(shell).trim_end(), Exit::Answered)
}
