//! A client of `/mcp`, in either era.

use serde_json::{Value, json};

use crate::home::TestHome;
use crate::http::{self, Answer};
use crate::pipe::{NEWEST, modern_meta};

const BOTH: &str = "application/json, text/event-stream";

/// A client.
pub(crate) struct Web {
    address: String,
    key: String,
    /// The session that an older client was given.
    session: Option<String>,
    /// The version that it shook hands for.
    version: &'static str,
    /// What a newer client says of itself.
    meta: Option<Value>,
    query: String,
}

impl Web {
    fn new(home: &TestHome) -> Self {
        let address = home.daemon().url.strip_prefix("http://").unwrap().to_owned();
        let key = home.key("agent");
        Self { address, key, session: None, version: "2025-06-18", meta: None, query: String::new() }
    }

    /// A client of the newest protocol.
    pub(crate) fn modern(home: &TestHome, name: &str, capabilities: Value) -> Self {
        Self { meta: Some(modern_meta(name, capabilities)), ..Self::new(home) }
    }

    /// A client that shook hands.
    pub(crate) fn open(home: &TestHome, name: &str, capabilities: Value) -> Self {
        let (web, mut said) = Self::shake_hands(home, name, capabilities, "2025-06-18");
        let first = said.event().unwrap();
        assert_eq!(first["result"]["protocolVersion"], "2025-06-18", "{first}");
        web
    }

    /// The same in a version of the protocol; besides, what the server said to it.
    pub(crate) fn shake_hands(
        home: &TestHome,
        name: &str,
        capabilities: Value,
        version: &'static str,
    ) -> (Self, Answer) {
        let mut web = Self { version, ..Self::new(home) };
        let params = json!({"protocolVersion": version, "capabilities": capabilities,
            "clientInfo": {"name": name, "version": "1.0"}});
        let said = web.post(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}));
        assert_eq!(said.status, 200);
        web.session = said.header("mcp-session-id").map(str::to_owned);
        assert!(web.session.is_some(), "{:?}", said.headers);
        let noted = web.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assert_eq!(noted.status, 202);
        (web, said)
    }

    /// Opens the stream on which the server says what belongs to no request.
    pub(crate) fn listen(&self) -> Answer {
        self.get(None)
    }

    /// Comes back for a stream that broke off after this event.
    pub(crate) fn resume(&self, last_event_id: &str) -> Answer {
        self.get(Some(last_event_id))
    }

    fn get(&self, last_event_id: Option<&str>) -> Answer {
        let bearer = format!("Bearer {}", self.key);
        let session = self.session.clone().unwrap();
        let mut headers = vec![
            ("Authorization", bearer.as_str()),
            ("Accept", "text/event-stream"),
            ("Mcp-Session-Id", session.as_str()),
            ("MCP-Protocol-Version", self.version),
        ];
        headers.extend(last_event_id.map(|id| ("Last-Event-ID", id)));
        http::send(&self.address, "GET", "/mcp", &headers, None).unwrap()
    }

    /// The same client, at the desk as it is reached now.
    pub(crate) fn at(self, home: &TestHome) -> Self {
        Self { address: Self::new(home).address, ..self }
    }

    /// Another client that names this session.
    pub(crate) fn with_session(&self, id: &str) -> Self {
        let (address, key, query) = (self.address.clone(), self.key.clone(), self.query.clone());
        Self { address, key, session: Some(id.to_owned()), version: self.version, meta: None, query }
    }

    /// With this behind the path.
    pub(crate) fn with_query(self, query: &str) -> Self {
        Self { query: query.to_owned(), ..self }
    }

    /// Posts a message.
    pub(crate) fn post(&self, message: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.key);
        let mut headers =
            vec![("Authorization", bearer.as_str()), ("Accept", BOTH), ("Content-Type", "application/json")];
        let method = message["method"].as_str().unwrap_or_default();
        let name = message["params"]["name"].as_str().or(message["params"]["taskId"].as_str());
        if let Some(session) = &self.session {
            headers.extend([("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", self.version)]);
        }
        if self.meta.is_some() {
            headers.extend([("MCP-Protocol-Version", NEWEST), ("Mcp-Method", method)]);
            headers.extend(name.map(|name| ("Mcp-Name", name)));
        }
        let path = format!("/mcp{}", self.query);
        http::send(&self.address, "POST", &path, &headers, Some(message)).unwrap()
    }

    /// Ends the session; returns the status of that.
    pub(crate) fn end(&self) -> u16 {
        let bearer = format!("Bearer {}", self.key);
        let session = self.session.clone().unwrap();
        let headers = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", session.as_str())];
        http::send(&self.address, "DELETE", "/mcp", &headers, None).unwrap().status
    }

    /// Sends a request; its answer is a stream.
    pub(crate) fn start(&self, method: &str, mut params: Value) -> Answer {
        if let Some(meta) = &self.meta {
            let mut all = meta.as_object().unwrap().clone();
            all.extend(params["_meta"].as_object().cloned().unwrap_or_default());
            params["_meta"] = all.into();
        }
        self.post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
    }

    /// Sends a request and waits for its result.
    #[track_caller]
    pub(crate) fn request(&self, method: &str, params: Value) -> Value {
        result(&mut self.start(method, params))
    }

    /// Calls a tool and waits for its result.
    #[track_caller]
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Starts a call of a tool that tells of progress, and waits for the first word of it.
    #[track_caller]
    pub(crate) fn start_call(&self, tool: &str, arguments: &Value) -> Answer {
        let token = json!({"progressToken": "p"});
        let mut answer =
            self.start("tools/call", json!({"name": tool, "arguments": arguments, "_meta": token}));
        let first = answer.event().unwrap();
        assert_eq!(first["method"], "notifications/progress", "{first}");
        answer
    }
}

/// Reads a stream up to the result.
#[track_caller]
pub(crate) fn result(answer: &mut Answer) -> Value {
    loop {
        let message = answer.event().unwrap_or_else(|| panic!("no result: {}", answer.status));
        if message["method"].is_null() {
            assert!(message["error"].is_null(), "{message}");
            return message["result"].clone();
        }
    }
}
