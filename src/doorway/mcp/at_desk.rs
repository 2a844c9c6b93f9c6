//! The desk as a call sees it: in this process, or behind HTTP in another. The same verbs.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::Asker;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use serde_json::Value;

use super::afar::Afar;
use super::standing::Standing;
use super::trouble::Trouble;
use super::who::Who;
use crate::desk::{Caller, Desk, Request, Waited};
use crate::template::Shelf;
use crate::wire::failure::Failure;
use crate::wire::{self, Dialect};

/// Counts an ask of a session; a refusal where it is one too many (D11).
pub type Counting = Arc<dyn Fn(&str) -> Result<(), Failure> + Send + Sync>;

/// Someone who came in over HTTP: the desk behind the door, and as whom they stand before it.
#[derive(Clone)]
pub struct Guest {
    /// The desk.
    pub desk: Desk,
    /// Who they are: an agent.
    pub caller: Caller,
    /// What tells their asks from those of others with the same key.
    pub whence: String,
    /// What tells their connection from others, where it lasts.
    pub connection: Option<String>,
    /// Where the desk is, as they reach it.
    pub url: String,
    /// How long they want their calls held.
    pub hold: Option<Duration>,
    /// Counts their asks.
    pub counting: Counting,
    /// Templates of the data folder, where there are any.
    pub templates: Option<Arc<Shelf>>,
}

/// A checked ask, with the JSON that it was read from.
pub(super) struct Checked {
    /// None where the desk itself is to find out, because it has the template.
    pub(super) dialect: Option<Dialect>,
    pub(super) value: Value,
}

/// The desk.
#[derive(Clone)]
pub(super) enum AtDesk {
    /// In this process.
    Here(Box<Guest>),
    /// In another.
    Afar(Arc<Afar>),
}

impl AtDesk {
    /// Asks, or joins the same ask that is open. It is on the desk's disk when this returns.
    pub(super) async fn ask(&self, ask: &Checked, who: &Who) -> Result<Standing, Trouble> {
        match self {
            Self::Here(guest) => guest.ask(ask, who).await,
            Self::Afar(afar) => afar.ask(ask, who).await,
        }
    }

    /// Waits until the ask ends or `patience` does, whatever happens to the desk meanwhile.
    pub(super) async fn wait(&self, id: AskId, patience: Duration) -> Result<Standing, Trouble> {
        match self {
            Self::Here(guest) => guest.wait(id, patience).await,
            Self::Afar(afar) => afar.wait(id, patience).await,
        }
    }

    /// Returns the ask as it stands.
    pub(super) async fn look(&self, id: AskId) -> Result<Standing, Trouble> {
        self.wait(id, Duration::ZERO).await
    }

    /// Returns what waits for an asker.
    pub(super) async fn list(&self, who: &Who) -> Result<Vec<Standing>, Trouble> {
        match self {
            Self::Here(guest) => guest.list(who).await,
            Self::Afar(afar) => afar.list(who).await,
        }
    }

    /// Takes an ask back.
    pub(super) async fn withdraw(&self, id: AskId) -> Result<(), Trouble> {
        match self {
            Self::Here(guest) => {
                let agent = guest.caller.agent().ok_or_else(Trouble::not_an_agent)?;
                (guest.counting)(&guest.whence)?;
                guest.desk.withdraw(&agent, id).await.map(drop).map_err(Trouble::from)
            }
            Self::Afar(afar) => afar.withdraw(id).await,
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
            Self::Here(guest) => {
                (guest.counting)(&guest.whence)?;
                let answered = guest.desk.answer_in_dialog(&guest.caller, program, id, entries).await;
                answered.map(drop).map_err(Trouble::from)
            }
            Self::Afar(afar) => afar.answer_in_dialog(id, program, &entries).await,
        }
    }

    /// Whether the desk takes what an agent's dialog was told.
    pub(super) async fn takes_dialogs(&self) -> bool {
        match self {
            Self::Here(guest) => guest.desk.takes_dialogs(),
            Self::Afar(afar) => afar.takes_dialogs().await,
        }
    }

    /// Where a person can answer, in a few words.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Here(guest) => guest.url.clone(),
            Self::Afar(afar) => afar.url(),
        }
    }

    /// What tells this caller from others: what was sealed for it opens for no other.
    pub(super) fn caller(&self) -> String {
        match self {
            Self::Here(guest) => format!("{} {}", guest.caller.user, guest.whence),
            Self::Afar(_) => String::new(),
        }
    }
}

impl Guest {
    /// Whose their MCP session is: the key's.
    pub(super) fn owner(&self) -> String {
        let key = self.caller.key.map(|key| format!("{:032x}", key.0));
        key.unwrap_or_else(|| format!("user {}", self.caller.user))
    }

    fn whence(&self, who: &Who) -> String {
        format!("{} {}", self.whence, who.conversation.as_deref().unwrap_or_default())
    }

    async fn ask(&self, ask: &Checked, who: &Who) -> Result<Standing, Trouble> {
        let agent = self.caller.agent().ok_or_else(Trouble::not_an_agent)?;
        let dialect = ask.dialect.unwrap_or_else(|| wire::recognise(&ask.value));
        let house = self.desk.house();
        let read =
            wire::read(dialect, &ask.value).typed_within(house.text_chars_max, house.any_characters).check();
        let (questions, mut terms) = read.map_err(Trouble::wrong_arguments)?;
        terms.reply_in = Some(dialect.name().to_owned());
        let whence = self.whence(who);
        (self.counting)(terms.session.as_deref().unwrap_or(&whence))?;
        let asked = self.desk.ask(&agent, Request { questions, terms, whence }).await?;
        Ok(Standing::from(&*asked.ask))
    }

    async fn wait(&self, id: AskId, patience: Duration) -> Result<Standing, Trouble> {
        let agent = self.caller.agent().ok_or_else(Trouble::not_an_agent)?;
        let waited = if patience.is_zero() {
            self.desk.ask_of(&agent, id).await?
        } else {
            match self.desk.wait(&agent, id, patience).await? {
                Waited::Closed(ask) | Waited::StillOpen(ask) => ask,
            }
        };
        if !waited.is_open() {
            self.desk.delivered(&agent, waited.session, id);
        }
        Ok(Standing::from(&*waited))
    }

    async fn list(&self, who: &Who) -> Result<Vec<Standing>, Trouble> {
        let agent = self.caller.agent().ok_or_else(Trouble::not_an_agent)?;
        let asker: &Asker = &who.asker;
        let asks = self.desk.asks_of_asker(&agent, None, &self.whence(who), asker).await?;
        Ok(asks.iter().map(|ask| Standing::from(&**ask)).collect())
    }
}
