//! The desk seen from another process: the same verbs, over HTTP.
//!
//! A client knows where the desk is (an address, or a data folder whose daemon says where it
//! listens) and which keys to come with. Nothing is kept between two calls, so a daemon that was
//! started anew, on another port, is found by the next one.

#![forbid(unsafe_code)]

pub mod error;
pub mod home;
pub mod keys;
mod calling;
mod own_key;
mod request;
pub mod probe;
pub mod seen;
pub mod steady;
pub mod waiting;
mod history;
pub mod ids;
pub mod events;
pub mod socket;
pub mod find_or_start;

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::Asker;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_words::Language;
use hyper::Method;
use serde_json::Value;

pub use self::history::{Answered, Lookup, Page};

use self::error::ClientError;
use self::home::Home;
use self::keys::Keys;
use self::request::{CONNECT_MAX, Call, Target};
use self::seen::{NotAnAsk, SeenAsk, write_entries};
use askuser_api::asks::{
    Acknowledge, Answer, AnswerInDialog, AskPeople, Asking, Decline, DialectName, Hold, Inbox, Listing,
    OfAsker, OwnAsks, Reason, SaveSheet, ShowAsk, TakeBack, Waiting, Withdraw,
};
use askuser_api::browsers::{LoginLink, MakeLoginLink};
use askuser_api::doorways::{self, HookEvent};
use askuser_api::operating::{IsAlive, ShowStatus};
use askuser_api::query::Seconds;
use askuser_api::shapes::Ask;
use askuser_api::{Route, headers};
use askuser_core::command::KeyRole;
use askuser_net::http::Http;
use askuser_system::environment::Environment;

/// How long an ordinary answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a caller waits in one go before it asks again: shorter than what proxies cut off.
const WAIT_IN_ONE_GO: Duration = Duration::from_secs(50);
/// Where the desk is.
#[derive(Debug, Clone)]
pub enum Location {
    /// At an address that the caller gave.
    Address(String),
    /// Wherever the daemon of this data folder says.
    Folder(Home),
}

/// Through what a person acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Keys pressed on a terminal.
    Terminal,
    /// A program in their hands.
    Program,
}

/// The desk, from afar.
#[derive(Debug, Clone)]
pub struct Client {
    location: Location,
    keys: Keys,
    http: Http,
    /// The agent's mark under which a person's command runs, where they insisted.
    as_person: Option<&'static str>,
    /// Whether outcomes count as handed over only when they are acknowledged.
    acknowledges: bool,
    /// The language that the person reads, where they named one; else it is the desk's to say.
    language: Option<Language>,
}

/// An ask to be made.
#[derive(Debug, Clone, Default)]
pub struct NewAsk {
    /// The questions, as JSON in any dialect.
    pub questions: Value,
    /// The dialect of the questions.
    pub dialect: Option<String>,
    /// The dialect of the reply.
    pub reply: Option<String>,
    /// Joins a repeated ask to the first one.
    pub idempotency_key: Option<String>,
    /// The agent's own name for its conversation: tells its asks from another's.
    pub conversation: Option<String>,
}

/// An agent's hook event on its way to the desk.
#[derive(Debug, Clone)]
pub struct HookCall {
    /// Whose event it is.
    pub agent: String,
    /// Whether a dialog of the agent's own is there.
    pub mode: &'static str,
    /// The project's folder.
    pub folder: Option<String>,
    /// Joins the same event that is sent again.
    pub idempotency_key: Option<String>,
    pub event: Value,
    /// How long the desk waits for a person before it says that the ask is pending.
    pub wait: Duration,
}

impl Client {
    /// Looks from here: `ASKUSER_URL`, else the data folder.
    pub fn new(environment: &Environment, home: Home) -> Self {
        let keys = Keys::of(environment, Some(home.clone()));
        let location = match environment.get("ASKUSER_URL") {
            Some(url) => Location::Address(url.trim_end_matches('/').to_owned()),
            None => Location::Folder(home),
        };
        let language = Language::set_by_person(|name| environment.get(name).map(ToOwned::to_owned));
        let http = http();
        Self { location, keys, http, as_person: None, acknowledges: false, language }
    }

    /// Says that the person insisted, although an agent's mark is set.
    #[must_use]
    pub fn as_person(mut self, mark: Option<&'static str>) -> Self {
        self.as_person = mark;
        self
    }

