//! The inbox for scripts: list, show, cancel, withdraw; and coming back to an ask.

use std::collections::BTreeMap;
use std::time::Duration;

use askuser_core::deadline::URGENT;
use askuser_core::id::AskId;
use askuser_core::outcome::Ending;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::Titles;
use askuser_words::naming::Things;
use askuser_words::prompt::Printed;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::ask;
use crate::cli::args::{Form, Insists, List, Output, Prints};
use crate::cli::at_desk;
use crate::cli::connect::{self, block_on, done};
use crate::cli::duration;
use crate::cli::exit::Exit;
use crate::cli::in_full;
use crate::cli::output::Screen;
use crate::cli::output::language;
use crate::cli::output::paint::Role;
use crate::cli::output::table::{Cell, Column, table};
use crate::cli::printing::Printing;
use crate::cli::report::Report;
use crate::cli::told::field;
use crate::cli::which::{self, Noun};
use askuser_client::keys::KeyFor;
use askuser_client::seen::SeenAsk;
use askuser_client::{Client, Hand, Lookup};
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_wire::{Dialect, time};

/// Pages of the history that `list --all` shows.
const PAGES_MAX: usize = 40;

/// `askuser wait [ASK]`
pub fn wait(
    ask: Option<&str>,
    patience: Option<&str>,
    reply: Option<&str>,
    prints: Prints,
    environment: &Environment,
) -> Result<Exit, Report> {
    let wrong = |error: duration::NotADuration| Report::from(error);
    let patience: Option<Duration> = patience.map(duration::parse).transpose().map_err(wrong)?;
    let dialect = match reply {
        None => None,
        Some(name) => {
            let said = Things(language(environment));
            let no_such = || Report::wrong_input(said.no_dialect(name), None);
            Some(Dialect::parse(name).ok_or_else(no_such)?)
        }
    };
    block_on(async {
        let client = which::asker(ask, environment).await?;
        let Some(id) = which::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let until = patience.and_then(|patience| Instant::now().checked_add(patience));
        let waited =
            at_desk::wait(client, id, reply.map(str::to_owned), until, dialect, language(environment))
                .await?;
        let output = prints.output.or(Some(Output::Json));
        let printing = Printing { output, exit_code: prints.exit_code };
        ask::print(waited, printing, environment).await
    })
}

/// `askuser list [--all] [--agent NAME] [--project NAME] [--since WHEN]`
pub fn list(args: &List, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let since = args.since.as_deref().map(|since| moment(since, &screen)).transpose()?;
    block_on(async {
        let mut asks = match connect::reader(environment, args.insists.as_person).await? {
            Some(client) if args.all => everything(&client).await?,
            Some(client) => client.inbox_listed().await?,
            None => Vec::new(),
        };
        let is = |wanted: &Option<String>, name: &Option<String>| {
            wanted
                .as_ref()
                .is_none_or(|wanted| name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(wanted)))
        };
        asks.retain(|seen| is(&args.agent, &seen.asker.agent) && is(&args.project, &seen.asker.project));
        asks.retain(|seen| since.is_none_or(|since| created(seen).is_some_and(|at| at >= since)));
        if args.form.json {
            let told: Vec<&Value> = asks.iter().map(|seen| &seen.told).collect();
            return done(&json!({ "asks": told }).to_string());
        }
        if !asks.is_empty() {
            return screen.print(&listed(&asks, &screen));
        }
        let is_filtered = args.agent.is_some() || args.project.is_some() || since.is_some();
        let said = Things(screen.language);
        done(match (is_filtered, args.all) {
            (true, _) => said.list_filtered_none(),
            (false, true) => said.list_none(),
            (false, false) => said.list_waiting_none(),
        })
    })
}

/// Reads a moment that a person gave: how long ago, a day, or a moment.
pub fn moment(text: &str, screen: &Screen) -> Result<Timestamp, Report> {
    let said = Things(screen.language);
    let wrong = || Report::wrong_input(said.not_a_time(text), Some(said.time_hint()));
    let ago = duration::parse(text).ok().map(|ago| screen.times.now().before(ago));
    ago.or_else(|| askuser_words::time::read(text)).or_else(|| screen.times.midnight(text)).ok_or_else(wrong)
}

/// When it was asked.
fn created(seen: &SeenAsk) -> Option<Timestamp> {
    time::read(&field(&seen.told, "created_at"))
}

