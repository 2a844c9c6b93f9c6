//! The event protocol from afar: a WebSocket to the desk, one JSON object a message.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper::header::AUTHORIZATION;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::tungstenite::Message;

use super::Client;
use super::error::ClientError;
use super::request::{Target, refused};
use askuser_api::doorways::OpenSocket;
use askuser_api::{Route, headers};
use askuser_core::command::KeyRole;
use askuser_net::websocket::WebSocket;
use askuser_words::both;
use askuser_words::commands::Unreachable;

/// The desk asks a silent socket every 30 seconds whether it lives: one that hears nothing for longer
/// than two of these is cut, although nobody said so.
const SILENCE_MAX: Duration = Duration::from_secs(75);
/// How long connecting and the handshake may take together.
const BEGINS_WITHIN: Duration = Duration::from_secs(15);

/// A socket to the desk.
pub struct Socket {
    line: WebSocket,
    /// When the desk was last heard of, by a message or by a ping.
    heard_at: Instant,
    silence_max: Duration,
}

impl Client {
    /// Opens a socket.
    pub async fn socket(&self, who: KeyRole) -> Result<Socket, ClientError> {
        self.socket_within(who, BEGINS_WITHIN, SILENCE_MAX).await
    }

    async fn socket_within(
        &self,
        who: KeyRole,
        begins_within: Duration,
        silence_max: Duration,
    ) -> Result<Socket, ClientError> {
        let target = self.target()?;
        let begun = timeout(begins_within, self.begin(who, &target, begins_within)).await;
        let line = begun.unwrap_or_else(|_| {
            Err(ClientError::Away { url: target.url, why: both(Unreachable::slow_to_begin) })
        })?;
        Ok(Socket { line, heard_at: Instant::now(), silence_max })
    }

    async fn begin(
        &self,
        who: KeyRole,
        to: &Target,
        begins_within: Duration,
    ) -> Result<WebSocket, ClientError> {
        let key = format!("Bearer {}", self.keys.find(who)?.reveal());
        let mut headers = vec![(AUTHORIZATION.as_str(), key)];
        headers.extend(self.insisted(who).map(|mark| (headers::AS_PERSON, mark.to_owned())));
        match to.websocket(&self.http, OpenSocket::PATH, &headers, begins_within).await? {
            Ok(socket) => Ok(socket),
            Err(response) => Err(refused(response, begins_within).await),
        }
    }
}

impl Socket {
    /// Sends a message; false where the socket is gone.
    pub async fn send(&mut self, text: &str) -> bool {
        let sending = self.line.send(Message::text(text));
        matches!(timeout(self.silence_max, sending).await, Ok(Ok(())))
    }

    /// Waits for a message; none where the socket is gone. Whoever stops waiting and comes back does
    /// not begin to count anew.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            let message = timeout_at(self.heard_at + self.silence_max, self.line.next()).await;
            let message = message.ok()??;
            self.heard_at = Instant::now();
            match message {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) | Err(_) => return None,
                // Pings are answered by the socket itself.
                Ok(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpStream};
    use tokio_tungstenite::WebSocketStream;

    use super::*;
    use crate::home::Home;
    use askuser_system::environment::Environment;

    /// Longer than anything here takes.
    const PATIENCE: Duration = Duration::from_secs(20);
    const SHORT: Duration = Duration::from_millis(50);

    async fn listener() -> (TcpListener, Client) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let environment = Environment::of(&[("ASKUSER_URL", &url), ("ASKUSER_KEY", "k")]);
        (listener, Client::new(&environment, Home::new("/nowhere")))
    }

    async fn accepted(listener: &TcpListener) -> WebSocketStream<TcpStream> {
        tokio_tungstenite::accept_async(listener.accept().await.unwrap().0).await.unwrap()
    }

    #[tokio::test]
    async fn a_desk_that_takes_the_connection_and_says_nothing_is_away() {
        let (_listener, client) = listener().await;
        let opening = client.socket_within(KeyRole::Person, SHORT, PATIENCE);
        let opened = timeout(PATIENCE, opening).await.expect("it waits for ever");
        assert!(opened.is_err_and(|error| error.may_pass()));
    }

    #[tokio::test]
    async fn a_socket_that_is_silent_for_too_long_is_gone() {
        let (listener, client) = listener().await;
        let (there, here) =
            tokio::join!(accepted(&listener), client.socket_within(KeyRole::Person, PATIENCE, SHORT));
        let mut here = here.unwrap();
        assert_eq!(timeout(PATIENCE, here.next()).await.expect("it waits for ever"), None);
        drop(there);
    }

    #[tokio::test]
    async fn silence_is_counted_from_the_last_ping_however_often_it_is_waited_for() {
        let (listener, client) = listener().await;
        let (there, here) =
            tokio::join!(accepted(&listener), client.socket_within(KeyRole::Person, PATIENCE, PATIENCE));
        let (mut there, mut here) = (there, here.unwrap());
        let began = here.heard_at;
        assert!(timeout(SHORT, here.next()).await.is_err(), "nothing was said");
        assert_eq!(here.heard_at, began);
        there.send(Message::Ping(Vec::new().into())).await.unwrap();
        // The answer to the ping says that it was heard; the wait itself goes on.
        tokio::select! {
            message = here.next() => panic!("a ping is no message: {message:?}"),
            pong = there.next() => assert!(matches!(pong, Some(Ok(Message::Pong(_))))),
        }
        assert!(here.heard_at > began);
    }
}
