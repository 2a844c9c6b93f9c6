//! `askuser ask`: asks in any dialect.

use askuser_core::asker::TimeoutPolicy;

use super::args::{Ask, OnTimeout};
use super::exit::Exit;
use super::limits::EnvironmentLimits;
use super::report::{Report, print_outcome};
use super::{duration, input, person};
use crate::doorway::shell::{self, Wishes};
use crate::environment::Environment;

/// Asks, waits, prints.
pub fn run(args: &Ask, environment: &Environment) -> Result<Exit, Report> {
    let text = match (&args.json, &args.file) {
        (_, Some(path)) => input::file(path)?,
        (Some(json), None) => input::argument(json)?,
        (None, None) => return Err(Report::wrong_input("there are no questions", Some("give them as JSON"))),
    };
    let limits =
        EnvironmentLimits::read(environment).map_err(|error| Report::wrong_input(error.to_string(), None))?;
    let call = shell::read(&text, &wishes(args, environment)?, |dialect| limits.over(dialect))?;
    let way = person::way(environment, args.place.is_some(), args.plain)?;
    let told = person::ask(&call, way, None, environment)?;
    finish(&told.reply, Exit::from(&told.outcome))
}

/// Prints what standard output is for and returns the code.
pub fn finish(text: &str, exit: Exit) -> Result<Exit, Report> {
    match print_outcome(text) {
        Ok(()) => Ok(exit),
        Err(error) => {
            let mut report = Report::wrong_input(format!("the answer cannot be printed: {error}"), None);
            report.exit = Exit::Failed;
            Err(report)
        }
    }
}

fn wishes(args: &Ask, environment: &Environment) -> Result<Wishes, Report> {
    let wrong = |error: duration::NotADuration| Report::wrong_input(error.to_string(), None);
    let timeout = args.timeout.as_deref().map(duration::parse).transpose().map_err(wrong)?;
    let policy = match args.on_timeout {
        Some(OnTimeout::Cancel) => Some(TimeoutPolicy::Cancel),
        Some(OnTimeout::Default) => Some(TimeoutPolicy::Default),
        Some(OnTimeout::Abort) => Some(TimeoutPolicy::Abort),
        None => None,
    };
    Ok(Wishes {
        dialect: args.dialect.clone(),
        reply: args.reply.clone(),
        timeout,
        policy,
        fallback: fallback(environment)?,
    })
}

/// The policy where neither the caller nor the questions name one (O6).
fn fallback(environment: &Environment) -> Result<Option<TimeoutPolicy>, Report> {
    const NAME: &str = "ASK_USER_TIMEOUT_POLICY";
    let Some(name) = environment.get(NAME) else { return Ok(None) };
    if let Some(policy) = TimeoutPolicy::parse(name) {
        return Ok(Some(policy));
    }
    let hint = format!("set it to one of {}", TimeoutPolicy::NAMES.join(", "));
    Err(Report::wrong_input(format!("{NAME} is `{name}`, which is no policy"), Some(&hint)))
}
