//! One task: its conversation as it goes on, and what a person does with it.

use std::sync::Arc;

use askuser_core::ask::State;
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::TaskId;
use askuser_core::limits::TASK_BYTES_MAX;
use askuser_core::task::{Task, TaskState};
use askuser_core::text::shown as harmless;
use axum::response::IntoResponse;
use maud::{Markup, html};
use serde_json::json;

use super::ask;
use super::failing::{Mishap, Shown};
use super::layout::{Frame, page, part};
use super::sign_in::see;
use super::stream::{Stream, coming, gist};
use super::tasks::{asker_line, list, open_asks, runner, state};
use super::visit::Visit;
use super::when;
use askuser_api::Route as _;
use askuser_api::sessions::Export;
use askuser_desk::DeskError;
use askuser_runner::RunnerError;
use askuser_words::page::Page;

/// `GET /tasks/{task}`
pub(super) async fn show(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let (words, now) = (visit.words(), visit.desk().now());
    let task = task(visit, &person).await?;
    // The number before everything else: what comes in between is told twice rather than never.
    let head = visit.desk().head();
    let id = task.id.to_string();
    let number = |name: &str| visit.query(name).and_then(|number| number.parse::<u64>().ok());
    if visit.wants_part("fresh") {
        return fresh(visit, &person, &task, number("since").unwrap_or(0), head).await;
    }
    let tasks = visit.desk().tasks(&person).await?;
    let open = open_asks(&visit.desk().inbox(&person).await?);
    let list = list(words, &tasks, &open, now, Some(task.id));
    if visit.wants_part("tasks") {
        return Ok(part(visit, list));
    }
    let before = number("before");
    let stream = Stream::load(visit.desk(), task.session, before).await?;
    let title = gist(&task.text);
    let body = html! {
        div.beside {
            nav.inbox aria-label=(words.tasks().title()) { p.dim { a href="/tasks" { (words.tasks().title()) } } (list) }
            section.talk #task data-task=(id) data-session=(task.session.to_string())
                data-live=(if before.is_none() { "on" } else { "off" }) aria-label=(words.conversation()) {
                (about(words, &task, now))
                (stream.earlier(words, &id))
                div #stream role="log" aria-label=(words.conversation()) data-last=(head) {
                    (stream.draw(words, now, &id, 0))
                    @if before.is_none() { (spoken(visit, &task)) }
                }
                @if before.is_some() {
                    p { a href=(format!("/tasks/{id}")) { (words.talk().latest_messages()) } }
                } @else {
                    (card(visit, &person, &task).await?)
                    (composer(words, &task))
                }
            }
        }
    };
    let frame = Frame { name: "task", title: &title, waiting: None, head: Some(head) };
    Ok(page(visit, &frame, &body))
}

/// What is new since a fact: the script puts it in its place.
async fn fresh(visit: &Visit, person: &Actor, task: &Task, since: u64, head: u64) -> Shown {
    let (words, now) = (visit.words(), visit.desk().now());
    let stream = Stream::load(visit.desk(), task.session, None).await?;
    let id = task.id.to_string();
    // Whoever is too far behind gets the window anew.
    let whole = !stream.reaches(since);
    let since = if whole { 0 } else { since };
    Ok(part(
        visit,
        html! {
            div #fresh data-head=(head) data-whole=(whole) {
                (about(words, task, now))
                (stream.earlier(words, &id))
                div.entries { (stream.draw(words, now, &id, since)) (spoken(visit, task)) }
                (card(visit, person, task).await?)
                (composer(words, task))
            }
        },
    ))
}

fn spoken(visit: &Visit, task: &Task) -> Markup {
    let spoken = visit.site.runner.as_ref().and_then(|runner| runner.speaking(task.id));
    coming(visit.words(), spoken.as_ref())
}

/// What it is about, and where it stands.
fn about(words: Page, task: &Task, now: askuser_core::time::Timestamp) -> Markup {
    html! {
        header.about #about data-state=(task.state.name()) {
                h1 { (gist(&task.text)) }
                p.progress { (state(words, task)) " · " (asker_line(task)) " · " (when::age(words, task.changed_at, now)) }
                @if let Some(reason) = why(words, task) { p.dim { (reason) } }
                p.dim { a href=(format!("{}?format=jsonl", Export::path_of(task.session))) download { (words.talk().export()) }
                    " · " a href=(format!("{}?format=md", Export::path_of(task.session))) download { (words.talk().export_md()) } }
        }
    }
}

