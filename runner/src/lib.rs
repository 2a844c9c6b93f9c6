//! Runs agents: a person gives a task, an agent works on it in an allowed folder, what it says is told
//! as it comes, what it asks goes through the desk, and it can be stopped at any time.
//!
//! Read in this order: `agent` (what there is), `run` (one task, from its turn to its end), `child`
//! (its process), `driver` (its protocol), `message_writer` and `asking` (what comes of it). Off until an
//! agent and a folder are configured.

#![forbid(unsafe_code)]

pub mod agent;
mod asking;
mod attending;
mod child;
mod driver;
mod fixed;
mod folder;
mod fact_listener;
mod leftover;
mod lines;
mod run;
mod run_handle;
mod message_writer;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::{MessageId, TaskId};
use askuser_core::problem::{Fault, Problem};
use askuser_core::task::{Task, TaskMove, TaskState};
use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::agent::Agents;
use self::attending::Presence;
use self::driver::BY_USER;
use self::run_handle::RunHandle;
use askuser_desk::{Desk, DeskError};
use askuser_wire::failure::{Code, Failure};
use askuser_words::Language;
use askuser_words::reasons::Reasons;

/// Why something ended, as it is kept; a screen says it in its person's language.
pub(crate) const REASONS: Reasons = Reasons(Language::English);

pub use attending::Post;
pub use child::MARK;
pub use message_writer::{Piece, Spoken};

/// The user whose keys lie in the data folder.
const LOCAL: &str = "local";
/// In the environment of what runs for a task: the session in which it asks, and how its agent is
/// spoken to.
const SESSION: &str = "ASKUSER_SESSION";
const DRIVER: &str = "ASKUSER_DRIVER";
/// Tasks that may wait for their turn.
const QUEUED_MAX: usize = 1000;
/// Tasks of all servers that wait or are at work, as many as are looked at when one starts.
const ALIVE_MAX: usize = 100_000;
/// Pieces of text that a slow reader may be behind; what it missed comes with the message.
const PIECES_MAX: usize = 256;

/// Runs tasks. Cloning it is cheap.
#[derive(Clone)]
pub struct Runner(Arc<Inner>);

struct Inner {
    desk: Desk,
    presence: Presence,
    agents: Agents,
    /// Where long messages are kept, a folder a task.
    folder: PathBuf,
    slots: Mutex<Slots>,
    pieces: broadcast::Sender<Piece>,
    closing: CancellationToken,
    runs: TaskTracker,
}

#[derive(Default)]
struct Slots {
    running: HashMap<TaskId, RunHandle>,
    waiting: VecDeque<Arc<Task>>,
}

/// Why a task cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RunnerError {
    /// Nothing was configured.
    #[error("the runner is off: add `agents` and `runner.folders` to config.yaml, then restart askuser")]
    Off,
    /// The desk says no.
    #[error(transparent)]
    Desk(#[from] DeskError),
}

impl From<RunnerError> for Failure {
    fn from(error: RunnerError) -> Self {
        match error {
            RunnerError::Off => Failure::new(Code::RunnerOff, Failed::runner_off),
            RunnerError::Desk(error) => error.into(),
        }
    }
}

impl RunnerError {
    fn unfit(path: &str, what: Fault) -> Self {
        Self::Desk(DeskError::Refused(Refusal::UnfitTask(vec![Problem::new(path, what)])))
    }
}

impl Runner {
    /// Begins: tasks that ran here when the daemon went away are interrupted, with nothing left of
    /// their processes, and those that waited wait on. Those of other servers are theirs, for as long as
    /// they are there.
    pub async fn open(desk: Desk, post: Post, agents: Agents, folder: PathBuf) -> Result<Self, DeskError> {
        let start = desk.message_id().0;
        let runner = Self(Arc::new(Inner {
            desk,
            presence: Presence::new(post, start),
            agents,
            folder,
            slots: Mutex::default(),
            pieces: broadcast::channel(PIECES_MAX).0,
            closing: CancellationToken::new(),
            runs: TaskTracker::new(),
        }));
        let shared = runner.desk().replicas().may_be();
        runner.arrive().await?;
        // Whoever had this data folder before us is gone, and so is what it ran, whoever noted it.
        leftover::end_all_of(post.server);
        let facts = runner.desk().listen_to_all();
        tokio::spawn(fact_listener::listen(runner.clone(), facts));
        for task in runner.desk().across_users().tasks_alive(ALIVE_MAX).await? {
            if shared && task.server != Some(post.server) {
                continue;
            }
            if task.state == TaskState::Running {
                runner.interrupt(&task).await?;
            } else {
                runner.slots().waiting.push_back(task);
            }
        }
        runner.next();
        if shared {
            tokio::spawn(attending::attend(runner.clone()));
        }
        Ok(runner)
    }

