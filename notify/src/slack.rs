//! Slack by Socket Mode: a message, with buttons where all of the question is in it; what is pressed comes over a socket
//! that we open, so nobody needs to reach this machine. Only the people on the list are heard.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use tracing::{info, warn};

use super::carrier::{Again, Carrier, Later, Trouble};
use super::nudge::{Ended, Letter};
use super::replies::{Replies, Taken, button};
use askuser_config::SlackPart;
use askuser_net::posting::{Address, Call, Trust, Wire};
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both};

/// How long one request may take.
const TIME_MAX: Duration = Duration::from_secs(10);
/// A socket that says nothing for so long is gone: Slack pings it every few seconds.
const SILENCE_MAX: Duration = Duration::from_mins(2);
/// How long to wait before the socket is opened again.
const OPEN_AGAIN: [Duration; 4] =
    [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(30), Duration::from_mins(2)];

/// An app in a workspace, and where it writes.
pub(super) struct Slack {
    server: String,
    bot: String,
    app: String,
    channel: String,
    people: Vec<String>,
    trust: Trust,
    replies: Option<Replies>,
}

/// Why the socket ended.
enum Sat {
    /// Slack wants a new one, or it was cut after it had worked.
    Over,
    /// It could not be opened.
    Failed(Trouble),
}

impl Slack {
    pub(super) fn new(
        part: &SlackPart,
        folder: &Path,
        trust: Trust,
        replies: Option<Replies>,
    ) -> Result<Self, Both> {
        let (bot, app) = (part.bot_token.reveal(folder)?, part.app_token.reveal(folder)?);
        for (name, token, begins) in [("bot_token", &bot, "xoxb-"), ("app_token", &app, "xapp-")] {
            if !token.starts_with(begins) || !token.chars().all(|c| c.is_ascii_graphic()) {
                return Err(both(|say: Undelivered| say.no_token(name, begins)));
            }
        }
        Ok(Self {
            server: part.server.trim_end_matches('/').to_owned(),
            bot,
            app,
            channel: part.channel.clone(),
            people: part.people.clone(),
            trust,
            replies,
        })
    }

    /// Calls a method; returns what it answers.
    async fn call(&self, method: &str, token: &str, body: &Value) -> Result<Value, Trouble> {
        let (url, key) = (format!("{}/api/{method}", self.server), format!("Bearer {token}"));
        let headers = [("content-type", "application/json; charset=utf-8"), ("authorization", key.as_str())];
        let call = Call {
            method: Method::POST,
            url: &url,
            headers: &headers,
            body: body.to_string(),
            time_max: TIME_MAX,
        };
        let answer = self.trust.call(call).await.map_err(Trouble::later)?;
        Trouble::of(&answer)?;
        let said: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        if said.get("ok") == Some(&Value::Bool(true)) {
            return Ok(said);
        }
        let Some(why) = said.get("error").and_then(Value::as_str) else {
            return Err(Trouble::never(both(Undelivered::answered_nothing)));
        };
        let passes =
            ["ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"];
        let again = if passes.contains(&why) { Again::Later(None) } else { Again::Never };
        Err(Trouble { why: both(|say: Undelivered| say.answered(why)), again })
    }

    pub(super) fn message(&self, letter: &Letter) -> Value {
        let plain = |text: &str| json!({"type": "plain_text", "text": text});
        let mut lines = vec![letter.title.clone()];
        lines.extend(letter.lines(letter.token.is_some()));
        let mut buttons: Vec<Value> = Vec::new();
        if let Some(token) = &letter.token {
            buttons.extend(letter.choices.iter().enumerate().map(|(place, choice)| {
                json!({
                    "type": "button", "text": plain(&choice.label), "action_id": format!("pick_{place}"),
                    "value": button(token, place),
                })
            }));
        }
        if let Some(link) = &letter.link {
            buttons
                .push(json!({"type": "button", "text": plain("askuser"), "action_id": "open", "url": link}));
        }
        // Plain text: nothing that an agent wrote calls people or hides behind a link.
        let mut blocks = vec![json!({"type": "section", "text": plain(&lines.join("\n"))})];
        if !buttons.is_empty() {
            blocks.push(json!({"type": "actions", "elements": buttons}));
        }
        let fallback = lines.join("\n").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        json!({"channel": self.channel, "text": fallback, "blocks": blocks, "unfurl_links": false})
    }

