//! What every store does, written once: SQL that both databases take, noun by noun. What differs between them
//! is in `thread`.

mod access;
pub(super) mod asks;
pub(super) mod audit;
pub(super) mod erase;
pub(super) mod facts;
mod ids;
mod nudges;
mod pushes;
pub(super) mod replay;
mod rules;
pub(super) mod sessions;
pub(super) mod tasks;
mod thread;
