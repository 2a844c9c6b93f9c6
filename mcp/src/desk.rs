//! The desk as a call sees it: in this process, or behind HTTP in another. The same verbs.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::Asker;
use askuser_core::command::KnownBy;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use rmcp::model::RequestId;
use serde_json::Value;

use super::handing::Handing;
use super::identity::Identity;
use super::remote::RemoteDesk;
use super::snapshot::AskSnapshot;
use super::tasks::LOOK_EVERY_MS;
use super::trouble::Trouble;
use askuser_api::Route as _;
use askuser_api::doorways::McpMessage;
use askuser_config::template::Shelf;
use askuser_desk::{Caller, Desk, Request, Waited, from_address, on_path};
use askuser_watch::waits::{self, Timed};
use askuser_wire::failure::Failure;
use askuser_wire::{self as wire, Dialect};

/// A client that looks at an ask again and again does so within this: three times what it is told to take.
const LOOKS_WITHIN: Duration = Duration::from_millis(3 * LOOK_EVERY_MS);
/// One that was told that it is pending goes on within this: first its model has to say so.
const GOES_ON_WITHIN: Duration = Duration::from_mins(2);

/// Counts an ask of a session; a refusal where it is one too many (D11).
pub type Counting = Arc<dyn Fn(&str) -> Result<(), Failure> + Send + Sync>;

/// Notes how long a call took.
pub type Timing = Arc<dyn Fn(&Timed) + Send + Sync>;

/// Someone who came in over HTTP: the desk behind the door, and as whom they stand before it.
#[derive(Clone)]
pub struct Guest {
    /// The desk.
    pub desk: Desk,
    /// Who they are: an agent.
    pub caller: Caller,
    /// What tells their asks from those of others with the same key.
    pub asker_key: String,
    /// What tells their connection from others, where it lasts.
    pub connection: Option<String>,
    /// How long they want their calls held.
    pub hold: Option<Duration>,
    /// Counts their asks.
    pub counting: Counting,
    /// Notes how long their calls took: the request that brings one may end before it does.
    pub timing: Timing,
    /// From where they call.
    pub address: Option<IpAddr>,
    /// Templates of the data folder, where there are any.
    pub templates: Option<Arc<Shelf>>,
    /// What replies to them carry.
    pub handing: Handing,
}

/// A checked ask, with the JSON that it was read from.
pub(super) struct Checked {
    /// None where the desk itself is to find out, because it has the template.
    pub(super) dialect: Option<Dialect>,
    pub(super) value: Value,
    /// What the model should know of it.
    pub(super) warnings: Vec<String>,
    /// The answers, where every one of them was brought along.
    pub(super) collected: Option<(Questions, Outcome)>,
}

/// The desk.
#[derive(Clone)]
pub(super) enum DeskHandle {
    /// In this process.
    Local(Box<Guest>),
    /// In another.
    Remote(Arc<RemoteDesk>),
}

impl DeskHandle {
    /// Does what a call asks for, and notes how long it took where the desk is in this process (D8).
    pub(super) async fn timed<T>(&self, call: impl Future<Output = T>) -> T {
        let Self::Local(guest) = self else { return call.await };
        // The SDK answers in a task of its own, which knows nothing of the request.
        let call = from_address(guest.address, on_path(McpMessage::PATH.to_owned(), Box::pin(call)));
        let (done, timed) = waits::watched(call).await;
        (guest.timing)(&timed);
        done
    }

    /// Asks, or joins the same ask that is open. It is on the desk's disk when this returns.
    pub(super) async fn ask(&self, ask: &Checked, who: &Identity) -> Result<AskSnapshot, Trouble> {
        match self {
            Self::Local(guest) => guest.ask(ask, who).await,
            Self::Remote(remote) => remote.ask(ask, who).await,
        }
    }

    /// Waits until the ask ends or `patience` does, whatever happens to the desk meanwhile.
    pub(super) async fn wait(&self, id: AskId, patience: Duration) -> Result<AskSnapshot, Trouble> {
        match self {
            Self::Local(guest) => guest.wait(id, patience).await,
            Self::Remote(remote) => remote.wait(id, patience).await,
        }
    }

    /// Returns the ask as it stands.
    pub(super) async fn look(&self, id: AskId) -> Result<AskSnapshot, Trouble> {
        self.wait(id, Duration::ZERO).await
    }

    /// Returns what waits for an asker.
    pub(super) async fn list(&self, who: &Identity) -> Result<Vec<AskSnapshot>, Trouble> {
        match self {
            Self::Local(guest) => guest.list(who).await,
            Self::Remote(remote) => remote.list(who).await,
        }
    }

    /// The reply to this request carries the outcome of an ask: it is handed over once that is written.
    pub(super) fn hand_over(&self, reply_to: &RequestId, snapshot: &AskSnapshot) {
        if snapshot.outcome.is_none() {
            return;
        }
        match self {
            Self::Local(guest) => {
                if let (Some(agent), Some(session)) = (guest.caller.agent(), snapshot.session) {
                    let (desk, ask) = (guest.desk.clone(), snapshot.id);
                    // What has left us counts: a client that hangs up as soon as it has its answer has it.
                    let written = Box::new(move || desk.delivered(&agent, session, ask));
                    guest.handing.put(reply_to.clone(), Box::new(move || written));
                }
            }
            Self::Remote(remote) => remote.hand_over(reply_to, snapshot.id),
        }
    }

