//! The real programs, as an agent calls them and as a person sees them.

mod stage;
mod asks;
mod cases;
mod picture;
