//! What the programs `askuser` and `AskUserQuestion` are made of.
//!
//! Each part is a crate of its own, with its arrows in its manifest; see ARCHITECTURE.md. Here they are put
//! together. A library only so that both programs, tests and benches can share it.

#![forbid(unsafe_code)]

pub mod route;
pub mod daemon;
pub mod cli;
