//! How an ask ended.

use schemars::JsonSchema;
use serde_json::Value;

use super::question::DependsOn;

/// How an ask ended.
#[derive(JsonSchema)]
pub struct Outcome {
    pub status: OutcomeStatus,
    pub reason: OutcomeReason,
    pub answered_by: Option<AnsweredBy>,
    pub by: By,
    pub closed_at: String,
    pub comment: Option<String>,
    pub answers: Vec<Answer>,
    /// Whether the agent is to stop.
    pub abort: Option<bool>,
    /// Where several people answered: whether they agree in everything.
    pub agreed: Option<bool>,
    /// What each of them said.
    pub voices: Option<Vec<Voice>>,
    /// The same in the dialect that the ask came in.
    pub reply: Option<Value>,
}

/// How an ask ended, in a word.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
pub enum OutcomeStatus {
    Answered,
    Cancelled,
    Timeout,
}

/// Through whom.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
pub enum OutcomeReason {
    User,
    System,
    Timeout,
}

/// Who answered.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case", inline)]
pub enum AnsweredBy {
    Person,
    Default,
    Rule,
    AgentDialog,
    Collected,
}

/// Who it was, and how we know.
#[derive(JsonSchema)]
pub struct By {
    pub user: Option<String>,
    pub channel: String,
    pub proof: Option<String>,
    pub program: Option<Program>,
}

/// The program through which it came.
#[derive(JsonSchema)]
pub struct Program {
    pub path: String,
    /// The agent's mark in its environment.
    pub mark: Option<String>,
}

/// The answer to one question.
#[derive(JsonSchema)]
pub struct Answer {
    pub question_id: String,
    /// The choice that asked it.
    pub parent: Option<DependsOn>,
    pub header: Option<String>,
    pub question: String,
    pub selected: Vec<Selected>,
    pub text: Option<String>,
    pub note: Option<String>,
    pub skipped: bool,
    /// Whether the asker brought it along.
    pub collected: Option<bool>,
}

/// A choice that was picked.
#[derive(JsonSchema)]
pub struct Selected {
    pub id: String,
    pub label: String,
}

/// What one of several people said.
#[derive(JsonSchema)]
pub struct Voice {
    pub user: String,
    /// `answered` or `declined`.
    pub status: String,
    pub channel: String,
    pub proof: String,
    pub at: String,
    /// To people, and once it has ended.
    pub answers: Option<Vec<Answer>>,
    pub comment: Option<String>,
}
