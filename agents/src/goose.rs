//! goose: asks through the MCP server, which its person adds.

use crate::agent::{Agent, Meta};
use crate::patience::{FIVE_MINUTES, Patience};

pub(crate) static AGENT: Agent = Agent {
    name: "goose",
    title: "goose",
    clients: &["goose"],
    marks: &["GOOSE_TERMINAL"],
    processes: &["goose", "goosed"],
    meta: Meta {
        conversation: Some("agent-session-id"),
        tool_call: Some("agent-tool-call-request-id"),
        folder: Some("agent-working-dir"),
    },
    // Progress or not, its clock runs on.
    patience: Some(Patience::always(FIVE_MINUTES)),
    ..Agent::UNKNOWN
};
