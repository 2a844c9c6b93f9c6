//! What a command says when it could not do its work: what happened, then what to do next.
//!
//! Always on standard error; standard output carries the outcome only (invariant 10).

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use askuser_core::problem::Problem;
use askuser_core::text::{escaped_in_json, shown};
use askuser_words::commands::{Given, NoServer, Templates, Told};
use askuser_words::{Both, Language, both, fault};
use serde::de::IgnoredAny;

use super::exit::Exit;
use super::input::InputError;
use super::output::paint::{Paint, Role};
use super::output::{Screen, language};
use super::shell::{Unreadable, listed};
use super::surface::NotAsked;
use askuser_client::error::ClientError;
use askuser_config::duration::NotADuration;
use askuser_config::template::TemplateError;
use askuser_system::environment::Environment;
use askuser_wire::Dialect;
use askuser_wire::failure::Code;

/// Something that went wrong, with a way on and a code.
#[derive(Debug, PartialEq, Eq)]
pub struct Report {
    what: Both,
    hint: Option<Both>,
    /// The exit code.
    pub exit: Exit,
}

impl Report {
    /// Something is wrong with what the caller handed in: `Report::input(Given::no_question)`.
    pub fn input<T: From<Language>, S: Into<String>>(say: impl Fn(T) -> S) -> Self {
        Self::of(Exit::WrongInput, both(say))
    }

    /// Something on our side failed.
    pub fn failure<T: From<Language>, S: Into<String>>(say: impl Fn(T) -> S) -> Self {
        Self::of(Exit::Failed, both(say))
    }

