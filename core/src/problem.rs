//! What is wrong with a draft or an answer: where, and what. Always all of it at once.
//!
//! A fault is data, so that each dialect can word it as its callers expect it (T6) and each
//! language can translate it. `Display` is our own wording.

use std::fmt;

use crate::format::FormatFault;

/// One fault and where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {fault}")]
pub struct Problem {
    /// Where, as `questions[0].header`; empty for the whole.
    pub path: String,
    pub fault: Fault,
}

impl Problem {
    /// Says that `fault` is at `path`.
    pub fn new(path: impl Into<String>, fault: Fault) -> Self {
        let mut path = path.into();
        // The field of a whole that has no name of its own.
        if path.starts_with('.') {
            path.remove(0);
        }
        Self { path, fault }
    }
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is there and something must be.
    Missing,
    /// A value of another kind is there.
    WrongType {
        /// The kind that is wanted: `string`, `array`, …
        expected: &'static str,
        /// The kind that came.
        received: &'static str,
    },
    /// A value that is none of the allowed ones.
    NotOneOf {
        /// The allowed ones.
        expected: Vec<String>,
        received: String,
    },
    /// Too few characters.
    TooFewChars { min: usize, got: usize },
    /// Too many characters.
    TooManyChars { max: usize, got: usize },
    /// Too few elements or picks.
    TooFewItems { min: usize, got: usize },
    /// Too many elements or picks.
    TooManyItems { max: usize, got: usize },
    /// The ask is larger than an ask may be.
    TooManyBytes { max: usize, got: usize },
    /// The same as another one that must differ.
    Duplicate {
        /// Where the first one is.
        of: String,
    },
    /// Another text than one that must differ, and yet nobody could tell them apart.
    LooksLike {
        /// Where the first one is.
        of: String,
    },
    /// Follow-ups nested too deep.
    TooDeep {
        /// The deepest level.
        max: usize,
    },
    /// Names a choice that the question does not offer.
    NoSuchChoice { choice: String },
    /// Names a question that is not there.
    NoSuchQuestion { question: String },
    /// Conditions that wait for one another.
    Cycle {
        /// The questions in the circle, in order.
        through: Vec<String>,
    },
    /// A control character in an answer.
    ControlCharacter {
        /// Its code point.
        code: u32,
    },
    /// A text that is not what its field takes.
    WrongFormat(FormatFault),
    /// The question takes no text of one's own.
    NoFreeText,
    /// No call of the tool is in it.
    NoToolCall { tool: &'static str },
    /// Several calls of the tool are in it, and each has a result of its own.
    SeveralToolCalls { tool: &'static str, got: usize },
    /// Follow-ups of a choice that the question does not offer.
    NeverShown {
        /// The name of the choice.
        choice: String,
    },
    /// Everything that it asks is answered.
    NothingLeft,
    /// The name of an event is that of an ask.
    NameOfAnAsk,
    /// Somebody must answer, and there is nobody.
    Nobody,
    /// More people are to answer than there are.
    TooFewPeople {
        /// How many are wanted.
        wanted: usize,
        /// How many there are.
        got: usize,
    },
    /// More picks are wanted than can be made.
    TooFewPicks {
        /// The least that is wanted.
        min: usize,
        /// The most that can be made.
        max: usize,
    },
    /// Anything else, already in words.
    Other(Both),
}

/// A text in both languages; one that is nobody's phrase, as the system's own words, is the same in both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Both {
    pub english: String,
    pub chinese: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("is missing"),
            Self::WrongType { expected, received } => {
                write!(f, "is {}, not {}", article(received), article(expected))
            }
            Self::NotOneOf { expected, received } => {
                write!(f, "is `{received}`, which is none of {}", expected.join(", "))
            }
            Self::TooFewChars { min, got: 0 } if *min == 1 => f.write_str("is empty"),
            Self::TooFewChars { min, got } => {
                write!(f, "has {}, {min} at least", count(*got, "character"))
            }
            Self::TooManyChars { max, got } => {
                write!(f, "has {}, {max} at most", count(*got, "character"))
            }
            Self::TooFewItems { min, got } => {
                write!(f, "has {}, {min} at least", count(*got, "item"))
            }
            Self::TooManyItems { max, got } => {
                write!(f, "has {}, {max} at most", count(*got, "item"))
            }
            Self::TooManyBytes { max, got } => write!(f, "has {got} bytes, {max} at most"),
            Self::Duplicate { of } => write!(f, "is the same as {of}"),
            Self::LooksLike { of } => write!(f, "looks the same as {of}: a person could not tell them apart"),
            Self::TooDeep { max } => write!(f, "is nested deeper than {max} levels"),
            Self::NoSuchChoice { choice } => {
                write!(f, "names the choice `{choice}`, which is not offered")
            }
            Self::NoSuchQuestion { question } => {
                write!(f, "names the question `{question}`, which is not there")
            }
            Self::Cycle { through } => {
                write!(f, "waits for itself through {}", through.join(" → "))
            }
            Self::ControlCharacter { code } => {
                write!(f, "contains the control character U+{code:04X}")
            }
            Self::WrongFormat(fault) => write!(f, "{fault}"),
            Self::NoFreeText => f.write_str("takes one of its choices, no other text"),
            Self::NoToolCall { tool } => write!(f, "has no tool_use block that calls {tool}"),
            Self::SeveralToolCalls { tool, got } => {
                write!(f, "has {got} calls of {tool}: send one at a time")
            }
            Self::NeverShown { choice } => write!(
                f,
                "is for the option `{choice}`, which is not offered: these follow-ups are never shown"
            ),
            Self::NothingLeft => f.write_str("is answered already: nothing is left to ask"),
            Self::NameOfAnAsk => f.write_str("is the name of an ask: give the event one of your own"),
            Self::Nobody => f.write_str("has nobody who could answer"),
            Self::TooFewPeople { wanted, got } => {
                write!(f, "is {wanted}, but there are only {got} to answer")
            }
            Self::TooFewPicks { min, max } => {
                write!(f, "asks for {min} picks at least, {max} at most can be made")
            }
            Self::Other(words) => f.write_str(&words.english),
        }
    }
}

fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

fn article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        _ if kind.starts_with(['a', 'i', 'o']) => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_what_is_wrong_in_plain_words() {
        let check = |fault: Fault, expected: &str| assert_eq!(fault.to_string(), expected);
        check(Fault::TooFewChars { min: 1, got: 0 }, "is empty");
        check(Fault::TooManyChars { max: 12, got: 14 }, "has 14 characters, 12 at most");
        check(Fault::TooFewItems { min: 2, got: 1 }, "has 1 item, 2 at least");
        check(Fault::WrongType { expected: "array", received: "null" }, "is null, not an array");
        check(Fault::WrongType { expected: "string", received: "object" }, "is an object, not a string");
        check(
            Fault::Cycle { through: vec!["a".into(), "b".into(), "a".into()] },
            "waits for itself through a → b → a",
        );
        check(Fault::ControlCharacter { code: 0x1b }, "contains the control character U+001B");
    }
}
