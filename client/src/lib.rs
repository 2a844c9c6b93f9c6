//! The desk seen from another process: the same verbs, over HTTP.
//!
//! A client knows where the desk is (an address, or a data folder whose daemon says where it
//! listens) and which keys to come with. Nothing is kept between two calls, so a daemon that was
//! started anew, on another port, is found by the next one.

#![forbid(unsafe_code)]

pub mod error;
pub mod home;
pub mod keys;
mod own_key;
pub mod line;
mod link;
pub mod reaching;
pub mod seen;
pub mod waiting;
mod history;
pub mod ids;
pub mod events;
pub mod socket;
pub mod find_or_start;

use std::time::Duration;

use askuser_core::asker::Asker;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_words::Language;
use hyper::Method;
use serde_json::{Value, json};

pub use self::history::{Answered, Lookup, Page};

use self::error::ClientError;
use self::home::Home;
use self::keys::{KeyFor, Keys};
use self::line::Target;
use self::link::{Call, escaped};
use self::seen::{SeenAsk, write_entries};
use askuser_system::environment::Environment;

/// How long an ordinary answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a caller waits in one go before it asks again: shorter than what proxies cut off.
const WAIT_IN_ONE_GO: Duration = Duration::from_secs(50);
/// What a person's client says of itself: through what they act. It proves nothing.
const CHANNEL_HEADER: &str = "x-askuser-channel";
/// Says that a person's command ran under an agent's mark all the same; the outcome says so.
const AS_PERSON_HEADER: &str = "x-askuser-as-person";

/// The header that keeps an outcome from counting as handed over before it is acknowledged.
fn acknowledged_later() -> (&'static str, String) {
    ("askuser-ack", "later".to_owned())
}

/// Where the desk is.
#[derive(Debug, Clone)]
pub enum Whereabouts {
    /// At an address that the caller gave.
    Address(String),
    /// Wherever the daemon of this data folder says.
    Folder(Home),
}

/// Through what a person acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// Keys pressed on a terminal.
    Terminal,
    /// A program in their hands.
    Program,
}

/// The desk, from afar.
#[derive(Debug, Clone)]
pub struct Client {
    whereabouts: Whereabouts,
    keys: Keys,
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
    /// The event.
    pub event: Value,
    /// How long the desk waits for a person before it says that the ask is pending.
    pub wait: Duration,
}