    /// Ends what is left of a run that nobody runs any more, and says so.
    async fn interrupt(&self, task: &Arc<Task>) -> Result<(), DeskError> {
        if let Some(child) = task.child {
            leftover::end(child, task.id, self.presence().server());
        }
        match self.desk().move_run(&server(task), task, TaskMove::Interrupt { reason: None }).await {
            Ok(_) => tracing::warn!(task.id = %task.id, "Task {} was interrupted", task.id),
            // Another server was quicker.
            Err(DeskError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Returns what everything that runs for a task has in its environment: whose it is and, where it
    /// is the local user's, whose keys lie in the data folder, how it asks in the task's session.
    fn surroundings(&self, task: &Task) -> Vec<(String, String)> {
        let driver = self.agents().find(Some(&task.agent)).map(|agent| agent.driver.name());
        let mut vars = vec![(MARK.to_owned(), task.id.to_string())];
        vars.extend(driver.map(|driver| (DRIVER.to_owned(), driver.to_owned())));
        if let Some(desk) = self.agents().desk.as_ref().filter(|_| task.owner.as_str() == LOCAL) {
            vars.push(("ASKUSER_HOME".to_owned(), desk.home.display().to_string()));
            vars.push((SESSION.to_owned(), task.session.to_string()));
        }
        vars
    }

    /// Ends every process and waits until nobody is left. To be called before the desk closes.
    pub async fn close(&self) {
        self.0.closing.cancel();
        self.0.runs.close();
        self.0.runs.wait().await;
    }

    /// Gives a task to an agent: the named one, or the only one there is.
    pub async fn start(
        &self,
        actor: &Actor,
        agent: Option<&str>,
        folder: &Path,
        text: String,
    ) -> Result<Arc<Task>, RunnerError> {
        if self.0.agents.is_off() {
            return Err(RunnerError::Off);
        }
        let names = || self.0.agents.agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>();
        let found = self.0.agents.find(agent).ok_or_else(|| {
            let say = |said: Wrong| match agent {
                Some(_) => said.no_runner_agent(names().join(", ")),
                None => said.runner_agent_missing(names().join(", ")),
            };
            RunnerError::unfit("agent", unfit(say))
        })?;
        let real =
            folder::allowed(folder, &found.folders).map_err(|what| RunnerError::unfit("folder", what))?;
        let Some(real) = real.to_str() else {
            return Err(RunnerError::unfit("folder", unfit(Wrong::no_text)));
        };
        self.room()?;
        self.be_there().await?;
        let (server, name) = (self.presence().server(), found.name.clone());
        let task = self.desk().start_task(actor, server, name, real.to_owned(), text).await?;
        self.queue(Arc::clone(&task));
        Ok(task)
    }

    /// Takes a task up again, with something to say.
    pub async fn resume(&self, actor: &Actor, id: TaskId, text: String) -> Result<Arc<Task>, RunnerError> {
        let was = self.desk().task_of(actor, id).await?;
        let found = self.0.agents.find(Some(&was.agent));
        let found = found.ok_or_else(|| RunnerError::unfit("agent", unfit(Wrong::agent_gone)))?;
        // What was allowed then may not be now.
        folder::allowed(Path::new(&was.folder), &found.folders)
            .map_err(|what| RunnerError::unfit("folder", what))?;
        self.room()?;
        self.be_there().await?;
        let task = self.desk().resume_task(actor, self.presence().server(), id, text).await?;
        self.queue(Arc::clone(&task));
        Ok(task)
    }

    /// Says something more to an agent that works. The server that runs it hears of it, whichever one
    /// that is.
    pub async fn say(&self, actor: &Actor, id: TaskId, text: String) -> Result<Arc<Task>, RunnerError> {
        Ok(self.desk().say_to_task(actor, id, text).await?)
    }

    /// Stops a task: one that waits at once, one that runs gently and then hard, by the server that
    /// runs it. Returns it as it is now; that it has stopped is told as it happens.
    pub async fn stop(&self, actor: &Actor, id: TaskId) -> Result<Arc<Task>, RunnerError> {
        let task = self.desk().task_of(actor, id).await?;
        let running = self.slots().running.get(&id).cloned();
        if let Some(handle) = running {
            handle.stop(actor);
            return Ok(task);
        }
        let elsewhere = task.server.is_some_and(|server| server != self.presence().server());
        if self.desk().replicas().may_be() && elsewhere && task.state == TaskState::Running {
            return Ok(self.desk().move_run(actor, &task, TaskMove::Halt).await?);
        }
        let stop = TaskMove::Stop { reason: BY_USER.to_owned() };
        let stopped = self.desk().move_run(actor, &task, stop).await?;
        // Only now: one that could not be stopped waits on.
        self.slots().waiting.retain(|waiting| waiting.id != id || waiting.n_runs > stopped.n_runs);
        Ok(stopped)
    }

    /// Returns what the agent of a task is writing just now.
    pub fn speaking(&self, id: TaskId) -> Option<Spoken> {
        let speaking = self.slots().running.get(&id).map(|handle| Arc::clone(&handle.speaking))?;
        let spoken = speaking.lock();
        spoken.clone()
    }

    /// Hears pieces of what agents are writing, every user's.
    pub fn listen(&self) -> broadcast::Receiver<Piece> {
        self.0.pieces.subscribe()
    }

    /// Returns where a long message of a task is kept whole.
    pub fn kept(&self, task: TaskId, message: MessageId) -> PathBuf {
        message_writer::place(&self.folder_of(task), message)
    }

    /// Returns what is configured.
    pub fn agents(&self) -> &Agents {
        &self.0.agents
    }

    fn presence(&self) -> &Presence {
        &self.0.presence
    }

    fn desk(&self) -> &Desk {
        &self.0.desk
    }

    fn folder_of(&self, task: TaskId) -> PathBuf {
        self.0.folder.join(task.to_string())
    }

    fn pieces(&self) -> broadcast::Sender<Piece> {
        self.0.pieces.clone()
    }

    fn closing(&self) -> &CancellationToken {
        &self.0.closing
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.0.slots.lock()
    }

    fn room(&self) -> Result<(), RunnerError> {
        if self.0.closing.is_cancelled() {
            return Err(RunnerError::Desk(DeskError::Closing));
        }
        if self.slots().waiting.len() >= QUEUED_MAX {
            return Err(RunnerError::unfit("", unfit(|said| said.queue_full(QUEUED_MAX))));
        }
        Ok(())
    }

    fn queue(&self, task: Arc<Task>) {
        self.slots().waiting.push_back(task);
        self.next();
    }

    /// Lets those begin whose turn it is.
    fn next(&self) {
        let mut slots = self.slots();
        while slots.running.len() < self.0.agents.running_max.max(1) && !self.0.closing.is_cancelled() {
            // One that is taken up again while its last run still ends waits for that.
            let at = slots.waiting.iter().position(|task| !slots.running.contains_key(&task.id));
            let Some(task) = at.and_then(|at| slots.waiting.remove(at)) else { return };
            let (handle, says) = RunHandle::new(&task);
            let id = task.id;
            slots.running.insert(id, handle.clone());
            let runner = self.clone();
            self.0.runs.spawn(async move {
                run::run(runner.clone(), task, handle, says).await;
                runner.slots().running.remove(&id);
                runner.next();
            });
        }
    }
}

/// The runner itself, on a task.
fn server(task: &Task) -> Actor {
    Actor::server(task.owner.clone())
}
