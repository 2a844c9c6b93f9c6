//! Web sockets, opened by the HTTP client.

use std::time::Duration;

use hyper::header::{CONNECTION, HeaderValue, UPGRADE};
use hyper::upgrade::{Upgraded, on};
use hyper::{Method, Response, StatusCode, body::Incoming};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::http::{Call, Http, HttpError};

/// An open WebSocket.
pub type WebSocket = WebSocketStream<TokioIo<Upgraded>>;

/// Why there is no WebSocket.
#[derive(Debug, thiserror::Error)]
pub enum NoWebSocket {
    /// There is no answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// It answered something else.
    #[error("answered {} instead of a WebSocket", .0.status())]
    Refused(Box<Response<Incoming>>),
}

impl Http {
    /// Opens a WebSocket at an address with http:// or https://.
    pub async fn websocket(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        time_max: Duration,
    ) -> Result<WebSocket, NoWebSocket> {
        let key = generate_key();
        let mut all = vec![
            (CONNECTION.as_str(), "Upgrade"),
            (UPGRADE.as_str(), "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", key.as_str()),
        ];
        all.extend_from_slice(headers);
        let call = Call { method: Method::GET, url, headers: &all, body: String::new(), time_max };
        let mut response = self.open(call).await?;
        let accepted = response.headers().get("sec-websocket-accept").map(HeaderValue::as_bytes);
        let is_one = accepted == Some(derive_accept_key(key.as_bytes()).as_bytes());
        if response.status() != StatusCode::SWITCHING_PROTOCOLS || !is_one {
            return Err(NoWebSocket::Refused(Box::new(response)));
        }
        let upgraded = on(&mut response).await.map_err(|error| HttpError::Failed(error.into()))?;
        Ok(WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Client, None).await)
    }
}
