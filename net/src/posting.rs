//! Speaks to another program over HTTP: one connection, one request, no redirects, every step in
//! bounded time and space.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::handshake;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// How much of an answer is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// The longest that a service may tell us to stay away.
const RETRY_AFTER_MAX: Duration = Duration::from_hours(1);

/// What goes both ways.
pub trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

/// Whose certificates are trusted. Cloning it is cheap; the system's are read when they are first needed.
#[derive(Clone, Default)]
pub struct Trust {
    extra: Option<Arc<str>>,
    config: Arc<OnceLock<Arc<ClientConfig>>>,
}

/// A request; its body is text, unless it says otherwise.
#[derive(Debug, Clone)]
pub struct Call<'a, B = String> {
    /// The method.
    pub method: Method,
    /// The address, with http:// or https://.
    pub url: &'a str,
    /// Headers besides the usual ones.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body.
    pub body: B,
    /// How long it may take in all.
    pub time_max: Duration,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// When to come again, where it says so.
    pub retry_after: Option<Duration>,
    /// What it says, as far as it is read.
    pub body: String,
}

impl Trust {
    /// Trusts the certificates in a file (PEM) besides the system's.
    pub fn with(extra: Option<&str>) -> Self {
        Self { extra: extra.map(Arc::from), config: Arc::default() }
    }

    /// Returns the settings of a connection.
    fn config(&self) -> Result<Arc<ClientConfig>, String> {
        if let Some(config) = self.config.get() {
            return Ok(Arc::clone(config));
        }
        let mut roots = RootCertStore::empty();
        // One of the system's that makes no sense is the system's to mend.
        let _added = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(path) = self.extra.as_deref() {
            let told = |error: &dyn std::fmt::Display| format!("the certificates in {path}: {error}");
            let certificates = CertificateDer::pem_file_iter(path).map_err(|error| told(&error))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|error| told(&error))?;
                roots.add(certificate).map_err(|error| told(&error))?;
            }
        }
        let config = Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth());
        Ok(Arc::clone(self.config.get_or_init(|| config)))
    }

    /// Makes a connection to `host` at `address` private: nobody reads along, and it is who it says it is.
    pub async fn secure(&self, stream: TcpStream, host: &str) -> Result<Box<dyn Wire>, String> {
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        let connector = TlsConnector::from(self.config()?);
        let secured = connector.connect(name, stream).await;
        Ok(Box::new(secured.map_err(|error| format!("no private connection to {host}: {error}"))?))
    }

    /// Calls, and reads what is answered.
    pub async fn call<B: Into<Bytes>>(&self, call: Call<'_, B>) -> Result<Answer, String> {
        within(call.time_max, async { answer(self.open(call).await?).await }).await
    }

    /// Calls over a connection that was made by somebody who looked where it leads.
    pub async fn call_over<B: Into<Bytes>>(
        &self,
        stream: TcpStream,
        call: Call<'_, B>,
    ) -> Result<Answer, String> {
        within(call.time_max, async { answer(self.open_over(stream, call).await?).await }).await
    }

    /// Calls, and hands what is answered on as it comes. The caller watches the time.
    pub async fn open<B: Into<Bytes>>(&self, call: Call<'_, B>) -> Result<Response<Incoming>, String> {
        let address = Address::of(call.url)?;
        let stream = TcpStream::connect((address.host, address.port)).await;
        self.open_over(stream.map_err(|error| error.to_string())?, call).await
    }

    async fn open_over<B: Into<Bytes>>(
        &self,
        stream: TcpStream,
        call: Call<'_, B>,
    ) -> Result<Response<Incoming>, String> {
        let told = |error: &dyn std::fmt::Display| error.to_string();
        let address = Address::of(call.url)?;
        let wire: Box<dyn Wire> =
            if address.is_private { self.secure(stream, address.host).await? } else { Box::new(stream) };
        let (mut sender, connection) = handshake(TokioIo::new(wire)).await.map_err(|error| told(&error))?;
        // What goes wrong on the connection is told by the sender.
        tokio::spawn(connection);
        let mut request = Request::builder()
            .method(call.method)
            .uri(address.path)
            .header("host", address.authority)
            .header("user-agent", concat!("askuser/", env!("CARGO_PKG_VERSION")));
        for (name, value) in call.headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::<Bytes>::new(call.body.into())).map_err(|error| told(&error))?;
        sender.send_request(request).await.map_err(|error| told(&error))
    }
}

async fn within<T>(time_max: Duration, doing: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let late = |_| format!("no answer within {} s", time_max.as_secs_f64());
    tokio::time::timeout(time_max, doing).await.map_err(late)?
}

async fn answer(response: Response<Incoming>) -> Result<Answer, String> {
    let status = response.status();
    let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
    let retry_after = retry_after.and_then(|value| value.trim().parse().ok());
    let retry_after = retry_after.map(|seconds| Duration::from_secs(seconds).min(RETRY_AFTER_MAX));
    let read = Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await;
    let body = read.map_err(|error| format!("half an answer: {error}"))?.to_bytes();
    Ok(Answer { status, retry_after, body: String::from_utf8_lossy(&body).into_owned() })
}

/// Posts JSON; returns the status, or why there is none.
pub async fn post(
    url: &str,
    headers: &[(&str, &str)],
    body: &str,
    time_max: Duration,
) -> Result<StatusCode, String> {
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    let call = Call { method: Method::POST, url, headers: &all, body: body.to_owned(), time_max };
    Ok(Trust::default().call(call).await?.status)
}

/// An address taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// Whether the way there is encrypted.
    pub is_private: bool,
    /// The host with its port, as it was written.
    pub authority: &'a str,
    /// The host.
    pub host: &'a str,
    /// The port.
    pub port: u16,
    /// The path, with its query.
    pub path: &'a str,
}

impl<'a> Address<'a> {
    /// Takes an address apart.
    pub fn of(url: &'a str) -> Result<Self, String> {
        let wrong = || format!("`{url}` is no address with http:// or https://");
        let (is_private, rest) = match url.split_once("://") {
            Some(("http", rest)) => (false, rest),
            Some(("https", rest)) => (true, rest),
            _ => return Err(wrong()),
        };
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, "/"),
        };
        let usual = if is_private { 443 } else { 80 };
        // A colon within brackets belongs to the host.
        let behind = authority.rfind(']').map_or(0, |at| at + 1);
        let (host, port) = match authority.get(behind..).and_then(|tail| tail.rfind(':')) {
            Some(at) => {
                let (host, port) = authority.split_at(behind + at);
                (host, port.trim_start_matches(':').parse().map_err(|_| wrong())?)
            }
            None => (authority, usual),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || authority.contains('@') {
            return Err(wrong());
        }
        Ok(Self { is_private, authority, host, port, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
        for (url, expected) in [
            ("http://a.example:9/x?y", Some((false, "a.example", 9, "/x?y"))),
            ("https://a.example", Some((true, "a.example", 443, "/"))),
            ("http://127.0.0.1/", Some((false, "127.0.0.1", 80, "/"))),
            ("https://[::1]:8443/p", Some((true, "::1", 8443, "/p"))),
            ("http://[::1]/p", Some((false, "::1", 80, "/p"))),
            ("ftp://a", None),
            ("http://", None),
            ("http://me@a/", None),
            ("http://a:port/", None),
        ] {
            let found =
                Address::of(url).ok().map(|found| (found.is_private, found.host, found.port, found.path));
            assert_eq!(found, expected, "{url}");
        }
    }
}
