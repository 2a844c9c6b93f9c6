//! Tasks that a person gives to an agent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::asks::Listing;
use crate::query::query;
use crate::route::routes;
use crate::shapes::Text;

routes! {
    StartTask(Person, Writes) Post "/api/tasks" body NewTask; status &[201]; => Task: "Gives a task to an agent";
    ListTasks(Person, Reads) Get "/api/tasks" query Listing; => Tasks:
        "Tasks, newest first, and the agents that can run one";
    ShowTask(Person, Reads) Get "/api/tasks/{task_id}" => TaskNow: "A task, its open asks and what its agent is writing";
    StopTask(Person, Answers) Post "/api/tasks/{task_id}/stop" => Task: "Stops a task: gracefully, then by force";
    SayToTask(Person, Answers) Post "/api/tasks/{task_id}/say" body Words; => Task:
        "Sends a message to the agent of a running task";
    ResumeTask(Person, Writes) Post "/api/tasks/{task_id}/resume" body Words; => Task:
        "Resumes a task that has ended, with a message";
    WholeMessage(Person, Reads) Get "/api/tasks/{task_id}/whole" query OfMessage; as &["text/plain"]; => Text:
        "The full text of a long message";
}

/// A task to give.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewTask {
    /// The agent's name; the first that is configured where none is named.
    pub agent: Option<String>,
    /// The folder it works in.
    pub folder: String,
    /// What it is to do.
    pub text: String,
}

/// Something to say.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Words {
    /// The words.
    pub text: String,
}

query! {
    /// Which message.
    pub struct OfMessage {
        /// Its id.
        pub message: String,
    }
}

/// A task.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// Its id.
    pub task_id: String,
    /// Its session.
    pub session_id: String,
    /// The same: nobody else names the session of a task.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The folder.
    pub folder: String,
    /// What it is to do.
    pub text: String,
    /// `queued`, `running`, `done`, `failed`, `stopped` or `interrupted`.
    pub status: String,
    /// Why it ended so.
    pub reason: Option<String>,
    /// How often it was run.
    pub runs: u32,
    /// The agent's own name for the conversation.
    pub agent_session_id: Option<String>,
    /// When it was given.
    pub created_at: String,
    /// When it last changed.
    pub changed_at: String,
    /// The shortest end of its id that stands for it, where that was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_id: Option<String>,
}

/// A task, and what is going on in it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TaskNow {
    /// The task.
    #[serde(flatten)]
    pub task: Task,
    /// Its open asks.
    pub open_asks: Vec<String>,
    /// What its agent is writing.
    pub speaking: Option<Speaking>,
}

/// A message that is still being written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Speaking {
    /// The message.
    pub uuid: String,
    /// The kind that it becomes.
    pub kind: String,
    /// What it says so far.
    pub text: String,
}

/// Tasks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Tasks {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The agents that could run one.
    pub agents: Vec<TaskAgent>,
    /// How many run at once.
    pub running_max: usize,
}

/// An agent that can run tasks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Agent")]
pub struct TaskAgent {
    /// Its name.
    pub name: String,
    /// The protocol that it is driven by.
    pub driver: String,
    /// The folders it may work in.
    pub folders: Vec<String>,
}
