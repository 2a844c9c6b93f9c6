//! The rules of askuser: what may be asked, what may be answered, how an ask ends.
//!
//! Everything here is a value or a pure function. There is no clock, no disk, no network, no
//! serialisation: ids and the time are handed in, and the dependency list is the proof.
//! Read in this order: a `Draft` comes in from outside and is checked into `Questions`; a person
//! fills a `Sheet`; `decide` says what a `Command` does to the asks of a `Session`; what happened
//! is a list of `Fact`s.

#![forbid(unsafe_code)]

pub mod limits;
pub mod id;
pub mod short_id;
pub mod hex;
pub mod time;
pub mod text;
pub mod look;
pub mod format;
pub mod question;
pub mod key;
pub mod draft;
pub mod condition;
pub mod problem;
pub mod entry;
pub mod sheet;
pub mod answer;
pub mod outcome;
pub mod audience;
pub mod asker;
pub mod content;
pub mod ask;
pub mod headline;
pub mod hearing;
pub mod deadline;
pub mod whole;
pub mod secret;
pub mod alike;
pub mod insight;
pub mod near;
pub mod recall;
pub mod search;
pub mod session;
pub mod task;
pub mod message;
pub mod command;
pub mod fact;
pub mod decide;
