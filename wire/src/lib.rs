//! The words on the wire: every dialect in which an ask can come, and one outcome in all of them.
//!
//! A dialect turns JSON into a [`Draft`], which may be wrong, and an [`Outcome`] into JSON; what is
//! allowed is `core`'s to say. Nothing is lost silently: where a dialect's answers could overwrite
//! or hide one another, the ask is refused or the parts are quoted.

#![forbid(unsafe_code)]

pub mod dialect;
mod envelope;
pub mod slips;
mod reading;
mod terms;
pub mod people;
pub mod permission;
mod collected;
pub mod insight;
mod joining;
mod line;
mod command;
mod events;
pub mod push;
pub mod ask_user;
pub mod claude;
mod codex;
mod gemini;
mod opencode;
mod vscode;
mod elicitation;
pub mod form;
mod full;
pub mod question;
pub mod ask;
pub mod outcome;
pub mod answers;
pub mod result_text;
pub mod host;
pub mod failure;
pub mod session;
pub mod message;
pub mod task;
pub mod transcript;
pub mod event;
pub mod zod;
pub mod time;
pub mod tool;
pub mod check;

use std::io;
use std::sync::Arc;

use askuser_core::asker::Terms;
use askuser_core::draft::Draft;
use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::limits::{ASK_BYTES_MAX, Limits};
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::fault::{self, Wrong};
use serde_json::Value;

pub use self::reading::not_json;
pub use dialect::{Dialect, recognise};

/// An ask as it came in, unchecked.
#[derive(Debug, Clone, PartialEq)]
pub struct Incoming {
    /// What it was read as.
    pub dialect: Dialect,
    /// Its questions, with every fault that was found while reading.
    pub draft: Draft,
    /// What was said around them.
    pub terms: Terms,
    /// What its dialect allows.
    pub limits: Limits,
    /// The envelope that it was taken out of.
    within: Within,
}

/// An ask that may be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// What is asked.
    pub questions: Questions,
    /// Who asks and under which terms.
    pub terms: Terms,
    /// What was left out of it, and why.
    pub warnings: Vec<Problem>,
}

/// How an ask ends whose asker brought every answer along (E5): at once, and nobody is asked.
pub fn collected(questions: &Questions, now: Timestamp) -> Option<Outcome> {
    let sheet = questions.is_collected().then(|| Sheet::blank(Arc::new(questions.clone())))?;
    Some(Outcome {
        ending: Ending::Answered(AnsweredBy::Collected),
        by: By::new(None, Channel::Agent, Proof::Server),
        at: now,
        comment: None,
        answers: sheet.answers_so_far(),
        voices: Vec::new(),
    })
}

/// Writes warnings as sentences.
pub fn warnings(warnings: &[Problem], language: Language) -> Vec<String> {
    let sentence =
        |problem: &Problem| format!("{}: {}", problem.path, fault::fault(&problem.fault, language));
    warnings.iter().map(sentence).collect()
}

/// Where the questions stood in their envelope, and which terms stood around it.
#[derive(Debug, Clone, PartialEq, Default)]
struct Within {
    at: String,
    around: Vec<&'static str>,
}

impl Within {
    /// Names a fault by its place in what came in.
    fn place(&self, mut problem: Problem) -> Problem {
        let head = problem.path.split(['.', '[']).next().unwrap_or_default();
        if !self.at.is_empty() && !self.around.contains(&head) {
            problem.path = if problem.path.is_empty() {
                self.at.clone()
            } else {
                format!("{}.{}", self.at, problem.path)
            };
        }
        problem
    }
}

impl Incoming {
    /// Takes what the desk lets people type in place of what the dialect would.
    #[must_use]
    pub fn typed_within(mut self, text_chars_max: usize, any_characters: bool) -> Self {
        self.limits.text_chars_max = text_chars_max;
        self.limits.any_characters = any_characters;
        self
    }

    /// Checks the ask; its questions and terms, or all of its faults.
    pub fn check(self) -> Result<(Questions, Terms), Vec<Problem>> {
        self.check_and_warn().map(|checked| (checked.questions, checked.terms))
    }

    /// Checks the ask; what is asked, with what its asker should know of it, or all of its faults.
    pub fn check_and_warn(self) -> Result<Checked, Vec<Problem>> {
        let (terms, within) = (self.terms, self.within);
        let placed = |problems: Vec<Problem>| -> Vec<Problem> {
            problems.into_iter().map(|problem| within.place(problem)).collect()
        };
        match self.draft.check_and_warn(&self.limits) {
            Ok((questions, warnings)) => Ok(Checked { questions, terms, warnings: placed(warnings) }),
            Err(problems) => Err(placed(problems)),
        }
    }
}

/// Reads an ask, out of its envelope where it comes in one. A `command` is taken as other programs write it,
/// with room to spare.
pub fn read(dialect: Dialect, value: &Value) -> Incoming {
    let got = n_bytes(value);
    if got > ASK_BYTES_MAX {
        return too_large(dialect, got);
    }
    let opened = match envelope::open(value) {
        None => return read_bare(dialect, value),
        Some(Ok(opened)) => opened,
        Some(Err(problems)) => return unfit(dialect, problems),
    };
    let is_envelope = Dialect::ENVELOPES.contains(&dialect);
    let inner = if is_envelope { dialect::recognise_bare(&opened.input) } else { dialect };
    let mut incoming = read_bare(inner, &opened.input);
    incoming.dialect = dialect;
    incoming.within = Within { at: opened.at, around: opened.around };
    incoming.terms.tool_use = opened.tool_use.or(incoming.terms.tool_use);
    incoming.terms.event = opened.line.or(incoming.terms.event);
    incoming
}

