//! How a question reaches a person. Never knows how an agent came in.

pub mod terminal;
