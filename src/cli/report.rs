//! What a command says when it could not do its work: what happened, then what to do next.
//!
//! Always on standard error; standard output carries the outcome only (invariant 10).

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, Write};

use askuser_core::text::{escaped_in_json, shown};
use serde::de::IgnoredAny;

use super::exit::Exit;
use super::input::InputError;
use super::output::Screen;
use super::output::paint::{Paint, Role};
use super::person::NotAsked;
use crate::client::error::ClientError;
use crate::daemon::error::StartError;
use crate::doorway::shell::{Unreadable, listed};
use crate::environment::Environment;
use crate::wire::Dialect;
use crate::wire::failure::Code;

/// Something that went wrong, with a way on and a code.
#[derive(Debug, PartialEq, Eq)]
pub struct Report {
    what: String,
    hint: Option<String>,
    /// The exit code.
    pub exit: Exit,
}

impl Report {
    /// Something is wrong with what the caller handed in.
    pub fn wrong_input(what: impl Into<String>, hint: Option<&str>) -> Self {
        Self { what: what.into(), hint: hint.map(ToOwned::to_owned), exit: Exit::WrongInput }
    }

    /// Something on our side failed.
    pub fn failed(what: impl Into<String>, hint: Option<&str>) -> Self {
        Self { what: what.into(), hint: hint.map(ToOwned::to_owned), exit: Exit::Failed }
    }

    /// Says what was not there, where the server only says that something was not. `list` is the command
    /// that shows what there is.
    pub fn no_such(error: ClientError, what: &str, name: &str, list: &str) -> Self {
        match error.code().and_then(Code::parse) {
            Some(Code::NotFound) => Self::wrong_input(
                format!("no {what} `{name}`"),
                Some(&format!("`{list}` shows what there is")),
            ),
            _ => error.into(),
        }
    }

    /// Nobody is there who could answer.
    pub fn nobody_there(what: impl Into<String>, hint: &str) -> Self {
        Self { what: what.into(), hint: Some(hint.to_owned()), exit: Exit::NobodyThere }
    }

    /// Prints it. Whoever broke it off knows, and the prompt has said so.
    pub fn print(&self, environment: &Environment) {
        if self.exit == Exit::Interrupted {
            return;
        }
        let mut text = format!("error: {}\n", self.what);
        if let Some(hint) = &self.hint {
            text.push_str("hint: ");
            text.push_str(hint);
            text.push('\n');
        }
        complain_in_colour(&text, environment);
    }
}

impl From<InputError> for Report {
    fn from(error: InputError) -> Self {
        let hint = match &error {
            InputError::Unreadable { .. } => None,
            InputError::TooLarge { .. } => Some("put long texts into a file and name it in the question"),
            InputError::NotText { .. } => Some("write it as UTF-8"),
            InputError::Terminal => Some("pipe the JSON in, or give it as an argument or with --file"),
        };
        Self::wrong_input(with_causes(&error), hint)
    }
}

impl From<Unreadable> for Report {
    fn from(error: Unreadable) -> Self {
        let hint = match &error {
            Unreadable::NotJson(why) if why.contains("placeholder") => None,
            Unreadable::NotJson(_) => {
                Some(
                    "put the JSON into single quotes, or into a file with --file; a question in words that begins \
                     with { or [ goes after -q"
                        .to_owned(),
                )
            }
            Unreadable::NoSuchDialect { .. } => {
                let names: Vec<&str> = Dialect::names().collect();
                Some(format!("the dialects are {}", names.join(", ")))
            }
            Unreadable::Unfit { .. } => None,
        };
        Self { what: error.to_string(), hint, exit: Exit::WrongInput }
    }
}

impl From<NotAsked> for Report {
    fn from(error: NotAsked) -> Self {
        let (hint, exit) = match &error {
            NotAsked::NobodyThere { .. } => {
                (Some("run it in a terminal, or ask at the desk with ASKUSER_WHERE=desk"), Exit::NobodyThere)
            }
            NotAsked::NoSuchPlace(_) => {
                (Some("set it to terminal, desk, both or stdin, or leave it out"), Exit::WrongInput)
            }
            NotAsked::NoSuchLayout(_) => (Some("set it to box or list, or leave it out"), Exit::WrongInput),
            NotAsked::Unfit(_) => (None, Exit::WrongInput),
            NotAsked::Interrupted => (None, Exit::Interrupted),
            NotAsked::Refused(_) | NotAsked::Terminal(_) => (None, Exit::Failed),
        };
        let mut what = with_causes(&error);
        if let NotAsked::Unfit(problems) = &error {
            what = format!("{what}:\n{}", listed(problems, |problem| format!("- {problem}")));
        }
        Self { what, hint: hint.map(ToOwned::to_owned), exit }
    }
}

