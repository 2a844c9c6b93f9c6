//! Plays the client's side of a recording against the real program: over its pipes, or over HTTP.

use std::collections::VecDeque;
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use serde_json::{Value, json};

use crate::home::{PATIENCE, TestHome};
use crate::http::{self, Answer};
use crate::pipe::Pipe;

/// Under which names clients tell their conversation.
const CONVERSATIONS: [&str; 2] = ["threadId", "agent-session-id"];

/// What carries the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    Pipes,
    Http,
}

/// A client that does what was recorded, one thing after another.
pub(crate) struct Player<'a> {
    pub(crate) home: &'a TestHome,
    pub(crate) carrier: Carrier,
    /// What is recorded, with what is true here put in.
    side: Value,
    left: VecDeque<Value>,
    line: Line,
}

/// A connection to the server.
enum Line {
    Pipes(Pipe),
    Http(Web),
}

impl<'a> Player<'a> {
    pub(crate) fn new(home: &'a TestHome, carrier: Carrier, side: &Value) -> Self {
        let work = home.path().join("work");
        std::fs::create_dir_all(&work).unwrap();
        let text = side.to_string().replace("$WORK", work.to_str().unwrap());
        let text = text.replace("$HOME", home.path().to_str().unwrap()).replace("$KEY", &home.key("agent"));
        let side: Value = serde_json::from_str(&text).unwrap();
        let line = connect(home, carrier, &side, 0);
        let left = does(&side);
        Self { home, carrier, side, left, line }
    }

    /// The folder in which the agent works.
    pub(crate) fn work(&self) -> PathBuf {
        self.home.path().join("work")
    }

    /// Whether the client says in which folder it works.
    pub(crate) fn tells_folder(&self) -> bool {
        let in_call = |step: &Value| step["message"]["params"]["_meta"]["agent-working-dir"].is_string();
        self.side["replies"]["roots/list"].is_object() || self.left.iter().any(in_call)
    }

    /// Has the client name its conversation so; whether it names one at all.
    pub(crate) fn rename_conversation(&mut self, name: &str) -> bool {
        let mut renamed = false;
        for step in &mut self.left {
            let Some(meta) = step.pointer_mut("/message/params/_meta").and_then(Value::as_object_mut) else {
                continue;
            };
            for known in CONVERSATIONS {
                if let Some(conversation) = meta.get_mut(known) {
                    *conversation = name.into();
                    renamed = true;
                }
            }
        }
        renamed
    }

    /// Loses the connection without a word, and is about to shake hands anew and to ask the same again: by the second
    /// call that is recorded, because an agent that comes back gives its calls other names.
    pub(crate) fn reconnect(&mut self) {
        let line = connect(self.home, self.carrier, &self.side, 1);
        match std::mem::replace(&mut self.line, line) {
            Line::Pipes(pipe) => pipe.kill(),
            Line::Http(web) => web.hang_up(),
        }
        self.left = does(&self.side);
        let calls: Vec<_> = (0..self.left.len()).filter(|idx| is_call(&self.left[*idx])).collect();
        let [first, second] = calls[..] else { panic!("two calls are recorded, not {}", calls.len()) };
        self.left.drain(first..second);
    }

    /// Goes on up to the next call of a tool, and sends it; returns its id.
    #[track_caller]
    pub(crate) fn call(&mut self) -> Value {
        loop {
            let step = self.left.pop_front().unwrap_or_else(|| panic!("no further call is recorded"));
            if is_call(&step) {
                let id = step["message"]["id"].clone();
                self.line.send(&step);
                return id;
            }
            self.does(&step);
        }
    }

    /// The same, and waits until the server says that it waits, which is when the question stands.
    #[track_caller]
    pub(crate) fn until_call(&mut self) -> Value {
        let call = self
            .left
            .iter()
            .find(|step| is_call(step))
            .unwrap_or_else(|| panic!("no further call is recorded"));
        let token = call["message"]["params"]["_meta"]["progressToken"].clone();
        assert!(!token.is_null(), "every one of them wants to hear of progress: {call}");
        let id = self.call();
        self.line.until("progress", |message| message["params"]["progressToken"] == token);
        id
    }

    /// Does one thing that is not a call, and waits for the response where there is one.
    #[track_caller]
    fn does(&mut self, step: &Value) {
        if let (Some(gone), Line::Http(web)) = (step.get("leaves"), &mut self.line) {
            return web.leave(gone);
        }
        self.line.send(step);
        let id = &step["message"]["id"];
        if !id.is_null() {
            let said = self.line.until("a response", |message| is_response(message, id));
            // Some ask also for what we do not have, and are told so.
            let method = step["message"]["method"].as_str().unwrap();
            let is_ours = !method.starts_with("prompts/") && !method.starts_with("resources/");
            assert!(said["error"].is_null() || !is_ours, "{method}: {said}");
        }
    }

    /// What is left: how the client says goodbye.
    #[track_caller]
    pub(crate) fn finish(&mut self) {
        while let Some(step) = self.left.pop_front() {
            self.does(&step);
        }
    }

    /// What came that the client takes for a message although it is none.
    pub(crate) fn stumbled(&self) -> &[String] {
        match &self.line {
            Line::Pipes(_) => &[],
            Line::Http(web) => &web.stumbled,
        }
    }

    /// The result of a request.
    #[track_caller]
    pub(crate) fn result(&mut self, id: &Value) -> Value {
        let said = self.line.until("the result", |message| is_response(message, id));
        assert!(said["error"].is_null(), "{said}");
        said["result"].clone()
    }
}

fn is_call(step: &Value) -> bool {
    step["message"]["method"] == "tools/call"
}

