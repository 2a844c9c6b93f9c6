//! The real server over a real socket: every route, every refusal, every bad day.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on must fail")]

mod stage;
mod asking;
