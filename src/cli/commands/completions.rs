//! `askuser completions`: the script by which a shell completes both programs.

use clap_complete::Shell;

use crate::cli::completion;
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_ask::report::finish;
use askuser_system::environment::Environment;

/// Print the completion script for your shell
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser completions zsh")]
pub struct CompletionsArgs {
    /// Your shell
    pub shell: Shell,
}

/// Prints it.
pub fn run(args: &CompletionsArgs, _environment: &Environment) -> Result<Exit, Report> {
    finish(completion::script(args.shell).trim_end(), Exit::Answered)
}
