//! The inbox for scripts: list, show, cancel, withdraw; and coming back to an ask.

use std::collections::BTreeMap;
use std::time::Duration;

use askuser_core::deadline::URGENT;
use askuser_core::id::AskId;
use askuser_core::outcome::Ending;
use askuser_core::time::Timestamp;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::args::{Form, Insists};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{ago, field, table};
use super::{ask, at_desk, duration, in_full};
use crate::channel::terminal::Language;
use crate::client::keys::KeyFor;
use crate::client::seen::SeenAsk;
use crate::client::{Client, Hand, Lookup};
use crate::clock;
use crate::environment::Environment;
use crate::wire::Dialect;

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
        done(&listed(&asks, clock::now(), in_full::language(environment)))
    })
}

/// A line an ask; when they end and what happens then only where one does.
fn listed(asks: &[SeenAsk], now: Timestamp, language: Language) -> String {
    let ends = asks.iter().any(|seen| seen.is_open() && seen.deadline.is_some());
    let mut titles = vec!["ASK", "AGE", "STATUS", "ASKER", "DEADLINE", "QUESTION"];
    titles.retain(|title| ends || *title != "DEADLINE");
    let row = |seen: &SeenAsk| {
        let mut row = vec![
            seen.id.to_string(),
            ago(&field(&seen.told, "created_at"), now),
            status(seen).to_owned(),
            asker(seen),
        ];
        row.extend(ends.then(|| in_full::at_deadline(seen, now, language).unwrap_or_default()));
        let more = seen.questions.top().len().saturating_sub(1);
        let more = if more == 0 { String::new() } else { format!(" (and {more} more)") };
        row.push(format!("{}{more}", in_full::headline(seen)));
        row
    };
    table(&titles, &asks.iter().map(row).collect::<Vec<_>>())
}

/// Who asks.
pub fn asker(seen: &SeenAsk) -> String {
    let asker = [&seen.asker.agent, &seen.asker.project].into_iter().flatten();
    asker.map(String::as_str).collect::<Vec<_>>().join(" · ")
}

/// Where an ask stands, in a word.
fn status(seen: &SeenAsk) -> &'static str {
    let Some(outcome) = &seen.outcome else {
        let is_held = in_full::being_answered(seen, Language::English).is_some();
        return match seen.status.as_str() {
            _ if is_held => "being answered",
            "pending" => "queued",
            _ => "waiting",
        };
    };
    match outcome.ending {
        Ending::Answered(_) if outcome.is_disagreement() => "not agreed",
        Ending::Answered(_) => "answered",
        Ending::Declined => "declined",
        Ending::Withdrawn => "withdrawn",
        Ending::Expired { .. } => "timed out",
    }
}

/// What waits for this person, and the latest of everything that was asked in their conversations, ended or
/// not; what is urgent first, then the oldest.
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
    let mut asks: Vec<SeenAsk> = asks.into_values().collect();
    urgent_first(&mut asks, clock::now());
    Ok(asks)
}

/// What is urgent comes first, as in the inbox.
fn urgent_first(asks: &mut [SeenAsk], now: Timestamp) {
    asks.sort_by_key(|seen| match seen.deadline.filter(|_| seen.is_open()) {
        Some(deadline) if deadline.since(now) < URGENT => (false, deadline),
        _ => (true, Timestamp(0)),
    });
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
        done(in_full::in_full(&seen, in_full::language(environment)).trim_end())
    })
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
        done(&in_full::closed(&seen, form, "declined", &[in_full::headline(&seen)]))
    })
}

/// `askuser withdraw ID`
pub fn withdraw(ask: &str, form: Form, environment: &Environment) -> Result<Exit, Report> {
    let id = ask_id(ask)?;
    block_on(async {
        let client = connect::desk(environment).await?;
        let seen = client.withdraw(id).await?;
        done(&in_full::closed(&seen, form, "withdrawn", &[in_full::headline(&seen)]))
    })
}
