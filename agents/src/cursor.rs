//! Cursor: asks through the MCP server.

use crate::agent::Agent;
use crate::install::{Content, Install, NAME, Place, SettingsFile};

pub(crate) static AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    clients: &["cursor"],
    marks: &["CURSOR_AGENT"],
    doubts: &["CURSOR_TRACE_ID"],
    processes: &["cursor-agent"],
    install: Some(Install {
        name: "cursor",
        program: "cursor",
        mac_app: Some("Cursor.app"),
        files: &[SettingsFile {
            user: Place::Home(".cursor/mcp.json"),
            project: Some(".cursor/mcp.json"),
            or_ending: None,
            content: |connection| Content::Json(vec![connection.server(&["mcpServers", NAME])]),
        }],
        ..Install::PLAIN
    }),
    ..Agent::UNKNOWN
};
