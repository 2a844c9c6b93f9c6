//! Web Push: a message to every browser of a person that asked for it, sealed so that only that browser
//! reads it, and signed so that it is known to be ours. Each learns of an ask once, and when it has closed.
//!
//! A browser that its service knows no more is forgotten.

mod sealing;
mod vapid;

use std::collections::VecDeque;
use std::time::Duration;

use askuser_core::command::{Actor, Role};
use askuser_core::id::UserId;
use askuser_core::outcome::{By, Channel, Proof};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use hyper::{Method, StatusCode};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tracing::{info, warn};

use super::carrier::{Carrier, Later, Retry, SendError};
use super::nudge::{Ended, Letter};
use super::{Replies, Why};
use askuser_api::page::ASK;
use askuser_api::route::filled;
use askuser_config::Notify;
use askuser_desk::{Browser, Clock, Desk, PushKey};
use askuser_net::http::{Call, Http, HttpError};
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both, quoted};

/// How long one message may take to be handed over.
const TIME_MAX: Duration = Duration::from_secs(10);
/// How long a service keeps a message for a browser that is off, in seconds: a day.
const KEPT_S: &str = "86400";
/// Messages of which is known which browsers have them.
const KNOWN_MAX: usize = 256;
/// What a topic is cut to: services take 32 characters.
const TOPIC_BYTES: usize = 24;

/// The browsers of one person.
pub(super) struct Push {
    desk: Desk,
    person: UserId,
    /// Who runs the desk, where they said so.
    contact: Option<String>,
    http: Http,
    clock: Clock,
    /// Which browsers have which message: none gets one twice when it is tried again for another.
    known: Mutex<VecDeque<(String, Vec<String>)>>,
}

/// What came of one browser.
enum Done {
    /// It has the message.
    Told(String),
    /// There is no such browser any more.
    Gone,
    /// It has not.
    Failed(SendError),
}

/// What every browser is sent.
struct Message {
    /// Its name among those that were sent.
    name: String,
    /// What it is called on the device: a later one of the same name takes its place.
    tag: String,
    text: Vec<u8>,
    urgency: &'static str,
}

impl Push {
    pub(super) fn new(
        notify: &Notify,
        http: Http,
        clock: Clock,
        replies: Option<Replies>,
    ) -> Result<Self, Both> {
        if !notify.web_push {
            return Err(both(Undelivered::push_off));
        }
        let Some(Replies { desk, person, .. }) = replies else {
            return Err(both(Undelivered::only_the_server));
        };
        let url = notify.url.as_ref().filter(|url| url.starts_with("https://"));
        let contact = notify.contact.as_ref().or(url).cloned();
        Ok(Self { desk, person, contact, http, clock, known: Mutex::default() })
    }

    /// Tells browsers, all of them at once; returns which of them have the message by now.
    async fn send_to(&self, message: &Message, browsers: &[Browser]) -> Result<Vec<String>, SendError> {
        let away = |error: askuser_desk::DeskError| SendError::later(quoted(error));
        let key = self.desk.push_key().await.map_err(away)?;
        let have = self.have(&message.name);
        let missing = browsers.iter().filter(|browser| !have.contains(&name_of(browser)));
        let told = join_all(missing.map(|browser| self.tell_one(&key, message, browser))).await;
        let (mut have, mut failed) = (have, Vec::new());
        for done in told {
            match done {
                Done::Told(browser) => have.push(browser),
                Done::Gone => {}
                Done::Failed(trouble) => failed.push(trouble),
            }
        }
        self.note(&message.name, &have);
        let passes = failed.iter().position(|trouble| trouble.again != Retry::Never);
        match passes {
            Some(place) => Err(failed.swap_remove(place)),
            // One that never takes it must not keep the others from it.
            None if have.is_empty() && !failed.is_empty() => Err(failed.swap_remove(0)),
            None => {
                for trouble in &failed {
                    warn!("A browser of {} was not notified: {trouble}", self.person);
                }
                Ok(have)
            }
        }
    }

    async fn tell_one(&self, key: &PushKey, message: &Message, browser: &Browser) -> Done {
        match self.post(key, message, browser).await {
            Ok(status) if [StatusCode::NOT_FOUND, StatusCode::GONE].contains(&status) => {
                info!("A browser of {} has unsubscribed: its service answered {status}", self.person);
                // Where this fails, it is forgotten the next time.
                let _forgotten = self.desk.unsubscribe(&self.person, &browser.endpoint).await;
                Done::Gone
            }
            Ok(_) => Done::Told(name_of(browser)),
            Err(trouble) => Done::Failed(trouble),
        }
    }