/// Writes to standard error, which is most often a terminal. Faults quote the ask, so what would act
/// there is shown as a symbol (D10).
pub fn complain(text: &str) {
    // Where standard error is closed there is nobody to tell.
    let _told = io::stderr().write_all(shown(text).as_bytes());
}

/// How lines begin that are about something wrong, and in which colour that stands.
const BEGINNINGS: [(&str, Role); 5] = [
    ("error:", Role::Bad),
    ("hint:", Role::Warn),
    ("warning:", Role::Warn),
    ("  tip:", Role::Warn),
    ("Usage:", Role::Strong),
];

/// The same, with what each line is in its colour.
pub fn complain_in_colour(text: &str, environment: &Environment) {
    let paint = Paint::of_stderr(environment);
    let line = |line: &str| {
        let known = BEGINNINGS.into_iter().find(|(beginning, _)| line.starts_with(beginning));
        known.map_or_else(
            || line.to_owned(),
            |(word, role)| format!("{}{}", paint.text(role, word), &line[word.len()..]),
        )
    };
    // What would act on the terminal is taken out before our own colours come in.
    let shown = Screen::of_stderr(environment).wrapped(&shown(text));
    let lines: Vec<String> = shown.split('\n').map(line).collect();
    // Where standard error is closed there is nobody to tell.
    let _told = io::stderr().write_all(lines.join("\n").as_bytes());
}

impl From<ClientError> for Report {
    fn from(error: ClientError) -> Self {
        let exit = match error.code().and_then(Code::parse) {
            Some(code) if is_input(code) => Exit::WrongInput,
            _ => Exit::Failed,
        };
        let hint = match &error {
            ClientError::Away { .. } => Some("`askuser status` says how the desk is doing"),
            ClientError::NotRunning => Some("`askuser serve` starts it; asking something does so as well"),
            ClientError::NotStarted { .. } => Some("`askuser doctor` looks closer"),
            ClientError::NoKey { .. } => Some(
                "the daemon makes keys at its first start; `askuser serve --new-keys` makes lost ones anew",
            ),
            // It says itself what to do.
            ClientError::OwnKeyRefused { .. } => None,
            ClientError::Garbled { .. } => Some("is ASKUSER_URL right, and are both of one version?"),
            ClientError::NotAnAddress { .. } => Some("set ASKUSER_URL to the desk, as http://127.0.0.1:8275"),
            ClientError::Refused(failure) => match failure.code.as_str() {
                "unauthorized" => {
                    Some("the desk does not know this key: `askuser doctor` compares keys and desk")
                }
                "ask_not_found" => Some("`askuser list --all` shows what there is"),
                "question_not_showing" => Some("it waits for its turn: answer the ones before it first"),
                _ => None,
            },
        };
        Self { what: error.to_string(), hint: hint.map(ToOwned::to_owned), exit }
    }
}

/// Whether the caller handed in something wrong.
fn is_input(code: Code) -> bool {
    let wrong = [
        Code::InvalidQuestion,
        Code::InvalidAnswer,
        Code::InvalidRequest,
        Code::DuplicateQuestionId,
        Code::Conflict,
        Code::PayloadTooLarge,
        Code::QuestionNotShowing,
        Code::AskNotFound,
        Code::SessionNotFound,
        Code::QuestionNotFound,
        Code::CheckpointNotFound,
        Code::TaskNotFound,
        Code::InvalidTask,
        Code::NotFound,
    ];
    wrong.contains(&code)
}

impl From<StartError> for Report {
    fn from(error: StartError) -> Self {
        let hint = error.hint();
        Self { what: error.to_string(), hint, exit: Exit::Failed }
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

/// An error with everything that led to it.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Whether a text is JSON: one value, or one after another.
fn is_json(text: &str) -> bool {
    let values = || serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    text.trim_start().starts_with(['{', '[', '"']) && values().all(|value| value.is_ok())
}

/// Prints the outcome. A reader that has gone away is no failure of ours. In what is JSON everything is
/// escaped that would act on a terminal: it says the same.
pub fn print_outcome(text: &str) -> io::Result<()> {
    let text = if is_json(text) { escaped_in_json(text) } else { Cow::Borrowed(text) };
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
