//! The runner as a person meets it: the real daemon, and scripted agents that speak each protocol word
//! for word. The talks beside this file are the record of both directions: what an agent says (`<`),
//! and what it must hear (`>`), byte for byte; an agent that hears anything else ends with an error.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "a test that meets a surprise should stop, and hands JSON in as it is written"
)]

#[path = "../mcp/http.rs"]
#[expect(dead_code, reason = "connections are cut there, and not here")]
mod http;
#[path = "../crash/postgres.rs"]
mod postgres;
mod home;
#[expect(dead_code, reason = "what is typed into it is the stories' business")]
#[path = "../tmux.rs"]
mod tmux;
mod claude;
mod acp;
mod odd;
mod fixed;
mod safety;
mod restarting;
mod replicas;
mod command;
