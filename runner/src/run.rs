//! One run of a task: from its turn in the queue to its end, whichever way that comes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::command::Actor;
use askuser_core::message::Said;
use askuser_core::task::{Task, TaskMove};
use tokio::sync::mpsc;

use super::agent::ConfiguredAgent;
use super::asking::Asking;
use super::child::{Child, Pipes};
use super::driver::{self, BY_USER, Ending, Stage};
use super::message_writer::MessageWriter;
use super::run_handle::RunHandle;
use super::{Runner, fixed, leftover, server};
use crate::REASONS;
use askuser_desk::DeskError;
use askuser_system::backoff::Pauses;

/// How long an agent may take to stop by itself.
const STOPS_WITHIN: Duration = Duration::from_secs(5);
/// How long a process may take to end by itself when its work is done.
const ENDS_WITHIN: Duration = Duration::from_secs(5);
/// How long an agent may take when the daemon goes.
const CLOSES_WITHIN: Duration = Duration::from_secs(3);

/// Runs a task to its end and notes how it ended.
pub(super) async fn run(runner: Runner, task: Arc<Task>, handle: RunHandle, says: mpsc::Receiver<String>) {
    let writer = MessageWriter::new(
        runner.desk().clone(),
        server(&task),
        Arc::clone(&task),
        runner.folder_of(task.id),
        Arc::clone(&handle.speaking),
        runner.pieces(),
    );
    let asking = Asking::new(runner.desk().clone(), Arc::clone(&task), runner.agents().timeout);
    // The agent's own name of the conversation comes once.
    let (named, told_names) = mpsc::channel(4);
    let stop = handle.stop.clone();
    let surroundings = runner.surroundings(&task);
    let program = runner.agents().desk.as_ref().map(|desk| desk.program.clone());
    let mut stage =
        Stage { task: Arc::clone(&task), writer, asking, says, named, stop, surroundings, program };
    let ended = until_over(&runner, &handle, work(&runner, &task, &handle, &mut stage, told_names)).await;
    leftover::end_marked(task.id, runner.presence().server());
    let why = match &ended {
        Some(TaskMove::Interrupt { .. }) => REASONS.server_stopped(),
        _ => REASONS.task_ended(),
    };
    // What the agent asked by other ways in its session, as through our own tool, ends with the task.
    stage.asking.withdraw_all(why).await;
    stage.writer.forget_pieces();
    let Some(ended) = ended else {
        tracing::warn!(task.id = %task.id, "Task {} was ended by another server", task.id);
        return;
    };
    if matches!(ended, TaskMove::Interrupt { .. }) && !handle.has_begun() {
        // It had its turn and nothing ran yet: it waits on, and has it again when the daemon starts.
        return;
    }
    // Where it cannot be kept now, how it ended is tried again and says enough.
    let _kept = stage.writer.flush().await;
    let ended = handle.explained(ended);
    let actor = handle.stopped_by(&ended).unwrap_or_else(|| server(&task));
    move_on(&runner, &actor, &task, ended).await;
}

/// Works until it is done, until the daemon goes, or until another server has ended the run: then the
/// agent is asked to stop, and what does not is ended with what it holds. None where the run is not
/// ours to end any more.
async fn until_over(
    runner: &Runner,
    handle: &RunHandle,
    work: impl Future<Output = TaskMove>,
) -> Option<TaskMove> {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        ended = &mut work => return Some(ended),
        () = runner.closing().cancelled() => handle.stop.cancel(),
        () = handle.over.cancelled() => handle.stop.cancel(),
    }
    let ended = tokio::time::timeout(CLOSES_WITHIN, work).await;
    if handle.over.is_cancelled() {
        return None;
    }
    Some(match ended {
        Ok(ended @ (TaskMove::Done | TaskMove::Fail { .. })) => ended,
        Ok(_) | Err(_) => TaskMove::Interrupt { reason: None },
    })
}