const COLUMNS: [Column; 6] = [
    Column::new(Titles::id),
    Column::new(Titles::age).minor(3),
    Column::new(Titles::status).minor(2),
    Column::new(Titles::agent).cut(12).minor(1),
    Column::new(Titles::deadline).cut(9),
    Column::new(Titles::question).cut(16),
];

/// A line an ask.
pub(super) fn listed(asks: &[SeenAsk], screen: &Screen) -> String {
    let row = |seen: &SeenAsk| {
        let (status, role) = status(seen, screen.language);
        let more = seen.questions.top().len().saturating_sub(1);
        let more = if more == 0 { String::new() } else { Printed(screen.language).more(more) };
        let deadline = in_full::deadline_row(seen, screen.times.now(), screen.language).unwrap_or_default();
        let is_urgent = seen.deadline.is_some_and(|at| at.since(screen.times.now()) < URGENT);
        vec![
            Cell::new(Role::Id, seen.called()),
            Cell::new(Role::Dim, created(seen).map(|at| screen.times.age(at)).unwrap_or_default()),
            Cell::new(role, status),
            asker_or_unnamed(seen, screen.language).into(),
            Cell::new(if is_urgent { Role::Bad } else { Role::Plain }, deadline),
            format!("{}{more}", in_full::headline(seen)).into(),
        ]
    };
    table(screen, &COLUMNS, asks.iter().map(row).collect())
}

/// Who asks; an agent that did not say is told as such.
pub fn asker_or_unnamed(seen: &SeenAsk, language: Language) -> String {
    let agent = seen.asker.agent.as_deref().unwrap_or_else(|| unnamed(language));
    [Some(agent), seen.asker.project.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What an agent is called that did not say its name.
pub fn unnamed(language: Language) -> &'static str {
    language.unnamed_agent()
}

/// Where an ask stands, in a word, and in which colour.
pub fn status(seen: &SeenAsk, language: Language) -> (String, Role) {
    let said = Printed(language);
    let (now, role) = match &seen.outcome {
        None if !seen.held.is_empty() => (said.being_answered(), Role::Id),
        None if seen.status == "pending" => (said.queued(), Role::Dim),
        None => (said.waiting(), Role::Warn),
        Some(outcome) => {
            let role = match outcome.ending {
                Ending::Answered(_) if outcome.is_disagreement() => Role::Warn,
                Ending::Answered(_) => Role::Good,
                Ending::Declined | Ending::Withdrawn => Role::Dim,
                Ending::Expired { .. } => Role::Bad,
            };
            return (language.ending(outcome).to_lowercase(), role);
        }
    };
    (now.to_owned(), role)
}

/// What waits for this person, and the latest of everything that was asked in their conversations, ended or
/// not; what is urgent first, then the oldest.
async fn everything(client: &Client) -> Result<Vec<SeenAsk>, Report> {
    let mut asks: BTreeMap<AskId, SeenAsk> =
        client.inbox_listed().await?.into_iter().map(|seen| (seen.id, seen)).collect();
    let mut after = None;
    for _ in 0..PAGES_MAX {
        let page = client.history(Lookup { after, open: true, short_ids: true, ..Lookup::default() }).await?;
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

/// `askuser show [ASK]`
pub fn show(
    ask: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = which::reader(Noun::Question, ask, true, insists, environment).await?;
        let Some(id) = which::waiting(&client, ask, false, environment).await? else {
            return Ok(Exit::StillOpen);
        };
        let seen = client.get(KeyFor::Person, id, None, Duration::ZERO).await?;
        if form.json {
            return done(&seen.told.to_string());
        }
        let screen = Screen::of(environment);
        screen.print(&in_full::in_full(&seen, screen.language, screen.paper()))
    })
}

/// `askuser cancel [ASK] [--reason R]`
pub fn cancel(
    ask: Option<&str>,
    reason: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = which::reader(Noun::Question, ask, true, insists, environment).await?;
        let Some(id) = which::waiting(&client, ask, false, environment).await? else {
            return Ok(Exit::StillOpen);
        };
        let seen = client.cancel(id, Hand::Program, reason).await?;
        done(&in_full::closed(&seen, form, &[in_full::headline(&seen)], language(environment)))
    })
}

/// `askuser withdraw [ASK]`
pub fn withdraw(ask: Option<&str>, form: Form, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = which::asker(ask, environment).await?;
        let Some(id) = which::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let seen = client.withdraw(id).await?;
        done(&in_full::closed(&seen, form, &[in_full::headline(&seen)], language(environment)))
    })
}
