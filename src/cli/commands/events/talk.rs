//! What was sent and has no answer yet: by which name that will be known, and what may be sent again.

use std::time::Duration;

use askuser_core::id::AskId;
use askuser_words::failed::Failed;
use serde_json::Value;
use tokio::time::Instant;

use super::End;
use super::input::{complaint, too_long};
use super::received::Told;
use askuser_api::event_protocol::{Kind, body_mut, kind, may_pass, meant, names, text};
use askuser_api::headers::BODY_BYTES_MAX;
use askuser_client::seen::SeenAsk;
use askuser_desk::Ids;
use askuser_system::clock;
use askuser_wire::failure::{Code, Failure};

/// How long a line that was refused for a moment waits, and how long at most: the desk's complaint
/// carries no time.
const HOLD: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// By what the answer to a line is known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    /// The request's own name, or the ask's id: whatever is sent under it again is the same.
    Sure(String),
    /// The name of an event that this line was not told: another ask may have it later.
    Event(String),
    /// The agent, whose oldest open ask is meant: soon another one.
    Agent(String),
    /// Nothing: what comes back is a complaint.
    Nothing,
}

/// A line without its answer.
#[derive(Debug)]
struct Waiting {
    name: Name,
    line: String,
    /// Whether it was refused for a moment, so that the desk does not have it.
    held: bool,
}

/// The state of the conversation, over as many sockets as it takes.
pub(super) struct Talk {
    end: End,
    ids: Ids,
    /// What happens at the deadline of a request that does not say (O6).
    policy: Option<&'static str>,
    waiting: Vec<Waiting>,
    /// What a person's line was told.
    pub(super) told: Told,
    /// When what is held is sent again.
    again_at: Option<Instant>,
    /// When that was the last time, and how long it had waited.
    last_hold: Option<(Instant, Duration)>,
    /// Whether the input has ended.
    pub(super) ended: bool,
}

impl Talk {
    /// Begins.
    pub(super) fn new(end: End, policy: Option<&'static str>) -> Self {
        Self {
            end,
            ids: Ids::default(),
            policy,
            waiting: Vec::new(),
            told: Told::default(),
            again_at: None,
            last_hold: None,
            ended: false,
        }
    }

    /// Whether all is said and answered.
    pub(super) fn is_over(&self) -> bool {
        self.ended && self.waiting.is_empty()
    }

    /// When what was refused for a moment is to be sent again.
    pub(super) fn again_at(&self) -> Option<Instant> {
        self.again_at
    }

    /// Takes a line that is to be sent, and remembers by which name its answer will be known; a
    /// complaint where it cannot be sent. A request without a name is given one: its response could
    /// not be told from another's.
    pub(super) fn take(&mut self, line: String) -> Result<String, String> {
        let value = serde_json::from_str(&line).unwrap_or(Value::Null);
        let (name, line) = match (kind(&value), self.end) {
            (Some(Kind::Request(key)), End::Agent) => {
                self.named(key, value.clone()).unwrap_or((Name::Nothing, line))
            }
            (Some(Kind::Response), End::Person) => self.bound(&value, line),
            // Nothing that this end may send: what comes back is a complaint.
            _ => (Name::Nothing, line),
        };
        if line.len() > BODY_BYTES_MAX {
            return Err(too_long(&value));
        }
        self.waiting.push(Waiting { name, line: line.clone(), held: false });
        Ok(line)
    }

    /// Returns a request's name and the request with it; nothing where it has none and
    /// cannot have one.
    fn named(&self, key: &'static str, mut request: Value) -> Option<(Name, String)> {
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
        Some((Name::Sure(name), request.to_string()))
    }

    /// Returns a response's name and the response with the id of its ask, as far as that is known:
    /// without it the response would answer another ask when it is sent again (invariant 5).
    fn bound(&self, response: &Value, line: String) -> (Name, String) {
        let (named, agent) = (meant(response), text(response, "agentId"));
        if let Some(id) = named.as_ref().filter(|name| name.parse::<AskId>().is_ok()) {
            return (Name::Sure(id.clone()), line);
        }
        let spoken_for = |id: AskId| self.waits_for(&id.to_string());
        // An `askId` of the sender's own stays: it is the name by which they know a complaint.
        let found = self.told.meant(named.as_deref(), agent, spoken_for);
        if let Some(id) = found.filter(|_| text(response, "askId").is_none()) {
            let mut response = response.clone();
            if let Some(fields) = body_mut(&mut response).as_object_mut() {
                fields.insert("askId".to_owned(), id.to_string().into());
            }
            return (Name::Sure(id.to_string()), response.to_string());
        }
        let name = match (named, agent) {
            (Some(event), _) => Name::Event(event),
            (None, Some(agent)) => Name::Agent(agent.to_owned()),
            (None, None) => Name::Nothing,
        };
        (name, line)
    }

    fn waits_for(&self, name: &str) -> bool {
        self.waiting.iter().any(|waiting| matches!(&waiting.name, Name::Sure(own) if own == name))
    }

