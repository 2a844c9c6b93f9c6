//! `askuser agents`: which agents are connected, where, and whether it works.

use askuser_words::commands::Titles;
use askuser_words::commands::setup::Connecting;
use serde_json::{Value, json};

use super::install::found::{self, Look, Seen, State};
use crate::cli::args::Form;
use askuser_ask::connect::done;
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// List connected agents and test each connection
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser agents")]
pub struct AgentsArgs {
    #[command(flatten)]
    pub form: Form,
}

/// Shows what is connected.
pub fn run(AgentsArgs { form }: &AgentsArgs, environment: &Environment) -> Result<Exit, Report> {
    let found = found::look(Look::Started, environment)?;
    let seen: Vec<&Seen> = found.iter().flat_map(|found| &found.seen).collect();
    if form.json {
        let told: Vec<Value> = seen.iter().map(|seen| to_json(seen)).collect();
        return done(&json!({ "agents": told }).to_string());
    }
    let screen = Screen::of(environment);
    let words = Connecting(screen.language);
    if seen.is_empty() {
        return screen.print(&screen.wrapped(words.none_connected()));
    }
    let row = |seen: &&Seen| {
        let role = if seen.works() { Role::Good } else { Role::Bad };
        vec![
            Cell::new(Role::Id, seen.agent.command_name()),
            seen.scope.name().into(),
            Cell::new(role, seen.state_in_words(screen.language)),
            Cell::new(Role::Dim, seen.file.clone()),
        ]
    };
    let table = table(&screen, &COLUMNS, seen.iter().map(row).collect());
    let notes = seen.iter().filter_map(|seen| {
        Some(format!("{}: {}", seen.agent.command_name(), seen.untrusted(screen.language)?))
    });
    let notes: Vec<String> =
        notes.map(|note| screen.paint.text(Role::Warn, &screen.wrapped(&note))).collect();
    screen.print(&std::iter::once(table).chain(notes).collect::<Vec<_>>().join("\n\n"))
}

const COLUMNS: [Column; 4] = [
    Column::new(Titles::agent),
    Column::new(Titles::scope).minor(2),
    Column::new(Titles::status).cut(18),
    Column::new(Titles::file).cut(12).minor(1),
];

fn to_json(seen: &Seen) -> Value {
    let (state, why) = match &seen.state {
        State::Works(_) => ("works", None),
        State::Old(_) => ("old", None),
        State::Broken(why) => ("broken", Some(&why.english)),
        State::Unreadable(why) => ("unreadable", Some(&why.english)),
    };
    json!({
        "agent": seen.agent.command_name(), "scope": seen.scope.name(), "file": seen.file,
        "state": state, "why": why, "permissions": seen.extras.permissions, "trusts_hooks": seen.trusts_hooks,
    })
}
