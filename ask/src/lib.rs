//! A question from a command line: where it is asked, how a person at the terminal answers it, and what is printed of
//! the answer. All of `AskUserQuestion`, and what the commands of `askuser` share with it; neither a database nor an
//! HTTP server is behind it.

#![forbid(unsafe_code)]

pub mod exit;
pub mod input;
pub mod limits;
pub mod options;
pub mod output;
pub mod report;
pub mod shell;
pub mod connect;
pub mod destination;
pub mod surface;
pub mod in_memory;
pub mod ended;
pub mod hints;
pub mod presentation;
pub mod autosave;
pub mod prompt;
mod submit;
pub mod desk;
pub mod printing;
pub mod run;
pub mod command;