    /// Listens on one socket until it ends.
    async fn sit(&self, replies: &Replies) -> Sat {
        let mut socket = match self.open().await {
            Ok(socket) => socket,
            Err(trouble) => return Sat::Failed(trouble),
        };
        loop {
            let said = match tokio::time::timeout(SILENCE_MAX, socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => text,
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) | Err(_) => return Sat::Over,
                Ok(Some(Ok(_))) => continue,
            };
            let Ok(said) = serde_json::from_str::<Value>(&said) else { continue };
            if said.get("type").and_then(Value::as_str) == Some("disconnect") {
                return Sat::Over;
            }
            if let Some(envelope) = said.get("envelope_id") {
                // Within three seconds, whatever comes of it.
                let heard = json!({"envelope_id": envelope}).to_string();
                if socket.send(Message::text(heard)).await.is_err() {
                    return Sat::Over;
                }
            }
            if let Some(payload) = said.get("payload") {
                self.pressed(replies, payload).await;
            }
        }
    }

    async fn open(&self) -> Result<WebSocketStream<Box<dyn Wire>>, Trouble> {
        let opened = self.call("apps.connections.open", &self.app, &json!({})).await?;
        let url = opened.get("url").and_then(Value::as_str).unwrap_or_default();
        let as_web = url.replacen("ws", "http", 1);
        let address = Address::of(&as_web).map_err(Trouble::later)?;
        let opening = async {
            let later = |error: &dyn std::fmt::Display| Trouble::later(error.to_string());
            let stream =
                TcpStream::connect((address.host, address.port)).await.map_err(|error| later(&error))?;
            let wire: Box<dyn Wire> = if address.is_private {
                self.trust.secure(stream, address.host).await.map_err(Trouble::later)?
            } else {
                Box::new(stream)
            };
            Ok(client_async(url, wire).await.map_err(|error| later(&error))?.0)
        };
        tokio::time::timeout(TIME_MAX, opening)
            .await
            .map_err(|_| Trouble::later(both(|say: Undelivered| say.no_connection(TIME_MAX.as_secs()))))?
    }

    /// Takes the buttons that were pressed.
    async fn pressed(&self, replies: &Replies, payload: &Value) {
        let who = payload.pointer("/user/id").and_then(Value::as_str).unwrap_or_default();
        for action in payload.get("actions").and_then(Value::as_array).into_iter().flatten() {
            let Some(text) = action.get("value").and_then(Value::as_str) else { continue };
            let refused = if self.people.iter().any(|known| known == who) {
                self.take(replies, text).await
            } else {
                warn!(
                    channel = replies.channel,
                    "A button was pressed by somebody else: {who} is not among `people`"
                );
                Some(replies.said().not_yours().to_owned())
            };
            let place = payload.pointer("/channel/id").and_then(Value::as_str).unwrap_or(&self.channel);
            if let Some(why) = refused {
                let note = json!({"channel": place, "user": who, "text": why});
                // If it cannot be told, the message itself says what happened.
                let _told = self.call("chat.postEphemeral", &self.bot, &note).await;
            }
        }
    }

    /// Takes a reply; says why where it is refused.
    async fn take(&self, replies: &Replies, text: &str) -> Option<String> {
        loop {
            match replies.take(text).await {
                Taken::Answered => return None,
                Taken::Refused(refusal) => return Some(replies.why(&refusal)),
                Taken::NotOurs => return Some(replies.said().button_too_old().to_owned()),
                Taken::Away(why) => {
                    warn!("A reply waits until the database is available: {why}");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
    }
}

impl Carrier for Slack {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, Trouble>> {
        Box::pin(async move {
            let sent = self.call("chat.postMessage", &self.bot, &self.message(letter)).await?;
            let field = |name: &str| sent.get(name).and_then(Value::as_str);
            // A message to a person is in a channel of its own.
            let place = field("channel").unwrap_or(&self.channel);
            field("ts")
                .map(|at| format!("{place} {at}"))
                .ok_or_else(|| Trouble::never(both(Undelivered::no_message)))
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), Trouble>> {
        Box::pin(async move {
            let Some((place, at)) = receipt.split_once(' ') else { return Ok(()) };
            let block = json!({"type": "section", "text": {"type": "plain_text", "text": ended.text}});
            let edit = json!({"channel": place, "ts": at, "text": ended.text, "blocks": [block]});
            match self.call("chat.update", &self.bot, &edit).await {
                Err(trouble) if trouble.why.english.contains("message_not_found") => Ok(()),
                done => done.map(drop),
            }
        })
    }

    fn listen(&self) -> Option<Later<'_, ()>> {
        let replies = self.replies.as_ref()?;
        Some(Box::pin(async move {
            let mut n_failed = 0_usize;
            loop {
                let pause = OPEN_AGAIN.get(n_failed.min(OPEN_AGAIN.len() - 1)).copied().unwrap_or_default();
                match self.sit(replies).await {
                    Sat::Over => {
                        n_failed = 0;
                        tokio::time::sleep(OPEN_AGAIN[0]).await;
                    }
                    Sat::Failed(trouble) => {
                        info!(
                            channel = replies.channel,
                            "No socket, again in {} s: {}",
                            pause.as_secs(),
                            trouble
                        );
                        n_failed += 1;
                        tokio::time::sleep(pause).await;
                    }
                }
            }
        }))
    }
}

#[cfg(test)]
mod tests;
