//! ntfy: a message on a topic, with buttons where all of the question is in it; they write to a reply topic, which is
//! read here, so that nobody needs to reach this machine from outside.

use std::path::Path;
use std::time::Duration;

use askuser_core::time::Timestamp;
use http_body_util::BodyExt;
use hyper::Method;
use serde_json::{Value, json};
use tracing::{info, warn};

use super::carrier::{Carrier, Later, SendError};
use super::minder::Why;
use super::nudge::{Ended, Letter, Offered};
use super::replies::{Replies, Taken, button};
use askuser_config::{NtfyPart, WhenClosed};
use askuser_net::http::{Answer, Call, Http};
use askuser_system::backoff::{BackOff, Pauses};
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both};

/// How long one request may take.
const TIME_MAX: Duration = Duration::from_secs(10);
/// A server that says nothing for so long is gone: it says something every 45 seconds.
const SILENCE_MAX: Duration = Duration::from_mins(2);
/// The longest line of the stream of replies; ours are short.
const LINE_BYTES_MAX: usize = 16 * 1024;
/// Replies of so long ago are read at the start: whoever answered while nobody listened is heard.
const SINCE: &str = "12h";
/// A reply that is older than this was answered, or said to be refused, at an earlier start.
const FRESH: Duration = Duration::from_mins(2);
pub(super) struct Ntfy {
    server: String,
    topic: String,
    replies_to: Option<String>,
    authorization: Option<String>,
    priority: u8,
    closed: WhenClosed,
    http: Http,
    replies: Option<Replies>,
}

impl Ntfy {
    pub(super) fn new(
        part: &NtfyPart,
        folder: &Path,
        http: Http,
        replies: Option<Replies>,
    ) -> Result<Self, Both> {
        let reveal = |hidden: &askuser_config::Hidden| hidden.reveal(folder);
        let topic = named(reveal(&part.topic)?)?;
        let replies_to = part.replies.as_ref().map(reveal).transpose()?.map(named).transpose()?;
        let token = part.token.as_ref().map(reveal).transpose()?;
        Ok(Self {
            server: part.server.trim_end_matches('/').to_owned(),
            topic,
            replies_to,
            authorization: token.map(|token| format!("Bearer {token}")),
            priority: part.priority,
            closed: part.closed,
            http,
            replies,
        })
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        let own = self.authorization.as_deref().map(|key| ("authorization", key));
        own.into_iter().chain([("content-type", "application/json")]).collect()
    }

    async fn publish(&self, message: &Value) -> Result<Answer, SendError> {
        let (url, headers) = (format!("{}/", self.server), self.headers());
        let request = call(Method::POST, &url, &headers, message.to_string());
        let answer = self.http.call(request).await.map_err(SendError::unanswered)?;
        SendError::of(&answer)?;
        Ok(answer)
    }

    pub(super) fn message(&self, letter: &Letter) -> Value {
        let buttons = self.buttons(letter);
        let lines = letter.lines(!buttons.is_empty());
        let text = if lines.is_empty() { letter.title.clone() } else { lines.join("\n") };
        let mut message = json!({
            "topic": self.topic, "title": letter.title, "message": text, "priority": self.priority,
            "tags": [if letter.why == Why::Test { "white_check_mark" } else { "question" }],
        });
        let Some(fields) = message.as_object_mut() else { return message };
        if let Some(link) = &letter.link {
            fields.insert("click".to_owned(), link.as_str().into());
        }
        if !buttons.is_empty() {
            fields.insert("actions".to_owned(), buttons.into());
        }
        message
    }

    /// A button for each choice, which writes to the reply topic.
    fn buttons(&self, letter: &Letter) -> Vec<Value> {
        let (Some(replies_to), Some(token)) = (&self.replies_to, &letter.token) else { return Vec::new() };
        let url = format!("{}/{replies_to}", self.server);
        let button = |(place, choice): (usize, &Offered)| {
            // Without our key: whoever reads the topic would have it.
            json!({
                "action": "http", "label": choice.label, "url": url, "method": "POST",
                "body": button(token, place), "clear": true,
            })
        };
        letter.choices.iter().enumerate().map(button).collect()
    }

