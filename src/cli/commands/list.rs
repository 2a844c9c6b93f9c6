//! `askuser list`: what waits, and with `--all` what ended, too.

use std::collections::BTreeMap;

use askuser_core::deadline::URGENT;
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use askuser_words::commands::Titles;
use askuser_words::naming::Things;
use askuser_words::prompt::Printed;
use serde_json::{Value, json};

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::completion;
use crate::cli::duration;
use crate::cli::fields::field;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::seen::SeenAsk;
use askuser_client::{Client, Lookup};
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_wire::time;

/// List waiting questions, most urgent first
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser list --agent claude-code --since 1h")]
pub struct List {
    /// Include closed questions
    #[arg(long)]
    pub all: bool,
    /// Only from this agent, e.g. claude-code
    #[arg(long, value_name = "NAME", add = completion::askers())]
    pub agent: Option<String>,
    /// Only from this project
    #[arg(long, value_name = "NAME", add = completion::projects())]
    pub project: Option<String>,
    /// Only since then, e.g. 2h, 3d or 2026-11-15
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// Pages of the history that `list --all` shows.
const PAGES_MAX: usize = 40;

/// `askuser list [--all] [--agent NAME] [--project NAME] [--since WHEN]`
pub fn run(args: &List, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let since = args.since.as_deref().map(|since| moment(since, &screen)).transpose()?;
    block_on(async {
        let mut asks = match connect::reader(environment, args.insists).await? {
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
        let (status, role) = ask_text::status(seen, screen.language);
        let more = seen.questions.top().len().saturating_sub(1);
        let more = if more == 0 { String::new() } else { Printed(screen.language).more(more) };
        let deadline = ask_text::deadline_row(seen, screen.times.now(), screen.language).unwrap_or_default();
        let is_urgent = seen.deadline.is_some_and(|at| at.since(screen.times.now()) < URGENT);
        vec![
            Cell::new(Role::Id, seen.called()),
            Cell::new(Role::Dim, created(seen).map(|at| screen.times.age(at)).unwrap_or_default()),
            Cell::new(role, status),
            ask_text::asker_or_unnamed(seen, screen.language).into(),
            Cell::new(if is_urgent { Role::Bad } else { Role::Plain }, deadline),
            format!("{}{more}", ask_text::headline(seen)).into(),
        ]
    };
    table(screen, &COLUMNS, asks.iter().map(row).collect())
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
