//! Slack by Socket Mode: a message, with buttons where all of the question is in it; what is pressed comes over a socket
//! that we open, so nobody needs to reach this machine. Only the people on the list are heard.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper::Method;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tracing::{info, warn};

use super::carrier::{Carrier, Later, SendError};
use super::nudge::{Ended, Letter};
use super::replies::{Replies, Taken, button};
use askuser_config::SlackPart;
use askuser_net::http::{Call, Http};
use askuser_net::websocket::WebSocket;
use askuser_system::backoff::{BackOff, Pauses};
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both, quoted};

/// How long one request may take.
const TIME_MAX: Duration = Duration::from_secs(10);
/// A socket that says nothing for so long is gone: Slack pings it every few seconds.
const SILENCE_MAX: Duration = Duration::from_mins(2);

/// An app in a workspace, and where it writes.
pub(super) struct Slack {
    server: String,
    bot: String,
    app: String,
    channel: String,
    people: Vec<String>,
    http: Http,
    replies: Option<Replies>,
}

impl Slack {
    pub(super) fn new(
        part: &SlackPart,
        folder: &Path,
        http: Http,
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
            http,
            replies,
        })
    }

    /// Calls a method; returns what it answers.
    async fn call(&self, method: &str, token: &str, body: &Value) -> Result<Value, SendError> {
        judged(self.try_call(method, token, body).await?)
    }

    /// The same; where it answers that it did not do it, returns its code for why.
    async fn try_call(
        &self,
        method: &str,
        token: &str,
        body: &Value,
    ) -> Result<Result<Value, Option<String>>, SendError> {
        let (url, key) = (format!("{}/api/{method}", self.server), format!("Bearer {token}"));
        let headers = [("content-type", "application/json; charset=utf-8"), ("authorization", key.as_str())];
        let call = Call {
            method: Method::POST,
            url: &url,
            headers: &headers,
            body: body.to_string(),
            time_max: TIME_MAX,
        };
        let answer = self.http.call(call).await.map_err(SendError::unanswered)?;
        SendError::of(&answer)?;
        let said: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        let is_done = said.get("ok") == Some(&Value::Bool(true));
        let code = || said.get("error").and_then(Value::as_str).map(str::to_owned);
        Ok(if is_done { Ok(said) } else { Err(code()) })
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

    /// Listens on one socket until Slack wants a new one, or it is cut; says why where it cannot be opened.
    async fn hear(&self, replies: &Replies) -> Result<(), SendError> {
        let mut socket = self.open().await?;
        loop {
            let said = match tokio::time::timeout(SILENCE_MAX, socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => text,
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) | Err(_) => return Ok(()),
                Ok(Some(Ok(_))) => continue,
            };
            let Ok(said) = serde_json::from_str::<Value>(&said) else { continue };
            if said.get("type").and_then(Value::as_str) == Some("disconnect") {
                return Ok(());
            }
            if let Some(envelope) = said.get("envelope_id") {
                // Within three seconds, whatever comes of it.
                let heard = json!({"envelope_id": envelope}).to_string();
                if socket.send(Message::text(heard)).await.is_err() {
                    return Ok(());
                }
            }
            if let Some(payload) = said.get("payload") {
                self.pressed(replies, payload).await;
            }
        }
    }

    async fn open(&self) -> Result<WebSocket, SendError> {
        let opened = self.call("apps.connections.open", &self.app, &json!({})).await?;
        let url = opened.get("url").and_then(Value::as_str).unwrap_or_default().replacen("ws", "http", 1);
        let opening = self.http.websocket(&url, &[], TIME_MAX).await;
        opening.map_err(|error| SendError::later(quoted(error)))
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
                    tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
                }
            }
        }
    }
}

/// Judges the code by which Slack says why it did not do something.
fn judged(answered: Result<Value, Option<String>>) -> Result<Value, SendError> {
    let passes = ["ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"];
    answered.map_err(|code| {
        let Some(code) = code else { return SendError::never(both(Undelivered::answered_nothing)) };
        let why = both(|say: Undelivered| say.answered(&code));
        if passes.contains(&code.as_str()) { SendError::later(why) } else { SendError::never(why) }
    })
}

impl Carrier for Slack {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            let sent = self.call("chat.postMessage", &self.bot, &self.message(letter)).await?;
            let field = |name: &str| sent.get(name).and_then(Value::as_str);
            // A message to a person is in a channel of its own.
            let place = field("channel").unwrap_or(&self.channel);
            field("ts")
                .map(|at| format!("{place} {at}"))
                .ok_or_else(|| SendError::never(both(Undelivered::no_message)))
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            let Some((place, at)) = receipt.split_once(' ') else { return Ok(()) };
            let block = json!({"type": "section", "text": {"type": "plain_text", "text": ended.text}});
            let edit = json!({"channel": place, "ts": at, "text": ended.text, "blocks": [block]});
            // Deleted by the person: there is nothing to take back.
            match self.try_call("chat.update", &self.bot, &edit).await? {
                Err(Some(code)) if code == "message_not_found" => Ok(()),
                done => judged(done).map(drop),
            }
        })
    }

    fn listen(&self) -> Option<Later<'_, ()>> {
        let replies = self.replies.as_ref()?;
        Some(Box::pin(async move {
            let mut back_off = BackOff::new(Pauses::OF_A_SERVICE);
            loop {
                let heard = self.hear(replies).await;
                if heard.is_ok() {
                    back_off.reset();
                }
                let pause = back_off.pause();
                if let Err(trouble) = heard {
                    let seconds = pause.as_secs_f32();
                    info!(channel = replies.channel, "No socket, again in {seconds:.0} s: {trouble}");
                }
                tokio::time::sleep(pause).await;
            }
        }))
    }
}

#[cfg(test)]
mod tests;
