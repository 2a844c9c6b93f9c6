//! `askuser sessions`: the conversations.

use std::collections::BTreeMap;

use askuser_words::commands::{History, Titles};
use serde_json::{Value, json};

use super::history;
use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::ask_text::asker_or_unnamed;
use crate::cli::completion;
use crate::cli::fields::{called, field};
use crate::cli::lookup::{self, Noun};
use askuser_api::asks::Listing;
use askuser_api::sessions::{EndSession, ListSessions, ShowSession};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::Client;
use askuser_client::seen::SeenAsk;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use askuser_wire::check;
use askuser_wire::failure::Code;

/// List conversations, newest first
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser sessions
askuser sessions --end work")]
pub struct SessionsArgs {
    /// End a conversation that has no waiting question
    #[arg(long, value_name = "CONVERSATION", add = completion::conversations())]
    pub end: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser sessions [--end SESSION]`
pub fn run(args: &SessionsArgs, environment: &Environment) -> Result<Exit, Report> {
    let SessionsArgs { end, form, insists } = args;
    let (end, insists) = (end.as_deref(), *insists);
    let screen = Screen::of(environment);
    block_on(async {
        if let Some(typed) = end {
            let client = lookup::reader(Noun::Conversation, end, false, insists, environment).await?;
            let session =
                &lookup::meant(&client, KeyRole::Person, Noun::Conversation, typed, environment).await?;
            let told = match client.call::<EndSession>(KeyRole::Person).at(session).told().await {
                Err(error) if error.code() == Some(Code::SessionInUse) => {
                    return Err(in_use(typed, session, &client.inbox().await?));
                }
                told => told?,
            };
            return done(&if form.json {
                told.to_string()
            } else {
                History(screen.language).ended_now(typed)
            });
        }
        let Some(client) = connect::reader(environment, insists).await? else {
            return done(&if form.json {
                json!({"sessions": []}).to_string()
            } else {
                nothing(&screen).to_owned()
            });
        };
        let call = client.call::<ListSessions>(KeyRole::Person).query(&Listing::SHORT_IDS);
        let told = call.told().await?;
        if form.json {
            return done(&told.to_string());
        }
        let mut sessions = told.get("sessions").and_then(Value::as_array).cloned().unwrap_or_default();
        if sessions.is_empty() {
            return done(nothing(&screen));
        }
        sessions.sort_by_key(|session| std::cmp::Reverse(field(session, "last_activity")));
        let latest = history::latest_by_session(&client).await?;
        sessions = without_tests(sessions, &latest, &client).await?;
        if sessions.is_empty() {
            return done(nothing(&screen));
        }
        screen.print(&listed(&sessions, &latest, &screen))
    })
}

/// Takes out the conversations in which `askuser doctor` asked its test question and nobody anything else.
async fn without_tests(
    sessions: Vec<Value>,
    latest: &BTreeMap<String, SeenAsk>,
    client: &Client,
) -> Result<Vec<Value>, Report> {
    let mut kept = Vec::new();
    for session in sessions {
        let id = field(&session, "id");
        if latest.contains_key(&id) || field(&session, "origin") != "derived" {
            kept.push(session);
            continue;
        }
        let told = client.call::<ShowSession>(KeyRole::Person).at(&id).told().await?;
        let said = told.get("dialog_history").and_then(Value::as_array).cloned().unwrap_or_default();
        if said.is_empty() || !said.iter().all(|said| check::is_text(&field(said, "question"))) {
            kept.push(session);
        }
    }
    Ok(kept)
}

/// Says what keeps a conversation from being ended.
fn in_use(typed: &str, session: &str, waiting: &[SeenAsk]) -> Report {
    let is_in =
        |seen: &&SeenAsk| ["session", "session_id"].iter().any(|key| field(&seen.told, key) == session);
    let open: Vec<String> =
        waiting.iter().filter(is_in).map(|seen| format!("- {}", ask_text::headline(seen))).collect();
    Report::input(|said: History| said.in_use(open.len(), typed, open.join("\n"))).hint(History::in_use_hint)
}

fn nothing(screen: &Screen) -> &'static str {
    History(screen.language).no_conversations()
}

const COLUMNS: [Column; 7] = [
    Column::new(Titles::id),
    Column::new(Titles::last).minor(3),
    Column::new(Titles::status).minor(4),
    Column::new(Titles::rounds).right().minor(5),
    Column::new(Titles::agent).cut(12).minor(1),
    Column::new(Titles::name).cut(8).minor(2),
    Column::new(Titles::last_question).cut(16),
];

pub(super) fn listed(sessions: &[Value], latest: &BTreeMap<String, SeenAsk>, screen: &Screen) -> String {
    let rows = sessions.iter().map(|session| row(session, latest.get(&field(session, "id")), screen));
    table(screen, &COLUMNS, rows.collect())
}

/// A conversation is known again by who asked last, and what.
fn row(session: &Value, latest: Option<&SeenAsk>, screen: &Screen) -> Vec<Cell> {
    // A derived name is a digest and tells a person nothing.
    let name = field(session, "session_id");
    let is_named = field(session, "origin") != "derived" && name != field(session, "id");
    vec![
        Cell::new(Role::Id, called(session, "id")),
        Cell::new(Role::Dim, screen.times.relative_of(&field(session, "last_activity"))),
        status(&field(session, "status"), screen).into(),
        field(session, "current_round").into(),
        latest.map(|seen| asker_or_unnamed(seen, screen.language)).unwrap_or_default().into(),
        Cell::new(Role::Plain, if is_named { name } else { String::new() }),
        latest.map(ask_text::headline).unwrap_or_default().into(),
    ]
}

/// Where a conversation stands.
pub(super) fn status(status: &str, screen: &Screen) -> String {
    match status {
        "active" => History(screen.language).active().to_owned(),
        "completed" => History(screen.language).ended().to_owned(),
        "expired" => History(screen.language).timed_out().to_owned(),
        other => other.to_owned(),
    }
}