fn is_response(message: &Value, id: &Value) -> bool {
    message["id"] == *id && message["method"].is_null()
}

fn does(side: &Value) -> VecDeque<Value> {
    side["does"].as_array().unwrap().iter().cloned().collect()
}

/// Connects for the first time, or again, when an agent may tell other things of itself.
fn connect(home: &TestHome, carrier: Carrier, side: &Value, n_before: usize) -> Line {
    let replies = side["replies"].clone();
    match carrier {
        Carrier::Pipes => {
            let mut command = home.command(&["mcp"]);
            let told =
                side["env"][n_before].as_object().unwrap_or_else(|| panic!("no environment is recorded"));
            command.envs(told.iter().map(|(name, value)| (name, value.as_str().unwrap())));
            Line::Pipes(Pipe::start_as(command.current_dir(home.path().join("work"))).replying(replies))
        }
        Carrier::Http => Line::Http(Web::new(home, replies)),
    }
}

impl Line {
    fn send(&mut self, step: &Value) {
        match self {
            Self::Pipes(pipe) => pipe.send(&step["message"]),
            Self::Http(web) => web.send(step),
        }
    }

    #[track_caller]
    fn until(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        match self {
            Self::Pipes(pipe) => pipe.next(what, is_it),
            Self::Http(web) => web.until(what, is_it),
        }
    }
}

/// Many requests at once, each on a connection of its own whose answer is read as it comes.
struct Web {
    address: String,
    replies: Value,
    session: Option<String>,
    /// Of the last request with a body: what an answer to the server goes with.
    headers: Vec<(String, String)>,
    /// The protocol that the client speaks, as it says itself.
    version: Option<String>,
    /// Events that are no messages, in a protocol that knows no such events.
    stumbled: Vec<String>,
    to: Sender<Value>,
    came: Receiver<Value>,
    backlog: Vec<Value>,
    /// The connections, by the id of their request.
    open: Vec<(Value, TcpStream)>,
}

impl Web {
    fn new(home: &TestHome, replies: Value) -> Self {
        let address = home.daemon().url.strip_prefix("http://").unwrap().to_owned();
        let (to, came) = channel();
        let (headers, stumbled, backlog, open) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { address, replies, session: None, headers, version: None, stumbled, to, came, backlog, open }
    }

    fn send(&mut self, step: &Value) {
        let headers = step["headers"].as_object().unwrap().iter();
        let session = self.session.clone().unwrap_or_default();
        let put_in = |text: &Value| text.as_str().unwrap().replace("$SESSION", &session);
        let headers: Vec<_> = headers.map(|(name, value)| (name.clone(), put_in(value))).collect();
        let body = step.get("message");
        if let Some(body) = body {
            self.headers.clone_from(&headers);
            let said = body["params"]["protocolVersion"]
                .as_str()
                .or(step["headers"]["mcp-protocol-version"].as_str());
            self.version = said.map(str::to_owned).or(self.version.take());
        }
        self.request(step["method"].as_str().unwrap(), &headers, body);
    }

    fn request(&mut self, method: &str, headers: &[(String, String)], body: Option<&Value>) {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let answer = http::send(&self.address, method, "/mcp", &headers, body).unwrap();
        assert!((200..300).contains(&answer.status), "{method} {body:?}: {}", answer.status);
        if let Some(session) = answer.header("mcp-session-id") {
            self.session = Some(session.to_owned());
        }
        let id = body.map(|body| body["id"].clone()).unwrap_or_default();
        self.open.push((id, answer.connection()));
        // Events without a message are of 2025-11-25: older clients read every event as one.
        let is_strict = self.version.as_deref().is_some_and(|version| version < "2025-11-25");
        listen(answer, is_strict, self.to.clone());
    }

    #[track_caller]
    fn until(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        if let Some(idx) = self.backlog.iter().position(&is_it) {
            return self.backlog.remove(idx);
        }
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(message) = self.came.recv_timeout(left) else {
                panic!("waited for {what}; came: {:?}", self.backlog);
            };
            if let Some(data) = message["not_a_message"].as_str() {
                self.stumbled.push(data.to_owned());
                continue;
            }
            let reply = &self.replies[message["method"].as_str().unwrap_or_default()];
            if !reply.is_null() {
                let reply = json!({"jsonrpc": "2.0", "id": message["id"], "result": reply});
                self.request("POST", &self.headers.clone(), Some(&reply));
                continue;
            }
            if is_it(&message) {
                return message;
            }
            self.backlog.push(message);
        }
    }

    /// Closes the connection of a request.
    fn leave(&mut self, id: &Value) {
        let idx = self.open.iter().position(|(known, _)| known == id).unwrap();
        let (_, connection) = self.open.remove(idx);
        connection.shutdown(Shutdown::Both).unwrap();
    }

    /// Closes every connection, as a program does that is killed.
    fn hang_up(self) {
        for (_, connection) in self.open {
            // The server may have closed it before.
            let _closed = connection.shutdown(Shutdown::Both);
        }
    }
}

/// Hands on what comes on a connection, until it closes.
fn listen(mut answer: Answer, is_strict: bool, to: Sender<Value>) {
    std::thread::spawn(move || {
        if answer.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            let _gone = to.send(serde_json::from_str(&answer.text()).unwrap());
            return;
        }
        while let Some(data) = answer.data() {
            let message = match serde_json::from_str(&data) {
                Ok(message) => message,
                Err(_) if is_strict => json!({"not_a_message": data}),
                Err(_) => continue,
            };
            if to.send(message).is_err() {
                return;
            }
        }
    });
}
