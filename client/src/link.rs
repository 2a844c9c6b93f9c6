//! One request and its answer over one connection. Everything is bounded: how long, how much.

use std::fmt::Write;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, RETRY_AFTER};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::time::timeout;

use super::error::{ClientError, Failure};
use super::keys::Key;
use super::line::{Target, Trust, connect};
use askuser_words::commands::Unreachable;
use askuser_words::{Both, both};

/// The largest answer that is read: a long inbox, not a film.
const BODY_MAX: usize = 64 * 1024 * 1024;

/// A request.
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

/// Sends a request and reads the whole answer.
pub(super) async fn exchange(to: &Target, call: Call) -> Result<Value, ClientError> {
    exchange_with(to, &Trust::System, call).await
}

/// The same, with somebody else's certificate believed.
pub(super) async fn exchange_with(to: &Target, trust: &Trust, call: Call) -> Result<Value, ClientError> {
    let (url, patience) = (to.url.as_str(), call.patience);
    let response = send_with(to, trust, call).await?;
    let garbled = |what: String| ClientError::Garbled { url: url.to_owned(), what };
    let body = Limited::new(response.into_body(), BODY_MAX).collect();
    let body = timeout(patience, body).await.map_err(|_| away(url, both(Unreachable::endless)))?;
    let body = body.map_err(|error| away(url, error.to_string().into()))?.to_bytes();
    if body.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&body).map_err(|error| garbled(format!("its answer is no JSON ({error})")))
}

/// Sends a request and returns the answer as it begins, where it is a good one.
pub(super) async fn send(to: &Target, call: Call) -> Result<Response<Incoming>, ClientError> {
    send_with(to, &Trust::System, call).await
}

/// The same, with somebody else's certificate believed.
pub(super) async fn send_with(
    to: &Target,
    trust: &Trust,
    call: Call,
) -> Result<Response<Incoming>, ClientError> {
    let (url, patience) = (to.url.as_str(), call.patience);
    let response = match timeout(patience, begin(to, trust, call)).await {
        Ok(response) => response?,
        Err(_) => return Err(away(url, both(Unreachable::slow))),
    };
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER);
    let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
    let body = Limited::new(response.into_body(), BODY_MAX).collect();
    let body = match timeout(patience, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) | Err(_) => Bytes::new(),
    };
    let failure = Failure::read(status, retry_after.map(Duration::from_secs), &body);
    Err(ClientError::Refused(Box::new(failure)))
}

async fn begin(to: &Target, trust: &Trust, call: Call) -> Result<Response<Incoming>, ClientError> {
    let url = to.url.as_str();
    let line = connect(to, trust).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(line.stream))
        .await
        .map_err(|error| away(url, error.to_string().into()))?;
    // It ends with the answer, or when we drop the sender.
    tokio::spawn(async move {
        let _ended = connection.await;
    });
    let request = request(&line.authority, call).map_err(|error| ClientError::Garbled {
        url: url.to_owned(),
        what: format!("the request cannot be written ({error})"),
    })?;
    sender.send_request(request).await.map_err(|error| away(url, error.to_string().into()))
}

fn request(authority: &str, call: Call) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let mut request = Request::builder().method(call.method).uri(call.path).header(HOST, authority);
    if let Some(key) = &call.key {
        request = request.header(AUTHORIZATION, format!("Bearer {}", key.reveal()));
    }
    for (name, value) in call.headers {
        request = request.header(name, value);
    }
    let body = match call.body {
        Some(value) => {
            request = request.header(CONTENT_TYPE, "application/json");
            Bytes::from(value.to_string())
        }
        None => Bytes::new(),
    };
    request.body(Full::new(body))
}

fn away(url: &str, why: Both) -> ClientError {
    ClientError::Away { url: url.to_owned(), why }
}

/// Writes a value so that it can stand in a path or a query.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _written = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_path_is_escaped() {
        assert_eq!(escaped("a/b c?ü"), "a%2Fb%20c%3F%C3%BC");
        assert_eq!(escaped("ask_01-._~"), "ask_01-._~");
    }
}
