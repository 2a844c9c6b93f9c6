//! The log of decisions, security events, and erasing what is old.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::query::query;
use crate::route::{JSON, routes};
use crate::shapes::{AuditEntry, Fields};

routes! {
    VerifyAudit(Admin, Reads) Get "/api/audit/verify" => Verified: "Verifies the chain of records";
    SearchAudit(Admin, Reads) Get "/api/audit" query AuditSearch;
        as &[JSON, "application/x-ndjson", "text/csv", "text/markdown"]; => Entries:
        "The log of decisions, searched; as JSON, JSON Lines, CSV or decision records";
    ListSecurityEvents(Admin, Reads) Get "/api/security" query After; => SecurityEvents:
        "Security events, oldest first";
    CountOld(Admin, Reads) Get "/api/purge" query Older; => WouldErase: "Counts what would be deleted";
    EraseOld(Admin, Writes) Post "/api/purge" body Older; => Erased: "Deletes the contents of asks that closed long ago";
}

/// What an entry of the log may say was done.
pub const ACTIONS: [&str; 11] = [
    "ask",
    "show",
    "answer",
    "cancel",
    "withdraw",
    "timeout",
    "voice",
    "escalate",
    "answer_late",
    "reopen",
    "erased",
];

query! {
    /// What is looked for in the log.
    pub struct AuditSearch {
        /// Goes on after this number.
        pub after: Option<u64>,
        /// Entries at most.
        #[schemars(range(min = 1, max = 1000))]
        pub limit: Option<usize>,
        /// From this day or moment.
        pub since: Option<String>,
        /// Up to this day or moment.
        pub until: Option<String>,
        /// In this session.
        pub session: Option<String>,
        /// Asked by this agent.
        pub agent: Option<String>,
        /// Done by this user.
        pub user: Option<String>,
        /// What was done.
        pub action: Option<String>,
        /// With these words in it.
        pub text: Option<String>,
        /// How it is written.
        pub form: Option<Form>,
    }
}

/// How the log is written.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Form {
    /// JSON.
    Json,
    /// Lines of JSON.
    Jsonl,
    /// A table.
    Csv,
    /// Decision records.
    Md,
}

query! {
    /// Where a list goes on.
    pub struct After {
        /// After this number.
        pub after: Option<u64>,
        /// At most so many.
        #[schemars(range(min = 1, max = 1000))]
        pub limit: Option<usize>,
    }
}

/// Entries of the log.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Entries {
    /// The entries, the oldest first.
    pub entries: Vec<AuditEntry>,
    /// The `after` of the next page; null at the end.
    pub next: Option<u64>,
}

/// Security events.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SecurityEvents {
    /// The events, the oldest first.
    pub events: Vec<SecurityEvent>,
    /// The `after` of the next page; null at the end.
    pub next: Option<u64>,
}

/// A security event (002 10.2).
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SecurityEvent {
    /// What happened.
    pub event_type: String,
    /// How soon somebody should look.
    pub severity: Severity,
    /// Who, from where, and its `number` in the chain.
    pub details: Fields,
    /// When.
    pub timestamp: String,
}

/// How soon somebody should look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Severity {
    /// It happens.
    Low,
    /// Some time.
    Medium,
    /// Now.
    High,
}

query! {
    /// How old.
    pub struct Older {
        /// What ended before so many seconds.
        pub older_than: u64,
    }
}

/// What would be erased.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct WouldErase {
    /// How many asks.
    pub would_erase: u64,
}

/// What was erased.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Erased {
    /// How many asks.
    pub erased: u64,
}

/// What the walk through the chain found.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    /// Whether everything is as it was written.
    pub whole: bool,
    /// The number of the last fact.
    pub facts: u64,
    /// How many were looked at.
    pub checked: u64,
    /// How many tell nothing any more.
    pub erased: u64,
    /// The first that is not as it was written.
    pub broken: Option<Broken>,
    /// What is served beside what its facts say.
    pub served: Option<Served>,
    /// The security events.
    pub security: Option<SecurityChain>,
}

/// Where a chain breaks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Broken {
    /// At which number.
    pub number: u64,
    /// How.
    pub fault: String,
}

/// The chain of security events.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SecurityChain {
    /// How many there are.
    pub events: u64,
    /// The first that is not as it was written.
    pub broken: Option<Broken>,
}

/// What is served beside what its facts say.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Served {
    /// Sessions that were compared.
    pub sessions: u64,
    /// Asks that were compared.
    pub asks: u64,
    /// Asks whose content is gone.
    pub asks_erased: u64,
    /// How much differs.
    pub differs: u64,
    /// The first of it.
    pub differences: Vec<Difference>,
}

/// Something that is served and does not say what its facts say.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// The ask.
    pub ask: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// What of it.
    pub field: String,
    /// The number of the fact.
    pub fact: Option<u64>,
    /// How.
    pub fault: String,
}

/// An entry of the log.
#[derive(JsonSchema)]
pub struct AuditEntryFields {
    pub timestamp: String,
    pub session_id: String,
    /// Who did it; null where nobody did.
    pub user_id: Option<String>,
    pub action: ActionName,
    pub details: Fields,
    pub ip_address: Option<String>,
}

// What was done, in a word.
#[derive(JsonSchema)]
#[schemars(inline)]
pub struct ActionName(#[schemars(extend("enum" = ACTIONS))] pub String);
