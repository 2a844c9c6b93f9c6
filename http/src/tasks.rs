//! Tasks that a person gives to an agent: given, followed, spoken to, stopped, taken up again.
//!
//! Only a person comes in here: an agent that could start agents would be its own person.

use std::path::Path;

use askuser_core::decide::Refusal;
use askuser_core::id::{MessageId, TaskId};
use askuser_core::problem::Fault;
use askuser_core::task::Task;
use askuser_words::fault::{Wrong, unfit};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::failing::{not_found, wrong_field};
use super::ids::{short_ids, with_short_id};
use super::visit::{Visit, ok, told};
use askuser_desk::IdsOf;
use askuser_runner::{Runner, RunnerError};
use askuser_wire::failure::Failure;
use askuser_wire::task;

/// `POST /api/tasks {"agent"?, "folder", "text"}`
pub(super) async fn start(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let runner = runner(&visit)?;
    let body = visit.fields()?;
    let text = words(&body, "text")?.unwrap_or_default();
    let agent = words(&body, "agent")?;
    let folder = words(&body, "folder")?.ok_or_else(|| wrong_field("folder", Fault::Missing))?;
    let task = runner.start(&actor, agent.as_deref(), Path::new(&folder), text).await?;
    Ok(told(StatusCode::CREATED, task::write(&task)))
}

/// `GET /api/tasks`: the tasks, the newest first, and what could run one.
pub(super) async fn list(visit: Visit) -> Result<Response, Failure> {
    let tasks = visit.desk().tasks(&visit.person()?).await?;
    let short_ids = short_ids(&visit, IdsOf::Tasks, tasks.iter().map(|task| task.id.0)).await?;
    let tasks = tasks.iter().map(|task| task::write(task)).zip(short_ids).map(with_short_id);
    let tasks: Vec<Value> = tasks.collect();
    let runner = visit.hall.door.runner.as_ref();
    let agents = runner.map(|runner| runner.agents().agents.as_slice()).unwrap_or_default();
    let agents: Vec<Value> = agents
        .iter()
        .map(|agent| {
            let folders: Vec<String> =
                agent.folders.iter().map(|folder| folder.display().to_string()).collect();
            json!({"name": agent.name, "driver": agent.driver.name(), "folders": folders})
        })
        .collect();
    ok(json!({
        "tasks": tasks,
        "agents": agents,
        "running_max": runner.map_or(0, |runner| runner.agents().running_max),
    }))
}

/// `GET /api/tasks/{id}`: the task, its open asks, and what its agent is writing.
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let task = visit.desk().task_of(&actor, task_id(&visit)?).await?;
    let open = visit.desk().open_in(&actor, task.session).await?;
    let open: Vec<String> = open.iter().map(|ask| ask.id.to_string()).collect();
    let mut written = task::write(&task);
    if let Some(fields) = written.as_object_mut() {
        fields.insert("open_asks".to_owned(), open.into());
        fields.insert("speaking".to_owned(), speaking(&visit, &task));
    }
    ok(written)
}

fn speaking(visit: &Visit, of: &Task) -> Value {
    let spoken = visit.hall.door.runner.as_ref().and_then(|runner| runner.speaking(of.id));
    spoken.map_or(Value::Null, |spoken| {
        json!({
            "uuid": spoken.id.to_string(),
            "kind": task::spoken_kind(spoken.thinking),
            "text": spoken.text,
        })
    })
}

/// `POST /api/tasks/{id}/stop`
pub(super) async fn stop(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let task = runner(&visit)?.stop(&actor, task_id(&visit)?).await?;
    ok(task::write(&task))
}

/// `POST /api/tasks/{id}/say {"text"}`
pub(super) async fn say(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let text = words(&visit.fields()?, "text")?.unwrap_or_default();
    let task = runner(&visit)?.say(&actor, task_id(&visit)?, text).await?;
    ok(task::write(&task))
}

/// `POST /api/tasks/{id}/resume {"text"}`
pub(super) async fn resume(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let text = words(&visit.fields()?, "text")?.unwrap_or_default();
    let task = runner(&visit)?.resume(&actor, task_id(&visit)?, text).await?;
    ok(task::write(&task))
}

/// `GET /api/tasks/{id}/whole?message=UUID`: a long message, whole, as plain text.
pub(super) async fn whole(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let task = visit.desk().task_of(&actor, task_id(&visit)?).await?;
    let message: Option<MessageId> = visit.query("message").and_then(|id| id.parse().ok());
    let message = message.ok_or_else(|| wrong_field("message", Fault::Missing))?;
    let path = runner(&visit)?.kept(task.id, message);
    let read = tokio::task::spawn_blocking(move || std::fs::read(path)).await;
    let text = read.ok().and_then(Result::ok).ok_or_else(not_found)?;
    // What an agent's tool printed is data, never a page.
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"message.txt\""),
    ];
    Ok((headers, text).into_response())
}

fn runner(visit: &Visit) -> Result<&Runner, Failure> {
    visit.hall.door.runner.as_ref().ok_or_else(|| RunnerError::Off.into())
}

fn task_id(visit: &Visit) -> Result<TaskId, Failure> {
    visit.param().parse().map_err(|_| Failure::from(&Refusal::TaskNotFound))
}

fn words(body: &Value, key: &str) -> Result<Option<String>, Failure> {
    match body.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong_field(key, unfit(Wrong::not_a_string))),
    }
}
