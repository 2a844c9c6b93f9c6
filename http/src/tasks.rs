//! Tasks that a person gives to an agent: given, followed, spoken to, stopped, taken up again.
//!
//! Only a person comes in here: an agent that could start agents would be its own person.

use std::path::Path;

use askuser_core::decide::Refusal;
use askuser_core::id::{MessageId, TaskId};
use askuser_core::problem::Fault;
use askuser_core::task::Task;
use askuser_words::fault::{Wrong, unfit};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::failing::{not_found, wrong_field};
use super::ids::short_ids;
use super::visit::Visit;
use askuser_api::tasks::{self as api, ListTasks, Speaking, TaskAgent, TaskNow, Tasks, WholeMessage};
use askuser_desk::IdsOf;
use askuser_runner::{Runner, RunnerError};
use askuser_wire::failure::Failure;
use askuser_wire::{task, time};

/// `POST /api/tasks {"agent"?, "folder", "text"}`
pub(super) async fn start(visit: Visit) -> Result<api::Task, Failure> {
    let actor = visit.person()?;
    let runner = runner(&visit)?;
    let body = visit.fields()?;
    let text = words(&body, "text")?.unwrap_or_default();
    let agent = words(&body, "agent")?;
    let folder = words(&body, "folder")?.ok_or_else(|| wrong_field("folder", Fault::Missing))?;
    let task = runner.start(&actor, agent.as_deref(), Path::new(&folder), text).await?;
    Ok(written(&task))
}

/// `GET /api/tasks`: the tasks, the newest first, and what could run one.
pub(super) async fn list(visit: Visit) -> Result<Tasks, Failure> {
    let tasks = visit.desk().tasks(&visit.person()?).await?;
    let wanted = visit.query::<ListTasks>()?.short_ids;
    let short_ids = short_ids(visit.desk(), wanted, IdsOf::Tasks, tasks.iter().map(|task| task.id.0)).await?;
    let tasks = tasks.iter().zip(short_ids);
    let tasks = tasks.map(|(task, short_id)| api::Task { short_id, ..written(task) }).collect();
    let runner = visit.state.options.runner.as_ref();
    let agents = runner.map(|runner| runner.agents().agents.as_slice()).unwrap_or_default();
    let agents = agents.iter().map(|agent| TaskAgent {
        name: agent.name.clone(),
        driver: agent.driver.name().to_owned(),
        folders: agent.folders.iter().map(|folder| folder.display().to_string()).collect(),
    });
    let running_max = runner.map_or(0, |runner| runner.agents().running_max);
    Ok(Tasks { tasks, agents: agents.collect(), running_max })
}

/// `GET /api/tasks/{id}`: the task, its open asks, and what its agent is writing.
pub(super) async fn show(visit: Visit) -> Result<TaskNow, Failure> {
    let actor = visit.person()?;
    let task = visit.desk().task_of(&actor, task_id(&visit)?).await?;
    let open = visit.desk().open_in(&actor, task.session).await?;
    let open_asks = open.iter().map(|ask| ask.id.to_string()).collect();
    Ok(TaskNow { task: written(&task), open_asks, speaking: speaking(&visit, &task) })
}

fn speaking(visit: &Visit, of: &Task) -> Option<Speaking> {
    let spoken = visit.state.options.runner.as_ref().and_then(|runner| runner.speaking(of.id))?;
    let kind = task::spoken_kind(spoken.thinking).to_owned();
    Some(Speaking { uuid: spoken.id.to_string(), kind, text: spoken.text })
}

/// `POST /api/tasks/{id}/stop`
pub(super) async fn stop(visit: Visit) -> Result<api::Task, Failure> {
    let actor = visit.person()?;
    let task = runner(&visit)?.stop(&actor, task_id(&visit)?).await?;
    Ok(written(&task))
}

/// `POST /api/tasks/{id}/say {"text"}`
pub(super) async fn say(visit: Visit) -> Result<api::Task, Failure> {
    let actor = visit.person()?;
    let text = words(&visit.fields()?, "text")?.unwrap_or_default();
    let task = runner(&visit)?.say(&actor, task_id(&visit)?, text).await?;
    Ok(written(&task))
}

/// `POST /api/tasks/{id}/resume {"text"}`
pub(super) async fn resume(visit: Visit) -> Result<api::Task, Failure> {
    let actor = visit.person()?;
    let text = words(&visit.fields()?, "text")?.unwrap_or_default();
    let task = runner(&visit)?.resume(&actor, task_id(&visit)?, text).await?;
    Ok(written(&task))
}

/// `GET /api/tasks/{id}/whole?message=UUID`: a long message, whole, as plain text.
pub(super) async fn whole(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let task = visit.desk().task_of(&actor, task_id(&visit)?).await?;
    let message = visit.query::<WholeMessage>()?.message.parse::<MessageId>();
    let message = message.map_err(|_| wrong_field("message", Fault::Missing))?;
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

fn written(task: &Task) -> api::Task {
    let session = task.session.to_string();
    api::Task {
        task_id: task.id.to_string(),
        session_id: session.clone(),
        session,
        agent: task.agent.clone(),
        folder: task.folder.clone(),
        text: task.text.to_string(),
        status: task.state.name().to_owned(),
        reason: task.reason.clone(),
        runs: task.n_runs,
        agent_session_id: task.agent_session.clone(),
        created_at: time::write(task.created_at),
        changed_at: time::write(task.changed_at),
        short_id: None,
    }
}

fn runner(visit: &Visit) -> Result<&Runner, Failure> {
    visit.state.options.runner.as_ref().ok_or_else(|| RunnerError::Off.into())
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
