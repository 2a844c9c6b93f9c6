//! What the programs `askuser` and `AskUserQuestion` are made of.
//!
//! Folders stand in the order in which a question travels; see ARCHITECTURE.md. A library only so
//! that both programs, hosts that embed the router, tests and benches can share it.

#![forbid(unsafe_code)]

pub mod environment;
pub mod clock;
pub mod peer;
pub mod content;
pub mod config;
pub mod yaml;
pub mod doorway;
pub mod wire;
pub mod rules;
pub mod template;
pub mod archive;
pub mod desk;
pub mod runner;
pub mod store;
pub mod client;
pub mod channel;
pub mod watch;
pub mod daemon;
pub mod cli;
