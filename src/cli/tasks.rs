//! `askuser tasks` and `askuser task`: what agents were given, and what is done with it.

use askuser_core::text::shown;
use hyper::Method;
use serde_json::{Value, json};

use super::args::{Form, Insists, TaskVerb};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::run;
use super::table::{ago, field, table};
use crate::client::in_path;
use crate::client::keys::KeyFor;
use crate::clock;
use crate::environment::Environment;

/// The most of a task's text that a line shows.
const TEXT_CHARS: usize = 60;

/// `askuser tasks`
pub fn list(form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let told = client.plain(Method::GET, "/api/tasks", KeyFor::Person, None).await?;
        if form.json {
            return done(&told.to_string());
        }
        let list = |key: &str| told.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let tasks = list("tasks");
        if tasks.is_empty() && list("agents").is_empty() {
            return done("no agent may run here yet: write down `agents` and their `folders` in config.yaml");
        }
        if tasks.is_empty() {
            return done("no task yet: `askuser run \"…\"` gives one");
        }
        let now = clock::now();
        let rows: Vec<Vec<String>> = tasks.iter().map(|task| row(task, now)).collect();
        done(&table(&["TASK", "AGE", "STATUS", "AGENT", "TEXT"], &rows))
    })
}

fn row(task: &Value, now: askuser_core::time::Timestamp) -> Vec<String> {
    let text = field(task, "text");
    let first: String = text.lines().next().unwrap_or_default().chars().take(TEXT_CHARS).collect();
    vec![
        field(task, "task_id"),
        ago(&field(task, "created_at"), now),
        field(task, "status"),
        shown(&field(task, "agent")).into_owned(),
        shown(&first).into_owned(),
    ]
}

/// `askuser task …`
pub fn one(what: &TaskVerb, environment: &Environment) -> Result<Exit, Report> {
    let post = |task: &str, deed: &str, insists: Insists, body: Option<Value>| {
        let path = format!("/api/tasks/{}/{deed}", in_path(task));
        block_on(async {
            let client = connect::person(environment, insists.as_person).await?;
            let told = client.plain(Method::POST, &path, KeyFor::Person, body).await?;
            done(&field(&told, "status"))
        })
    };
    match what {
        TaskVerb::Show { task, form, insists } => show(task, *form, *insists, environment),
        TaskVerb::Follow { task, insists } => block_on(async {
            let client = connect::person(environment, insists.as_person).await?;
            Box::pin(run::join(&client, task, environment)).await
        }),
        TaskVerb::Stop { task, insists } => post(task, "stop", *insists, None),
        TaskVerb::Say { task, text, insists } => post(task, "say", *insists, Some(json!({ "text": text }))),
        TaskVerb::Resume { task, text, insists } => {
            post(task, "resume", *insists, Some(json!({ "text": text })))
        }
    }
}

fn show(task: &str, form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let path = format!("/api/tasks/{}", in_path(task));
        let told = client.plain(Method::GET, &path, KeyFor::Person, None).await?;
        if form.json {
            return done(&told.to_string());
        }
        let line = |name: &str, key: &str| format!("{name:<8} {}", shown(&field(&told, key)));
        let lines = [
            line("task", "task_id"),
            line("status", "status"),
            line("reason", "reason"),
            line("agent", "agent"),
            line("folder", "folder"),
            line("session", "session_id"),
            line("text", "text"),
        ];
        done(&lines.join("\n"))
    })
}
