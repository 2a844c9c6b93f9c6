//! Whether a desk is reached by some address, and whether everything gets through that a page needs:
//! events as they happen, and a socket. No key is sent: whoever answers there may be anybody.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use http_body_util::BodyExt;
use hyper::Method;
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::error::ClientError;
use super::request::{CONNECT_MAX, Call, Target};
use askuser_api::Route;
use askuser_api::operating::{Reach, Reached};
use askuser_net::http::Http;
use askuser_net::trust::Trust;
use askuser_words::commands::Unreachable;
use askuser_words::{Both, both, quoted};

const PATH: &str = Reach::PATH;
/// The desk leaves half a second between its two events: less than this between them, and somebody on
/// the way kept the first one back.
const KEPT_BACK: Duration = Duration::from_millis(250);

/// An address to try, with everything bounded.
#[derive(Debug, Clone)]
pub struct Probe {
    pub url: String,
    /// Whose certificate is believed.
    pub trust: Trust,
    /// How long each try may take.
    pub within: Duration,
}

impl Probe {
    /// Returns the number of the desk that answers there.
    pub async fn desk(&self) -> Result<String, ClientError> {
        let told = self.bounded(self.target().exchange(&self.http(), self.call(None))).await?;
        number(told).ok_or_else(|| ClientError::Garbled { url: self.url.clone(), what: Arc::new(Nameless) })
    }

    /// Reads the two events; says whether the first came at once.
    pub async fn events(&self) -> Result<bool, ClientError> {
        self.bounded(async {
            let call = self.call(Some("text/event-stream"));
            let response = self.target().send(&self.http(), call).await?;
            let mut body = response.into_body();
            let (mut heard, mut first, mut last) = (Vec::new(), None, Instant::now());
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|error| self.away(quoted(error)))?;
                heard.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data.as_ref()));
                let n_events = heard.windows(5).filter(|five| *five == b"data:").count();
                last = Instant::now();
                if n_events > 0 {
                    first.get_or_insert(last);
                }
                if n_events > 1 {
                    break;
                }
            }
            let first = first.ok_or_else(|| self.away(both(Unreachable::no_event)))?;
            Ok(last.duration_since(first) >= KEPT_BACK)
        })
        .await
    }

    /// Opens a socket and reads the number of the desk from it.
    pub async fn socket(&self) -> Result<String, ClientError> {
        self.bounded(async {
            let opened = self.target().websocket(&self.http(), PATH, &[], self.within).await?;
            let mut socket = opened.map_err(|response| {
                let status = response.status().as_u16();
                self.away(both(|said: Unreachable| said.no_socket(status)))
            })?;
            while let Some(Ok(message)) = socket.next().await {
                if let Message::Text(text) = message {
                    let told = serde_json::from_str(text.as_str()).unwrap_or(Value::Null);
                    return number(told).ok_or_else(|| self.away(both(Unreachable::other_socket)));
                }
            }
            Err(self.away(both(Unreachable::silent_socket)))
        })
        .await
    }

    fn http(&self) -> Http {
        Http::new(self.trust.clone()).connecting_within(CONNECT_MAX)
    }

    fn target(&self) -> Target {
        Target::at(self.url.as_str())
    }

    fn call(&self, accept: Option<&str>) -> Call {
        Call {
            method: Method::GET,
            path: PATH.to_owned(),
            key: None,
            headers: accept.map(|accept| ("accept", accept.to_owned())).into_iter().collect(),
            body: None,
            patience: self.within,
        }
    }

    async fn bounded<T>(
        &self,
        trying: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<T, ClientError> {
        timeout(self.within, trying).await.unwrap_or_else(|_| {
            Err(self.away(both(|said: Unreachable| said.nothing_within(self.within.as_secs()))))
        })
    }

    fn away(&self, why: Both) -> ClientError {
        self.target().away(why)
    }
}

/// It does not say which desk it is.
#[derive(Debug, thiserror::Error)]
#[error("it does not say which desk it is")]
struct Nameless;

fn number(told: Value) -> Option<String> {
    serde_json::from_value::<Reached>(told).ok().map(|reached| reached.desk)
}