/// Says why a task stands where it stands.
fn why(words: Page, task: &Task) -> Option<String> {
    match (task.state, task.reason.as_deref()) {
        // Another server said so, which cannot see what is left on the first one's machine.
        (TaskState::Interrupted, Some(_)) => Some(words.tasks().server_gone_why().to_owned()),
        (TaskState::Interrupted, None) => Some(words.tasks().interrupted_why().to_owned()),
        (TaskState::Queued, _) => Some(words.tasks().queued_why().to_owned()),
        (TaskState::Stopped, Some("user")) => Some(words.tasks().stopped_why().to_owned()),
        (TaskState::Stopped, Some("ask_user_timeout")) => Some(words.tasks().timed_out_why().to_owned()),
        (_, reason) => reason.map(|reason| harmless(&words.0.reason(reason)).into_owned()),
    }
}

/// The question that waits for the person, as the card that it is everywhere.
async fn card(visit: &Visit, person: &Actor, task: &Task) -> Result<Markup, Mishap> {
    let waiting = visit.desk().inbox(person).await?;
    let open = waiting.iter().find(|ask| ask.session == task.session && ask.state == State::Showing);
    Ok(html! {
        div #now data-ask=[open.map(|ask| ask.id.to_string())] {
            @if let Some(open) = open { (ask::open_card(visit, open, &waiting)) }
        }
    })
}

/// Where the person writes, to an agent that works or to take an ended task up again; and where they
/// stop it.
fn composer(words: Page, task: &Task) -> Markup {
    let (mode, writes) = match task.state {
        TaskState::Running => ("say", Some((words.tasks().say(), words.tasks().say_what()))),
        TaskState::Queued => ("wait", None),
        TaskState::Done | TaskState::Failed | TaskState::Stopped | TaskState::Interrupted => {
            ("resume", Some((words.tasks().resume(), words.tasks().resume_what())))
        }
    };
    html! {
        div #composer data-mode=(mode) {
            @if let Some((does, label)) = writes {
                form.composer method="post" action=(format!("/tasks/{}/{mode}", task.id)) {
                    label.visually-hidden for="say" { (label) }
                    textarea #say name="text" rows="1" required maxlength=(TASK_BYTES_MAX) placeholder=(label) {}
                    button { (does) }
                }
            }
            @if task.state.is_alive() {
                form.stop method="post" action=(format!("/tasks/{}/stop", task.id)) { button.bad { (words.tasks().stop()) } }
            }
        }
    }
}

/// `POST /tasks/{task}/say`
pub(super) async fn say(visit: &Visit) -> Shown {
    act(visit, Act::Say).await
}

/// `POST /tasks/{task}/resume`
pub(super) async fn resume(visit: &Visit) -> Shown {
    act(visit, Act::Resume).await
}

/// `POST /tasks/{task}/stop`
pub(super) async fn stop(visit: &Visit) -> Shown {
    act(visit, Act::Stop).await
}

enum Act {
    Say,
    Resume,
    Stop,
}

async fn act(visit: &Visit, act: Act) -> Shown {
    let person = visit.person()?;
    let id = task_id(visit)?;
    let runner = runner(visit)?;
    let text = || visit.form.get("text").unwrap_or_default().to_owned();
    let done = match act {
        Act::Say => runner.say(&person, id, text()).await,
        Act::Resume => runner.resume(&person, id, text()).await,
        Act::Stop => runner.stop(&person, id).await,
    };
    match done {
        Ok(_) if visit.is_script() => Ok(axum::Json(json!({"ok": true})).into_response()),
        Ok(_) => Ok(see(&format!("/tasks/{id}"))),
        // The page that is shown next says where it stands.
        Err(RunnerError::Desk(DeskError::Refused(Refusal::TaskIs(_)))) if !visit.is_script() => {
            Ok(see(&format!("/tasks/{id}")))
        }
        Err(error) => Err(error.into()),
    }
}

async fn task(visit: &Visit, person: &Actor) -> Result<Arc<Task>, Mishap> {
    Ok(visit.desk().task_of(person, task_id(visit)?).await?)
}

fn task_id(visit: &Visit) -> Result<TaskId, Mishap> {
    visit.param(0).parse().map_err(|_| Mishap::NotFound)
}
