//! `AskUserQuestion '<json>'`: the name agents know, to the letter of the source document.
//!
//! Reads its arguments by hand: there are three options and one argument, and it must paint within
//! milliseconds.

use std::ffi::OsString;

use askuser_core::limits::Limits;
use askuser_words::commands::ToAsk;
use serde::de::IgnoredAny;

use super::destination::{self, Stdin};
use super::exit::Exit;
use super::input::{self, InputError};
use super::limits::EnvironmentLimits;
use super::options::Layout;
use super::printing::Printing;
use super::report::{Report, complain, print_outcome};
use super::run;
use crate::shell::{self, Unreadable, listed};
use askuser_system::environment::Environment;
use askuser_wire::zod;

/// What `--help` prints. In English whatever the person reads: it is written for the prompt of an agent, and
/// models read it.
pub const MANUAL: &str = include_str!("manual.md");
const USAGE: &str = "Usage: AskUserQuestion '{\"questions\":[...]}'";

/// After the faults of a whole tool call, which this command does not take.
const ENVELOPE: &str = "This is a whole tool call: pass only its input, or use `askuser ask`.\n";

/// What the arguments say.
#[derive(Debug, PartialEq, Eq, Default)]
struct Said {
    json: Option<OsString>,
    plain: Option<Layout>,
    /// A layout that there is not.
    no_layout: Option<String>,
    /// An option that there is not.
    unknown: Option<String>,
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
            report.print(environment);
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
    let limits = EnvironmentLimits::read(environment)?;
    if let Some(option) = said.unknown {
        return Err(Wrong::Input(format!("Error: Unknown option {option}\n{USAGE}\n")));
    }
    let missing = || Wrong::Input(format!("Error: Missing JSON parameter\n{USAGE}\n"));
    let json = said.json.ok_or_else(missing)?;
    let text = match input::argument(&json) {
        Ok(text) if text.trim().is_empty() => return Err(missing()),
        Ok(text) => text,
        Err(InputError::NotText { .. }) => return Err(invalid_json("", "")),
        Err(error) => return Err(error.into()),
    };
    let call = match shell::read_command(&text, limits.over(Limits::COMMAND)) {
        Ok(call) => call,
        Err(Unreadable::Unfit { problems }) => {
            let hint = if shell::is_envelope(&text) { ENVELOPE } else { "" };
            return Err(Wrong::Input(format!(
                "Error: Validation failed\n{}\n{hint}",
                listed(&problems, zod::line)
            )));
        }
        Err(Unreadable::NotJson(why)) => return Err(invalid_json(&text, &why)),
        Err(error @ Unreadable::NoSuchDialect { .. }) => return Err(error.into()),
    };
    if let Some(option) = said.no_layout {
        return Err(Report::input(|said: ToAsk| said.no_plain(&option)).hint(ToAsk::no_plain_hint).into());
    }
    let stdin = Stdin::after(Some(&json));
    let found = destination::find(None, said.plain, stdin, environment)?;
    found.tell_unread(stdin, environment);
    Ok(run::ask_at(found, &text, &call, (None, Printing::JSON), environment)?)
}

/// The source document's two lines (T5); behind them the place of the fault, in what was meant as JSON at all.
fn invalid_json(text: &str, why: &str) -> Wrong {
    let is_meant = text.trim_start().starts_with(['{', '[']);
    let place = if is_meant { format!("- {why}\n") } else { String::new() };
    Wrong::Input(format!("Error: Invalid JSON format\n{USAGE}\n{place}"))
}

fn printed(text: &str) -> Exit {
    if print_outcome(text).is_ok() { Exit::Answered } else { Exit::Failed }
}

/// Sorts the arguments. JSON that the shell tore apart at its blanks is put together again.
fn said(args: impl Iterator<Item = OsString>) -> Said {
    let mut said = Said::default();
    for arg in args {
        match arg.to_str() {
            Some("--plain") => said.plain = Some(Layout::Box),
            Some(plain) if plain.starts_with("--plain=") => match Layout::parse(&plain["--plain=".len()..]) {
                Some(layout) => said.plain = Some(layout),
                None => said.no_layout = Some(plain.to_owned()),
            },
            Some("--help" | "-h") => said.help = true,
            Some("--version" | "-V") => said.version = true,
            // What stands in the middle of torn JSON is a part of it.
            Some(option) if option.starts_with("--") && !said.json.as_ref().is_some_and(is_torn) => {
                said.unknown.get_or_insert_with(|| option.to_owned());
            }
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

/// Whether JSON goes on behind this.
fn is_torn(json: &OsString) -> bool {
    json.to_str().is_some_and(|json| json != "-" && serde_json::from_str::<IgnoredAny>(json).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_there_is_not_is_told_apart_from_json() {
        let said = |args: &[&str]| said(args.iter().map(OsString::from));
        assert_eq!(said(&["--bogus"]).unknown.as_deref(), Some("--bogus"));
        assert_eq!(said(&["{}", "--bogus"]).unknown.as_deref(), Some("--bogus"));
        let torn = said(&["{\"question\":\"use", "--force", "now?\"}"]);
        assert_eq!((torn.unknown, torn.json), (None, Some("{\"question\":\"use --force now?\"}".into())));
    }

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
            "ASK_MAX_QUESTIONS",
            "ASK_MAX_OPTIONS",
            "ASK_HEADER_MAX_LENGTH",
            "ASK_QUESTION_MAX_LENGTH",
            "an empty value counts as unset",
            "ASKUSER_WHERE=stdin",
        ] {
            assert!(MANUAL.contains(part), "{part}");
        }
        // It goes into an agent's prompt, so every character costs.
        assert!(MANUAL.len() < 4096, "{}", MANUAL.len());
    }

    #[test]
    fn json_that_the_shell_tore_apart_is_put_together() {
        let said = said(["--plain", "{\"a\":", "1}"].into_iter().map(OsString::from));
        let plain = Some(Layout::Box);
        assert_eq!(said, Said { json: Some("{\"a\": 1}".into()), plain, ..Said::default() });
    }
}
