//! `AskUserQuestion`: the name agents know.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use askuser::cli::ask_user_question;
use askuser_system::environment::Environment;

fn main() -> ExitCode {
    ask_user_question::run(std::env::args_os().skip(1), &Environment::of_this_process()).into()
}
