//! How an agent comes in.
//!
//! A doorway turns what an agent sent into a draft, hands it on, and brings the outcome back in the
//! agent's own words. No doorway knows a channel (invariant 8).

pub mod route;
pub mod shell;
pub mod http;
pub mod socket;
pub mod mcp;
pub mod hook;
