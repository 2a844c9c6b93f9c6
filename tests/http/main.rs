//! The real server over a real socket: every route, every refusal, every bad day.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must fail")]

mod stage;
mod figures;
mod asking;
mod names;
mod ending;
mod people;
mod task;
mod sessions;
mod refusing;
mod rules;
mod gate;
mod proof;
mod signing_in;
mod events;
mod failing_store;
mod told_right;
mod mcp_sessions;
mod dialog;
mod sockets;
mod push;
mod rates;
mod bad_days;
mod browsers;
mod unforeseen;
mod configuring;
mod metrics;
mod alerts;
mod audit;
mod openapi;
mod page;
mod links;
mod history;
mod looking_back;
mod searching;
mod templates;
mod tasks_page;
mod hooks;
mod alike;
mod rule_confirming;
mod insight;
mod own_keys;
mod roles;
mod roles_cast;
mod roles_table;
