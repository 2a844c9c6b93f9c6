//! Sessions, their messages and their earlier versions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::asks::Listing;
use crate::query::query;
use crate::route::routes;
use crate::shapes::{Open, Session, Text};

routes! {
    OpenSession(AgentOrPerson, Writes) Post "/api/sessions" body NewSession; status &[201]; => Session:
        "Opens a session, or finds it by name";
    ListSessions(AgentOrPerson, Reads) Get "/api/sessions" query Listing; => Sessions: "Sessions, newest first";
    ShowSession(AgentOrPerson, Reads) Get "/api/sessions/{session_id}" => Session: "A session with its rounds";
    Messages(Person, Reads) Get "/api/sessions/{session_id}/messages" => Chain: "The messages of a session";
    Export(Person, Reads) Get "/api/sessions/{session_id}/export" query Format;
        as &["application/x-ndjson", "text/markdown"]; => Text:
        "The messages as a file: JSON Lines, or Markdown";
    ListCheckpoints(Person, Reads) Get "/api/sessions/{session_id}/checkpoints" => Checkpoints:
        "The checkpoints of a session, one per change";
    EndSession(AgentOrPerson, Writes) Post "/api/sessions/{session_id}/end" => Session:
        "Ends a session that has no open ask";
    Restore(Person, Writes) Post "/api/sessions/{session_id}/restore" body Point; status &[201]; => Session:
        "Continues from an earlier checkpoint or round in a new session";
}

/// A session to begin.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct NewSession {
    /// The caller's own name for it.
    pub session_id: Option<String>,
    /// How many rounds it will have.
    #[schemars(range(min = 1))]
    pub total_rounds: Option<u32>,
    /// How long each of its asks may take.
    #[serde(rename = "timeoutMs")]
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<u64>,
    /// What happens then.
    #[serde(rename = "timeoutPolicy")]
    pub timeout_policy: Option<TimeoutPolicy>,
}

/// What happens at the deadline of an ask.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum TimeoutPolicy {
    /// As `cancel`.
    ReturnCancel,
    /// As `default`.
    UseDefault,
    /// As `abort`.
    AbortTask,
    /// It has no answer.
    Cancel,
    /// The defaults are taken.
    Default,
    /// It has no answer, and the agent is to stop.
    Abort,
}

/// Where to go on from: the latest version where nothing is said.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// A version.
    pub checkpoint_version: Option<u64>,
    /// Or a round.
    pub round: Option<u64>,
    /// Why.
    pub restore_reason: Option<String>,
}

/// Sessions.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Sessions {
    /// The sessions, without their rounds.
    pub sessions: Vec<Session>,
}

/// A chain of messages.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Chain {
    /// The messages, in order.
    pub messages: Vec<Open>,
}

query! {
    /// What a chain of messages is written as.
    pub struct Format {
        /// Lines of JSON where nothing is said.
        pub format: Option<Written>,
    }
}

/// A form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Written {
    /// Lines of JSON.
    Jsonl,
    /// Markdown.
    Md,
}

/// The versions of a session.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Checkpoints {
    /// The session's own id.
    pub id: String,
    /// As its caller named it, else its own id.
    pub session_id: String,
    /// The versions, in order.
    pub checkpoints: Vec<Checkpoint>,
}

/// A version of a session.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Checkpoint {
    /// The session.
    pub session_id: String,
    /// How it stood.
    pub state: CheckpointState,
    /// When.
    pub timestamp: String,
    /// The number of the fact after which it stood so.
    pub version: u64,
}

/// How a session stood.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointState {
    /// Its status.
    pub status: String,
    /// Its round.
    pub current_round: u32,
    /// What was open.
    pub open_asks: Vec<String>,
}