    /// Says that every outcome will be acknowledged once it is where it belongs.
    #[must_use]
    pub fn acknowledging(mut self) -> Self {
        self.acknowledges = true;
        self
    }

    /// Returns where the desk is.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Returns the address of the desk now.
    pub fn url(&self) -> Result<String, ClientError> {
        Ok(self.target()?.url)
    }

    /// Returns where the desk is found now: one of a data folder over its Unix socket.
    fn target(&self) -> Result<Target, ClientError> {
        match &self.location {
            Location::Address(url) => Ok(Target::at(url.as_str())),
            Location::Folder(home) => match home.running() {
                Some(running) => Ok(Target { url: running.url, socket: running.socket }),
                None => Err(ClientError::NotRunning),
            },
        }
    }

    /// Asks. The answer is on the desk's disk when this returns.
    pub async fn ask(&self, new: &NewAsk) -> Result<SeenAsk, ClientError> {
        self.try_own_key().await;
        let named = |name: &Option<String>| name.clone().map(DialectName);
        let asking = Asking { wait: None, dialect: named(&new.dialect), reply: named(&new.reply) };
        let call = self.call::<AskPeople>(KeyRole::Agent).query(&asking).json(new.questions.clone());
        let call = call.header(headers::IDEMPOTENCY_KEY, new.idempotency_key.clone());
        let call = call.header(headers::ASKER, new.conversation.clone()).acknowledging();
        self.seen(call.send().await?)
    }

    /// Returns an ask; waits up to `patience` for its end.
    pub async fn get(
        &self,
        who: KeyRole,
        id: AskId,
        reply: Option<&str>,
        patience: Duration,
    ) -> Result<SeenAsk, ClientError> {
        let reply = reply.map(|name| DialectName(name.to_owned()));
        let waiting = Waiting { wait: (!patience.is_zero()).then_some(Seconds(patience)), reply };
        let call = self.call::<ShowAsk>(who).at(id).query(&waiting).acknowledging();
        self.seen(call.patience(patience + PATIENCE).send().await?)
    }

    /// Returns the open asks: the urgent first, then the oldest.
    pub async fn inbox(&self) -> Result<Vec<SeenAsk>, ClientError> {
        self.seen_all(self.call::<Inbox>(KeyRole::Person).send().await?.asks)
    }

    /// Returns the open asks, with the short ids that stand for them.
    pub async fn inbox_listed(&self) -> Result<Vec<SeenAsk>, ClientError> {
        let call = self.call::<Inbox>(KeyRole::Person).query(&Listing::SHORT_IDS);
        self.seen_all(call.send().await?.asks)
    }

    /// Returns what waits for an asker: its open asks, and those that ended without its being told.
    pub async fn asks_of_asker(
        &self,
        asker: &Asker,
        conversation: Option<&str>,
    ) -> Result<Vec<SeenAsk>, ClientError> {
        let of = OfAsker { session: None, agent: asker.agent.clone(), folder: asker.folder.clone() };
        let call = self.call::<OwnAsks>(KeyRole::Agent).query(&of);
        let call = call.header(headers::ASKER, conversation.map(str::to_owned));
        self.seen_all(call.send().await?.asks)
    }

    /// Keeps a half-filled sheet.
    pub async fn save(&self, id: AskId, entries: &[(QuestionId, Entry)]) -> Result<(), ClientError> {
        let sheet = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
        let call = self.call::<SaveSheet>(KeyRole::Person).at(id).through(Via::Terminal);
        call.json(sheet).send().await.map(drop)
    }

    /// Answers the whole ask: `{"answers":{…},"notes":{…}}`.
    pub async fn answer(&self, id: AskId, via: Via, body: Value) -> Result<SeenAsk, ClientError> {
        self.seen(self.call::<Answer>(KeyRole::Person).at(id).through(via).json(body).send().await?)
    }

    /// Answers by one press: the desk holds it for a moment, in which it can be taken back.
    pub async fn hold(&self, id: AskId, via: Via, body: Value) -> Result<SeenAsk, ClientError> {
        self.seen(self.call::<Hold>(KeyRole::Person).at(id).through(via).json(body).send().await?)
    }

    /// Takes back an answer that is not final yet.
    pub async fn take_back(&self, id: AskId, via: Via) -> Result<SeenAsk, ClientError> {
        self.seen(self.call::<TakeBack>(KeyRole::Person).at(id).through(via).send().await?)
    }