    /// Reads replies until the connection ends; returns why it did, and whether anything came.
    async fn read(&self, replies: &Replies, replies_to: &str, since: &mut String) -> (String, bool) {
        let url = format!("{}/{replies_to}/json?since={since}", self.server);
        let headers: Vec<(&str, &str)> =
            self.authorization.as_deref().map(|key| ("authorization", key)).into_iter().collect();
        let response = match self.http.open(call(Method::GET, &url, &headers, String::new())).await {
            Ok(response) if response.status().is_success() => response,
            Ok(response) => return (format!("answered {}", response.status()), false),
            Err(error) => return (error.to_string(), false),
        };
        let (mut body, mut rest) = (response.into_body(), Vec::new());
        loop {
            let bytes = match tokio::time::timeout(SILENCE_MAX, body.frame()).await {
                Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
                Ok(Some(Err(error))) => return (error.to_string(), true),
                Ok(None) => return ("it ended".to_owned(), true),
                Err(_) => return ("it says nothing any more".to_owned(), true),
            };
            rest.extend_from_slice(&bytes);
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = rest.drain(..=end).collect();
                self.heard(replies, &line, since).await;
            }
            if rest.len() > LINE_BYTES_MAX {
                return ("it sends a line without end".to_owned(), true);
            }
        }
    }

    async fn heard(&self, replies: &Replies, line: &[u8], since: &mut String) {
        let Ok(event) = serde_json::from_slice::<Value>(line) else { return };
        if event.get("event").and_then(Value::as_str) != Some("message") {
            return;
        }
        let text = event.get("message").and_then(Value::as_str).unwrap_or_default();
        let taken = loop {
            match replies.take(text).await {
                Taken::Away(why) => {
                    warn!("A reply waits until the database is available: {why}");
                    tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
                }
                taken => break taken,
            }
        };
        if let Some(id) = event.get("id").and_then(Value::as_str) {
            id.clone_into(since);
        }
        let at = event.get("time").and_then(Value::as_i64).unwrap_or_default();
        let fresh = replies.desk.now().since(Timestamp(at.saturating_mul(1000))) < FRESH;
        if let (Taken::Refused(refusal), true) = (taken, fresh) {
            let message = json!({"topic": self.topic, "title": "askuser", "message": replies.why(&refusal), "priority": 2});
            // Whoever pressed the button learns why nothing came of it; if not, the page says so.
            let _told = self.publish(&message).await;
        }
    }
}

/// A request that is answered at once.
fn call<'a>(method: Method, url: &'a str, headers: &'a [(&'a str, &'a str)], body: String) -> Call<'a> {
    Call { method, url, headers, body, time_max: TIME_MAX }
}

/// A topic's name as the server takes it.
fn named(topic: String) -> Result<String, Both> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let sound = (1..=64).contains(&topic.len()) && topic.chars().all(plain);
    if sound { Ok(topic) } else { Err(both(Undelivered::no_topic)) }
}

impl Carrier for Ntfy {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            let answer = self.publish(&self.message(letter)).await?;
            let id = serde_json::from_str::<Value>(&answer.body).ok();
            let id = id.as_ref().and_then(|said| said.get("id")).and_then(Value::as_str);
            id.map(str::to_owned).ok_or_else(|| SendError::never(both(Undelivered::not_ntfy)))
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            match self.closed {
                WhenClosed::Keep => Ok(()),
                WhenClosed::Update => {
                    let message = json!({
                        "topic": self.topic, "sequence_id": receipt, "title": "askuser", "message": ended.text,
                        "priority": 1, "tags": ["heavy_check_mark"],
                    });
                    self.publish(&message).await.map(drop)
                }
                WhenClosed::Delete => {
                    let (url, headers) =
                        (format!("{}/{}/{receipt}", self.server, self.topic), self.headers());
                    let request = call(Method::DELETE, &url, &headers, String::new());
                    let answer = self.http.call(request).await.map_err(SendError::unanswered)?;
                    // A server from before 2.16 cannot: then the message stays, and its buttons do nothing.
                    if answer.status.as_u16() == 404 || answer.status.as_u16() == 405 {
                        return Ok(());
                    }
                    SendError::of(&answer)
                }
            }
        })
    }

    fn listen(&self) -> Option<Later<'_, ()>> {
        let (replies, replies_to) = (self.replies.as_ref()?, self.replies_to.as_deref()?);
        Some(Box::pin(async move {
            let (mut since, mut back_off) = (SINCE.to_owned(), BackOff::new(Pauses::OF_A_SERVICE));
            loop {
                let (why, came) = self.read(replies, replies_to, &mut since).await;
                if came {
                    back_off.reset();
                }
                let pause = back_off.pause();
                let seconds = pause.as_secs_f32();
                info!(channel = replies.channel, "Listening for replies again in {seconds:.0} s: {why}");
                tokio::time::sleep(pause).await;
            }
        }))
    }
}

#[cfg(test)]
mod tests;
