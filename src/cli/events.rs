//! `askuser events`: the event protocol as JSON Lines (E7), for programs that speak it.
//!
//! Each line of standard input goes to the desk, each message of the desk is a line of standard
//! output. When the input ends it stays until every question that it asked has its response. A desk
//! that goes away is come back to, and what has no response yet is asked again: it joins the open
//! ask.

use std::io::BufRead;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::connect::{self, block_on, say};
use super::exit::Exit;
use super::report::{Report, print_outcome};
use crate::client::Client;
use crate::client::keys::KeyFor;
use crate::client::socket::Socket;
use crate::environment::Environment;

const PAUSE: Duration = Duration::from_millis(500);
/// Lines that wait for the desk.
const BACKLOG: usize = 64;

/// Speaks the event protocol until the input ends and everything is answered.
pub fn run(environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::desk(environment).await?;
        let mut lines = lines();
        let mut talk = Talk { waiting: Vec::new(), ended: false };
        loop {
            let mut socket = open(&client).await?;
            if talk.go_on(&mut socket, &mut lines).await? {
                return Ok(Exit::Answered);
            }
            say("the desk is away; coming back to it");
            sleep(PAUSE).await;
        }
    })
}

async fn open(client: &Client) -> Result<Socket, Report> {
    loop {
        match client.socket(KeyFor::Agent).await {
            Ok(socket) => return Ok(socket),
            Err(error) if error.may_pass() => sleep(PAUSE).await,
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads lines in a thread of its own, which ends with the program.
fn lines() -> mpsc::Receiver<String> {
    let (to, lines) = mpsc::channel(BACKLOG);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if !line.trim().is_empty() && to.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

struct Talk {
    /// Requests without a response, by their name and as they were sent.
    waiting: Vec<(String, String)>,
    /// Whether the input has ended.
    ended: bool,
}

impl Talk {
    /// Talks until all is said (true) or the socket is gone (false).
    async fn go_on(
        &mut self,
        socket: &mut Socket,
        lines: &mut mpsc::Receiver<String>,
    ) -> Result<bool, Report> {
        for (_, request) in &self.waiting {
            if !socket.send(request).await {
                return Ok(false);
            }
        }
        loop {
            if self.ended && self.waiting.is_empty() {
                return Ok(true);
            }
            tokio::select! {
                line = lines.recv(), if !self.ended => match line {
                    None => self.ended = true,
                    Some(line) => {
                        self.waiting.extend(request(&line).map(|name| (name, line.clone())));
                        if !socket.send(&line).await {
                            return Ok(false);
                        }
                    }
                },
                message = socket.next() => {
                    let Some(message) = message else { return Ok(false) };
                    self.forget(&message);
                    print_outcome(&message)
                        .map_err(|error| Report::failed(format!("a message cannot be printed: {error}"), None))?;
                }
            }
        }
    }

    /// Forgets the request that a message answers.
    fn forget(&mut self, message: &str) {
        let Some(name) = response(message) else { return };
        let found = self.waiting.iter().position(|(waiting, _)| *waiting == name);
        // What names nobody, as a complaint, answers the oldest.
        let found = found.or((name.is_empty() && !self.waiting.is_empty()).then_some(0));
        if let Some(idx) = found {
            self.waiting.remove(idx);
        }
    }
}

/// Returns by what a request's response will be known; nothing where it is no request.
fn request(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    if text(&value, "event").as_deref() == Some("ask:question:request") {
        return Some(text(value.get("data")?, "agentId").unwrap_or_default());
    }
    (text(&value, "type").as_deref() == Some("ask_user")).then(|| text(&value, "eventId").unwrap_or_default())
}

/// Returns which request a message answers; nothing where it answers none.
fn response(message: &str) -> Option<String> {
    let value: Value = serde_json::from_str(message).ok()?;
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let event = text(&value, "event");
    if matches!(event.as_deref(), Some("ask:question:response" | "ask:question:error")) {
        return Some(text(value.get("data")?, "agentId").unwrap_or_default());
    }
    if text(&value, "type").as_deref() == Some("ask_user_response") {
        return Some(text(&value, "opCode").unwrap_or_default());
    }
    let named = text(&value, "eventId").or_else(|| text(&value, "opCode"));
    value.get("error").is_some().then(|| named.unwrap_or_default())
}
