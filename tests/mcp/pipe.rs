//! A client on the server's pipes: one JSON message a line, and nothing mended.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home::{PATIENCE, TestHome};

/// The newest protocol, which has no handshake.
pub(crate) const NEWEST: &str = "2026-07-28";

/// A server and the client's end of its pipes.
pub(crate) struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Messages that came before somebody asked for them.
    backlog: Vec<Value>,
    n_sent: u64,
    /// What every request says of itself in the newest protocol.
    meta: Option<Value>,
    /// What is said when the server asks something, by method.
    replies: Value,
}

impl Pipe {
    /// Starts the server in a home.
    pub(crate) fn start(home: &TestHome) -> Self {
        Self::start_as(&mut home.command(&["mcp"]))
    }

    pub(crate) fn start_as(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (to, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, backlog: Vec::new(), n_sent: 0, meta: None, replies: Value::Null }
    }

    /// Answers what the server asks from here on, by method.
    pub(crate) fn replying(mut self, replies: Value) -> Self {
        self.replies = replies;
        self
    }

    /// Shakes hands as a client of this name, in this version; returns what the server said.
    pub(crate) fn initialize(&mut self, name: &str, version: &str, capabilities: Value) -> Value {
        let client = json!({"name": name, "version": "1.0"});
        let params = json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client});
        let said = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        said
    }

    /// A server in a home with which hands were shaken, as a client of this name.
    pub(crate) fn open(home: &TestHome, name: &str) -> Self {
        let mut pipe = Self::start(home);
        pipe.initialize(name, "2025-06-18", json!({}));
        pipe
    }

    /// Speaks the newest protocol from here on.
    pub(crate) fn modern(mut self, name: &str, capabilities: Value) -> Self {
        self.meta = Some(modern_meta(name, capabilities));
        self
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Sends a request and returns its id.
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> u64 {
        self.n_sent += 1;
        if let Some(meta) = &self.meta {
            let mut all = meta.as_object().unwrap().clone();
            all.extend(params["_meta"].as_object().cloned().unwrap_or_default());
            params["_meta"] = all.into();
        }
        let id = self.n_sent;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its result.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answered = self.response(id);
        assert!(answered["error"].is_null(), "{answered}");
        answered["result"].clone()
    }

    /// Sends a call of a tool and returns its id.
    pub(crate) fn start_call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool and waits for its result.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Waits for the response to a request.
    #[track_caller]
    pub(crate) fn response(&mut self, id: u64) -> Value {
        self.next(&format!("the response to {id}"), |message| {
            message["id"] == id && message["method"].is_null()
        })
    }

    /// Waits for the result of a request.
    #[track_caller]
    pub(crate) fn result(&mut self, id: u64) -> Value {
        self.response(id)["result"].clone()
    }

    /// Waits for a message with this method.
    #[track_caller]
    pub(crate) fn method(&mut self, method: &str) -> Value {
        self.next(method, |message| message["method"] == method)
    }

    /// Waits for a message; what the server asks meanwhile is answered.
    #[track_caller]
    pub(crate) fn next(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        if let Some(idx) = self.backlog.iter().position(&is_it) {
            return self.backlog.remove(idx);
        }
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("waited for {what}; came: {:?}", self.backlog);
            };
            // Nothing but messages may stand there.
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
            let reply = &self.replies[message["method"].as_str().unwrap_or_default()];
            if !reply.is_null() {
                let reply = json!({"jsonrpc": "2.0", "id": message["id"], "result": reply});
                self.send(&reply);
                continue;
            }
            if is_it(&message) {
                return message;
            }
            self.backlog.push(message);
        }
    }

    /// Whether no message with this method has come so far.
    pub(crate) fn never_came(&self, method: &str) -> bool {
        self.backlog.iter().all(|message| message["method"] != method)
    }

    /// Whether no response to a request comes within this time.
    pub(crate) fn is_silent_about(&mut self, id: u64, time: Duration) -> bool {
        let until = Instant::now() + time;
        while let Ok(line) = self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            let message: Value = serde_json::from_str(&line).unwrap();
            let is_it = message["id"] == id;
            self.backlog.push(message);
            if is_it {
                return false;
            }
        }
        true
    }

    /// Closes the server's input and waits until it ends; returns how long that took.
    pub(crate) fn close(mut self) -> Duration {
        let begun = Instant::now();
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
        begun.elapsed()
    }

    /// Kills the server, as an agent that crashes does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// What a request says of itself in the newest protocol.
pub(crate) fn modern_meta(name: &str, capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1.0"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// The text that a model reads.
#[track_caller]
pub(crate) fn text(result: &Value) -> &str {
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
    result["content"][0]["text"].as_str().unwrap()
}
