//! Question templates: asks that a person or a skill wrote down once, with places for what changes.
//!
//! A template is a YAML file: an ask in any dialect, beside `description` and `variables`. Filled in
//! it is an ordinary ask; whoever asks it comes through the same doors as everybody else.

mod reading;
mod filling;
mod project;
mod shelf;
mod named;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use askuser_core::problem::{Fault as Wrong, Problem};
use askuser_words::commands::Templates;
use askuser_words::config::Wrong as Written;
use askuser_words::{Both, Language, both, quoted};
use serde_json::{Map, Value};

use crate::said::Fault;
use crate::yaml::Node;

pub use named::Named;
pub use project::{Folder, Nowhere, Project};
pub use reading::read;
pub use shelf::{LOCAL, Listed, Shelf};

/// The largest file that is read as a template.
pub const BYTES_MAX: usize = 64 * 1024;
/// A template's name, at most.
pub const NAME_CHARS_MAX: usize = 64;

/// What is put into the places of a template, by name.
pub type Variables = BTreeMap<String, String>;

/// A template that was read and found to be sound.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// What it is for.
    pub description: Option<String>,
    /// What it wants to know, in the order of the file.
    pub variables: Vec<Variable>,
    ask: Node,
}

/// Something that a template wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// What it is where nothing is said; without one it must be said.
    pub default: Option<String>,
}

/// Why a template cannot be asked.
#[derive(Debug, Clone)]
pub enum TemplateError {
    /// There is none of this name.
    NotFound {
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Several skills have one of this name.
    Ambiguous {
        name: String,
        /// Their full names.
        all: Vec<String>,
    },
    /// The file is faulty.
    Faulty {
        path: PathBuf,
        /// What is wrong, and where.
        faults: Vec<Fault>,
    },
    /// The file cannot be read.
    Unreadable { path: PathBuf, source: Arc<io::Error> },
    /// The file is larger than a template may be.
    TooLarge { path: PathBuf },
    /// Something must be said that was not.
    Missing(Vec<String>),
    /// Something was said that it does not want to know.
    Unknown(Vec<String>),
    /// The project does not say.
    Project(Both),
}

impl TemplateError {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = Templates(language);
        match self {
            Self::NotFound { name, known } if known.is_empty() => said.none_found(name),
            Self::NotFound { name, known } => said.not_found(name, known.join(", ")),
            Self::Ambiguous { name, all } => said.ambiguous(name, all.join(", ")),
            Self::Faulty { path, faults } => {
                let line = |fault: &Fault| {
                    Written(language).in_file(path.display(), fault.said().in_language(language))
                };
                faults.iter().map(line).collect::<Vec<_>>().join("\n")
            }
            Self::Unreadable { path, source } => {
                Written(language).in_file(path.display(), language.of(&quoted(source)))
            }
            Self::TooLarge { path } => {
                let why = Written(language).larger_than(BYTES_MAX / 1024);
                Written(language).in_file(path.display(), why)
            }
            Self::Missing(names) => said.missing(names.join(", ")),
            Self::Unknown(names) => said.unknown(names.join(", ")),
            Self::Project(why) => language.of(why).to_owned(),
        }
    }

    /// Returns it as what is wrong with the ask that named the template.
    pub fn problems(&self) -> Vec<Problem> {
        match self {
            Self::Faulty { faults, .. } => faults.iter().map(problem).collect(),
            other => vec![Problem::new("template", Wrong::Other(both(|language| other.said(language))))],
        }
    }
}

/// Returns a fault of a file as one of an ask.
pub fn problem(fault: &Fault) -> Problem {
    let at = format!("line {}, column {}", fault.at.line, fault.at.column);
    Problem::new(at, Wrong::Other(fault.what.clone().into()))
}

impl Template {
    /// Fills it in: an ask, as JSON in the dialect that the file is written in.
    pub fn fill(&self, name: &str, given: &Variables, project: &dyn Project) -> Result<Value, TemplateError> {
        let is_known = |name: &&String| self.variables.iter().any(|variable| variable.name == **name);
        let unknown: Vec<String> =
            given.keys().filter(|name| !is_known(name)).map(|name| format!("`{name}`")).collect();
        if !unknown.is_empty() {
            return Err(TemplateError::Unknown(unknown));
        }
        let missing =
            |variable: &&Variable| variable.default.is_none() && !given.contains_key(&variable.name);
        let missing: Vec<String> = self.variables.iter().filter(missing).map(Variable::to_string).collect();
        if !missing.is_empty() {
            return Err(TemplateError::Missing(missing));
        }
        let value = |wanted: &str| {
            let variable = self.variables.iter().find(|variable| variable.name == wanted);
            given.get(wanted).cloned().or_else(|| variable.and_then(|variable| variable.default.clone()))
        };
        let mut ask = filling::fill(&self.ask, &value, project).map_err(TemplateError::Project)?;
        mark(&mut ask, name);
        Ok(ask)
    }

    /// Returns it as JSON, unfilled.
    pub fn json(&self) -> Value {
        self.ask.json()
    }
}

impl std::fmt::Display for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.description {
            Some(description) => write!(f, "`{}` ({description})", self.name),
            None => write!(f, "`{}`", self.name),
        }
    }
}

/// Notes in the ask which template it came from: rules match it.
fn mark(ask: &mut Value, name: &str) {
    let Some(fields) = ask.as_object_mut() else { return };
    let metadata = fields.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if let Some(metadata) = metadata.as_object_mut() {
        metadata.insert("template".to_owned(), name.into());
    }
}

#[cfg(test)]
mod tests;
