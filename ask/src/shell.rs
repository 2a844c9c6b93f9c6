//! An agent that comes in through a shell: JSON text in, JSON text out.
//!
//! Reads an ask in any dialect and words its faults; writes the outcome in the dialect that the
//! caller wants. Who is asked and where is not known here.

use std::time::Duration;

use askuser_core::asker::{Terms, TimeoutPolicy};
use askuser_core::id::AskId;
use askuser_core::limits::{Limits, PROBLEMS_TOLD_MAX};
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::problem::Problem;
use askuser_core::question::Questions;
use serde_json::Value;

use askuser_wire::{self as wire, Dialect};

/// An ask that may be asked.
#[derive(Debug, Clone)]
pub struct Call {
    /// The dialect that it came in.
    pub dialect: Dialect,
    /// The dialect that the reply goes back in.
    pub reply: Dialect,
    /// What is asked.
    pub questions: Questions,
    /// Who asks and under which terms.
    pub terms: Terms,
    /// What was left out of it, and why.
    pub warnings: Vec<Problem>,
}

/// Why it may not be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not JSON.
    #[error("the questions are not JSON: {0}")]
    NotJson(String),
    /// No dialect of this name.
    #[error("there is no dialect `{name}`")]
    NoSuchDialect {
        /// The name.
        name: String,
    },
    /// JSON of the wrong shape.
    #[error("the questions do not fit:\n{}", listed(.problems, |problem| format!("- {problem}")))]
    Unfit {
        /// Everything that is wrong.
        problems: Vec<Problem>,
    },
}

/// How a caller wants to be understood.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// The dialect of the questions; recognised where none is named.
    pub dialect: Option<String>,
    /// The dialect of the reply; that of the questions where none is named.
    pub reply: Option<String>,
    /// When the ask ends by itself, over what the questions say.
    pub timeout: Option<Duration>,
    /// What happens then, over what the questions say.
    pub policy: Option<TimeoutPolicy>,
    /// What happens then, where neither says anything.
    pub fallback: Option<TimeoutPolicy>,
    /// The session, over what the questions say.
    pub session: Option<String>,
    /// Joins a repeated ask to the first one, over what the questions say.
    pub idempotency_key: Option<String>,
    /// Whether it is asked without a desk: there are no other asks whose answers it could wait for.
    pub alone: bool,
}

/// Reads an ask in any dialect.
pub fn read(text: &str, wishes: &Wishes, limits: impl Fn(Limits) -> Limits) -> Result<Call, Unreadable> {
    let value = json(text)?;
    let named = |name: &Option<String>| {
        let find = |name: &String| {
            Dialect::parse(name).ok_or_else(|| Unreadable::NoSuchDialect { name: name.clone() })
        };
        name.as_ref().map(find).transpose()
    };
    let dialect = named(&wishes.dialect)?.unwrap_or_else(|| wire::recognise(&value));
    let reply = named(&wishes.reply)?.unwrap_or(dialect);
    let mut incoming = wire::read(dialect, &value);
    incoming.limits = limits(incoming.limits);
    incoming.draft.alone = wishes.alone;
    let checked = incoming.check_and_warn().map_err(|problems| Unreadable::Unfit { problems })?;
    let mut terms = checked.terms;
    terms.timeout = wishes.timeout.or(terms.timeout);
    terms.policy = wishes.policy.or(terms.policy).or(wishes.fallback);
    terms.session = wishes.session.clone().or(terms.session);
    terms.idempotency_key = wishes.idempotency_key.clone().or(terms.idempotency_key);
    Ok(Call { dialect, reply, questions: checked.questions, terms, warnings: checked.warnings })
}

/// Reads an ask to the letter of the terminal command (T2).
pub fn read_command(text: &str, limits: Limits) -> Result<Call, Unreadable> {
    let value = json(text)?;
    let incoming = wire::read_strictly(&value, limits);
    let (questions, terms) = incoming.check().map_err(|problems| Unreadable::Unfit { problems })?;
    let (dialect, reply) = (Dialect::Command, Dialect::Command);
    Ok(Call { dialect, reply, questions, terms, warnings: Vec::new() })
}

fn json(text: &str) -> Result<Value, Unreadable> {
    serde_json::from_str(text).map_err(|error| Unreadable::NotJson(wire::not_json(text.as_bytes(), &error)))
}

/// Whether the text is a tool call around an ask.
pub fn is_envelope(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value: Value| wire::is_envelope(&value))
}

/// Writes what standard output carries: the answers in the caller's dialect, or how it ended.
pub fn write(reply: Dialect, questions: &Questions, terms: &Terms, outcome: &Outcome) -> String {
    let value = match (outcome.ending, reply) {
        // Dialects that have words for other endings use them; so does our own.
        (Ending::Answered(_), _) => wire::write(reply, questions, terms, outcome),
        (_, reply) if reply.tells_every_ending() => wire::write(reply, questions, terms, outcome),
        _ => wire::outcome::ending(outcome, None),
    };
    value.to_string()
}

/// Writes the same of an ask that ended at a desk, which has written the reply already.
pub fn write_ended(dialect: Dialect, reply: Option<&Value>, outcome: &Outcome, ask: AskId) -> String {
    let has_words = dialect.tells_every_ending();
    let answered = matches!(outcome.ending, Ending::Answered(_));
    match reply {
        Some(reply) if answered || has_words => reply.to_string(),
        _ => wire::outcome::ending(outcome, Some(ask)).to_string(),
    }
}

/// Writes faults one a line; where there are very many, the last line counts the rest.
pub fn listed(problems: &[Problem], line: impl Fn(&Problem) -> String) -> String {
    let mut lines: Vec<String> = problems.iter().take(PROBLEMS_TOLD_MAX).map(line).collect();
    if let Some(rest) = problems.len().checked_sub(PROBLEMS_TOLD_MAX).filter(|rest| *rest > 0) {
        lines.push(format!("- and {rest} more"));
    }
    lines.join("\n")
}
