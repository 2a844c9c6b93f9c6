//! A session.

use schemars::JsonSchema;

use super::Fields;

/// A session.
#[derive(JsonSchema)]
pub struct Session {
    /// Ours, always.
    pub id: String,
    /// As the caller named it, else ours.
    pub session_id: String,
    pub status: SessionStatus,
    pub current_round: u32,
    pub total_rounds: u32,
    pub created_at: String,
    pub last_activity: String,
    /// The ids of what is open.
    pub current_questions: Option<Vec<String>>,
    /// By question id, in the form in which an answer is sent; without what is secret.
    pub answered_questions: Option<Fields>,
    pub open_questions: Option<Vec<OpenQuestion>>,
    pub dialog_history: Option<Vec<DialogRound>>,
    #[schemars(rename = "timeoutMs")]
    pub timeout_ms: Option<u64>,
    /// `cancel`, `default` or `abort`.
    #[schemars(rename = "timeoutPolicy")]
    pub timeout_policy: Option<String>,
    /// `named`, `derived` or `restored`.
    pub origin: String,
    pub restored_from: Option<String>,
    pub restored_at: Option<String>,
    pub restore_reason: Option<String>,
    /// In a list, where it was wanted: the shortest end of its id that stands for it.
    pub short_id: Option<String>,
    /// Of a session that was just restored: the version that it goes on from.
    pub checkpoint_version: Option<u64>,
    /// The round of that version.
    pub checkpoint_round: Option<u32>,
    /// Open asks that went along.
    pub moved: Option<Vec<String>>,
    /// Asks that are asked anew.
    pub asked_anew: Option<Vec<String>>,
}

/// How a session stands.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase", inline)]
pub enum SessionStatus {
    Active,
    Completed,
    Timeout,
}

/// A question that is open.
#[derive(JsonSchema)]
pub struct OpenQuestion {
    pub ask_id: String,
    pub question_id: String,
    pub question: String,
    pub round: u32,
}

/// A question and its answer, in words.
#[derive(JsonSchema)]
pub struct DialogRound {
    pub round: u32,
    pub question: String,
    pub answer: Option<String>,
    pub status: String,
    /// The session in which it was said, where that was an earlier one.
    pub restored_from: Option<String>,
}
