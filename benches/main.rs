//! The figures: `cargo bench --profile dist` prints all of them, `… -- desk store` only these.
//!
//! Each part runs in a process of its own, so that none carries what another left behind.
//! The programs are cargo's own, or those in the folder `ASKUSER_PROGRAMS`: what was packed for people.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its tables")]

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};

use askuser_system::environment::Environment;
use mimalloc::MiMalloc;

mod check;
mod cold_start;
mod commands;
mod deciding;
mod desk;
mod mcp;
mod notify;
mod replicas;
mod store;

/// As in the daemon.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

type Part = (&'static str, fn() -> Outcome);

/// The parts by their names, in the order in which they run.
const PARTS: [Part; 9] = [
    ("check", check::run),
    ("deciding", deciding::run),
    ("cold_start", cold_start::run),
    ("commands", commands::run),
    ("mcp", mcp::run),
    ("store", store::run),
    ("replicas", || {
        replicas::run();
        Ok(())
    }),
    ("desk", || {
        desk::run();
        Ok(())
    }),
    ("notify", || {
        notify::run();
        Ok(())
    }),
];

/// Says that a process is to measure one part itself.
const ALONE: &str = "--alone";

/// The folder of programs that were packed, where those are measured.
fn packed() -> Option<String> {
    Environment::of_this_process().get("ASKUSER_PROGRAMS").map(str::to_owned)
}

fn is_packed() -> bool {
    packed().is_some()
}

/// Returns where a program is that is measured.
fn program(name: &str) -> String {
    let built = match name {
        "AskUserQuestion" => env!("CARGO_BIN_EXE_AskUserQuestion"),
        _ => env!("CARGO_BIN_EXE_askuser"),
    };
    packed().map_or_else(|| built.to_owned(), |folder| format!("{folder}/{name}"))
}

fn main() -> ExitCode {
    // Cargo adds words of its own, which begin with a dash.
    let (flags, wanted): (Vec<String>, Vec<String>) =
        env::args().skip(1).partition(|word| word.starts_with('-'));
    let unknown = wanted.iter().find(|word| PARTS.iter().all(|(name, _)| name != word));
    let done = match unknown {
        Some(word) => {
            Err(format!("there is no part {word}: {}", PARTS.map(|(name, _)| name).join(", ")).into())
        }
        None => PARTS
            .iter()
            .filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|word| word == name))
            .try_for_each(
                |(name, run)| if flags.iter().any(|flag| flag == ALONE) { run() } else { start(name) },
            ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn start(part: &str) -> Outcome {
    println!("\n== {part}");
    let status = Command::new(env::current_exe()?).args([ALONE, part]).status()?;
    status.success().then_some(()).ok_or_else(|| format!("{part} failed").into())
}
