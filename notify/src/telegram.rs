//! A Telegram bot: a message in one chat, with buttons where all of the question is in it; what is pressed is fetched by
//! long polling, so nobody needs to reach this machine. Only the people on the list are heard.

use std::path::Path;
use std::time::Duration;

use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use tracing::{info, warn};

use super::carrier::{Carrier, Later, Retry, SendError};
use super::nudge::{Ended, Letter};
use super::replies::{Replies, Taken, button};
use askuser_config::TelegramPart;
use askuser_net::http::{Call, Http, HttpError};
use askuser_system::backoff::{BackOff, Pauses};
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, Language, both};

/// How long one request may take.
const TIME_MAX: Duration = Duration::from_secs(10);
/// How long the server may hold a poll; and how long we wait for it.
const POLL_S: u64 = 50;
const POLL_MAX: Duration = Duration::from_secs(POLL_S + 15);
/// The longest text of the pop-up that says what came of a button.
const POP_UP_CHARS_MAX: usize = 190;

/// A bot and the chat that it writes to.
pub(super) struct Telegram {
    server: String,
    token: String,
    chat: i64,
    people: Vec<i64>,
    http: Http,
    replies: Option<Replies>,
}

impl Telegram {
    pub(super) fn new(
        part: &TelegramPart,
        folder: &Path,
        http: Http,
        replies: Option<Replies>,
    ) -> Result<Self, Both> {
        let token = part.token.reveal(folder)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || ":-_".contains(c);
        if token.is_empty() || !token.chars().all(plain) {
            return Err(both(Undelivered::no_bot_token));
        }
        Ok(Self {
            server: part.server.trim_end_matches('/').to_owned(),
            token,
            chat: part.chat,
            people: part.people.clone(),
            http,
            replies,
        })
    }

    /// Calls a method of the bot; returns its result.
    async fn call(&self, method: &str, body: &Value, time_max: Duration) -> Result<Value, SendError> {
        let url = format!("{}/bot{}/{method}", self.server, self.token);
        let headers = [("content-type", "application/json")];
        let call =
            Call { method: Method::POST, url: &url, headers: &headers, body: body.to_string(), time_max };
        // The address has the token in it, and what goes wrong may quote the address.
        let nothing = || SendError::later(both(Undelivered::answered_nothing));
        let hide = |error: HttpError| {
            let said = error.said();
            SendError::later(both(|language: Language| language.of(&said).replace(&self.token, "…")))
        };
        let answer = self.http.call(call).await.map_err(hide)?;
        let said: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        if answer.status.is_success() {
            return said.get("result").cloned().ok_or_else(nothing);
        }
        let mut trouble = SendError::of(&answer).err().unwrap_or_else(nothing);
        if let Some(why) = said.get("description").and_then(Value::as_str) {
            let status = trouble.why;
            trouble.why = both(|say: Undelivered| say.answered_more(say.0.of(&status), why));
        }
        let wait = said.pointer("/parameters/retry_after").and_then(Value::as_u64).map(Duration::from_secs);
        if let (Retry::Later(_), Some(wait)) = (trouble.again, wait) {
            trouble.again = Retry::Later(Some(wait));
        }
        Err(trouble)
    }

    pub(super) fn message(&self, letter: &Letter) -> Value {
        let mut lines = vec![letter.title.clone()];
        lines.extend(letter.lines(letter.token.is_some()));
        let mut keyboard: Vec<Vec<Value>> = Vec::new();
        if let Some(token) = &letter.token {
            keyboard.extend(letter.choices.iter().enumerate().map(|(place, choice)| {
                vec![json!({"text": choice.label, "callback_data": button(token, place)})]
            }));
        }
        match &letter.link {
            // Telegram takes only addresses of the open internet for a button.
            Some(link) if link.starts_with("https://") => {
                keyboard.push(vec![json!({"text": "askuser", "url": link})]);
            }
            Some(link) => lines.push(link.clone()),
            None => {}
        }
        let mut message = json!({
            "chat_id": self.chat, "text": lines.join("\n"), "link_preview_options": {"is_disabled": true},
        });
        if let (false, Some(fields)) = (keyboard.is_empty(), message.as_object_mut()) {
            fields.insert("reply_markup".to_owned(), json!({"inline_keyboard": keyboard}));
        }
        message
    }

