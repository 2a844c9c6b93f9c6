//! HTTP to other programs: the one client, whose certificates it trusts, which addresses are called at all, and messages
//! that are signed and tried again.

#![forbid(unsafe_code)]

pub mod url;
pub mod guard;
pub mod trust;
mod connect;
pub mod http;
pub mod websocket;
pub mod webhook;