    /// Takes an ask back.
    pub(super) async fn withdraw(&self, id: AskId) -> Result<(), Trouble> {
        match self {
            Self::Local(guest) => {
                let agent = guest.caller.agent().ok_or_else(Trouble::not_an_agent)?;
                (guest.counting)(&guest.asker_key)?;
                guest.desk.withdraw(&agent, id).await.map(drop).map_err(Trouble::from)
            }
            Self::Remote(remote) => remote.withdraw(id).await,
        }
    }

    /// Answers with what the agent's own dialog was told.
    pub(super) async fn answer_in_dialog(
        &self,
        id: AskId,
        program: Option<&str>,
        entries: Vec<(QuestionId, Entry)>,
    ) -> Result<(), Trouble> {
        match self {
            Self::Local(guest) => {
                (guest.counting)(&guest.asker_key)?;
                let answered = guest.desk.answer_in_dialog(&guest.caller, program, id, entries).await;
                answered.map(drop).map_err(Trouble::from)
            }
            Self::Remote(remote) => remote.answer_in_dialog(id, program, &entries).await,
        }
    }

    /// Whether the desk takes what an agent's dialog was told.
    pub(super) async fn takes_dialogs(&self) -> bool {
        match self {
            Self::Local(guest) => guest.desk.takes_dialogs(),
            Self::Remote(remote) => remote.takes_dialogs().await,
        }
    }

    /// What tells this caller from others: what was sealed for it opens for no other.
    pub(super) fn caller(&self) -> String {
        match self {
            Self::Local(guest) => format!("{} {}", guest.caller.user, guest.asker_key),
            Self::Remote(_) => String::new(),
        }
    }
}

impl Guest {
    /// Whose their MCP session is: the key's.
    pub(super) fn owner(&self) -> String {
        let key = self.caller.key.map(|key| format!("{:032x}", key.0));
        key.unwrap_or_else(|| format!("user {}", self.caller.user))
    }

    fn asker_key(&self, who: &Identity) -> String {
        format!("{} {}", self.asker_key, who.conversation.as_deref().unwrap_or_default())
    }

    async fn ask(&self, ask: &Checked, who: &Identity) -> Result<AskSnapshot, Trouble> {
        let agent = self.caller.agent().ok_or_else(Trouble::not_an_agent)?;
        let dialect = ask.dialect.unwrap_or_else(|| wire::recognise(&ask.value));
        let defaults = self.desk.defaults();
        let read = wire::read(dialect, &ask.value)
            .typed_within(defaults.text_chars_max, defaults.any_characters)
            .check();
        let (questions, mut terms) = read.map_err(Trouble::wrong_arguments)?;
        terms.reply_in = Some(dialect.name().to_owned());
        let asker_key = self.asker_key(who);
        // A connection is none that is known again, but it may ask as much as another.
        let counted = format!("{asker_key} {}", self.connection.as_deref().unwrap_or_default());
        (self.counting)(terms.session.as_deref().unwrap_or(&counted))?;
        let is_placed = who.asker.folder.is_some() || who.conversation.is_some();
        let known_by = if is_placed { KnownBy::Place } else { KnownBy::Program };
        let asked = self.desk.ask(&agent, Request { questions, terms, asker_key, known_by }).await?;
        self.expect(&asked.ask, LOOKS_WITHIN);
        Ok(AskSnapshot::from(&*asked.ask))
    }

    async fn wait(&self, id: AskId, patience: Duration) -> Result<AskSnapshot, Trouble> {
        let agent = self.caller.agent().ok_or_else(Trouble::not_an_agent)?;
        let waited = if patience.is_zero() {
            self.desk.ask_of(&agent, id).await?
        } else {
            match self.desk.wait(&agent, id, patience).await? {
                Waited::Closed(ask) | Waited::StillOpen(ask) => ask,
            }
        };
        self.expect(&waited, if patience.is_zero() { LOOKS_WITHIN } else { GOES_ON_WITHIN });
        Ok(AskSnapshot::from(&*waited))
    }

    /// Whoever is told that an ask is open comes back to it: a call that does is not another agent's.
    fn expect(&self, ask: &Ask, within: Duration) {
        if ask.is_open() {
            self.desk.expect(ask.id, within);
        }
    }

    async fn list(&self, who: &Identity) -> Result<Vec<AskSnapshot>, Trouble> {
        let agent = self.caller.agent().ok_or_else(Trouble::not_an_agent)?;
        let asker: &Asker = &who.asker;
        let asks = self.desk.asks_of_asker(&agent, None, &self.asker_key(who), asker).await?;
        Ok(asks.iter().map(|ask| AskSnapshot::from(&**ask)).collect())
    }
}