/// Whether a value is a tool call around an ask, rather than an ask.
pub fn is_envelope(value: &Value) -> bool {
    envelope::open(value).is_some()
}

/// Takes an ask out of its envelope; as it is where it stands in none, or in one that is faulty.
pub fn unwrapped(value: Value) -> Value {
    let Some(Ok(opened)) = envelope::open(&value) else { return value };
    let mut input = opened.input;
    if let (Some(fields), Some(id)) = (input.as_object_mut(), opened.tool_use) {
        fields.insert("tool_use_id".to_owned(), id.into());
    }
    input
}

fn read_bare(dialect: Dialect, value: &Value) -> Incoming {
    let codec = dialect.codec();
    let Some(read) = codec.read else {
        // Somebody said that there is an envelope, and there is none.
        return unfit(dialect, vec![Problem::new("", Fault::NoToolCall { tool: tool::NAME })]);
    };
    incoming(dialect, read(value), codec.limits, value)
}

/// Reads the questions of an ask as every route tells it. They were checked when they came in, so
/// nothing but their sense is checked again.
pub fn read_told(told: &Value) -> Result<Questions, Vec<Problem>> {
    let questions = full::read(told).check(&TOLD_LIMITS)?;
    let mut made = Vec::new();
    generated(told.get("questions").unwrap_or(told), &mut made);
    Ok(questions.made_by_us(&made))
}

/// Finds the ids that the desk made for questions that came without one.
fn generated(told: &Value, made: &mut Vec<QuestionId>) {
    match told {
        Value::Array(list) => list.iter().for_each(|told| generated(told, made)),
        Value::Object(fields) => {
            let id = fields.get("question_id").and_then(Value::as_str);
            if fields.get(question::GENERATED) == Some(&Value::Bool(true)) {
                made.extend(id.map(QuestionId::from));
            }
            let follow_ups = fields.get("follow_up_questions").and_then(Value::as_object);
            follow_ups.into_iter().flatten().for_each(|(_, list)| generated(list, made));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// What is demanded of questions that were asked before: that they make sense.
const TOLD_LIMITS: Limits = Limits {
    questions_max: usize::MAX,
    choices_min: 0,
    choices_max: usize::MAX,
    header_chars_max: usize::MAX,
    question_chars_max: usize::MAX,
    label_chars_max: usize::MAX,
    description_chars_max: usize::MAX,
    text_chars_max: usize::MAX,
    ..Limits::FOREIGN
};

/// Reads a `command` to the letter of the source document (T2, T6), within these limits.
pub fn read_strictly(value: &Value, limits: Limits) -> Incoming {
    incoming(Dialect::Command, command::read_strict(value), limits, value)
}

fn incoming(dialect: Dialect, mut draft: Draft, limits: Limits, value: &Value) -> Incoming {
    let mut terms = terms::read(value, &mut draft);
    (dialect.codec().read_around)(value, &mut draft, &limits, &mut terms);
    Incoming { dialect, draft, terms, limits, within: Within::default() }
}

fn too_large(dialect: Dialect, got: usize) -> Incoming {
    unfit(dialect, vec![Problem::new("", Fault::TooManyBytes { max: ASK_BYTES_MAX, got })])
}

/// What could not even be taken for an ask.
fn unfit(dialect: Dialect, mut problems: Vec<Problem>) -> Incoming {
    let last = problems.pop().unwrap_or_else(|| Problem::new("", Fault::Missing));
    let questions = askuser_core::draft::Given::Wrong(last.fault);
    let draft = Draft { at: last.path, questions, problems, ..Draft::default() };
    let terms = Terms::default();
    Incoming { dialect, draft, terms, limits: dialect.codec().limits, within: Within::default() }
}

/// Writes an outcome in a dialect, which need not be the one that the ask came in.
pub fn write(dialect: Dialect, questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    let codec = dialect.codec();
    let mut reply = (codec.write)(questions, terms, outcome);
    if codec.voices_beside {
        people::add_voices(&mut reply, questions, outcome);
    }
    reply
}

/// How long a value is when it is written.
fn n_bytes(value: &Value) -> usize {
    /// Takes everything and keeps nothing.
    struct Counted(usize);

    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut counted = Counted(0);
    // It never fails: what is counted is a value, and counting takes everything.
    let _ = serde_json::to_writer(&mut counted, value);
    counted.0
}

/// A shape as a value, for where one is passed on or taken apart. Ours have text for keys and no
/// numbers that JSON lacks, so none fails.
fn value(shape: &impl serde::Serialize) -> Value {
    serde_json::to_value(shape).unwrap_or_default()
}

/// Reads the answers of a reply that another program gives in a dialect: an `ask:question:response`,
/// an `ask_user_response`, a form that an agent's own dialog filled in.
pub fn read_reply(
    dialect: Dialect,
    questions: &Questions,
    reply: &Value,
) -> Result<Vec<(QuestionId, Entry)>, Vec<Problem>> {
    match dialect.codec().read_reply {
        Some(read) => read(questions, reply),
        None => Err(vec![Problem::new("", fault::unfit(Wrong::for_a_model))]),
    }
}
