//! Wiring of the short-lived roles: arguments in, exit code out. One of the two places that know
//! both doorways and channels.

pub mod args;
pub mod exit;
pub mod report;
pub mod input;
pub mod duration;
pub mod limits;
pub mod alone;
pub mod person;
pub mod ask;
pub mod ask_user_question;
pub mod route;
pub mod demo;

use clap::CommandFactory;

use self::args::{Args, Verb};
use self::exit::Exit;
use self::report::Report;
use crate::environment::Environment;

/// Does what the arguments of `askuser` say and returns the exit code.
pub fn run(args: &Args, environment: &Environment) -> Exit {
    match verb(&args.verb, environment) {
        Ok(exit) => exit,
        Err(report) => {
            report.print();
            report.exit
        }
    }
}

/// Prints what the arguments ask for (help, version) or what is wrong with them, and returns the
/// exit code. A wrong argument is quoted, so it goes the way of every complaint.
pub fn misread(told: &clap::Error) -> Exit {
    let text = told.to_string();
    if told.use_stderr() {
        report::complain(&text);
        return Exit::WrongInput;
    }
    if report::print_outcome(text.trim_end()).is_ok() { Exit::Answered } else { Exit::Failed }
}

fn verb(verb: &Verb, environment: &Environment) -> Result<Exit, Report> {
    match verb {
        Verb::Ask(args) => ask::run(args, environment),
        Verb::Route { line } => route::run(line),
        Verb::Demo { plain } => demo::run(*plain, environment),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "askuser", &mut script);
            ask::finish(String::from_utf8_lossy(&script).trim_end(), Exit::Answered)
        }
    }
}
