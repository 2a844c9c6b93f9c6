//! `askuser route '<shell line>'`: tells a host whether the line is the agent command (T13).

use std::ffi::OsString;

use crate::route::route;
use askuser_ask::exit::Exit;
use askuser_ask::input;
use askuser_ask::report::Report;
use askuser_ask::report::finish;
use askuser_system::environment::Environment;

/// Check whether a shell command asks a question
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser route "AskUserQuestion '{}'""#)]
pub struct RouteArgs {
    /// The shell command; `-` reads it from standard input
    pub line: OsString,
}

/// Routes a line and prints where it belongs.
pub fn run(args: &RouteArgs, _environment: &Environment) -> Result<Exit, Report> {
    let line = input::argument(&args.line)?;
    finish(&route(&line).to_json().to_string(), Exit::Answered)
}
