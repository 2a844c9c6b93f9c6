//! `askuser events`: the event protocol as JSON Lines (E7), for programs that speak it.
//!
//! Each line of standard input goes to the desk, each message of the desk is a line of standard
//! output. An agent's end sends requests, a person's end responses. When the input ends it stays
//! until everything that it sent was answered: a request by its response, a response by the close of
//! its ask, either by a complaint. A desk that goes away is come back to, and what has no answer yet
//! is sent again: a request joins its ask, also where that has ended meanwhile.

use std::io::BufRead;
use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep};

use super::args::{End, Insists};
use super::connect::{self, block_on, say};
use super::exit::Exit;
use super::report::{Report, print_outcome};
use crate::client::Client;
use crate::client::keys::KeyFor;
use crate::client::socket::Socket;
use crate::clock;
use crate::desk::Ids;
use crate::environment::Environment;

const PAUSE: Duration = Duration::from_millis(500);
/// Lines that wait for the desk.
const BACKLOG: usize = 64;

/// Speaks the event protocol until the input ends and everything is answered.
pub fn run(end: End, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let (client, who) = match end {
            End::Agent => (connect::desk(environment).await?, KeyFor::Agent),
            End::Person => (connect::person(environment, insists.as_person).await?, KeyFor::Person),
        };
        let mut lines = lines();
        let policy = super::ask::fallback(environment)?.map(TimeoutPolicy::name);
        let mut talk = Talk { end, ids: Ids::default(), policy, waiting: Vec::new(), ended: false };
        loop {
            let mut socket = open(&client, who).await?;
            if talk.go_on(&mut socket, &mut lines).await? {
                return Ok(Exit::Answered);
            }
            say("the desk is away; coming back to it");
            sleep(PAUSE).await;
        }
    })
}

async fn open(client: &Client, who: KeyFor) -> Result<Socket, Report> {
    let since = Instant::now();
    loop {
        match client.socket(who).await {
            Ok(socket) => return Ok(socket),
            Err(error) if error.may_pass() => client.start_again(since).await,
            Err(error) => return Err(error.into()),
        }
        sleep(PAUSE).await;
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
    end: End,
    ids: Ids,
    /// What happens at the deadline of a request that does not say (O6).
    policy: Option<&'static str>,
    /// What was sent and has no answer: by which name that will be known, and as it was sent.
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
                        let line = self.take(line);
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

    /// Takes a line that is to be sent, and remembers by which name its answer will be known. A
    /// request without a name is given one: its response could not be told from another's.
    fn take(&mut self, line: String) -> String {
        let value = serde_json::from_str(&line).unwrap_or(Value::Null);
        let (name, line) = match (kind(&value), self.end) {
            (Some(Kind::Request(key)), End::Agent) => self.named(key, value).unwrap_or((String::new(), line)),
            (Some(Kind::Response), End::Person) => (names(&value).next().unwrap_or_default(), line),
            // Nothing that this end may send: what comes back is a complaint.
            _ => (String::new(), line),
        };
        self.waiting.push((name, line.clone()));
        line
    }

    /// Returns a request's name and the request with it; nothing where it has none and
    /// cannot have one.
    fn named(&self, key: &'static str, mut request: Value) -> Option<(String, String)> {
        let fields = body_mut(&mut request).as_object_mut()?;
        let name = match fields.get(key) {
            None | Some(Value::Null) => format!("cli-{:032x}", self.ids.next(clock::now())),
            Some(given) => given.as_str()?.to_owned(),
        };
        fields.insert(key.to_owned(), name.as_str().into());
        // What is sent again after the desk was away is the same ask, also where it ended meanwhile.
        fields
            .entry("idempotency_key")
            .or_insert_with(|| format!("cli-{:032x}", self.ids.next(clock::now())).into());
        if let Some(policy) = self.policy.filter(|_| !fields.contains_key("onTimeout")) {
            fields.entry("timeoutPolicy").or_insert_with(|| policy.into());
        }
        Some((name, request.to_string()))
    }

    /// Forgets what a message answers.
    fn forget(&mut self, message: &str) {
        let value: Value = serde_json::from_str(message).unwrap_or_default();
        let complains = match kind(&value) {
            Some(Kind::Response) => false,
            Some(Kind::Complaint) => true,
            Some(Kind::Request(_)) | None => return,
        };
        let names: Vec<String> = names(&value).collect();
        let position =
            |wanted: &dyn Fn(&String) -> bool| self.waiting.iter().position(|(name, _)| wanted(name));
        // A complaint that names nothing we wait for is about a line without a name.
        let nameless = || position(&String::is_empty).filter(|_| complains);
        if let Some(idx) = position(&|name| names.contains(name)).or_else(nameless) {
            self.waiting.remove(idx);
        }
    }
}

/// What a message is.
enum Kind {
    /// A request, and the key under which its name stands.
    Request(&'static str),
    Response,
    Complaint,
}

fn kind(value: &Value) -> Option<Kind> {
    let word = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    match (word("event"), word("type")) {
        ("ask:question:request", _) => Some(Kind::Request("askId")),
        (_, "ask_user") => Some(Kind::Request("eventId")),
        ("ask:question:response", _) | (_, "ask_user_response") => Some(Kind::Response),
        ("ask:question:error", _) | (_, "error") => Some(Kind::Complaint),
        _ => None,
    }
}

/// What a message says: `data` in the one protocol, the whole message in the other.
fn body_mut(value: &mut Value) -> &mut Value {
    if value.get("event").is_some() { &mut value["data"] } else { value }
}

/// Every name that a message goes by, the surest first.
fn names(value: &Value) -> impl Iterator<Item = String> {
    let body = value.get("data").filter(|_| value.get("event").is_some()).unwrap_or(value);
    let named = |key| body.get(key).and_then(Value::as_str).filter(|name| !name.is_empty());
    ["askId", "ask_id", "opCode", "eventId", "agentId"].into_iter().filter_map(named).map(str::to_owned)
}
