//! What people read in askuser, in English and in Chinese.
//!
//! A phrase is one line with both languages in it (`phrases!`): one that misses a language, or a
//! place to fill in, does not compile. What is said of many things is said here once: how long ago
//! ([`time`]), how a question ended ([`ending`]), what is wrong ([`fault`]).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[macro_use]
mod catalogue;
#[macro_use]
mod phrases;

pub mod asking;
mod both;
pub mod commands;
pub mod config;
pub mod deadline;
pub mod demo;
pub mod ending;
pub mod failed;
pub mod fault;
pub mod help;
mod help_commands;
mod help_options;
mod help_values;
pub mod inbox;
pub mod keys;
mod language;
pub mod naming;
pub mod nudge;
pub mod page;
pub mod panel;
pub mod plain;
pub mod prompt;
pub mod reasons;
#[cfg(test)]
mod tables;
pub mod settings;
pub mod time;
mod unfit;
pub mod update;

pub use both::{Both, both, quoted};
pub use language::Language;
pub use phrases::{Count, Phrase};
