//! VS Code: its agent asks through the MCP server.

use crate::agent::Agent;
use crate::install::{Content, Install, NAME, Place, SettingsFile, Want};
use crate::patience::{ENDLESS, FIVE_MINUTES, Patience};

pub(crate) static AGENT: Agent = Agent {
    name: "vscode",
    title: "VS Code",
    clients: &["vscode", "visual studio code"],
    marks: &["VSCODE_AGENT"],
    // Over stdio it never gives up; over HTTP after 300 s.
    patience: Some(Patience { over_http: FIVE_MINUTES, ..Patience::always(ENDLESS) }),
    install: Some(Install {
        name: "vscode",
        program: "code",
        mac_app: Some("Visual Studio Code.app"),
        files: &[SettingsFile {
            user: Place::Platform("Code/User/mcp.json"),
            project: Some(".vscode/mcp.json"),
            or_ending: None,
            content: |connection| {
                let fields = connection.server_fields(Some("stdio"), None);
                Content::Json(vec![Want::Entry { at: vec!["servers", NAME], fields }])
            },
        }],
        next: |words, _| Some(words.next_vscode().to_owned()),
        ..Install::PLAIN
    }),
    ..Agent::UNKNOWN
};
