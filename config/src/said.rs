//! What is wrong with the configuration, in both languages: where it is found nobody knows who reads it.

use std::fmt;

use askuser_words::config::Wrong;
use askuser_words::{Both, Language, both};

use crate::yaml::{self, Kind, Node, Place};

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said(Both);

/// What is wrong in the file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub at: Place,
    pub what: Said,
}

impl Said {
    /// Says it, once in each language.
    pub(super) fn new<S: Into<String>>(say: impl Fn(Wrong) -> S) -> Self {
        Self(both(say))
    }

    /// Says it as part of more.
    pub(super) fn within(&self, say: impl Fn(Wrong, &str) -> String) -> Self {
        Self::new(|wrong| say(wrong, self.in_language(wrong.0)))
    }

    /// Returns it in a language.
    pub fn in_language(&self, language: Language) -> &str {
        language.of(&self.0)
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.english)
    }
}

impl From<Both> for Said {
    fn from(said: Both) -> Self {
        Self(said)
    }
}

impl From<Said> for Both {
    fn from(said: Said) -> Self {
        said.0
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)
    }
}

impl Fault {
    /// Something is wrong here.
    pub(super) fn new<S: Into<String>>(at: Place, say: impl Fn(Wrong) -> S) -> Self {
        Self { at, what: Said::new(say) }
    }

    /// It is of another kind than a table.
    pub(super) fn no_table(node: &Node, name: &str) -> Self {
        Self::new(node.at, |say| say.of(name, say.is_not(kind(node, say), say.table())))
    }

    /// Returns it with its place.
    pub fn said(&self) -> Said {
        self.what.within(|say, what| say.at(self.at.line, self.at.column, what))
    }
}

impl From<yaml::NotYaml> for Fault {
    fn from(fault: yaml::NotYaml) -> Self {
        Self::new(fault.at, |say| say.not_yaml(&fault.what))
    }
}

/// Says what a value is.
pub(super) fn kind(node: &Node, say: Wrong) -> &'static str {
    match &node.kind {
        Kind::Null => say.nothing(),
        Kind::Bool(_) => say.true_or_false(),
        Kind::Number(_) => say.number(),
        Kind::Text(_) => say.text(),
        Kind::List(_) => say.list(),
        Kind::Table(_) => say.table(),
    }
}
