//! The event protocol over a WebSocket: one JSON object a message, both ways.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askuser_words::failed::Failed;
use axum::extract::FromRequestParts;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::AppState;
use super::failing::{forbidden, invalid_request, rate_limited};
use super::gate::{Credentials, check_origin, noticed, peer, suspect};
use super::serving::Permit;
use super::visit::{Visit, caller_key};
use crate::event_protocol::{Conversation, Received};
use askuser_api::doorways::OpenSocket;
use askuser_api::headers::BODY_BYTES_MAX;
use askuser_api::{Bucket, Route as _};
use askuser_desk::{from_address, on_path};
use askuser_watch::security::{Kind, Suspect};
use askuser_watch::waits;
use askuser_wire::failure::{Code, Failure};

/// How often a silent socket is asked whether it lives.
const PING_EVERY: Duration = Duration::from_secs(30);

/// `GET /api/ws[?protocol=events|ask_user|push]`
pub(super) async fn open(mut visit: Visit) -> Result<Response, Failure> {
    let other = |_: &Failure| noticed(&visit.state, &visit.parts, visit.caller.as_ref(), Kind::WrongOrigin);
    check_origin(&visit.state, &visit.parts).inspect_err(other)?;
    let protocol = visit.query::<OpenSocket>()?.protocol;
    let actor = visit.reader()?;
    let caller_key = visit.caller.as_ref().map(caller_key).unwrap_or_default();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut visit.parts, &()).await;
    let upgrade = upgrade.map_err(|_| invalid_request(Failed::no_websocket))?;
    let permit = visit.parts.extensions.get::<Permit>().cloned();
    let mut line = Conversation::new(visit.desk().clone(), actor, caller_key.clone(), visit.language);
    if let Some(protocol) = protocol {
        line = line.speaking(protocol);
    }
    let Some(caller) = &visit.caller else { return Err(forbidden(Failed::any_key)) };
    let credentials = Credentials::of(&visit.state, &visit.parts, caller);
    let counting = Counting {
        bucket: if visit.agent().is_ok() { Bucket::Writes } else { Bucket::Answers },
        caller_key,
        // Each socket is counted for itself: many agents may share a key.
        socket: format!("socket {}", visit.state.n_sockets.fetch_add(1, Ordering::Relaxed)),
        state: Arc::clone(&visit.state),
        suspect: suspect(&visit.parts.uri, peer(&visit.parts.extensions), visit.caller.as_ref()),
    };
    let sockets = visit.state.sockets.clone();
    let counted = visit.state.watch().metrics.subscriber("websocket");
    let upgrade = upgrade.max_message_size(BODY_BYTES_MAX).max_frame_size(BODY_BYTES_MAX);
    Ok(upgrade.on_upgrade(move |socket| {
        sockets.track_future(async move {
            let Suspect { address, path, .. } = counting.suspect.clone();
            // In a place of its own: it is large.
            let conversing = Box::pin(converse(socket, line, &counting, &credentials));
            from_address(address, on_path(path, conversing)).await;
            // A socket counts as a connection as long as it lives.
            drop((permit, counted));
        })
    }))
}

async fn converse(socket: WebSocket, mut line: Conversation, counting: &Counting, credentials: &Credentials) {
    let (to, mut from) = socket.split();
    let mut to = Sender { to, time_max: counting.state.options.bounds.message_time_max };
    let mut pings = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = true;
    loop {
        let message = tokio::select! {
            said = line.next() => {
                let Some(said) = said else {
                    let reason = "come back in a moment".into();
                    to.send(Message::Close(Some(CloseFrame { code: close_code::RESTART, reason }))).await;
                    return;
                };
                if !to.send(Message::text(said.text.clone())).await {
                    return;
                }
                line.sent(&said);
                continue;
            }
            message = from.next() => message,
            _ = pings.tick() => {
                let alive = std::mem::take(&mut heard);
                if !alive || !credentials.is_good().await || !to.send(Message::Ping(Vec::new().into())).await {
                    return;
                }
                continue;
            }
        };
        heard = true;
        if !credentials.is_good().await {
            return;
        }
        match message {
            Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                // What is no text is no message.
                let text = if let Message::Text(text) = &message { text.as_str() } else { "" };
                let heard = match counting.count() {
                    Ok(()) => {
                        let (heard, timed) = waits::watched(line.receive(text)).await;
                        counting.state.watch().operated(OpenSocket::PATH, &timed);
                        heard
                    }
                    Err(failure) => {
                        line.refuse(text, &failure);
                        Received::Refused(failure.code)
                    }
                };
                counting.note(heard);
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return,
        }
    }
}

/// Counts the messages of a socket as requests (D11), and notes those that should not be (D15).
struct Counting {
    state: Arc<AppState>,
    bucket: Bucket,
    caller_key: String,
    socket: String,
    suspect: Suspect,
}

impl Counting {
    fn count(&self) -> Result<(), Failure> {
        self.state.limits.count(self.bucket, &self.caller_key, &self.socket).map_err(rate_limited)
    }

    /// Notes a message that is a security event, as a request over HTTP would be.
    fn note(&self, heard: Received) {
        let kind = match heard {
            Received::Forged => Kind::ForgedResponse,
            Received::Refused(Code::RateLimited) => Kind::RateLimit,
            Received::Refused(Code::AlreadyAnswered | Code::AlreadyClosed) => Kind::Replay,
            Received::Taken | Received::Refused(_) => return,
        };
        self.state.watch().security(kind, &self.suspect);
    }
}

/// Speaks to the other end, which may not listen.
struct Sender {
    to: SplitSink<WebSocket, Message>,
    time_max: Duration,
}

impl Sender {
    /// Sends a message; false where the other end is gone or does not read.
    async fn send(&mut self, message: Message) -> bool {
        matches!(timeout(self.time_max, self.to.send(message)).await, Ok(Ok(())))
    }
}
