//! `askuser route '<shell line>'`: tells a host whether the line is the agent command (T13).

use std::ffi::OsStr;

use super::ask::finish;
use crate::cli::exit::Exit;
use crate::cli::input;
use crate::cli::report::Report;
use crate::route::route;

/// Routes a line and prints where it belongs.
pub fn run(line: &OsStr) -> Result<Exit, Report> {
    let line = input::argument(line)?;
    finish(&route(&line).to_json().to_string(), Exit::Answered)
}
