//! Connecting agents and letting them go again: golden files before and after, for each agent.
//!
//! A case is a folder `AGENT-…-SCOPE` with a home in `before` and the same home in `after`;
//! `ASKUSER_WRITE_GOLDEN=1` writes `after` anew, to be read with one's own eyes.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on must fail, and golden files are written anew on request"
)]

mod golden;
mod refusing;
mod program;
mod plugin;
mod documents;
