//! `askuser ask`: asks in words, or as JSON in any dialect. `confirm`, `choose` and `input` are short for it.

mod answers_file;
mod audience;
mod flags;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use askuser_core::asker::TimeoutPolicy;
use askuser_words::commands::{ToAsk, Told};

use super::template;
use crate::cli::args::{ALONE, Delivery, OnTimeout, Output, Prints, Word, Words};
use crate::cli::completion;
use crate::cli::duration;
use askuser_ask::destination::{self};
use askuser_ask::exit::Exit;
use askuser_ask::input;
use askuser_ask::limits::EnvironmentLimits;
use askuser_ask::output::language;
use askuser_ask::printing::Printing;
use askuser_ask::report::{Report, complain};
use askuser_ask::shell::{self, Call, Wishes};
use askuser_ask::surface::{self};
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_wire::{self as wire, Dialect};

/// Ask a question and print the answer
///
/// Without options it is a yes/no question. Add options with -o, or ask for a text with --text. Add
/// more questions with -q; flags apply to the question before them. Input that looks like JSON is read
/// as JSON; if a question looks like that, put it after -q.
///
/// Exit codes: 0 answered, 1 failed, 2 invalid input, 3 declined, 4 withdrawn, 5 not answered yet, 6
/// nobody to ask, 10 no (with --exit-code), 124 timed out, 130 interrupted.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser ask "Deploy to production?"
askuser ask "Which database?" -o "PostgreSQL: one more server" -o SQLite
askuser ask "What is it called?" --text --output value
askuser ask "Where?" -o staging -o prod -q "Why?" --text --output shell
askuser ask "Commit this?" --context diff.txt --exit-code
askuser ask '{"question":"Which?","options":["A","B"]}'
askuser ask --file questions.json --timeout 5m --on-timeout default
askuser ask --template deploy --var target=staging"#)]
pub struct Ask {
    // Before the question: clap takes out what it has handed over, and these look where it stood.
    #[command(flatten)]
    pub words: Words,
    /// The question, or questions as JSON in any format; `-` reads JSON from standard input, and so does a
    /// pipe if nothing else is given
    #[arg(id = ALONE, value_name = "QUESTION", conflicts_with = "file")]
    pub question: Option<OsString>,
    /// Read the questions as JSON from a file
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Ask the questions of a template
    #[arg(long, value_name = "NAME", add = completion::templates(), conflicts_with_all = [ALONE, "file"])]
    pub template: Option<String>,
    /// Fill in a variable of the template
    #[arg(long, value_name = "NAME=VALUE", requires = "template", conflicts_with_all = [ALONE, "file"])]
    pub var: Vec<String>,
    /// The JSON format of the questions [default: detected]
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    #[command(flatten)]
    pub prints: Prints,
    #[command(flatten)]
    pub delivery: Delivery,
}

/// An ask as the command line gives it.
pub(super) struct Given {
    /// Its JSON.
    text: String,
    /// The dialects of questions and reply, where the command line says them.
    dialect: Option<String>,
    reply: Option<String>,
    /// What is left of standard input.
    pub(super) stdin: destination::Stdin,
}

/// `askuser ask`: asks, waits, prints.
pub fn run(args: &Ask, environment: &Environment) -> Result<Exit, Report> {
    let given = given(args, environment)?;
    let prints = args.prints;
    let printing = Printing { output: prints.output.or(Some(Output::Json)), exit_code: prints.exit_code };
    go(&given, &args.delivery, printing, environment)
}

pub(super) fn as_value(prints: Prints) -> Printing {
    Printing { output: prints.output.or(Some(Output::Value)), exit_code: prints.exit_code }
}

/// Finds what the command line asks: in words, or as JSON.
fn given(args: &Ask, environment: &Environment) -> Result<Given, Report> {
    use destination::Stdin::{Free, Questions};
    let (text, stdin) = match (&args.question, &args.file, &args.template) {
        (_, _, Some(name)) => (template::filled(name, args, environment)?, Free),
        (_, Some(path), None) => (input::file(path)?, Free),
        (Some(question), None, None) if question == "-" => (piped()?, Questions),
        (Some(question), None, None) => match input::argument(question)? {
            text if text.trim().is_empty() => return Err(nothing_asked()),
            text if is_json(&text) => (text, Free),
            text => return args.in_words(Some(&text), environment),
        },
        (None, None, None) if !args.words.is_empty() => return args.in_words(None, environment),
        (None, None, None) if surface::is_piped() => (piped()?, Questions),
        (None, None, None) => return Err(nothing_asked()),
    };
    if !args.words.is_empty() {
        return Err(Report::input(ToAsk::words_only).hint(ToAsk::words_only_hint));
    }
    Ok(Given { text, dialect: args.dialect.clone(), reply: args.delivery.reply.clone(), stdin })
}

impl Ask {
    fn in_words(&self, alone: Option<&str>, environment: &Environment) -> Result<Given, Report> {
        if self.dialect.is_some() {
            return Err(Report::input(ToAsk::dialect_of_words).hint(ToAsk::dialect_of_words_hint));
        }
        in_words(alone, self.words.clone(), &self.delivery, environment)
    }
}

