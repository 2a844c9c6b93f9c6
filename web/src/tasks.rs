//! Tasks: what the person gave to agents, and giving another.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::decide::Refusal;
use askuser_core::id::{SessionId, TaskId};
use askuser_core::limits::TASK_BYTES_MAX;
use askuser_core::problem::Problem;
use askuser_core::task::Task;
use askuser_core::text::shown as harmless;
use askuser_core::time::Timestamp;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use maud::{Markup, html};

use super::failing::{Mishap, Shown};
use super::layout::{Frame, coded, page, part};
use super::sign_in::see;
use super::stream::{gist, waiting};
use super::visit::Visit;
use super::when;
use askuser_desk::DeskError;
use askuser_runner::agent::Agents;
use askuser_runner::{Runner, RunnerError};
use askuser_words::page::Page;

/// Tasks on the page.
const LISTED_MAX: usize = 100;

/// What a person wrote into the form, and what is wrong with it.
#[derive(Default)]
struct Given<'a> {
    agent: Option<&'a str>,
    folder: Option<&'a str>,
    text: Option<&'a str>,
    problems: Vec<Problem>,
}

/// `GET /tasks`
pub(super) async fn show(visit: &Visit) -> Shown {
    list_page(visit, StatusCode::OK, Given::default()).await
}

/// `POST /tasks`
pub(super) async fn start(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let runner = runner(visit)?;
    let (agent, folder, text) = (visit.form.get("agent"), visit.form.get("folder"), visit.form.get("text"));
    let place = Path::new(folder.unwrap_or_default().trim());
    let started = runner.start(&person, agent, place, text.unwrap_or_default().to_owned()).await;
    match started {
        Ok(task) => Ok(see(&format!("/tasks/{}", task.id))),
        Err(RunnerError::Desk(DeskError::Refused(Refusal::UnfitTask(problems)))) => {
            let given = Given { agent, folder, text, problems };
            list_page(visit, StatusCode::UNPROCESSABLE_ENTITY, given).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns who runs tasks; where nothing is configured, nobody does.
pub(super) fn runner(visit: &Visit) -> Result<&Runner, Mishap> {
    visit.site.runner.as_ref().filter(|runner| !runner.agents().is_off()).ok_or(Mishap::NotFound)
}

async fn list_page(visit: &Visit, status: StatusCode, given: Given<'_>) -> Shown {
    let person = visit.person()?;
    let (words, now) = (visit.words(), visit.desk().now());
    let head = visit.desk().head();
    let tasks = visit.desk().tasks(&person).await?;
    let open = open_asks(&visit.desk().inbox(&person).await?);
    let list = list(words, &tasks, &open, now, None);
    if visit.wants_part("tasks") {
        return Ok(part(visit, list));
    }
    let body = html! {
        section.inbox.history {
            h1 { (words.tasks().title()) }
            @match runner(visit) {
                Ok(runner) => (form(visit, runner.agents(), &tasks, &given)),
                Err(_) => (how_to_turn_on(words)),
            }
            (list)
        }
    };
    let frame = Frame { name: "tasks", title: words.tasks().title(), waiting: None, head: Some(head) };
    Ok((status, page(visit, &frame, &body)).into_response())
}

/// Says how tasks are switched on: what may run here is written down by whoever owns the machine.
fn how_to_turn_on(words: Page) -> Markup {
    html! {
        div.msg.info #runner-off {
            p { b { (words.tasks().off()) } }
            p { (coded(words.tasks().off_how())) }
            pre { code { (EXAMPLE) } }
        }
    }
}

/// What to write into `config.yaml`.
const EXAMPLE: &str = "runner:
  folders: [~/projects]
agents:
  claude:
    driver: claude
    command: claude
  opencode:
    driver: acp
    command: opencode
    args: [acp]
";

fn form(visit: &Visit, agents: &Agents, tasks: &[Arc<Task>], given: &Given<'_>) -> Markup {
    let words = visit.words();
    // The same as last time is the likeliest.
    let latest = tasks.first();
    let agent = given.agent.or_else(|| latest.map(|task| task.agent.as_str()));
    let mut folders: Vec<String> = tasks.iter().map(|task| task.folder.clone()).collect();
    let allowed = agents.agents.iter().flat_map(|agent| &agent.folders);
    folders.extend(allowed.filter_map(|folder| folder.to_str().map(str::to_owned)));
    let mut seen = std::collections::HashSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    folders.truncate(LISTED_MAX);
    let folder = given.folder.or_else(|| folders.first().map(String::as_str)).unwrap_or_default();
    let fault = |path: &str| {
        let problem = given.problems.iter().find(|problem| problem.path == path)?;
        Some(words.tasks().fault(path, &problem.fault))
    };
    html! {
        form.task-form method="post" action="/tasks" {
            label { (words.tasks().text())
                textarea name="text" rows="3" required maxlength=(TASK_BYTES_MAX) placeholder=(words.tasks().text_how()) {
                    (given.text.unwrap_or_default()) }
            }
            (said(fault("text").or_else(|| fault(""))))
            div.pair {
                label { (words.script().agent())
                    select name="agent" {
                        @for one in &agents.agents {
                            option value=(one.name) selected[Some(one.name.as_str()) == agent] { (harmless(&one.name)) }
                        }
                    }
                }
                label { (words.card().folder())
                    input type="text" name="folder" value=(folder) list="folders" required autocomplete="off" spellcheck="false";
                }
            }
            (said(fault("agent")))
            (said(fault("folder")))
            datalist #folders { @for folder in &folders { option value=(folder) {} } }
            button.go { (words.tasks().start()) }
        }
    }
}

fn said(fault: Option<String>) -> Markup {
    html! { @if let Some(fault) = fault { p.fault role="alert" { (fault) } } }
}

/// Counts the open asks of each session.
pub(super) fn open_asks(inbox: &[Arc<Ask>]) -> HashMap<SessionId, usize> {
    let mut open = HashMap::new();
    for ask in inbox {
        *open.entry(ask.session).or_default() += 1;
    }
    open
}

/// Draws the list of tasks, the newest first.
pub(super) fn list(
    words: Page,
    tasks: &[Arc<Task>],
    open: &HashMap<SessionId, usize>,
    now: Timestamp,
    current: Option<TaskId>,
) -> Markup {
    let address =
        current.map_or_else(|| "/tasks?part=tasks".to_owned(), |id| format!("/tasks/{id}?part=tasks"));
    html! {
        ol #tasks data-part=(address) {
            @for task in tasks.iter().take(LISTED_MAX) {
                li.ask-row id=(format!("row-{}", task.id)) {
                    a href=(format!("/tasks/{}", task.id)) aria-current=[(current == Some(task.id)).then_some("true")] {
                        b { (gist(&task.text)) }
                        span.dim { (state(words, task)) " · " (asker_line(task))
                            (waiting(words, open.get(&task.session).copied().unwrap_or(0)))
                            " · " (when::age(words, task.changed_at, now)) }
                    }
                }
            }
        }
    }
}

/// Says who works where: `claude · shop`.
pub(super) fn asker_line(task: &Task) -> Markup {
    let place = Path::new(&task.folder).file_name().and_then(|name| name.to_str()).unwrap_or(&task.folder);
    html! {
        span.agent { (harmless(&task.agent)) } " · " span.project title=(harmless(&task.folder)) { (harmless(place)) }
    }
}

/// Says where a task stands, and why where there is more to say.
pub(super) fn state(words: Page, task: &Task) -> Markup {
    html! { span.task-state data-state=(task.state.name()) { (words.tasks().state(task.state)) } }
}
