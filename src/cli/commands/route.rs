//! `askuser route '<shell line>'`: tells a host whether the line is the agent command (T13).

use std::ffi::OsStr;

use crate::route::route;
use askuser_ask::exit::Exit;
use askuser_ask::input;
use askuser_ask::report::Report;
use askuser_ask::report::finish;

/// Routes a line and prints where it belongs.
pub fn run(line: &OsStr) -> Result<Exit, Report> {
    let line = input::argument(line)?;
    finish(&route(&line).to_json().to_string(), Exit::Answered)
}
