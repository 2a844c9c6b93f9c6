//! What is answered to what cannot be done.

use askuser_wire::failure::Code;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// What is answered to what cannot be done.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Failure {
    /// Never.
    pub success: bool,
    pub error: CodeName,
    /// For the person.
    pub message: String,
    pub problems: Vec<Problem>,
    /// Where somebody was faster: how it ended.
    pub outcome: Option<Value>,
    /// Where the same key was sent with other questions: the ask that holds it.
    pub ask_id: Option<String>,
    /// The form of an answer that would have fitted.
    pub expected: Option<Value>,
    pub status: Option<String>,
    pub recovery_action: Option<String>,
}

/// What became of one of several asks: the fields of a failure are there where it was not answered.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Answered {
    pub ask_id: String,
    pub success: bool,
    /// How the ask stands; of a failure as there.
    pub status: Option<String>,
    pub error: Option<CodeName>,
    /// For the person.
    pub message: Option<String>,
    pub problems: Option<Vec<Problem>>,
    /// Where somebody was faster: how it ended.
    pub outcome: Option<Value>,
    /// The form of an answer that would have fitted.
    pub expected: Option<Value>,
    pub recovery_action: Option<String>,
}

// What went wrong, in a word.
#[derive(Debug, JsonSchema, Deserialize)]
#[schemars(inline)]
pub struct CodeName(
    #[schemars(extend("enum" = Code::ALL.iter().map(|code| code.name()).collect::<Vec<_>>()))] pub String,
);

/// One thing that is wrong, and where.
#[derive(Debug, JsonSchema, Deserialize)]
pub struct Problem {
    pub path: String,
    pub message: String,
}
