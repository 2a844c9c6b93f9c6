//! `AskUserQuestion`: the name agents know.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use askuser_ask::command;
use askuser_system::environment::Environment;

fn main() -> ExitCode {
    command::run(std::env::args_os().skip(1), &Environment::of_this_process()).into()
}
