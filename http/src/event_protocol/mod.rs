//! The event protocol (E) and the `ask_user` messages (O) over one connection, whatever carries it:
//! a WebSocket, lines on standard input and output, or a channel in the same process (E7).
//!
//! A [`Conversation`] has an agent or a person at its other end. An agent's line takes requests and gives
//! back the responses to *its* requests, nobody else's; a person's line gives every request to the
//! person and takes responses. What either may not do is refused (invariant 6, O8).

mod agent;
mod person;
mod messages;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Role};
use askuser_core::decide::Refusal;
use askuser_core::id::{AskId, SessionId};
use askuser_words::Language;
use serde_json::Value;

use askuser_desk::{Desk, DeskError, Listener, Numbered, Update};
use askuser_wire::failure::{Code, Failure};

pub use askuser_api::doorways::Protocol;

/// Requests that one agent's line waits for at once.
const WAITED_MAX: usize = 1000;

/// Something to be sent to the other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The message: one JSON object, without line breaks.
    pub text: String,
    /// The session and the ask whose outcome it carries to its asker.
    pub outcome_of: Option<(SessionId, AskId)>,
}

/// One connection of the event protocol.
pub struct Conversation {
    desk: Desk,
    actor: Actor,
    /// What tells this asker from others of the same user.
    asker_key: String,
    language: Language,
    /// What a person's line speaks; each ask as it came where nothing is chosen.
    protocol: Option<Protocol>,
    listener: Listener,
    /// An agent's requests, and how each wants to be answered.
    waited: HashMap<AskId, Vec<messages::Wanted>>,
    /// Received of, and not worked on yet.
    heard: Option<Numbered>,
    /// Whether a person's line was told what is on show when it began.
    begun: bool,
    /// Requests that a person's line was told, while they are open.
    told: HashSet<AskId>,
    ready: VecDeque<Outgoing>,
    /// Whether the message that is being heard answers for somebody whom its sender is not.
    forged: bool,
}

/// What came of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// It was taken.
    Taken,
    /// It was refused.
    Refused(Code),
    /// It was refused because whoever sent it may not answer at all: an agent for its person, or anybody
    /// for the server (O8).
    Forged,
}

impl Conversation {
    /// Begins a conversation with whoever this is.
    pub fn new(desk: Desk, actor: Actor, asker_key: String, language: Language) -> Self {
        // From now on: what is open already is told when the conversation begins.
        let listener = desk.listen(&actor, None, None);
        Self {
            desk,
            actor,
            asker_key,
            language,
            protocol: None,
            listener,
            waited: HashMap::new(),
            heard: None,
            begun: false,
            told: HashSet::new(),
            ready: VecDeque::new(),
            forged: false,
        }
    }

    /// Has a person's line speak one protocol only.
    #[must_use]
    pub fn speaking(self, protocol: Protocol) -> Self {
        Self { protocol: Some(protocol), ..self }
    }

    /// Takes one message in. What it leads to, a failure included, comes out of [`Conversation::next`].
    pub async fn receive(&mut self, message: &str) -> Received {
        self.forged = false;
        let (given, answered) = match messages::read(message) {
            Ok(given) => {
                let answered = match self.actor.role {
                    Role::Agent => self.receive_from_agent(&given).await,
                    Role::Person | Role::Server => self.receive_from_person(&given).await,
                };
                (Some(given), answered)
            }
            Err(failure) => (None, Err(failure)),
        };
        let Err(failure) = answered else { return Received::Taken };
        self.fail(given.as_ref(), &failure);
        if self.forged { Received::Forged } else { Received::Refused(failure.code) }
    }

    /// Turns one message down, as whoever carries the line may have to; read only to be named.
    pub fn refuse(&mut self, message: &str, failure: &Failure) {
        self.fail(messages::read(message).ok().as_ref(), failure);
    }

    /// Waits for the next message to be sent; none when the desk closes. Nothing is lost where the
    /// caller stops waiting.
    pub async fn next(&mut self) -> Option<Outgoing> {
        loop {
            if let Some(said) = self.ready.pop_front() {
                return Some(said);
            }
            if !self.begun && self.actor.role == Role::Person {
                self.tell_open().await?;
                self.begun = true;
                continue;
            }
            if self.heard.is_none() {
                match self.listener.next().await {
                    Ok(Update::Fact(numbered)) => self.heard = Some(numbered),
                    Ok(Update::Closing) | Err(_) => return None,
                }
            }
            if let Some(numbered) = self.heard.clone() {
                match self.actor.role {
                    Role::Agent => self.tell_agent(&numbered).await?,
                    Role::Person | Role::Server => self.tell_person(&numbered).await?,
                }
                self.heard = None;
            }
        }
    }

    /// Reads an ask that this line is to tell of; nothing in it where there is none for this actor, and
    /// nothing at all where it cannot be read just now: then the line ends, and whoever comes back is told.
    async fn ask(&self, id: AskId) -> Option<Option<Arc<Ask>>> {
        match self.desk.ask_of(&self.actor, id).await {
            Ok(ask) => Some(Some(ask)),
            Err(DeskError::Refused(Refusal::AskNotFound)) => Some(None),
            Err(error) => {
                tracing::warn!("A line of the event protocol ends before {id}: {error}");
                None
            }
        }
    }

    /// Notes that a message was sent: an outcome that it carried has reached its asker.
    pub fn sent(&self, said: &Outgoing) {
        if let Some((session, ask)) = said.outcome_of {
            self.desk.delivered(&self.actor, session, ask);
        }
    }

    fn say(&mut self, message: &Value, outcome_of: Option<(SessionId, AskId)>) {
        self.ready.push_back(Outgoing { text: message.to_string(), outcome_of });
    }

    fn fail(&mut self, given: Option<&messages::Given>, failure: &Failure) {
        let message = messages::failed(given, failure, self.language);
        self.say(&message, None);
    }
}
