//! The connection to a desk: over its Unix socket on the same machine, plain or over TLS to one elsewhere.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use askuser_words::commands::NoServer;
use askuser_words::{Both, both};
use hyper::Uri;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

use super::error::ClientError;
use askuser_wire::fingerprint::fingerprint;
use askuser_words::commands::Unreachable;

/// How long it may take to connect, and how long TLS may take to begin.
const CONNECT: Duration = Duration::from_secs(2);
/// What a desk is called over its Unix socket.
const LOCAL: &str = "localhost";

/// Whose certificate is believed.
#[derive(Debug, Clone)]
pub enum Trust {
    /// One that the system's certificates vouch for, or those in `SSL_CERT_FILE`.
    System,
    /// The one with this SHA-256, and no other.
    Only(String),
}

/// Where a desk is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// Its address.
    pub(super) url: String,
    /// Its Unix socket, where it is on this machine: over it the desk sees for itself who comes.
    pub(super) socket: Option<PathBuf>,
}

/// A connection.
#[derive(Debug)]
pub(super) enum Stream {
    Plain(TcpStream),
    Local(UnixStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connection to a desk, and what the desk is called there.
#[derive(Debug)]
pub(super) struct Line {
    /// The host, with the port where it is not the usual one.
    pub(super) authority: String,
    /// What a page of that desk would say where it is from.
    pub(super) origin: String,
    pub(super) stream: Stream,
}

impl Target {
    /// A desk at an address.
    pub(super) fn at(url: impl Into<String>) -> Self {
        Self { url: url.into(), socket: None }
    }
}

/// Connects to a desk.
pub(super) async fn connect(target: &Target, trust: &Trust) -> Result<Line, ClientError> {
    if let Some(socket) = &target.socket
        && let Ok(Ok(stream)) = timeout(CONNECT, UnixStream::connect(socket)).await
    {
        let (origin, authority) = (format!("http://{LOCAL}"), LOCAL.to_owned());
        return Ok(Line { authority, origin, stream: Stream::Local(stream) });
    }
    // A socket that somebody swept away shuts nobody out: over the network a key just proves less.
    let url = target.url.as_str();
    let Address { tls, host, port } = address(url)?;
    let away = |why: Both| ClientError::Away { url: url.to_owned(), why };
    let bare = host.trim_matches(['[', ']']).to_owned();
    let connecting = timeout(CONNECT, TcpStream::connect((bare.as_str(), port)));
    let stream = connecting.await.map_err(|_| away(both(Unreachable::slow_to_connect)))?;
    let stream = stream.map_err(|error| away(error.to_string().into()))?;
    // A question is one small packet each way: waiting for more would only delay it.
    let _kept_as_it_was = stream.set_nodelay(true);
    if !tls {
        let authority = format!("{host}:{port}");
        return Ok(Line { origin: format!("http://{authority}"), authority, stream: Stream::Plain(stream) });
    }
    // Boxed: most calls are plain, and every one of them would carry room for a handshake.
    let stream = Box::pin(begin_tls(bare, stream, trust)).await.map_err(away)?;
    let authority = if port == 443 { host } else { format!("{host}:{port}") };
    Ok(Line { origin: format!("https://{authority}"), authority, stream: Stream::Tls(Box::new(stream)) })
}

async fn begin_tls(host: String, stream: TcpStream, trust: &Trust) -> Result<TlsStream<TcpStream>, Both> {
    let name = ServerName::try_from(host).map_err(|_| both(Unreachable::no_tls_name))?;
    let connector = TlsConnector::from(Arc::new(config(trust)?));
    let beginning = timeout(CONNECT, connector.connect(name, stream)).await;
    let begun = beginning.map_err(|_| both(Unreachable::slow_tls))?;
    begun.map_err(|error| words(&error))
}

struct Address {
    tls: bool,
    host: String,
    port: u16,
}

/// Splits the address of a desk into host and port.
fn address(url: &str) -> Result<Address, ClientError> {
    let wrong =
        |why: fn(NoServer) -> &'static str| ClientError::NotAnAddress { url: url.to_owned(), why: both(why) };
    let how = NoServer::address_form;
    let uri: Uri = url.trim_end_matches('/').parse().map_err(|_| wrong(how))?;
    let tls = match uri.scheme_str() {
        Some("http") => false,
        Some("https") => true,
        _ => return Err(wrong(how)),
    };
    let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| wrong(NoServer::no_host))?;
    let port = uri.port_u16().unwrap_or(if tls { 443 } else { 80 });
    Ok(Address { tls, host: host.to_owned(), port })
}

fn config(trust: &Trust) -> Result<ClientConfig, String> {
    let provider = Arc::new(default_provider());
    let algorithms = provider.signature_verification_algorithms;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    match trust {
        Trust::System => {
            let mut roots = RootCertStore::empty();
            // What the system has and cannot be read is not believed; the rest is.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            Ok(config.with_root_certificates(roots).with_no_client_auth())
        }
        Trust::Only(fingerprint) => {
            let only = Arc::new(Only { fingerprint: fingerprint.clone(), algorithms });
            Ok(config.dangerous().with_custom_certificate_verifier(only).with_no_client_auth())
        }
    }
}

/// What went wrong with TLS, for somebody who can do something about it.
fn words(error: &io::Error) -> Both {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    let Some(Error::InvalidCertificate(why)) = inner else {
        return both(|said: Unreachable| said.tls(error));
    };
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

/// Believes one certificate, by its fingerprint.
#[derive(Debug)]
struct Only {
    fingerprint: String,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Only {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if fingerprint(own) == self.fingerprint {
            return Ok(ServerCertVerified::assertion());
        }
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Local(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Local(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Local(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Local(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_http_or_https_with_a_host() {
        let read = |url: &str| {
            let Address { tls, host, port } = address(url).unwrap();
            format!("{} {host} {port}", if tls { "tls" } else { "plain" })
        };
        assert_eq!(read("http://127.0.0.1:8275"), "plain 127.0.0.1 8275");
        assert_eq!(read("http://[::1]:8275/"), "plain [::1] 8275");
        assert_eq!(read("http://desk"), "plain desk 80");
        assert_eq!(read("https://desk"), "tls desk 443");
        assert_eq!(read("https://desk:8276/"), "tls desk 8276");
        for wrong in ["", "127.0.0.1:8275", "ftp://desk", "http://", "http://a b"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
