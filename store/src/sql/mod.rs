//! What every store does, written once: SQL that both databases take, noun by noun.

pub(super) mod access;
pub(super) mod audit;
mod ids;
mod nudges;
mod pushes;
pub(super) mod rules;
