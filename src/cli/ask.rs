//! `askuser ask`: asks in any dialect.

use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;

use super::args::{Ask, OnTimeout};
use super::at_desk::{self, Finished, Rounds, Wanted};
use super::exit::Exit;
use super::limits::EnvironmentLimits;
use super::place::{self, Found};
use super::report::{Report, print_outcome};
use super::{connect, duration, input, people, person, scripted, template};
use crate::doorway::shell::{self, Call, Wishes};
use crate::environment::Environment;

/// Asks, waits, prints.
pub fn run(args: &Ask, environment: &Environment) -> Result<Exit, Report> {
    let text = match (&args.json, &args.file, &args.template) {
        (_, _, Some(name)) => template::filled(name, args, environment)?,
        (_, Some(path), None) => input::file(path)?,
        (Some(json), None, None) => input::argument(json)?,
        (None, None, None) => {
            return Err(Report::wrong_input("there are no questions", Some("give them as JSON")));
        }
    };
    let text = people::addressed(text, args)?;
    let limits =
        EnvironmentLimits::read(environment).map_err(|error| Report::wrong_input(error.to_string(), None))?;
    let call = shell::read(&text, &wishes(args, environment)?, |dialect| limits.over(dialect))?;
    let patience = args.patience.as_deref().map(duration::parse).transpose();
    let patience = patience.map_err(|error| Report::wrong_input(error.to_string(), None))?;
    if let Some(file) = &args.answers {
        return scripted::run(file, &call, environment);
    }
    let found = match &call.terms.audience {
        None => place::find(args.place, args.plain, environment)?,
        // Who sits at this terminal is not who is asked: the people have their own surfaces.
        Some(_) => people::at_desk(args.place, environment)?,
    };
    ask_at(found, &text, &call, patience, environment)
}

/// Asks where it was found out to be asked, waits, prints.
pub fn ask_at(
    found: Found,
    text: &str,
    call: &Call,
    patience: Option<Duration>,
    environment: &Environment,
) -> Result<Exit, Report> {
    match found {
        Found::Alone(way) => {
            let told = person::ask(call, way, None, environment)?;
            finish(&told.reply, Exit::from(&told.outcome))
        }
        Found::Desk { client, way } => connect::block_on(async {
            let wanted = Wanted {
                new: at_desk::new_ask(text, call.dialect, call, environment),
                reply: call.reply,
                patience,
                round: None,
                rounds: Rounds::of(&call.terms),
                environment,
            };
            print(at_desk::ask(*client, way, &wanted).await?).await
        }),
    }
}

/// Prints what came of asking, then tells the desk that it arrived.
pub async fn print(finished: Finished) -> Result<Exit, Report> {
    if finished.text.is_empty() {
        return Ok(finished.exit);
    }
    let exit = finish(&finished.text, finished.exit)?;
    finished.acknowledge().await;
    Ok(exit)
}

/// Prints what standard output is for and returns the code.
pub fn finish(text: &str, exit: Exit) -> Result<Exit, Report> {
    match print_outcome(text) {
        Ok(()) => Ok(exit),
        Err(error) => Err(Report::failed(format!("the answer cannot be printed: {error}"), None)),
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
        session: args.session.clone(),
        idempotency_key: args.idempotency_key.clone(),
        alone: place::is_alone(args.place, environment)?,
    })
}

/// The policy where neither the caller nor the questions name one (O6).
pub fn fallback(environment: &Environment) -> Result<Option<TimeoutPolicy>, Report> {
    const NAME: &str = "ASK_USER_TIMEOUT_POLICY";
    let Some(name) = environment.get(NAME) else { return Ok(None) };
    if let Some(policy) = TimeoutPolicy::parse(name) {
        return Ok(Some(policy));
    }
    let hint = format!("set it to one of {}", TimeoutPolicy::NAMES.join(", "));
    Err(Report::wrong_input(format!("{NAME} is `{name}`, which is no policy"), Some(&hint)))
}
