//! `askuser`: arguments → role → exit code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use askuser::cli;
use askuser::environment::Environment;
use clap::Parser;

fn main() -> ExitCode {
    match cli::args::Args::try_parse() {
        Ok(args) => cli::run(&args, &Environment::of_this_process()).into(),
        Err(told) => cli::misread(&told).into(),
    }
}
