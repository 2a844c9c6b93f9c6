//! How others reach this desk, and whether what they reach is this desk: `GET /api/reach` answers
//! everybody with a number that only this process has, plainly, as events and over a socket, so that
//! `askuser doctor` can tell whether a proxy lets all three through.

use std::convert::Infallible;
use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::failed::Failed;
use axum::extract::FromRequestParts;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::http::header;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use tokio::time::{sleep, timeout};

use super::failing::invalid_request;
use super::gate::{check_origin, noticed};
use super::serving::Permit;
use super::visit::{Visit, ok};
use askuser_api::operating::{Network, Reached};
use askuser_watch::security::Kind;
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// How long the second event waits: whoever gets both at once has a proxy that keeps them back.
const BETWEEN: Duration = Duration::from_millis(500);
/// How long a socket may take to read one message.
const SEND_TIME_MAX: Duration = Duration::from_secs(2);

/// Where people come in from other devices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Whether that was asked for.
    pub asked_for: bool,
    /// Where, the best first; none where it does not work.
    pub urls: Vec<String>,
    /// Hosts that the certificate is for.
    pub hosts: Vec<String>,
    /// The SHA-256 of the certificate.
    pub fingerprint: Option<String>,
    /// Whether this desk made it.
    pub self_made: bool,
    /// Until when it is good.
    pub not_after: Option<Timestamp>,
    /// Why nobody can come in, although it was asked for.
    pub why_not: Option<String>,
    /// A proxy or a tunnel to this desk.
    pub public_url: Option<String>,
}

impl Reach {
    /// Returns it for `GET /api/status`.
    pub(super) fn network(&self) -> Option<Network> {
        self.asked_for.then(|| Network {
            urls: self.urls.clone(),
            why_not: self.why_not.clone(),
            fingerprint: self.fingerprint.clone(),
            self_made: self.self_made,
            hosts: self.hosts.clone(),
            not_after: self.not_after.map(time::write),
        })
    }
}

/// `GET /api/reach`
pub(super) async fn show(mut visit: Visit) -> Result<Response, Failure> {
    let reached = Reached { desk: visit.state.number.clone() };
    let told = serde_json::to_string(&reached).map_err(|_| Failure::internal())?;
    if visit.parts.headers.contains_key(header::UPGRADE) {
        let other = |_: &Failure| noticed(&visit.state, &visit.parts, None, Kind::WrongOrigin);
        check_origin(&visit.state, &visit.parts).inspect_err(other)?;
        let upgrade = WebSocketUpgrade::from_request_parts(&mut visit.parts, &()).await;
        let upgrade = upgrade.map_err(|_| invalid_request(Failed::no_websocket))?;
        let (sockets, permit) =
            (visit.state.sockets.clone(), visit.parts.extensions.get::<Permit>().cloned());
        return Ok(upgrade.on_upgrade(move |mut socket| {
            sockets.track_future(async move {
                // Whoever asked and does not listen has learnt enough.
                let _told = timeout(SEND_TIME_MAX, socket.send(Message::text(told))).await;
                let _closed = timeout(SEND_TIME_MAX, socket.send(Message::Close(None))).await;
                drop(permit);
            })
        }));
    }
    let accept = visit.parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if accept.is_some_and(|accept| accept.contains("text/event-stream")) {
        let events = stream::iter([false, true]).then(move |later| {
            let event = Event::default().data(told.clone());
            async move {
                if later {
                    sleep(BETWEEN).await;
                }
                Ok::<_, Infallible>(event)
            }
        });
        return Ok(([("x-accel-buffering", "no")], Sse::new(events)).into_response());
    }
    ok(reached)
}
