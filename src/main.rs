//! `askuser`: arguments → role → exit code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use askuser::cli;
use askuser::environment::Environment;
use clap::Parser;
use mimalloc::MiMalloc;

/// In the daemon one thread makes an ask, a second keeps it and a third drops it, and the system's
/// allocators are slow at that (decision 0011). `AskUserQuestion` starts faster without.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match cli::args::Args::try_parse() {
        Ok(args) => cli::run(&args, &Environment::of_this_process()).into(),
        Err(told) => cli::misread(&told).into(),
    }
}