impl Client {
    /// Looks from here: `ASKUSER_URL`, else the data folder.
    pub fn new(environment: &Environment, home: Home) -> Self {
        let keys = Keys::of(environment, Some(home.clone()));
        let whereabouts = match environment.get("ASKUSER_URL") {
            Some(url) => Whereabouts::Address(url.trim_end_matches('/').to_owned()),
            None => Whereabouts::Folder(home),
        };
        let language = Language::set_by_person(|name| environment.get(name).map(ToOwned::to_owned));
        Self { whereabouts, keys, as_person: None, acknowledges: false, language }
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
    pub fn whereabouts(&self) -> &Whereabouts {
        &self.whereabouts
    }

    /// Returns the address of the desk now.
    pub fn url(&self) -> Result<String, ClientError> {
        Ok(self.target()?.url)
    }

    /// Returns where the desk is found now: one of a data folder over its Unix socket.
    fn target(&self) -> Result<Target, ClientError> {
        match &self.whereabouts {
            Whereabouts::Address(url) => Ok(Target::at(url.as_str())),
            Whereabouts::Folder(home) => match home.running() {
                Some(running) => Ok(Target { url: running.url, socket: running.socket }),
                None => Err(ClientError::NotRunning),
            },
        }
    }

    /// Asks. The answer is on the desk's disk when this returns.
    pub async fn ask(&self, new: &NewAsk) -> Result<SeenAsk, ClientError> {
        self.try_own_key().await;
        let named = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!("{name}={}", escaped(value)))
        };
        let query: Vec<String> =
            [named("dialect", &new.dialect), named("reply", &new.reply)].into_iter().flatten().collect();
        let mut call = self.call(Method::POST, &format!("/api/asks?{}", query.join("&")), KeyFor::Agent)?;
        call.body = Some(new.questions.clone());
        call.headers.extend(new.idempotency_key.clone().map(|key| ("idempotency-key", key)));
        call.headers.extend(new.conversation.clone().map(|name| ("askuser-whence", name)));
        call.headers.extend(self.acknowledges.then(acknowledged_later));
        self.ask_of(call).await
    }

    /// Returns an ask; waits up to `patience` for its end.
    pub async fn get(
        &self,
        who: KeyFor,
        id: AskId,
        reply: Option<&str>,
        patience: Duration,
    ) -> Result<SeenAsk, ClientError> {
        let mut query = Vec::new();
        if !patience.is_zero() {
            query.push(format!("wait={:.3}", patience.as_secs_f64()));
        }
        query.extend(reply.map(|name| format!("reply={}", escaped(name))));
        let path = format!("/api/asks/{id}?{}", query.join("&"));
        let mut call = self.call(Method::GET, &path, who)?;
        call.headers.extend(self.acknowledges.then(acknowledged_later));
        call.patience = patience + PATIENCE;
        self.ask_of(call).await
    }

    /// Returns the open asks: the urgent first, then the oldest.
    pub async fn inbox(&self) -> Result<Vec<SeenAsk>, ClientError> {
        self.inbox_at("/api/inbox").await
    }

    /// Returns the open asks, with the short ids that stand for them.
    pub async fn inbox_listed(&self) -> Result<Vec<SeenAsk>, ClientError> {
        self.inbox_at("/api/inbox?short_ids=true").await
    }

    async fn inbox_at(&self, path: &str) -> Result<Vec<SeenAsk>, ClientError> {
        let call = self.call(Method::GET, path, KeyFor::Person)?;
        let told = self.exchange(call).await?;
        let list = told.get("asks").and_then(Value::as_array).cloned().unwrap_or_default();
        list.into_iter().map(|ask| self.seen(ask)).collect()
    }

    /// Returns what waits for an asker: its open asks, and those that ended without its being told.
    pub async fn asks_of_asker(
        &self,
        asker: &Asker,
        conversation: Option<&str>,
    ) -> Result<Vec<SeenAsk>, ClientError> {
        let named = [("agent", &asker.agent), ("folder", &asker.folder)];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let query: Vec<String> = named.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        let mut call = self.call(Method::GET, &format!("/api/asks?{}", query.join("&")), KeyFor::Agent)?;
        call.headers.extend(conversation.map(|name| ("askuser-whence", name.to_owned())));
        let told = self.exchange(call).await?;
        let list = told.get("asks").and_then(Value::as_array).cloned().unwrap_or_default();
        list.into_iter().map(|ask| self.seen(ask)).collect()
    }

    /// Keeps a half-filled sheet.
    pub async fn save(&self, id: AskId, entries: &[(QuestionId, Entry)]) -> Result<(), ClientError> {
        let mut call = self.call(Method::PUT, &format!("/api/asks/{id}/sheet"), KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, Hand::Terminal.name().to_owned()));
        call.body = Some(write_entries(entries.iter().map(|(id, entry)| (id, entry))));
        self.exchange(call).await.map(drop)
    }

    /// Answers the whole ask: `{"answers":{…},"notes":{…}}`.
    pub async fn answer(&self, id: AskId, hand: Hand, body: Value) -> Result<SeenAsk, ClientError> {
        let mut call = self.call(Method::POST, &format!("/api/asks/{id}/answer"), KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, hand.name().to_owned()));
        call.body = Some(body);
        self.ask_of(call).await
    }

    /// Answers by one press: the desk holds it for a moment, in which it can be taken back.
    pub async fn hold(&self, id: AskId, hand: Hand, body: Value) -> Result<SeenAsk, ClientError> {
        let mut call = self.call(Method::POST, &format!("/api/asks/{id}/hold"), KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, hand.name().to_owned()));
        call.body = Some(body);
        self.ask_of(call).await
    }

    /// Takes back an answer that is not final yet.
    pub async fn take_back(&self, id: AskId, hand: Hand) -> Result<SeenAsk, ClientError> {
        let mut call = self.call(Method::DELETE, &format!("/api/asks/{id}/hold"), KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, hand.name().to_owned()));
        self.ask_of(call).await
    }

    /// Answers, as an agent, with what its own dialog was told; the desk says whether it takes that.
    pub async fn answer_in_dialog(&self, id: AskId, body: Value) -> Result<(), ClientError> {
        let mut call = self.call(Method::POST, &format!("/api/asks/{id}/dialog"), KeyFor::Agent)?;
        call.body = Some(body);
        self.exchange(call).await.map(drop)
    }

    /// Whether the desk takes answers of agents' own dialogs.
    pub async fn takes_dialogs(&self) -> Result<bool, ClientError> {
        let told = self.plain(Method::GET, "/api/status", KeyFor::Agent, None).await?;
        Ok(told.get("agent_dialog").and_then(Value::as_bool).unwrap_or(false))
    }

    /// Says no for the person.
    pub async fn cancel(&self, id: AskId, hand: Hand, reason: Option<&str>) -> Result<SeenAsk, ClientError> {
        let mut call = self.call(Method::POST, &format!("/api/asks/{id}/cancel"), KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, hand.name().to_owned()));
        call.body = Some(json!({ "reason": reason }));
        self.ask_of(call).await
    }

    /// Takes an ask back.
    pub async fn withdraw(&self, id: AskId) -> Result<SeenAsk, ClientError> {
        let call = self.call(Method::POST, &format!("/api/asks/{id}/withdraw"), KeyFor::Agent)?;
        self.ask_of(call).await
    }

    /// Notes that the outcome arrived.
    pub async fn acknowledge(&self, id: AskId) -> Result<(), ClientError> {
        let mut call = self.call(Method::POST, &format!("/api/asks/{id}/ack"), KeyFor::Agent)?;
        call.patience = Duration::from_secs(2);
        self.exchange(call).await.map(drop)
    }

    /// Hands an agent's hook event in; returns the decision, or `pending`.
    pub async fn hook(&self, hook: &HookCall) -> Result<Value, ClientError> {
        self.try_own_key().await;
        let path = format!("/api/hooks/{}?wait={:.3}", escaped(&hook.agent), hook.wait.as_secs_f64());
        let mut call = self.call(Method::POST, &path, KeyFor::Agent)?;
        call.headers.push(("x-askuser-mode", hook.mode.to_owned()));
        // What cannot stand in a header is only shown less well.
        let plain =
            hook.folder.clone().filter(|folder| folder.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        call.headers.extend(plain.map(|folder| ("x-askuser-folder", folder)));
        call.headers.extend(hook.idempotency_key.clone().map(|key| ("idempotency-key", key)));
        call.headers.extend(self.acknowledges.then(acknowledged_later));
        call.body = Some(hook.event.clone());
        call.patience = hook.wait + PATIENCE;
        self.exchange(call).await
    }

    /// Asks for anything else: a path below `/api`, with what stands there.
    pub async fn plain(
        &self,
        method: Method,
        path: &str,
        who: KeyFor,
        body: Option<Value>,
    ) -> Result<Value, ClientError> {
        let mut call = self.call(method, path, who)?;
        call.body = body;
        self.exchange(call).await
    }

    /// Makes a one-time login link for the person.
    pub async fn login_link(&self, hand: Hand) -> Result<Value, ClientError> {
        let mut call = self.call(Method::POST, "/api/login-links", KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, hand.name().to_owned()));
        self.exchange(call).await
    }

    /// Whether something that speaks as a desk does is there.
    pub async fn is_healthy(&self) -> Result<(), ClientError> {
        let call = Call {
            method: Method::GET,
            path: "/healthz".to_owned(),
            key: None,
            headers: Vec::new(),
            body: None,
            patience: Duration::from_secs(2),
        };
        // Whatever it says, it says it with a good status.
        link::send(&self.target()?, call).await.map(drop)
    }

    /// The agent's mark under which this call is made all the same, where it is a person's.
    fn insisted(&self, who: KeyFor) -> Option<&'static str> {
        self.as_person.filter(|_| matches!(who, KeyFor::Person | KeyFor::Admin))
    }

    fn call(&self, method: Method, path: &str, who: KeyFor) -> Result<Call, ClientError> {
        let insisted = self.insisted(who).map(|mark| (AS_PERSON_HEADER, mark.to_owned()));
        // What an agent is told is for a model to read, whatever the locale is.
        let language = self.language.filter(|_| who != KeyFor::Agent);
        let language = language.map(|language| ("accept-language", language.tag().to_owned()));
        let headers = insisted.into_iter().chain(language).collect();
        let path = path.trim_end_matches(['?', '&']).to_owned();
        Ok(Call { method, path, key: Some(self.keys.find(who)?), headers, body: None, patience: PATIENCE })
    }

    async fn ask_of(&self, call: Call) -> Result<SeenAsk, ClientError> {
        let told = self.exchange(call).await?;
        self.seen(told)
    }

    async fn exchange(&self, call: Call) -> Result<Value, ClientError> {
        let own = call.key.as_ref().and_then(|key| key.own_file()).map(ToOwned::to_owned);
        link::exchange(&self.target()?, call).await.map_err(|error| match own {
            // It is not replaced by itself: whoever revoked it meant it.
            Some(path) if error.code() == Some("unauthorized") => ClientError::OwnKeyRefused { path },
            _ => error,
        })
    }

    fn seen(&self, told: Value) -> Result<SeenAsk, ClientError> {
        SeenAsk::read(told).map_err(|what| ClientError::Garbled { url: self.url().unwrap_or_default(), what })
    }
}

impl Hand {
    fn name(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Program => "api",
        }
    }
}

/// Writes a name so that it can stand in a path.
pub fn in_path(name: &str) -> String {
    escaped(name)
}
