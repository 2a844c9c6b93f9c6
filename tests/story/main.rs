//! The real programs, as an agent calls them and as a person sees them.

mod stage;
mod reflow;
mod press;
mod asks;
mod cases;
mod keys;
mod paste;
mod resize;
mod leaving;
mod nobody;
mod hostile;
mod route;
mod ask;
mod picture;
