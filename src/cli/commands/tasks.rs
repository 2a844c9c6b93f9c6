//! `askuser tasks`: what agents were given.

use askuser_words::commands::{Tasks, Titles};
use serde_json::{Value, json};

use crate::cli::args::{Form, Insists};
use crate::cli::fields::{called, field};
use askuser_api::asks::Listing;
use askuser_api::tasks::ListTasks;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::seen::SeenAsk;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// List tasks, newest first
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser tasks")]
pub struct TasksArgs {
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

const COLUMNS: [Column; 5] = [
    Column::new(Titles::task),
    Column::new(Titles::age).minor(2),
    Column::new(Titles::status),
    Column::new(Titles::agent).cut(8).minor(1),
    Column::new(Titles::text).cut(14),
];

/// `askuser tasks`
pub fn run(args: &TasksArgs, environment: &Environment) -> Result<Exit, Report> {
    let TasksArgs { form, insists } = *args;
    let screen = Screen::of(environment);
    block_on(async {
        let Some(client) = connect::reader(environment, insists).await? else {
            let nothing = json!({"tasks": [], "agents": [], "running_max": 0});
            return done(&if form.json { nothing.to_string() } else { no_task(&screen).to_owned() });
        };
        let call = client.call::<ListTasks>(KeyRole::Person).query(&Listing::SHORT_IDS);
        let told = call.told().await?;
        if form.json {
            return done(&told.to_string());
        }
        let list = |key: &str| told.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let tasks = list("tasks");
        if tasks.is_empty() && list("agents").is_empty() {
            return done(Tasks(screen.language).no_agents());
        }
        if tasks.is_empty() {
            return done(no_task(&screen));
        }
        let waiting = client.inbox().await?;
        screen.print(&listed(&tasks, &waiting, &screen))
    })
}

fn no_task(screen: &Screen) -> &'static str {
    Tasks(screen.language).none()
}

pub(super) fn listed(tasks: &[Value], waiting: &[SeenAsk], screen: &Screen) -> String {
    table(screen, &COLUMNS, tasks.iter().map(|task| row(task, waiting, screen)).collect())
}

fn row(task: &Value, waiting: &[SeenAsk], screen: &Screen) -> Vec<Cell> {
    let session = field(task, "session");
    let waits = waiting.iter().any(|seen| field(&seen.told, "session") == session);
    let (status, role) = status(&field(task, "status"), waits, screen);
    vec![
        Cell::new(Role::Id, called(task, "task_id")),
        Cell::new(Role::Dim, screen.times.age_of(&field(task, "created_at"))),
        Cell::new(role, status),
        field(task, "agent").into(),
        field(task, "text").lines().next().unwrap_or_default().into(),
    ]
}

/// Where a task stands; one that asks its person something waits for them.
pub(super) fn status(status: &str, waits: bool, screen: &Screen) -> (String, Role) {
    let said = Tasks(screen.language);
    let (word, role) = match status {
        "running" if waits => (said.waiting(), Role::Warn),
        "queued" => (said.queued(), Role::Dim),
        "running" => (said.running(), Role::Id),
        "done" => (said.done(), Role::Good),
        "failed" => (said.failed(), Role::Bad),
        "stopped" => (said.stopped(), Role::Dim),
        "interrupted" => (said.interrupted(), Role::Bad),
        other => (other, Role::Plain),
    };
    (word.to_owned(), role)
}
