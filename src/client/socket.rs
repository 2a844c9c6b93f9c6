//! The event protocol from afar: a WebSocket to the desk, one JSON object a message.

use futures_util::{SinkExt, StreamExt};
use hyper::header::{AUTHORIZATION, HOST, ORIGIN};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;

use super::error::ClientError;
use super::keys::KeyFor;
use super::line::{self, Stream, Trust};
use super::{AS_PERSON_HEADER, Client};

/// A socket to the desk.
pub struct Socket(WebSocketStream<Stream>);

impl Client {
    /// Opens a socket.
    pub async fn socket(&self, who: KeyFor) -> Result<Socket, ClientError> {
        let key = self.keys.find(who)?;
        let url = self.url()?;
        let away = |why: String| ClientError::Away { url: url.clone(), why };
        let line = line::connect(&url, &Trust::System).await?;
        let mut request = hyper::Request::builder()
            .uri(format!("ws://{}/api/ws", line.authority))
            .header(HOST, &line.authority)
            // The desk takes sockets from its own pages only; a program says that it is one.
            .header(ORIGIN, &line.origin)
            .header(AUTHORIZATION, format!("Bearer {}", key.reveal()))
            .header("connection", "Upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", generate_key());
        if let Some(mark) = self.insisted(who) {
            request = request.header(AS_PERSON_HEADER, mark);
        }
        let request = request.body(()).map_err(|error| away(error.to_string()))?;
        match tokio_tungstenite::client_async(request, line.stream).await {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => {
                let status = response.status().as_u16();
                let body = response.body().as_deref().unwrap_or_default();
                Err(ClientError::Refused(Box::new(super::error::Failure::read(status, None, body))))
            }
            Err(error) => Err(away(error.to_string())),
        }
    }
}

impl Socket {
    /// Sends a message; false where the socket is gone.
    pub async fn send(&mut self, text: &str) -> bool {
        self.0.send(Message::text(text)).await.is_ok()
    }

    /// Waits for a message; none where the socket is gone.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            match self.0.next().await? {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(_) => return None,
                // Pings are answered by the socket itself.
                Ok(_) => {}
            }
        }
    }
}
