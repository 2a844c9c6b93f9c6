//! Wiring of the short-lived roles: arguments in, exit code out. One of the two places that know
//! both doorways and channels.

pub mod args;
pub mod help;
pub mod fields;
pub mod noun;
pub mod lookup;
mod picker;
pub mod completion;

pub mod labels;
pub mod commands;
pub mod ask_text;

use std::ffi::OsString;

use self::args::{Args, Color};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
pub use askuser_config::duration;
use askuser_system::environment::Environment;

/// Runs `askuser` with these words, its own name first, and returns the exit code.
pub fn start(words: impl Iterator<Item = OsString>, environment: &Environment) -> Exit {
    let words: Vec<OsString> = words.collect();
    if completion::answers(&words, environment) {
        return Exit::Answered;
    }
    match help::parsed(&words, language(environment)) {
        Ok(args) => run(&args, &coloured(args.color, environment.clone())),
        Err(told) => help::misread(&told, &coloured(Color::said(&words), environment.clone())),
    }
}

/// Does what the arguments say and returns the exit code.
fn run(args: &Args, environment: &Environment) -> Exit {
    let done = match &args.verb {
        Some(said) => commands::run(said, environment),
        None => help::start::run(environment),
    };
    match done {
        Ok(exit) => exit,
        Err(report) => {
            report.print(environment);
            report.exit
        }
    }
}

/// What the flag says holds for everything that looks at the environment.
fn coloured(color: Color, environment: Environment) -> Environment {
    match color {
        Color::Auto => environment,
        Color::Always => environment.with("CLICOLOR_FORCE", "1", "NO_COLOR"),
        Color::Never => environment.with("NO_COLOR", "1", "CLICOLOR_FORCE"),
    }
}
