//! How agents and programs come in besides: events, sockets, MCP, hooks.

use askuser_core::limits::ID_CHARS_MAX;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::headers;
use crate::route::{Header, routes};
use crate::shapes::{Open, Text};

routes! {
    Events(AgentOrPerson, Reads) Get "/api/events" query Listening; as &["text/event-stream"];
        headers &[Header { is_number: true, ..Header::text("Last-Event-ID") }]; => Text:
        "What happens, as server-sent events; `Last-Event-ID` or `since` resumes";
    OpenSocket(AgentOrPerson, Reads) Get "/api/ws" query SocketProtocol; status &[101]; as &[]; => ():
        "The event protocol over a WebSocket";
    McpMessage(Agent, Reads) Post "/mcp" query Holding; body Open; headers &[Header::text(headers::ASKER)]; => Open:
        "MCP over streamable HTTP: a message of the client";
    McpEvents(Agent, Reads) Get "/mcp" => Open: "MCP: messages to an older client, as events";
    McpEnd(Agent, Reads) Delete "/mcp" => Open: "MCP: ends the session of an older client";
    HookEvent(Agent, Writes) Post "/api/hooks/{agent}" query HookWaiting; body Open; status &[200, 202]; headers HOOKS;
        => Open: "Takes an agent's hook event and returns the decision";
}

const HOOKS: &[Header] = &[
    Header { chars_max: ID_CHARS_MAX, ..Header::text(headers::IDEMPOTENCY_KEY) },
    Header { one_of: &["interactive", "headless"], ..Header::text(headers::MODE) },
    Header::text(headers::ENTRYPOINT),
];

/// What to listen to.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Listening {
    /// `push`: questions as they are pushed, and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Pushed>,
    /// In this session alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The number of the last event that was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
}

/// The one other form of events.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Pushed {
    /// Questions as they are pushed.
    Push,
}

/// How a socket speaks.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct SocketProtocol {
    /// For agents `events` or `ask_user`, for people `push`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
}

/// A protocol of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Protocol {
    /// The event protocol.
    Events,
    /// The same for one ask.
    AskUser,
    /// Questions as they are pushed.
    Push,
}

impl Protocol {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Events, Self::AskUser, Self::Push];

    /// As it stands behind `?`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::AskUser => "ask_user",
            Self::Push => "push",
        }
    }

    /// Finds a protocol by its name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}

/// How long a client of MCP can be held.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct Holding {
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub hold: Option<f64>,
}

/// How long a hook waits.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct HookWaiting {
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub wait: Option<f64>,
}