    /// Takes one button that was pressed.
    async fn pressed(&self, replies: &Replies, query: &Value) {
        let from = query.pointer("/from/id").and_then(Value::as_i64);
        let text = query.get("data").and_then(Value::as_str).unwrap_or_default();
        let said = if from.is_some_and(|from| self.people.contains(&from)) {
            self.take(replies, text).await
        } else {
            warn!(
                channel = replies.channel,
                "A button was pressed by somebody else: {from:?} is not among `people`"
            );
            replies.said().not_yours().to_owned()
        };
        let said: String = said.chars().take(POP_UP_CHARS_MAX).collect();
        let answer = json!({"callback_query_id": query.get("id"), "text": said, "show_alert": false});
        // If it cannot be told, the message itself says what happened.
        let _told = self.call("answerCallbackQuery", &answer, TIME_MAX).await;
    }

    async fn take(&self, replies: &Replies, text: &str) -> String {
        loop {
            match replies.take(text).await {
                Taken::Answered => return "✓".to_owned(),
                Taken::Refused(refusal) => return replies.why(&refusal),
                Taken::NotOurs => return replies.said().button_too_old().to_owned(),
                Taken::Away(why) => {
                    warn!("A reply waits until the database is available: {why}");
                    tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
                }
            }
        }
    }

    /// Fetches what was pressed, once; moves `offset` behind it.
    async fn poll(&self, replies: &Replies, offset: &mut i64) -> Result<(), SendError> {
        let wanted = json!({"offset": *offset, "timeout": POLL_S, "allowed_updates": ["callback_query"]});
        let updates = self.call("getUpdates", &wanted, POLL_MAX).await?;
        for update in updates.as_array().into_iter().flatten() {
            if let Some(query) = update.get("callback_query") {
                self.pressed(replies, query).await;
            }
            if let Some(id) = update.get("update_id").and_then(Value::as_i64) {
                *offset = (*offset).max(id.saturating_add(1));
            }
        }
        Ok(())
    }
}

impl Carrier for Telegram {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            let sent = self.call("sendMessage", &self.message(letter), TIME_MAX).await?;
            let id = sent.get("message_id").and_then(Value::as_i64);
            id.map(|id| id.to_string()).ok_or_else(|| SendError::never(both(Undelivered::no_message)))
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            let Ok(id) = receipt.parse::<i64>() else { return Ok(()) };
            let edit = json!({"chat_id": self.chat, "message_id": id, "text": ended.text});
            match self.call("editMessageText", &edit, TIME_MAX).await {
                // Deleted by the person, or edited before: there is nothing to take back.
                Err(trouble) if trouble.status == Some(StatusCode::BAD_REQUEST) => Ok(()),
                done => done.map(drop),
            }
        })
    }

    fn listen(&self) -> Option<Later<'_, ()>> {
        let replies = self.replies.as_ref()?;
        Some(Box::pin(async move {
            let (mut offset, mut back_off) = (0, BackOff::new(Pauses::OF_A_SERVICE));
            loop {
                let Err(trouble) = self.poll(replies, &mut offset).await else {
                    back_off.reset();
                    continue;
                };
                let pause = trouble.again.no_sooner(back_off.pause());
                let seconds = pause.as_secs_f32();
                info!(channel = replies.channel, "Polling again in {seconds:.0} s: {trouble}");
                tokio::time::sleep(pause).await;
            }
        }))
    }
}

#[cfg(test)]
mod tests;
