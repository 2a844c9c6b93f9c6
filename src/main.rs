//! `askuser`: arguments → role → exit code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use askuser::cli;
use askuser::environment::Environment;
use clap::Parser;

fn main() -> ExitCode {
    let args = cli::args::Args::parse();
    cli::run(&args, &Environment::of_this_process()).into()
}
