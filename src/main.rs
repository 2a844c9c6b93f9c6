//! `askuser`: arguments → role → exit code.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use askuser::cli;
use askuser_system::environment::Environment;
use mimalloc::MiMalloc;

/// In the daemon one thread makes an ask, a second keeps it and a third drops it, and the system's
/// allocators are slow at that (decision 0011). `AskUserQuestion` starts faster without.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::start(std::env::args_os(), &Environment::of_this_process()).into()
}
