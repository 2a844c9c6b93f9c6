//! How agents and programs come in besides: events, sockets, MCP, hooks.

use askuser_core::limits::ID_CHARS_MAX;
use askuser_core::problem::Fault;
use askuser_words::fault::{Wrong, unfit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::headers;
use crate::query::{Seconds, query};
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

query! {
    /// What to listen to.
    pub struct Listening {
        /// `push`: questions as they are pushed, and nothing else.
        pub protocol: Option<Pushed>,
        /// In this session alone.
        pub session: Option<String>,
        /// The number of the last event that was seen.
        pub since: Option<EventNumber>,
    }
}

/// The number of an event, from which a stream goes on.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct EventNumber(pub u64);

impl EventNumber {
    /// Reads it, behind `?` or in `Last-Event-ID`.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        text.trim().parse().map(Self).map_err(|_| unfit(Wrong::not_an_event))
    }
}

/// The one other form of events.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Pushed {
    /// Questions as they are pushed.
    Push,
}

query! {
    /// How a socket speaks.
    pub struct SocketProtocol {
        /// For agents `events` or `ask_user`, for people `push`.
        pub protocol: Option<Protocol>,
    }
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

query! {
    /// How long a client of MCP can be held.
    pub struct Holding {
        /// Seconds.
        #[schemars(with = "Option<f64>", range(min = 0.0))]
        pub hold: Option<Seconds>,
    }

    /// How long a hook waits.
    pub struct HookWaiting {
        /// Seconds.
        #[schemars(with = "Option<f64>", range(min = 0.0))]
        pub wait: Option<Seconds>,
    }
}
