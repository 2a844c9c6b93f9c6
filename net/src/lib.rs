//! HTTP to other programs: one request at a time in bounded time and space, whose certificates are trusted,
//! which addresses are called at all, and messages that are signed and tried again.

#![forbid(unsafe_code)]

pub mod posting;
pub mod outside;
pub mod webhook;
