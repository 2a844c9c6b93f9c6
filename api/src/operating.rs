//! For whoever runs the server: is it there, how is it doing, what does it run with; stop.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::route::routes;
use crate::shapes::Open;

routes! {
    ShowStatus(AnyKey, Reads) Get "/api/status" => Status: "The state of the server";
    CompareConfig(PersonOrAdmin, Reads) Get "/api/config" => ConfigDifference:
        "How the settings file differs from what the server runs with";
    ReloadConfig(Admin, Writes) Post "/api/config/reload" => ConfigDifference:
        "Reloads the settings file: what changed, and what needs a restart";
    Stop(Admin, Writes) Post "/api/stop" status &[202]; => Word: "Stops the server cleanly";
    IsAlive(Anyone, Free) Get "/healthz" => Word: "Whether the server is alive";
    IsReady(Anyone, Free) Get "/readyz" => Word: "Whether the server is ready to write";
    Reach(Anyone, Free) Get "/api/reach" => Reached:
        "A random number of this process: as JSON, as two events, or over a WebSocket";
    OpenApi(Anyone, Free) Get "/openapi.json" => Open: "This document";
}

/// How it stands, in a word.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Word {
    /// `ok`, `ready` or `stopping`.
    pub status: String,
}

/// How the server is doing.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Status {
    /// Its version.
    pub version: String,
    /// Its process.
    pub pid: u32,
    /// Since when it runs.
    pub started_at: String,
    /// Its clock.
    pub now: String,
    /// `sqlite` or `postgresql`.
    pub database: String,
    /// Files that it may have open; null where the system sets no limit.
    pub open_files_max: Option<u64>,
    /// Connections that it takes.
    pub connections_max: usize,
    /// Where people come in from other devices; null where that was not asked for.
    pub network: Option<Network>,
    /// A proxy or a tunnel to it.
    pub public_url: Option<String>,
    /// A number that only this process has.
    pub desk: String,
    /// Whether it is about to end.
    pub stopping: bool,
    /// Whether answers from an agent's own dialog are taken.
    pub agent_dialog: bool,
    /// How long requests took.
    pub operations: ResponseTimes,
    /// How long what people did took in their browsers.
    pub browser_operations: ResponseTimes,
    /// Open asks of all users; to an admin, like the three below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_asks: Option<u64>,
    /// Tasks that are not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<usize>,
    /// Facts in the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<u64>,
    /// Sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sessions: Option<u64>,
}

/// The figures of the last operations, as the source document names them.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResponseTimes {
    /// Operations that were measured.
    pub count: usize,
    /// Milliseconds.
    pub avg_response_time: f64,
    /// Milliseconds that 95 of 100 did not exceed.
    #[serde(rename = "p95ResponseTime")]
    pub p95_response_time: f64,
    /// Operations that took too long.
    pub slow_operations: usize,
}

/// Where people come in from other devices.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Network {
    /// Where, the best first.
    pub urls: Vec<String>,
    /// Why nobody can come in.
    pub why_not: Option<String>,
    /// The SHA-256 of the certificate.
    pub fingerprint: Option<String>,
    /// Whether the server made it.
    pub self_made: bool,
    /// Hosts that it is for.
    pub hosts: Vec<String>,
    /// Until when it is good.
    pub not_after: Option<String>,
}

/// The configuration file beside what the server runs with.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ConfigDifference {
    /// The file; null where there is none.
    pub file: Option<String>,
    /// Keys that a reload applies, or has applied.
    pub reload: Vec<String>,
    /// Keys that need a restart.
    pub restart: Vec<String>,
    /// What is wrong with the file: nothing of it is taken then.
    pub faults: Vec<String>,
}

/// Who was reached.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Reached {
    /// The number of the server.
    pub desk: String,
}