    /// Hears a message; false where it is not to be printed.
    pub(super) fn hear(&mut self, message: &Value) -> bool {
        match kind(message) {
            Some(Kind::Request(_)) => self.end == End::Agent || self.told.hear(message),
            Some(Kind::Response) => {
                let is_new = self.end == End::Agent || self.told.hear(message);
                if let Some(waiting_idx) = self.answered(message) {
                    self.waiting.remove(waiting_idx);
                }
                is_new
            }
            Some(Kind::Complaint) => self.complained(message),
            None => true,
        }
    }

    /// Takes an ask that was looked up after the line was cut; returns its close where it has ended.
    pub(super) fn look_up(&mut self, seen: &SeenAsk) -> Option<Value> {
        let close = self.told.look_up(seen)?;
        if let Some(waiting_idx) = self.answered(&close) {
            self.waiting.remove(waiting_idx);
        }
        Some(close)
    }

    /// Which line a response answers.
    fn answered(&self, response: &Value) -> Option<usize> {
        let (names, agent) = (names(response), text(response, "agentId"));
        let position =
            |wanted: &dyn Fn(&Name) -> bool| self.waiting.iter().position(|waiting| wanted(&waiting.name));
        let by_name = |name: &Name| matches!(name, Name::Sure(own) | Name::Event(own) if names.contains(own));
        let by_agent = |name: &Name| matches!(name, Name::Agent(own) if Some(own.as_str()) == agent);
        position(&by_name).or_else(|| position(&by_agent))
    }

    /// Which line a complaint is about: one that is held has had its own.
    fn complained_about(&self, complaint: &Value) -> Option<usize> {
        let (names, agent) = (names(complaint), text(complaint, "agentId"));
        let position = |wanted: &dyn Fn(&Name) -> bool| {
            self.waiting.iter().position(|waiting| !waiting.held && wanted(&waiting.name))
        };
        let by_name = |name: &Name| matches!(name, Name::Sure(own) | Name::Event(own) if names.contains(own));
        let by_agent =
            |name: &Name| names.is_empty() && matches!(name, Name::Agent(own) if Some(own.as_str()) == agent);
        // A complaint that names nothing we wait for is about a line without a name.
        let nameless = || position(&|name| *name == Name::Nothing);
        position(&by_name).or_else(|| position(&by_agent)).or_else(nameless)
    }

    fn complained(&mut self, complaint: &Value) -> bool {
        let Some(waiting_idx) = self.complained_about(complaint) else { return true };
        if !may_pass(complaint) {
            self.waiting.remove(waiting_idx);
            return true;
        }
        if let Some(waiting) = self.waiting.get_mut(waiting_idx) {
            waiting.held = true;
        }
        if self.again_at.is_none() {
            self.hold();
        }
        false
    }

    /// Lets what is held wait: longer and longer while the desk goes on refusing.
    fn hold(&mut self) {
        let hold = match self.last_hold {
            Some((until, hold)) if until.elapsed() < HOLD.1 => (hold * 2).min(HOLD.1),
            _ => HOLD.0,
        };
        let until = Instant::now() + hold;
        (self.again_at, self.last_hold) = (Some(until), Some((until, hold)));
    }

    /// Begins anew on another socket: what may have arrived and must not arrive twice is given up.
    /// Returns the complaints about it.
    pub(super) fn come_back(&mut self) -> Vec<String> {
        let unsure =
            |waiting: &mut Waiting| !waiting.held && matches!(waiting.name, Name::Event(_) | Name::Agent(_));
        let given_up: Vec<Waiting> = self.waiting.extract_if(.., unsure).collect();
        for waiting in &mut self.waiting {
            waiting.held = true;
        }
        given_up.iter().map(|waiting| not_known(&waiting.line)).collect()
    }

    /// Ends the wait of what is held: it is sent now, one by one, with [`Talk::held`].
    pub(super) fn hold_no_longer(&mut self) {
        self.again_at = None;
    }

    /// Takes the next line that is held; it is on its way from here on.
    pub(super) fn held(&mut self) -> Option<String> {
        let waiting_idx = self.waiting.iter().position(|waiting| waiting.held)?;
        let waiting = self.waiting.get(waiting_idx)?;
        // The desk does not have it, and the line may have been told meanwhile what it means.
        let bound = match waiting.name {
            Name::Event(_) | Name::Agent(_) => {
                let response = serde_json::from_str(&waiting.line).unwrap_or(Value::Null);
                Some(self.bound(&response, waiting.line.clone()))
            }
            Name::Sure(_) | Name::Nothing => None,
        };
        let waiting = self.waiting.get_mut(waiting_idx)?;
        if let Some((name, line)) = bound {
            (waiting.name, waiting.line) = (name, line);
        }
        waiting.held = false;
        Some(waiting.line.clone())
    }
}

/// Says that a response is not sent again.
fn not_known(line: &str) -> String {
    let line = serde_json::from_str(line).unwrap_or(Value::Null);
    complaint(&line, &Failure::new(Code::InvalidRequest, Failed::not_sent_again))
}

#[cfg(test)]
mod tests;