/// Everything between the first process and the last.
async fn work(
    runner: &Runner,
    task: &Arc<Task>,
    handle: &RunHandle,
    stage: &mut Stage,
    names: mpsc::Receiver<String>,
) -> TaskMove {
    let Some(agent) = runner.agents().find(Some(&task.agent)) else {
        let reason = format!("there is no agent `{}` any more: see `agents` in config.yaml", task.agent);
        return TaskMove::Fail { reason };
    };
    let folder = Path::new(&task.folder);
    let before = if runner.agents().git { fixed::before(stage, folder).await } else { Ok(None) };
    let branch = match before {
        Ok(branch) => branch,
        Err(ending) => return moved(ending),
    };
    let args = driver::args(agent, task);
    let server_id = runner.presence().server();
    let (mut child, pipes) = match Child::start(agent, &args, task, server_id, &stage.surroundings) {
        Ok(started) => started,
        Err(error) => {
            let reason = REASONS.not_run(agent.command.display(), error);
            stage.writer.write(Said::Error(reason.clone()));
            return TaskMove::Fail { reason };
        }
    };
    let runs = TaskMove::Run { child: child.id };
    if let Err(error) = runner.desk().move_run(&server(task), task, runs).await {
        // It was stopped in this very moment, or the store is away: nothing runs unseen.
        child.end().await;
        return match error {
            DeskError::Refused(_) => TaskMove::Stop { reason: BY_USER.to_owned() },
            error => TaskMove::Fail { reason: REASONS.start_not_saved(error) },
        };
    }
    handle.begin();
    let ending = spoken(runner, task, agent, stage, pipes, names, handle).await;
    let ending = finish(stage, child, ending).await;
    match (branch, ending) {
        (Some(branch), Ending::Done) => moved(fixed::after(stage, folder, &branch).await),
        (_, ending) => moved(ending),
    }
}

/// Lets the driver speak until it is done, is told to stop and does not, or the agent says its name.
async fn spoken(
    runner: &Runner,
    task: &Arc<Task>,
    agent: &ConfiguredAgent,
    stage: &mut Stage,
    pipes: Pipes,
    mut names: mpsc::Receiver<String>,
    handle: &RunHandle,
) -> Ending {
    let stop = handle.stop.clone();
    let too_late = async {
        stop.cancelled().await;
        tokio::time::sleep(STOPS_WITHIN).await;
    };
    let naming = async {
        while let Some(agent_session) = names.recv().await {
            let to = TaskMove::Named { agent_session };
            if let Err(error) = runner.desk().move_run(&server(task), task, to).await {
                tracing::warn!(task.id = %task.id, "The agent's session id was not saved: {error}");
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        ending = driver::run(agent.driver, stage, pipes) => ending,
        () = too_late => Ending::Stopped(BY_USER),
        () = naming => Ending::Gone,
    }
}

/// Ends the process, and says what is known of it where the driver does not.
async fn finish(stage: &mut Stage, mut child: Child, ending: Ending) -> Ending {
    let by_itself = match ending {
        Ending::Done | Ending::Gone => child.ended_within(ENDS_WITHIN).await,
        Ending::Failed(_) | Ending::Stopped(_) => None,
    };
    let status = child.end().await.or(by_itself);
    if ending != Ending::Gone {
        return ending;
    }
    let words = child.last_words().await;
    let how = status.map_or_else(|| REASONS.did_not_end().to_owned(), |status| status.to_string());
    let reason =
        if words.is_empty() { REASONS.ended_early(how) } else { REASONS.ended_early_saying(how, words) };
    stage.writer.write(Said::Error(reason.clone()));
    Ending::Failed(reason)
}

fn moved(ending: Ending) -> TaskMove {
    match ending {
        Ending::Done => TaskMove::Done,
        Ending::Failed(reason) => TaskMove::Fail { reason },
        Ending::Stopped(reason) => TaskMove::Stop { reason: reason.to_owned() },
        Ending::Gone => TaskMove::Fail { reason: REASONS.agent_gone().to_owned() },
    }
}

/// Notes how a task ended; tries until the store takes it, or the daemon goes.
async fn move_on(runner: &Runner, actor: &Actor, task: &Task, to: TaskMove) {
    loop {
        match runner.desk().move_run(actor, task, to.clone()).await {
            Ok(task) => {
                tracing::info!(task.id = %task.id, status = task.state.name(), "Task {} is {}", task.id, task.state.name());
                return;
            }
            Err(DeskError::Refused(why)) => {
                tracing::warn!(task.id = %task.id, "The state of task {} did not change: {why}", task.id);
                return;
            }
            Err(error) => {
                tracing::warn!(task.id = %task.id, "The state of task {} is saved later: {error}", task.id);
            }
        }
        if runner.closing().is_cancelled() {
            // Found and noted as interrupted when the daemon starts again.
            return;
        }
        tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
    }
}
