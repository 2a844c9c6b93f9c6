//! One key of the configuration, and one section of a shape of its own.

use askuser_words::Language;

use super::keys::Config;
use super::said::{Fault, Said};
use super::value::Given;
use crate::yaml::Node;

/// A key: `section.name`.
pub struct Key {
    /// The section it stands in.
    pub section: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// The variable that goes before the file.
    pub variable: &'static str,
    /// When a change takes effect.
    pub when: When,
    pub(super) read: fn(&mut Config, &Given<'_>) -> Result<(), Said>,
    pub(super) show: fn(&Config) -> String,
}

/// When a change takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// When the configuration is read anew, on SIGHUP.
    Reload,
    /// At the next start.
    Start,
}

/// A section of a shape of its own: a table with names that the operator chooses, or a list.
pub struct Table {
    pub name: &'static str,
    /// How it is written, for the sample: the section in full.
    pub sample: &'static str,
    /// When a change takes effect.
    pub when: When,
    pub(super) read: fn(&mut Config, &Node, &mut Vec<Fault>),
    /// How many entries it has.
    pub(super) count: fn(&Config) -> usize,
    /// Whether two configurations have the same.
    pub(super) same: fn(&Config, &Config) -> bool,
}

impl Key {
    /// Returns `section.name`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// Says what it is for.
    pub fn about(&self, language: Language) -> &'static str {
        language.setting(&self.full_name())
    }

    /// Returns its value as the file has it.
    pub fn show(&self, config: &Config) -> String {
        (self.show)(config)
    }
}

impl Table {
    /// Returns how many entries it has.
    pub fn count(&self, config: &Config) -> usize {
        (self.count)(config)
    }
}
