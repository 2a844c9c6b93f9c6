//! An ask.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

use super::Fields;
use super::outcome::{Answer, By, Outcome, Voice};
use super::question::Question;

/// An ask.
#[derive(JsonSchema)]
pub struct Ask {
    /// Null where nothing had to be asked: every answer was brought along.
    pub ask_id: Option<String>,
    /// As the caller named it, else ours.
    pub session_id: Option<String>,
    /// Ours, always.
    pub session: Option<String>,
    pub round: Option<u32>,
    pub status: AskStatus,
    pub created_at: Option<String>,
    pub deadline_at: Option<String>,
    pub asker: Option<Asker>,
    /// Whom it is for, where that is not the user whose agent asks.
    #[schemars(rename = "for")]
    pub audience: Option<Audience>,
    pub context: Option<String>,
    pub questions: Vec<Question>,
    pub outcome: Option<Outcome>,
    /// As the caller named it, else ours.
    pub event_id: Option<String>,
    /// In a list, where it was wanted: the shortest end of its id that stands for it.
    pub short_id: Option<String>,
    pub tool_use_id: Option<String>,
    /// `permission` where it grants something.
    pub purpose: Option<String>,
    /// How far an ask for several people has come.
    pub quorum: Option<Quorum>,
    pub waits_for_you: Option<bool>,
    pub nobody_waits: Option<bool>,
    /// The ask that this one asks anew.
    pub reopens: Option<String>,
    /// The ask that goes on from this one.
    pub reopened_as: Option<String>,
    pub late_answer: Option<LateAnswer>,
    /// To the asker: what it gave along.
    pub metadata: Option<Value>,
    /// To people: what happens at the deadline.
    pub at_deadline: Option<AtDeadline>,
    pub default_answers: Option<Vec<Answer>>,
    /// To people: answers that can still be taken back.
    pub held: Option<Vec<Held>>,
    /// To people: what was saved of a half-filled sheet.
    pub sheet: Option<Sheet>,
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
#[derive(JsonSchema)]
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
#[derive(JsonSchema)]
pub struct Held {
    pub user: String,
    pub channel: String,
    pub until: String,
    pub mine: bool,
    /// To whoever gave it.
    pub answers: Option<Vec<Answer>>,
}

/// An answer that came too late.
#[derive(JsonSchema)]
pub struct LateAnswer {
    pub answers: Vec<Answer>,
    pub by: By,
}