/// Makes an ask of questions in words.
pub(super) fn in_words(
    alone: Option<&str>,
    mut words: Words,
    delivery: &Delivery,
    environment: &Environment,
) -> Result<Given, Report> {
    let mut stdin = destination::Stdin::Free;
    for word in words.first.iter_mut().chain(&mut words.more) {
        if let Word::Context(text) = word {
            if text == "-" {
                stdin = destination::Stdin::Questions;
            }
            *text = context(text)?;
        }
    }
    Ok(Given {
        text: flags::ask(alone, &words, language(environment))?.to_string(),
        dialect: Some(Dialect::Full.name().to_owned()),
        // Whoever asks in words wants the answer under its key, not the whole outcome.
        reply: Some(delivery.reply.clone().unwrap_or_else(|| Dialect::Push.name().to_owned())),
        stdin,
    })
}

/// Reads what a context names: standard input, else a file, else it is the text itself.
fn context(named: &str) -> Result<String, Report> {
    let path = Path::new(named);
    match named {
        "-" => Ok(input::argument("-".as_ref())?),
        _ if path.is_file() => Ok(input::file(path)?),
        text => Ok(text.to_owned()),
    }
}

/// Whether an argument is JSON rather than words. What begins like it and is broken is told as broken JSON.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Reads questions from standard input. They are JSON: a program writes there, and what a broken pipeline
/// leaves behind must not be put to a person as a question.
fn piped() -> Result<String, Report> {
    let text = input::argument("-".as_ref())?;
    if is_json(&text) {
        return Ok(text);
    }
    Err(Report::input(ToAsk::stdin_not_json).hint(ToAsk::stdin_not_json_hint))
}

fn nothing_asked() -> Report {
    Report::input(ToAsk::no_question).hint(ToAsk::no_question_hint)
}

pub(super) fn go(
    given: &Given,
    delivery: &Delivery,
    printing: Printing,
    environment: &Environment,
) -> Result<Exit, Report> {
    let text = audience::addressed(given.text.clone(), delivery)?;
    let limits = EnvironmentLimits::read(environment)?;
    let wishes = wishes(given, delivery, environment)?;
    let call = shell::read(&text, &wishes, |dialect| limits.over(dialect))?;
    printing.check(&call.questions)?;
    warn(&call, environment);
    if let Some(outcome) = wire::collected(&call.questions, clock::now()) {
        let reply = shell::write(call.reply, &call.questions, &call.terms, &outcome);
        return printing.print((&call.questions, &outcome), &reply, language(environment));
    }
    let patience = delivery.patience.as_deref().map(duration::parse).transpose()?;
    if let Some(file) = &delivery.answers {
        return answers_file::run(file, &call, printing, environment);
    }
    let found = match &call.terms.audience {
        None => destination::find(delivery.place, delivery.plain, given.stdin, environment)?,
        // Who sits at this terminal is not who is asked: the people have their own surfaces.
        Some(_) => audience::at_desk(delivery.place, environment)?,
    };
    found.tell_unread(given.stdin, environment);
    askuser_ask::run::ask_at(found, &text, &call, (patience, printing), environment)
}

/// Tells what was left out of the questions; on standard error, as standard output is for the outcome.
fn warn(call: &Call, environment: &Environment) {
    let language = language(environment);
    for sentence in wire::warnings(&call.warnings, language) {
        complain(&format!("{}{sentence}\n", Told(language).warning()));
    }
}

fn wishes(given: &Given, args: &Delivery, environment: &Environment) -> Result<Wishes, Report> {
    let timeout = args.timeout.as_deref().map(duration::parse).transpose()?;
    let policy = match args.on_timeout {
        Some(OnTimeout::Cancel) => Some(TimeoutPolicy::Cancel),
        Some(OnTimeout::Default) => Some(TimeoutPolicy::Default),
        Some(OnTimeout::Abort) => Some(TimeoutPolicy::Abort),
        None => None,
    };
    Ok(Wishes {
        dialect: given.dialect.clone(),
        reply: given.reply.clone(),
        timeout,
        policy,
        fallback: fallback(environment)?,
        session: args.session.clone(),
        idempotency_key: args.idempotency_key.clone(),
        alone: destination::is_alone(args.place, environment)?,
    })
}

/// The policy where neither the caller nor the questions name one (O6).
pub fn fallback(environment: &Environment) -> Result<Option<TimeoutPolicy>, Report> {
    const NAME: &str = "ASK_USER_TIMEOUT_POLICY";
    let Some(name) = environment.get(NAME) else { return Ok(None) };
    if let Some(policy) = TimeoutPolicy::parse(name) {
        return Ok(Some(policy));
    }
    Err(Report::input(|said: ToAsk| said.no_policy(NAME, name))
        .hint(|said: ToAsk| said.no_policy_hint(TimeoutPolicy::NAMES.join(", "))))
}
