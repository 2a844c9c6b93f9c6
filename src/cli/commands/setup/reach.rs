//! The ways to the person, each tried with a test question. What failed says what to try, and the rest goes on.

use askuser_core::id::QuestionId;
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::question::YES;
use askuser_words::commands::setup::Setup as Words;
use serde_json::{Value, json};

use super::flow::{self, ASKER};
use crate::cli::args::{Form, Insists};
use crate::cli::commands::notify::{self, Channels};
use crate::cli::commands::open;
use crate::cli::commands::open::qr;
use askuser_ask::connect::{self, block_on, say};
use askuser_ask::desk::{self, Finished, Request, Rounds};
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_ask::shell::{self, Call};
use askuser_ask::surface;
use askuser_system::environment::Environment;
use askuser_wire::check;

/// How an outcome came about, or that the step was skipped.
type Reached = Option<Outcome>;

/// Asks which ways to try, tries them, and returns a line for each.
pub(super) fn try_each(
    is_new: bool,
    insists: Insists,
    environment: &Environment,
) -> Result<Vec<String>, Report> {
    let words = Words(language(environment));
    let channels = notify::channels(environment)?;
    let picked = flow::picks(&ways(is_new, &channels, words), environment)?;
    let mut lines = Vec::new();
    for way in picked {
        let (title, done) = match way.as_str() {
            "browser" => (words.browser(), browser(insists, words, environment)),
            "phone" => (words.phone(), on_phone(insists, words, environment)),
            _ => (words.notifications(), notifications(&channels, words, environment)),
        };
        lines.push(done.unwrap_or_else(|report| {
            report.print(environment);
            words.failed(title)
        }));
    }
    Ok(lines)
}

/// Asks where questions are to reach the person.
fn ways(is_new: bool, channels: &Channels, words: Words) -> Value {
    let mut options = vec![
        flow::option("browser", words.browser(), words.browser_about(), is_new),
        flow::option("phone", words.phone(), words.phone_about(), false),
    ];
    match channels {
        Channels::SetUp(names) => {
            let about = words.notifications_about(names.join(words.and()));
            options.push(flow::option("notifications", words.notifications(), &about, false));
        }
        Channels::Desktop => {
            options.push(flow::option("notifications", words.desktop(), words.desktop_about(), false));
        }
        Channels::None => {}
    }
    flow::several(words.reach(), words.where_to(), words.where_about(), &options)
}

/// The page in the browser, with a question that can be answered there or here.
fn browser(insists: Insists, words: Words, environment: &Environment) -> Result<String, Report> {
    let reached = block_on(async {
        let client = connect::person(environment, insists).await?;
        // Whether a browser could be started is said; the question shows whether it got there.
        let _browser = open::lead_in(&client, false, Form { json: false }, environment).await?;
        let (call, new) = test(words, environment)?;
        let wanted = Request {
            new,
            call: &call,
            patience: None,
            round: None,
            rounds: Rounds::Untold,
            or_alone: false,
            environment,
        };
        let way = surface::terminal(environment, None)?;
        let finished = desk::ask(connect::client(environment)?, way, &wanted).await?;
        Ok(ended(finished).await)
    })?;
    Ok(line(&reached, words.browser(), words.try_open(), words))
}

/// The phone: the code, and a question that is answered there. No panel here, which would push the code away.
fn on_phone(insists: Insists, words: Words, environment: &Environment) -> Result<String, Report> {
    let reached = block_on(async {
        let client = connect::person(environment, insists).await?;
        qr::show(&client, Some("lan"), Form { json: false }, environment).await?;
        let (call, new) = test(words, environment)?;
        let client = connect::client(environment)?;
        let seen = client.ask(&new).await?;
        say(&Screen::of_stderr(environment).wrapped(words.answer_on_phone()));
        let finished = desk::wait(client, seen.id, None, None, Some(call.reply), words.0).await?;
        Ok(ended(finished).await)
    })?;
    Ok(line(&reached, words.phone(), words.try_doctor(), words))
}

/// Takes the question back where nobody answered it; where they did meanwhile, there is nothing to take back.
async fn ended(finished: Finished) -> Reached {
    match (&finished.kept, &finished.outcome) {
        (Some((ask, client)), None) => drop(client.withdraw(*ask).await),
        _ => finished.acknowledge().await,
    }
    finished.outcome
}

/// What is set up to notify the person, else the desktop.
fn notifications(channels: &Channels, words: Words, environment: &Environment) -> Result<String, Report> {
    let title = match channels {
        Channels::Desktop => words.desktop(),
        _ => words.notifications(),
    };
    say(&notify::try_all(channels, environment)?);
    let arrived = flow::picks(&flow::yes_no(words.test(), words.did_it_arrive(), ""), environment)?;
    match (arrived.first().map(String::as_str), channels) {
        (Some(YES), Channels::Desktop) => {
            Ok(words.kept(title, environment.told(&notify::keep_desktop(environment)?)))
        }
        (Some(YES), _) => Ok(words.arrived(title)),
        (Some(_), _) => Ok(words.not_reached(title, words.try_notify())),
        (None, _) => Ok(words.skipped(title)),
    }
}

/// The test question, as an agent would ask it.
fn test(words: Words, environment: &Environment) -> Result<(Call, askuser_client::NewAsk), Report> {
    let ask = check::of_setup(words.0);
    let text = ask.to_string();
    let call = shell::read(&text, &flow::wishes(), |limits| limits)?;
    let mut new = desk::new_ask(&text, call.dialect, &call, environment);
    if let Some(fields) = new.questions.as_object_mut() {
        fields.insert("asker".to_owned(), json!({"agent": ASKER}));
    }
    Ok((call, new))
}

/// Says what came of a test question.
fn line(reached: &Reached, way: &str, remedy: &str, words: Words) -> String {
    let Some(outcome) = reached.as_ref().filter(|outcome| matches!(outcome.ending, Ending::Answered(_)))
    else {
        return words.skipped(way);
    };
    let answer = outcome.answers.to(&QuestionId::from(check::SETUP_ID));
    let yes = answer.is_some_and(|answer| answer.picked.iter().any(|pick| pick.as_str() == YES));
    if yes { words.reached(way, words.0.place(&outcome.by.channel)) } else { words.not_reached(way, remedy) }
}
