//! An ask.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Fields;
use super::outcome::{Answer, By, Outcome, Voice};
use super::question::Question;

// What `wire` reads of it stays as it came.
/// An ask.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Ask {
    /// Null where nothing had to be asked: every answer was brought along.
    pub ask_id: Option<String>,
    /// As the caller named it, else ours.
    pub session_id: Option<String>,
    /// Ours, always.
    pub session: Option<String>,
    pub round: Option<u32>,
    #[schemars(with = "AskStatus")]
    pub status: String,
    pub created_at: Option<String>,
    pub deadline_at: Option<String>,
    pub asker: Option<Asker>,
    /// Whom it is for, where that is not the user whose agent asks.
    #[serde(rename = "for")]
    #[schemars(with = "Option<Audience>")]
    pub audience: Option<Value>,
    pub context: Option<String>,
    #[schemars(with = "Vec<Question>")]
    pub questions: Value,
    #[schemars(with = "Option<Outcome>")]
    pub outcome: Option<Value>,
    /// As the caller named it, else ours.
    pub event_id: Option<String>,
    /// In a list, where it was wanted: the shortest end of its id that stands for it.
    pub short_id: Option<String>,
    pub tool_use_id: Option<String>,
    /// `permission` where it grants something.
    pub purpose: Option<String>,
    /// How far an ask for several people has come.
    #[schemars(with = "Option<Quorum>")]
    pub quorum: Option<Value>,
    pub waits_for_you: Option<bool>,
    pub nobody_waits: Option<bool>,
    /// The ask that this one asks anew.
    pub reopens: Option<String>,
    /// The ask that goes on from this one.
    pub reopened_as: Option<String>,
    #[schemars(with = "Option<LateAnswer>")]
    pub late_answer: Option<Value>,
    /// To the asker: what it gave along.
    pub metadata: Option<Value>,
    /// To people: what happens at the deadline.
    #[schemars(with = "Option<AtDeadline>")]
    pub at_deadline: Option<String>,
    #[schemars(with = "Option<Vec<Answer>>")]
    pub default_answers: Option<Value>,
    /// To people: answers that can still be taken back.
    pub held: Option<Vec<Held>>,
    /// To people: what was saved of a half-filled sheet.
    #[schemars(with = "Option<Sheet>")]
    pub sheet: Option<Value>,
    /// To people: questions that were answered one by one.
    pub submitted: Option<Vec<String>>,
    /// To the asker: what was left out of its ask, and why.
    pub warnings: Option<Vec<String>>,
}

/// How an ask stands.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
pub enum AskStatus {
    Pending,
    Showing,
    Answered,
    Cancelled,
    Timeout,
    Processing,
    Completed,
    Error,
}

/// Who asks.
#[derive(Debug, Default, JsonSchema, Deserialize)]
pub struct Asker {
    pub agent: Option<String>,
    pub project: Option<String>,
    pub folder: Option<String>,
}

/// Whom an ask is for.
#[derive(JsonSchema)]
pub struct Audience {
    pub people: Option<Vec<String>>,
    pub groups: Option<Vec<String>>,
    pub anyone: Option<bool>,
    pub quorum: u32,
    pub escalate: Option<Escalation>,
}

/// Whom it is for besides, after a while.
#[derive(JsonSchema)]
pub struct Escalation {
    #[schemars(rename = "afterMs")]
    pub after_ms: u64,
    pub to: Circle,
}

/// Some people.
#[derive(JsonSchema)]
pub struct Circle {
    pub people: Option<Vec<String>>,
    pub groups: Option<Vec<String>>,
    pub anyone: Option<bool>,
}

/// How far an ask for several people has come.
#[derive(JsonSchema)]
pub struct Quorum {
    pub wanted: u32,
    pub answered: usize,
    pub voices: Vec<Voice>,
    pub still_to_answer: Option<Vec<String>>,
    pub escalated_at: Option<String>,
}

/// A half-filled sheet, as it is saved.
#[derive(JsonSchema)]
pub struct Sheet {
    pub answers: Fields,
    pub notes: BTreeMap<String, String>,
}

/// What happens at the deadline.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
pub enum AtDeadline {
    Unanswered,
    Default,
    Stops,
}

/// An answer that can still be taken back.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Held {
    pub user: String,
    pub channel: String,
    pub until: String,
    pub mine: bool,
    /// To whoever gave it.
    #[schemars(with = "Option<Vec<Answer>>")]
    pub answers: Option<Value>,
}

/// An answer that came too late.
#[derive(JsonSchema)]
pub struct LateAnswer {
    pub answers: Vec<Answer>,
    pub by: By,
}
