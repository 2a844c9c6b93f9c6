//! One request to the desk and its answer: over its Unix socket on the same machine, by its address elsewhere.
//! Everything is bounded: how long, how much.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use askuser_net::http::{self, Http, HttpError, Step};
use askuser_net::url::{Url, UrlError};
use askuser_net::websocket::{NoWebSocket, WebSocket};
use askuser_words::commands::{NoServer, Unreachable};
use askuser_words::{Both, both};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, ORIGIN};
use hyper::{Method, Response};
use serde_json::Value;
use tokio_rustls::rustls::CertificateError;

use super::error::{ClientError, Failure};
use super::keys::Key;

/// The largest answer that is read: a long inbox, not a film.
const BODY_MAX: usize = 64 * 1024 * 1024;
/// How long it may take to connect, and how long TLS may take to begin.
pub(super) const CONNECT_MAX: Duration = Duration::from_secs(2);
/// What a desk is called over its Unix socket.
const LOCAL: &str = "http://localhost";

/// Where a desk is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) url: String,
    /// Its Unix socket, where it is on this machine: over it the desk sees for itself who comes.
    pub(super) socket: Option<PathBuf>,
}
#[derive(Debug)]
pub(super) struct Call {
    pub(super) method: Method,
    /// The path with its query.
    pub(super) path: String,
    pub(super) key: Option<Key>,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Option<Value>,
    /// How long the answer may take to begin.
    pub(super) patience: Duration,
}

/// It answered something else than JSON.
#[derive(Debug, thiserror::Error)]
#[error("its answer is no JSON ({0})")]
struct NotJson(#[source] serde_json::Error);

impl Target {
    /// A desk at an address.
    pub(super) fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), socket: None }
    }

    /// Sends a request and reads the whole answer.
    pub(super) async fn exchange(&self, http: &Http, call: Call) -> Result<Value, ClientError> {
        let patience = call.patience;
        let response = self.send(http, call).await?;
        let body = http::read(response, BODY_MAX, patience).await.map_err(|error| match error {
            HttpError::Slow { .. } => self.away(both(Unreachable::endless)),
            other => self.failed(&other),
        })?;
        if body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&body)
            .map_err(|error| ClientError::Garbled { url: self.url.clone(), what: Arc::new(NotJson(error)) })
    }

    /// Sends a request and returns the answer as it begins, where it is a good one.
    pub(super) async fn send(&self, http: &Http, call: Call) -> Result<Response<Incoming>, ClientError> {
        let Call { method, path, key, mut headers, body, patience } = call;
        headers.extend(key.map(|key| (AUTHORIZATION.as_str(), format!("Bearer {}", key.reveal()))));
        headers.extend(body.as_ref().map(|_| (CONTENT_TYPE.as_str(), "application/json".to_owned())));
        let body = Bytes::from(body.map(|body| body.to_string()).unwrap_or_default());
        let opened = self.over_socket_or_not(http, |http, origin| {
            let (method, url, body) = (method.clone(), format!("{origin}{path}"), body.clone());
            let headers = headers.clone();
            async move {
                let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                http.open(http::Call { method, url: &url, headers: &headers, body, time_max: patience }).await
            }
        });
        let response = opened.await.map_err(|error| self.failed(&error))?;
        if response.status().is_success() { Ok(response) } else { Err(refused(response, patience).await) }
    }

    /// Opens a WebSocket at a path.
    pub(super) async fn websocket(
        &self,
        http: &Http,
        path: &str,
        headers: &[(&'static str, String)],
        patience: Duration,
    ) -> Result<Result<WebSocket, Response<Incoming>>, ClientError> {
        let opened = self.over_socket_or_not(http, |http, origin| {
            let (url, mut headers) = (format!("{origin}{path}"), headers.to_vec());
            // The desk takes sockets from its own pages only; a program says that it is one.
            headers.push((ORIGIN.as_str(), origin));
            async move {
                let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                match http.websocket(&url, &headers, patience).await {
                    Ok(socket) => Ok(Ok(socket)),
                    Err(NoWebSocket::Refused(response)) => Ok(Err(*response)),
                    Err(NoWebSocket::Http(error)) => Err(error),
                }
            }
        });
        opened.await.map_err(|error| self.failed(&error))
    }

    async fn over_socket_or_not<T, Doing>(
        &self,
        http: &Http,
        doing: impl Fn(Http, String) -> Doing,
    ) -> Result<T, HttpError>
    where
        Doing: Future<Output = Result<T, HttpError>>,
    {
        if let Some(socket) = &self.socket {
            match doing(http.clone().over(socket), LOCAL.to_owned()).await {
                // A socket that somebody swept away shuts nobody out: over the network a key just proves less.
                Err(HttpError::NotConnected(_) | HttpError::Slow { step: Step::Connect, .. }) => {}
                done => return done,
            }
        }
        let origin = self.url.trim_end_matches('/').parse::<Url>()?.origin();
        // In a place of its own: most calls go over the socket, and every one would carry room for a handshake.
        Box::pin(doing(http.clone(), origin)).await
    }

    pub(super) fn away(&self, why: Both) -> ClientError {
        ClientError::Away { url: self.url.clone(), why }
    }

    /// What went wrong, for somebody who can do something about it.
    fn failed(&self, error: &HttpError) -> ClientError {
        let not_an_address = |why: fn(NoServer) -> &'static str| ClientError::NotAnAddress {
            url: self.url.clone(),
            why: both(why),
        };
        self.away(match error {
            HttpError::Url(UrlError::Form(_)) => return not_an_address(NoServer::address_form),
            HttpError::Url(UrlError::NoHost(_)) => return not_an_address(NoServer::no_host),
            HttpError::Slow { step: Step::Connect, .. } => both(Unreachable::slow_to_connect),
            HttpError::Slow { step: Step::Tls, .. } => both(Unreachable::slow_tls),
            HttpError::Slow { step: Step::Answer, .. } => both(Unreachable::slow),
            HttpError::NoTlsName(_) => both(Unreachable::no_tls_name),
            HttpError::Certificate(why) => not_trusted(why),
            HttpError::Tls(why) => both(|said: Unreachable| said.tls(why)),
            other => other.said(),
        })
    }
}

pub(super) async fn refused(response: Response<Incoming>, patience: Duration) -> ClientError {
    let (status, retry_after) = (response.status().as_u16(), http::retry_after(response.headers()));
    let body = http::read(response, BODY_MAX, patience).await.unwrap_or_default();
    ClientError::Refused(Box::new(Failure::read(status, retry_after, &body)))
}

fn not_trusted(why: &CertificateError) -> Both {
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => both(Unreachable::expired),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            both(Unreachable::not_yet_valid)
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            both(Unreachable::other_name)
        }
        CertificateError::UnknownIssuer => both(Unreachable::unknown_issuer),
        CertificateError::ApplicationVerificationFailure => both(Unreachable::other_certificate),
        other => both(|said: Unreachable| said.bad_certificate(other)),
    }
}