    /// Something went wrong, in words that are there already.
    pub fn of(exit: Exit, what: Both) -> Self {
        Self { what, hint: None, exit }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint<T: From<Language>, S: Into<String>>(self, say: impl Fn(T) -> S) -> Self {
        Self { hint: Some(both(say)), ..self }
    }

    /// The same, with words that are there already.
    #[must_use]
    pub fn and_do(self, hint: Option<Both>) -> Self {
        Self { hint, ..self }
    }

    /// The same as [`Self::input`], in words of the person's language.
    pub fn wrong_input(what: impl Into<String>, hint: Option<&str>) -> Self {
        Self::of(Exit::WrongInput, in_theirs(what)).and_do(hint.map(in_theirs))
    }

    /// The same as [`Self::failure`], in words of the person's language.
    pub fn failed(what: impl Into<String>, hint: Option<&str>) -> Self {
        Self::of(Exit::Failed, in_theirs(what)).and_do(hint.map(in_theirs))
    }

    /// Returns what went wrong.
    pub fn what(&self) -> &Both {
        &self.what
    }

    /// Returns what went wrong in this language.
    pub fn said(&self, language: Language) -> &str {
        language.of(&self.what)
    }

    /// Nobody is there who could answer.
    pub fn nobody_there(what: impl Into<String>, hint: &str) -> Self {
        Self::of(Exit::NobodyThere, in_theirs(what)).and_do(Some(in_theirs(hint)))
    }

    /// Prints it. Whoever broke it off knows, and the prompt has said so.
    pub fn print(&self, environment: &Environment) {
        if self.exit == Exit::Interrupted {
            return;
        }
        let language = language(environment);
        let told = Told(language);
        let mut text = format!("{}{}\n", told.error(), self.said(language));
        if let Some(hint) = &self.hint {
            text.push_str(told.hint());
            text.push_str(language.of(hint));
            text.push('\n');
        }
        complain_in_colour(&text, environment);
    }
}

/// Takes words that are in the person's language already.
pub fn in_theirs(words: impl Into<String>) -> Both {
    let words = words.into();
    both(|_: Language| words.as_str())
}

impl From<InputError> for Report {
    fn from(error: InputError) -> Self {
        let report = Self::input(|language| error.said(language));
        match &error {
            InputError::Unreadable { .. } => report,
            InputError::TooLarge { .. } => report.hint(Given::too_large_hint),
            InputError::NotText { .. } => report.hint(Given::not_text_hint),
            InputError::Terminal => report.hint(Given::terminal_hint),
        }
    }
}

impl From<NotADuration> for Report {
    fn from(error: NotADuration) -> Self {
        Self::input(|said: Given| said.not_a_time(&error.0))
    }
}

impl From<Unreadable> for Report {
    fn from(error: Unreadable) -> Self {
        match &error {
            Unreadable::NotJson(why) => {
                let report = Self::input(|said: Given| said.not_json(why));
                if why.contains("placeholder") { report } else { report.hint(Given::not_json_hint) }
            }
            Unreadable::NoSuchDialect { name } => {
                let names = || Dialect::names().collect::<Vec<_>>().join(", ");
                Self::input(|said: Given| said.no_dialect(name))
                    .hint(|said: Given| said.no_dialect_hint(names()))
            }
            Unreadable::Unfit { problems } => Self::unfit(problems),
        }
    }
}

impl Report {
    fn unfit(problems: &[Problem]) -> Self {
        Self::input(|language: Language| {
            Given(language).unfit(listed(problems, |problem| fault::line(problem, language)))
        })
    }
}

impl From<NotAsked> for Report {
    fn from(error: NotAsked) -> Self {
        let exit = match &error {
            NotAsked::NobodyThere { .. } => Exit::NobodyThere,
            NotAsked::Unfit(_) | NotAsked::NoSuchPlace(_) | NotAsked::NoSuchLayout(_) => Exit::WrongInput,
            NotAsked::Interrupted => Exit::Interrupted,
            NotAsked::Refused(_) | NotAsked::Terminal(_) => Exit::Failed,
        };
        let report = Self::of(exit, both(|language| error.said(language)));
        match &error {
            NotAsked::NobodyThere { .. } => report.hint(Given::nobody_hint),
            NotAsked::NoSuchPlace(_) => report.hint(Given::no_place_hint),
            NotAsked::NoSuchLayout(_) => report.hint(Given::no_layout_hint),
            _ => report,
        }
    }
}

/// Writes to standard error, which is most often a terminal. Faults quote the ask, so what would act
/// there is shown as a symbol (D10).
pub fn complain(text: &str) {
    // Where standard error is closed there is nobody to tell.
    let _told = io::stderr().write_all(shown(text).as_bytes());
}

/// How lines begin that clap writes, and in which colour that stands.
const BEGINNINGS: [(&str, Role); 2] = [("  tip:", Role::Warn), ("Usage:", Role::Strong)];

/// The same of our own lines, in either language.
fn beginnings() -> impl Iterator<Item = (&'static str, Role)> {
    let own = [Language::English, Language::Chinese].map(|language| {
        let told = Told(language);
        [(told.error(), Role::Bad), (told.hint(), Role::Warn), (told.warning(), Role::Warn)]
    });
    let own = own.into_iter().flatten().map(|(word, role)| (word.trim_end(), role));
    own.chain(BEGINNINGS)
}

/// The same, with what each line is in its colour.
pub fn complain_in_colour(text: &str, environment: &Environment) {
    let paint = Paint::of_stderr(environment);
    let line = |line: &str| {
        let known = beginnings().find(|(beginning, _)| line.starts_with(beginning));
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
        let exit = match error.code() {
            Some(code) if is_input(code) => Exit::WrongInput,
            _ => Exit::Failed,
        };
        let report = Self::of(exit, both(|language| error.said(language)));
        match &error {
            ClientError::Away { .. } => report.hint(NoServer::away_hint),
            ClientError::NotRunning => report.hint(NoServer::not_running_hint),
            ClientError::NotStarted { .. } => report.hint(NoServer::not_started_hint),
            ClientError::NoKey { .. } => report.hint(NoServer::no_key_hint),
            // It says itself what to do.
            ClientError::OwnKeyRefused { .. } => report,
            ClientError::Garbled { .. } => report.hint(NoServer::garbled_hint),
            ClientError::NotAnAddress { .. } => report.hint(NoServer::no_address_hint),
            ClientError::Refused(failure) => match failure.code {
                Some(Code::Unauthorized) => report.hint(NoServer::unauthorized_hint),
                Some(Code::AskNotFound) => report.hint(NoServer::no_such_question_hint),
                Some(Code::QuestionNotShowing) => report.hint(NoServer::queued_hint),
                _ => report,
            },
        }
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

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what.english)
    }
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

/// Prints what standard output is for and returns the code.
pub fn finish(text: &str, exit: Exit) -> Result<Exit, Report> {
    match print_outcome(text) {
        Ok(()) => Ok(exit),
        Err(error) => Err(Report::failure(|said: Given| said.not_printed(&error))),
    }
}

impl From<TemplateError> for Report {
    fn from(error: TemplateError) -> Self {
        let report = Self::input(|language| error.said(language));
        match &error {
            TemplateError::NotFound { .. } | TemplateError::Unknown(_) => report.hint(Templates::list_hint),
            TemplateError::Ambiguous { .. } => report.hint(Templates::ambiguous_hint),
            TemplateError::Missing(names) => {
                let first = names.first().map(|name| name.trim_matches('`')).unwrap_or_default();
                report.hint(|said: Templates| said.missing_hint(first))
            }
            TemplateError::Faulty { .. }
            | TemplateError::Unreadable { .. }
            | TemplateError::TooLarge { .. }
            | TemplateError::Project(_) => report,
        }
    }
}