    /// Answers, as an agent, with what its own dialog was told; the desk says whether it takes that.
    pub async fn answer_in_dialog(&self, id: AskId, body: Value) -> Result<(), ClientError> {
        self.call::<AnswerInDialog>(KeyRole::Agent).at(id).json(body).send().await.map(drop)
    }

    /// Whether the desk takes answers of agents' own dialogs.
    pub async fn takes_dialogs(&self) -> Result<bool, ClientError> {
        Ok(self.call::<ShowStatus>(KeyRole::Agent).send().await?.agent_dialog)
    }

    /// Says no for the person.
    pub async fn cancel(&self, id: AskId, via: Via, reason: Option<&str>) -> Result<SeenAsk, ClientError> {
        let reason = Reason { reason: reason.map(str::to_owned) };
        self.seen(self.call::<Decline>(KeyRole::Person).at(id).through(via).body(&reason).send().await?)
    }

    /// Takes an ask back.
    pub async fn withdraw(&self, id: AskId) -> Result<SeenAsk, ClientError> {
        self.seen(self.call::<Withdraw>(KeyRole::Agent).at(id).send().await?)
    }

    /// Notes that the outcome arrived.
    pub async fn acknowledge(&self, id: AskId) -> Result<(), ClientError> {
        let call = self.call::<Acknowledge>(KeyRole::Agent).at(id);
        call.patience(Duration::from_secs(2)).send().await.map(drop)
    }

    /// Hands an agent's hook event in; returns the decision, or `pending`.
    pub async fn hook(&self, hook: &HookCall) -> Result<Value, ClientError> {
        self.try_own_key().await;
        let waiting = doorways::HookWaiting { wait: Some(Seconds(hook.wait)) };
        // What cannot stand in a header is only shown less well.
        let plain =
            hook.folder.clone().filter(|folder| folder.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        let call = self.call::<HookEvent>(KeyRole::Agent).at(&hook.agent).query(&waiting);
        let call = call.header(headers::MODE, Some(hook.mode.to_owned())).header(headers::FOLDER, plain);
        let call = call.header(headers::IDEMPOTENCY_KEY, hook.idempotency_key.clone()).acknowledging();
        Ok(call.json(hook.event.clone()).patience(hook.wait + PATIENCE).send().await?.0)
    }

    /// Makes a one-time login link for the person.
    pub async fn login_link(&self, via: Via) -> Result<LoginLink, ClientError> {
        self.call::<MakeLoginLink>(KeyRole::Person).through(via).send().await
    }

    /// Whether something that speaks as a desk does is there.
    pub async fn is_healthy(&self) -> Result<(), ClientError> {
        let call = Call {
            method: Method::GET,
            path: IsAlive::PATH.to_owned(),
            key: None,
            headers: Vec::new(),
            body: None,
            patience: Duration::from_secs(2),
        };
        // Whatever it says, it says it with a good status.
        self.target()?.send(&self.http, call).await.map(drop)
    }

    /// The agent's mark under which this call is made all the same, where it is a person's.
    fn insisted(&self, who: KeyRole) -> Option<&'static str> {
        self.as_person.filter(|_| matches!(who, KeyRole::Person | KeyRole::Admin))
    }

    /// What every call of this role says.
    fn headers(&self, who: KeyRole) -> Vec<(&'static str, String)> {
        let insisted = self.insisted(who).map(|mark| (headers::AS_PERSON, mark.to_owned()));
        // What an agent is told is for a model to read, whatever the locale is.
        let language = self.language.filter(|_| who != KeyRole::Agent);
        let language = language.map(|language| ("accept-language", language.tag().to_owned()));
        insisted.into_iter().chain(language).collect()
    }

    fn seen(&self, ask: Ask) -> Result<SeenAsk, ClientError> {
        SeenAsk::read(ask.0).map_err(|what| self.garbled(what))
    }

    fn garbled(&self, what: NotAnAsk) -> ClientError {
        ClientError::Garbled { url: self.url().unwrap_or_default(), what: Arc::new(what) }
    }

    fn seen_all(&self, asks: Vec<Ask>) -> Result<Vec<SeenAsk>, ClientError> {
        asks.into_iter().map(|ask| self.seen(ask)).collect()
    }
}

impl Via {
    fn name(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Program => "api",
        }
    }
}

fn http() -> Http {
    Http::default().connecting_within(CONNECT_MAX)
}
