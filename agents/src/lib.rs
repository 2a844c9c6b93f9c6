//! What is known of each coding agent.

#![forbid(unsafe_code)]

pub mod hook;
