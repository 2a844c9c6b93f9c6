//! Posts JSON to another program over HTTP: one connection, one request, no redirects.

use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// How much of an answer is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Posts; returns the status, or why there is none.
pub(super) async fn post(
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
    time_max: Duration,
) -> Result<StatusCode, String> {
    match tokio::time::timeout(time_max, send(url, headers, body)).await {
        Ok(done) => done,
        Err(_) => Err(format!("no answer within {} s", time_max.as_secs_f64())),
    }
}

async fn send(url: &str, headers: &[(&str, &str)], body: &str) -> Result<StatusCode, String> {
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let (host, path) = split(url);
    let address = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    let stream = TcpStream::connect(&address).await.map_err(|error| told(&error))?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|error| told(&error))?;
    // What goes wrong on the connection is told by the sender.
    tokio::spawn(connection);
    let mut request = Request::post(path)
        .header("host", host)
        .header("content-type", "application/json")
        .header("user-agent", concat!("askuser/", env!("CARGO_PKG_VERSION")));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(Bytes::from(body.to_owned()))).map_err(|error| told(&error))?;
    let response = sender.send_request(request).await.map_err(|error| told(&error))?;
    let status = response.status();
    // Read, so that the other end is not cut off; what it says is of no use to us.
    let _said = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
    Ok(status)
}

/// The host with its port, and the path.
pub(super) fn split(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    }
}
