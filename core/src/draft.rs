//! An ask as it came in, in any dialect, unchecked.
//!
//! Only a draft may be wrong. A dialect puts what it read into it, a value of the wrong kind
//! included, and `check` finds *all* faults in the order in which they stand in the input.

mod check;
mod choice;

use crate::format::Format;
use crate::problem::{Fault, Problem};
use crate::question::{Condition, Preview};

/// A value that may be there, missing, or of the wrong kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Given<T> {
    /// It is there.
    Value(T),
    /// It is not there.
    #[default]
    Missing,
    /// Something else is there.
    Wrong(Fault),
}

/// The names of the fields in a dialect, for the paths of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keys {
    /// The question's text.
    pub text: &'static str,
    /// What says how it is answered.
    pub kind: &'static str,
    pub choices: &'static str,
    /// The question's id.
    pub id: &'static str,
}

/// An unchecked ask: its questions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// Whether it is asked by itself: there are no other asks whose answers it could wait for.
    pub alone: bool,
    /// Where the list of questions stands, as `questions`.
    pub at: String,
    /// The names of the fields.
    pub keys: Keys,
    pub questions: Given<Vec<DraftQuestion>>,
    /// Faults of the ask around the questions, found while reading.
    pub problems: Vec<Problem>,
    /// What must differ between questions, because the dialect's answers are keyed by it.
    pub keyed_by: KeyedBy,
    /// What becomes of follow-ups of a choice that is not offered.
    pub not_offered: NotOffered,
}

/// What becomes of follow-ups of a choice that is not offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NotOffered {
    /// They are a fault.
    #[default]
    Fault,
    /// They are left out, as nothing would ever open them, with a warning.
    Warning,
}

/// What a dialect's answers are keyed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyedBy {
    /// Ids or positions, which differ anyway.
    #[default]
    Place,
    /// Headers: two alike would overwrite one another.
    Header,
    /// Texts: two alike would overwrite one another.
    Text,
}

/// An unchecked question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftQuestion {
    /// Where it stands, as `questions[0]`.
    pub at: String,
    /// It is not even an object.
    pub wrong: Option<Fault>,
    pub id: Given<String>,
    /// Its short label.
    pub header: Given<String>,
    /// What is asked.
    pub text: Given<String>,
    /// A longer explanation.
    pub description: Given<String>,
    /// How it is answered.
    pub kind: Given<DraftKind>,
    /// What may be picked.
    pub choices: Given<Vec<DraftChoice>>,
    /// What may be typed beside the choices.
    pub other: Other,
    /// What the typed text of a text question must look like.
    pub text_rules: TextRules,
    /// Whether it must be answered; it must where nothing is said.
    pub required: Given<bool>,
    /// Whether the answer is a secret.
    pub secret: Given<bool>,
    /// Follow-ups by the id or label of the choice that opens them, with where they stand.
    pub follow_ups: Vec<DraftFollowUps>,
    /// The answer it waits for.
    pub depends_on: Given<Condition>,
    /// The suggested answer of a yes-no question.
    pub yes: Option<bool>,
    /// An answer that the asker already had: labels or ids, and text.
    pub collected: Option<(Vec<String>, Option<String>)>,
}

/// How an unchecked question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftKind {
    OneOf,
    /// Several choices, within bounds where they are given.
    SomeOf {
        min: Option<usize>,
        max: Option<usize>,
    },
    Text,
    /// Yes or no.
    YesNo,
}

/// Whether a person may type something that is none of the choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Other {
    /// Yes, as always unless the dialect can say otherwise.
    #[default]
    Offered,
    /// No.
    Closed,
}

/// What a typed text must look like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextRules {
    /// The kind of value.
    pub format: Format,
    /// The fewest characters.
    pub chars_min: Option<usize>,
    /// The most characters.
    pub chars_max: Option<usize>,
    /// A hint for the empty field.
    pub placeholder: Option<String>,
    /// The suggested answer.
    pub default: Option<String>,
}

/// An unchecked choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftChoice {
    /// Where it stands, as `questions[0].options[1]`.
    pub at: String,
    /// It is not even an object.
    pub wrong: Option<Fault>,
    pub id: Given<String>,
    /// What it says.
    pub label: Given<String>,
    /// What it means.
    pub description: Given<String>,
    /// A longer look at it.
    pub preview: Option<Preview>,
    /// What the asker does once it is picked.
    pub running: Given<String>,
    /// Picked beforehand.
    pub default: bool,
    /// Marked as the one to take.
    pub recommended: bool,
}

/// Follow-ups under one choice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftFollowUps {
    /// The id or the label of the choice.
    pub choice: String,
    /// Where they stand.
    pub at: String,
    pub questions: Given<Vec<DraftQuestion>>,
}

impl Default for Keys {
    fn default() -> Self {
        Self { text: "question", kind: "type", choices: "options", id: "question_id" }
    }
}

#[cfg(test)]
mod tests;
