//! MCP: agents that speak the Model Context Protocol, over their own pipes or over HTTP.
//!
//! One server for both (`server`), over the desk in this process or in another (`desk`). A call
//! (`tool_call`) asks, by a template (`templates`) where it names one, waits (`waiting`) as long as its client bears it
//! (`hold`), and comes back with a result (`result`) or with the id under which it goes on. Read in that order.

#![forbid(unsafe_code)]

mod server;
mod tools;
mod tool_call;
mod templates;
mod identity;
mod desk;
mod remote;
mod snapshot;
mod handing;
mod hold;
mod waiting;
mod progress;
mod dialog;
mod sealed;
mod tasks;
mod result;
mod trouble;
mod stdio;
mod http;
mod sessions;
mod json_rpc;
mod remembered;

pub use desk::{Counting, Guest, Timing};
pub use handing::Handing;
pub use http::{Mcp, Refused, SESSION};
pub use remote::RemoteDesk;
pub use server::{Server, Settings};
pub use sessions::{Full, SESSIONS_MAX, SESSIONS_PER_KEY_MAX};
pub use stdio::serve;
pub use templates::Templates;
