//! The inbox for scripts: list, show, cancel, withdraw; and coming back to an ask.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::question::{Kind, Question};
use askuser_core::text::shown;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::args::{Form, Insists};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{ago, field, table};
use super::{ask, at_desk, duration, elsewhere};
use crate::channel::terminal::Language;
use crate::client::keys::KeyFor;
use crate::client::seen::SeenAsk;
use crate::client::{Client, Hand, Lookup};
use crate::clock;
use crate::environment::Environment;
use crate::wire::{self, Dialect};

/// Pages of the history that `list --all` shows.
const PAGES_MAX: usize = 40;

/// Reads the id of an ask.
pub fn ask_id(text: &str) -> Result<AskId, Report> {
    text.parse().map_err(|error: askuser_core::id::NotAnId| {
        Report::wrong_input(error.to_string(), Some("`askuser list` shows the ids"))
    })
}

/// `askuser wait ASK_ID`
pub fn wait(
    ask: &str,
    patience: Option<&str>,
    reply: Option<&str>,
    environment: &Environment,
) -> Result<Exit, Report> {
    let id = ask_id(ask)?;
    let wrong = |error: duration::NotADuration| Report::wrong_input(error.to_string(), None);
    let patience: Option<Duration> = patience.map(duration::parse).transpose().map_err(wrong)?;
    let dialect = match reply {
        None => None,
        Some(name) => {
            let no_such = || Report::wrong_input(format!("there is no dialect `{name}`"), None);
            Some(Dialect::parse(name).ok_or_else(no_such)?)
        }
    };
    block_on(async {
        let client = connect::desk(environment).await?;
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        ask::print(at_desk::wait(client, id, reply.map(str::to_owned), until, dialect).await?).await
    })
}

/// `askuser list [--all]`
pub fn list(all: bool, form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let asks = if all { everything(&client).await? } else { client.inbox().await? };
        if form.json {
            let told: Vec<&Value> = asks.iter().map(|seen| &seen.told).collect();
            return done(&json!({ "asks": told }).to_string());
        }
        if asks.is_empty() {
            return done(if all { "nothing was asked yet" } else { "nothing is open" });
        }
        let now = clock::now();
        let rows: Vec<Vec<String>> = asks.iter().map(|seen| row(seen, now)).collect();
        done(&table(&["ASK", "AGE", "STATUS", "ASKER", "QUESTION"], &rows))
    })
}

fn row(seen: &SeenAsk, now: askuser_core::time::Timestamp) -> Vec<String> {
    let asker = [&seen.asker.agent, &seen.asker.project].into_iter().flatten();
    let asker: Vec<&str> = asker.map(String::as_str).collect();
    let status = seen.outcome.as_ref().map_or(seen.status.as_str(), |outcome| outcome.status());
    let first = seen.questions.top().first().map_or("", |question| question.text.as_str());
    let more = match seen.questions.top().len() {
        0 | 1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    vec![
        seen.id.to_string(),
        ago(&field(&seen.told, "created_at"), now),
        status.to_owned(),
        asker.join(" · "),
        format!("{first}{more}"),
    ]
}

/// What waits for this person, and the latest of everything that was asked in their conversations, ended or
/// not; oldest first.
async fn everything(client: &Client) -> Result<Vec<SeenAsk>, Report> {
    let mut asks: BTreeMap<AskId, SeenAsk> =
        client.inbox().await?.into_iter().map(|seen| (seen.id, seen)).collect();
    let mut after = None;
    for _ in 0..PAGES_MAX {
        let page = client.history(Lookup { after, open: true, ..Lookup::default() }).await?;
        asks.extend(page.asks.into_iter().map(|seen| (seen.id, seen)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(asks.into_values().collect())
}

/// `askuser show ID`
pub fn show(ask: &str, form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    let id = ask_id(ask)?;
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let seen = client.get(KeyFor::Person, id, None, Duration::ZERO).await?;
        if form.json {
            return done(&seen.told.to_string());
        }
        done(in_full(&seen, environment).trim_end())
    })
}

fn in_full(seen: &SeenAsk, environment: &Environment) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        // Writing to a string does not fail.
        let _written = writeln!(text, "{}", shown(&words));
    };
    line(format!("{} · {}", seen.id, seen.status));
    let asker = [&seen.asker.agent, &seen.asker.project, &seen.asker.folder].into_iter().flatten();
    let asker: Vec<&str> = asker.map(String::as_str).collect();
    if !asker.is_empty() {
        line(format!("asked by {}", asker.join(" · ")));
    }
    line(format!("asked at {}", field(&seen.told, "created_at")));
    let deadline = field(&seen.told, "deadline_at");
    if !deadline.is_empty() {
        line(format!("ends at {deadline}"));
    }
    let language = Language::from(|name| environment.get(name).map(ToOwned::to_owned));
    if let Some(progress) = seen.progress.as_ref().filter(|_| seen.is_open()) {
        line(progress.line(language.into()));
    }
    if let Some(context) = &seen.context {
        line(format!("\n{context}"));
    }
    for question in seen.questions.top() {
        question_lines(question, 0, &mut line);
    }
    if !seen.is_open() {
        line(format!("\n{}", elsewhere::line(seen, language)));
    }
    text
}

fn question_lines(question: &Question, depth: usize, line: &mut impl FnMut(String)) {
    let indent = "  ".repeat(depth);
    let how = match question.kind {
        Kind::OneOf => "pick one",
        Kind::SomeOf { .. } => "pick several",
        Kind::YesNo => "yes or no",
        Kind::Text => "text",
    };
    let optional = if question.required { "" } else { ", optional" };
    line(format!("\n{indent}{} ({how}{optional}): {}", question.id, question.text));
    for choice in &question.choices {
        let about = choice.description.as_ref().map_or(String::new(), |about| format!(": {about}"));
        line(format!("{indent}  {} = {}{about}", choice.id, choice.label));
        for follow_up in &choice.follow_ups {
            question_lines(follow_up, depth + 2, line);
        }
    }
}

/// `askuser cancel ID [--reason R]`
pub fn cancel(
    ask: &str,
    reason: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    let id = ask_id(ask)?;
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let seen = client.cancel(id, Hand::Program, reason).await?;
        done(&closed(&seen, form, "declined"))
    })
}

/// `askuser withdraw ID`
pub fn withdraw(ask: &str, form: Form, environment: &Environment) -> Result<Exit, Report> {
    let id = ask_id(ask)?;
    block_on(async {
        let client = connect::desk(environment).await?;
        let seen = client.withdraw(id).await?;
        done(&closed(&seen, form, "withdrawn"))
    })
}

/// Says that an ask was closed, and how.
pub fn closed(seen: &SeenAsk, form: Form, how: &str) -> String {
    if form.json {
        return seen.told.to_string();
    }
    match seen.progress.as_ref().filter(|_| seen.is_open()) {
        // What this person said is counted; the ask goes on.
        Some(progress) => format!("{} {how}: {}", seen.id, progress.line(wire::language::Language::English)),
        None => format!("{} {how}", seen.id),
    }
}
