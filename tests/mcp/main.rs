//! The MCP server as agents meet it: the real program on its pipes and behind HTTP, spoken to byte by
//! byte by clients of our own, so that nothing an SDK mends can hide a fault.
//!
//! `ASKUSER_LONG_WAITS=1` adds a real wait of 75 s for each client's rule.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "a test that meets a surprise should stop, and hands JSON in as it is written"
)]

mod home;
mod http;
mod pipe;
mod web;
mod player;
mod handshake;
mod asking;
mod envelopes;
mod templates;
mod sessions;
mod waiting;
mod coming_back;
mod any_order;
mod dialog;
mod tasks;
mod door;
mod crowd;
mod patience;
mod recordings;
