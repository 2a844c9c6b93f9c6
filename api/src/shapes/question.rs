//! A question.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Number, Value};

/// A question.
#[derive(JsonSchema)]
pub struct Question {
    pub question_id: String,
    pub header: Option<String>,
    pub question: String,
    pub description: Option<String>,
    #[schemars(rename = "type")]
    pub kind: QuestionType,
    pub required: bool,
    /// Whether an answer in one's own words fits.
    pub other: bool,
    pub options: Vec<Choice>,
    /// By option: what choosing it asks besides.
    pub follow_up_questions: BTreeMap<String, Vec<Question>>,
    /// Whether its id was made here.
    pub generated_id: Option<bool>,
    pub secret: Option<bool>,
    pub default: Option<Value>,
    pub min_picks: Option<usize>,
    pub max_picks: Option<usize>,
    pub depends_on: Option<DependsOn>,
    /// What its asker brought along.
    pub collected: Option<Picked>,
    pub placeholder: Option<String>,
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    pub format: Option<String>,
    pub minimum: Option<Number>,
    pub maximum: Option<Number>,
}

/// A kind of question.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case", inline)]
pub enum QuestionType {
    MultipleChoice,
    Checkbox,
    Text,
    Boolean,
}

/// What may be picked.
#[derive(JsonSchema)]
pub struct Choice {
    pub id: String,
    pub label: String,
    pub description: Option<String>,
    pub default: bool,
    pub recommended: bool,
    pub preview: Option<String>,
    /// `markdown` or `html`.
    pub preview_format: Option<String>,
    /// What is run where it is picked.
    pub running: Option<String>,
}

/// The answer that a question waits for.
#[derive(JsonSchema)]
pub struct DependsOn {
    pub question_id: String,
    pub option: Option<String>,
}

/// An answer as it is saved.
#[derive(JsonSchema)]
pub struct Picked {
    pub selected: Vec<String>,
    pub text: Option<String>,
}
