//! How a question reaches a person. Never knows how an agent came in.
//!
//! Every channel draws the same `Sheet` and none decides what is allowed.

pub mod notify;
pub mod terminal;
pub mod web;
