//! `AskUserQuestion '<json>'`: the name agents know, to the letter of the source document.
//!
//! Reads its arguments by hand: there are three options and one argument, and it must paint within
//! milliseconds.

use std::ffi::OsString;

use askuser_core::limits::Limits;

use super::exit::Exit;
use super::input::{self, InputError};
use super::limits::EnvironmentLimits;
use super::report::{Report, complain, print_outcome};
use super::{ask, place};
use crate::doorway::shell::{self, Unreadable, listed};
use crate::environment::Environment;
use crate::wire::zod;

const MANUAL: &str = include_str!("manual.md");
const USAGE: &str = "Usage: AskUserQuestion '{\"questions\":[...]}'";

/// What the arguments say.
#[derive(Debug, PartialEq, Eq, Default)]
struct Said {
    json: Option<OsString>,
    plain: bool,
    help: bool,
    version: bool,
}

/// Runs the program and returns its exit code.
pub fn run(args: impl Iterator<Item = OsString>, environment: &Environment) -> Exit {
    let said = said(args);
    if said.help {
        return printed(MANUAL.trim_end());
    }
    if said.version {
        return printed(concat!("AskUserQuestion ", env!("CARGO_PKG_VERSION")));
    }
    match asked(said, environment) {
        Ok(exit) => exit,
        Err(Wrong::Input(text)) => {
            complain(&text);
            Exit::Failed
        }
        Err(Wrong::Other(report)) => {
            report.print();
            // Any wrong input is 1 here; 2 belongs to `askuser`.
            if report.exit == Exit::WrongInput { Exit::Failed } else { report.exit }
        }
    }
}

/// What went wrong: in the words of the source document, or in ours.
enum Wrong {
    Input(String),
    Other(Report),
}

impl<E: Into<Report>> From<E> for Wrong {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

fn asked(said: Said, environment: &Environment) -> Result<Exit, Wrong> {
    let limits =
        EnvironmentLimits::read(environment).map_err(|error| Report::wrong_input(error.to_string(), None))?;
    let missing = || Wrong::Input(format!("Error: Missing JSON parameter\n{USAGE}\n"));
    let text = match input::argument(&said.json.ok_or_else(missing)?) {
        Ok(text) if text.trim().is_empty() => return Err(missing()),
        Ok(text) => text,
        Err(InputError::NotText { .. }) => return Err(invalid_json()),
        Err(error) => return Err(error.into()),
    };
    let call = match shell::read_command(&text, limits.over(Limits::COMMAND)) {
        Ok(call) => call,
        Err(Unreadable::Unfit { problems }) => {
            return Err(Wrong::Input(format!(
                "Error: Validation failed\n{}\n",
                listed(&problems, zod::line)
            )));
        }
        Err(Unreadable::NotJson(_)) => return Err(invalid_json()),
        Err(error @ Unreadable::NoSuchDialect { .. }) => return Err(error.into()),
    };
    let found = place::find(None, said.plain, environment)?;
    Ok(ask::ask_at(found, &text, &call, None, environment)?)
}

fn invalid_json() -> Wrong {
    Wrong::Input(format!("Error: Invalid JSON format\n{USAGE}\n"))
}

fn printed(text: &str) -> Exit {
    if print_outcome(text).is_ok() { Exit::Answered } else { Exit::Failed }
}

/// Sorts the arguments. JSON that the shell tore apart at its blanks is put together again.
fn said(args: impl Iterator<Item = OsString>) -> Said {
    let mut said = Said::default();
    for arg in args {
        match arg.to_str() {
            Some("--plain") => said.plain = true,
            Some("--help" | "-h") => said.help = true,
            Some("--version" | "-V") => said.version = true,
            _ => match &mut said.json {
                Some(json) => {
                    json.push(" ");
                    json.push(arg);
                }
                None => said.json = Some(arg),
            },
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_the_manual_says_all_an_agent_must_know() {
        for part in [
            "USAGE:",
            "JSON SCHEMA:",
            "OUTPUT:",
            "NOTES:",
            "WHEN TO USE:",
            "WHEN NOT TO USE:",
            "EXAMPLES:",
            "max 12 chars",
            "(Recommended)",
            "\"Other\" option is automatically provided",
            "ExitPlanMode",
            "not durable",
            "EXIT CODES:",
        ] {
            assert!(MANUAL.contains(part), "{part}");
        }
        // It goes into an agent's prompt, so every character costs.
        assert!(MANUAL.len() < 4096, "{}", MANUAL.len());
    }

    #[test]
    fn json_that_the_shell_tore_apart_is_put_together() {
        let said = said(["--plain", "{\"a\":", "1}"].into_iter().map(OsString::from));
        assert_eq!(said, Said { json: Some("{\"a\": 1}".into()), plain: true, help: false, version: false });
    }
}
