//! Windsurf: asks through the MCP server, and knows no settings of a project.

use crate::agent::Agent;
use crate::install::{Content, Install, NAME, Place, SettingsFile};

pub(crate) static AGENT: Agent = Agent {
    name: "windsurf",
    title: "Windsurf",
    clients: &["windsurf"],
    install: Some(Install {
        name: "windsurf",
        program: "windsurf",
        mac_app: Some("Windsurf.app"),
        files: &[SettingsFile {
            user: Place::Home(".codeium/windsurf/mcp_config.json"),
            project: None,
            or_ending: None,
            content: |connection| Content::Json(vec![connection.server(&["mcpServers", NAME])]),
        }],
        ..Install::PLAIN
    }),
    ..Agent::UNKNOWN
};