    /// Hands a message to the service of a browser; returns its word that it has it, or that nobody will.
    async fn post(
        &self,
        key: &PushKey,
        message: &Message,
        browser: &Browser,
    ) -> Result<StatusCode, SendError> {
        let body = sealing::seal(&message.text, &browser.key, &browser.auth);
        let body = body.ok_or_else(|| SendError::never(both(Undelivered::no_browser_key)))?;
        let url = browser.endpoint.as_str();
        let authorization = vapid::authorization(key, url, self.contact.as_deref(), (self.clock)());
        let authorization = authorization.map_err(|why| SendError::later(quoted(why)))?;
        let topic = Sha256::digest(&message.tag);
        let topic = URL_SAFE_NO_PAD.encode(topic.get(..TOPIC_BYTES).unwrap_or_default());
        let headers = [
            ("authorization", authorization.as_str()),
            ("content-encoding", "aes128gcm"),
            ("content-type", "application/octet-stream"),
            ("ttl", KEPT_S),
            ("urgency", message.urgency),
            ("topic", &topic),
        ];
        let call = Call { method: Method::POST, url, headers: &headers, body, time_max: TIME_MAX };
        let rule = self.desk.settings().push.clone();
        let answer = self.http.call_public(call, &rule.servers).await.map_err(|error| match error {
            HttpError::NotCalled(why) => SendError::never(why.said()),
            // The address is a secret of the browser's: what goes wrong is told without it.
            other => {
                let why = other.said();
                SendError::later(both(|say: Undelivered| say.0.of(&why).replace(url, say.push_service())))
            }
        })?;
        if ![StatusCode::NOT_FOUND, StatusCode::GONE].contains(&answer.status) {
            SendError::of(&answer)?;
        }
        Ok(answer.status)
    }

    async fn browsers(&self) -> Result<Vec<Browser>, SendError> {
        let found = self.desk.push_browsers(Some(self.person.clone())).await;
        found.map_err(|error| SendError::later(quoted(error)))
    }

    /// Where a click leads: to the ask, if it is one that they may see.
    async fn path(&self, letter: &Letter) -> String {
        let [ask] = letter.asks.as_slice() else { return "/".to_owned() };
        let by = By::new(Some(self.person.clone()), Channel::Web, Proof::Cookie);
        let actor = Actor { role: Role::Person, user: self.person.clone(), by, key: None };
        let Ok(id) = ask.parse() else { return "/".to_owned() };
        match self.desk.ask_of(&actor, id).await {
            Ok(_) => filled(ASK, ask),
            Err(_) => "/".to_owned(),
        }
    }

    fn have(&self, message: &str) -> Vec<String> {
        let known = self.known.lock();
        known.iter().find(|(name, _)| name == message).map(|(_, have)| have.clone()).unwrap_or_default()
    }

    fn note(&self, message: &str, have: &[String]) {
        let mut known = self.known.lock();
        known.retain(|(name, _)| name != message);
        known.push_back((message.to_owned(), have.to_vec()));
        if known.len() > KNOWN_MAX {
            known.pop_front();
        }
    }
}

impl Carrier for Push {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            let tag = match letter.asks.as_slice() {
                [ask] => ask.clone(),
                _ => letter.id.clone(),
            };
            let text = written(letter, &tag, &self.path(letter).await);
            let message = Message { name: letter.id.clone(), tag: tag.clone(), text, urgency: "high" };
            let have = self.send_to(&message, &self.browsers().await?).await?;
            Ok(if have.is_empty() { String::new() } else { format!("{tag} {}", have.join(" ")) })
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            let Some((tag, told)) = receipt.split_once(' ') else { return Ok(()) };
            let mut browsers = self.browsers().await?;
            // One that came later shows nothing that could be taken back.
            browsers.retain(|browser| told.split(' ').any(|name| name == name_of(browser)));
            let text = json!({"tag": tag, "closed": true, "title": "askuser", "body": ended.text});
            let text = text.to_string().into_bytes();
            let message =
                Message { name: format!("{tag} closed"), tag: tag.to_owned(), text, urgency: "normal" };
            self.send_to(&message, &browsers).await.map(drop)
        })
    }
}

/// What a browser is called here: its address is nobody else's business.
fn name_of(browser: &Browser) -> String {
    let hash = Sha256::digest(&browser.endpoint);
    URL_SAFE_NO_PAD.encode(hash.get(..6).unwrap_or_default())
}

/// What a browser is sent of a nudge, before it is sealed. It has no buttons: a click leads to the page.
pub(super) fn written(letter: &Letter, tag: &str, path: &str) -> Vec<u8> {
    let again = letter.why != Why::New;
    let write =
        |body: &str| json!({"tag": tag, "title": letter.title, "body": body, "path": path, "again": again});
    fitted(write, &letter.lines(false).join("\n"))
}

/// Writes a message, cut until it fits into one record.
fn fitted(write: impl Fn(&str) -> Value, body: &str) -> Vec<u8> {
    let mut written = write(body).to_string();
    let mut short = body;
    while written.len() > sealing::MESSAGE_BYTES_MAX && !short.is_empty() {
        // By its share, for what is escaped is longer when it is written; and by some bytes, so this ends.
        let kept = short.len() * sealing::MESSAGE_BYTES_MAX / written.len();
        short = short.get(..short.floor_char_boundary(kept.saturating_sub(4))).unwrap_or_default();
        written = write(&format!("{short}…")).to_string();
    }
    written.into_bytes()
}

#[cfg(test)]
mod tests;
