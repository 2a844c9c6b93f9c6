//! E-mail: one short message over SMTP, with a link that answers the ask. A mail cannot be taken back: its
//! link says what happened.
//!
//! The way is encrypted, from the beginning (`smtps://`) or by STARTTLS (`smtp://`); only to this very machine may
//! it be plain.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, UNIX_EPOCH};

use askuser_config::EmailPart;
use askuser_desk::Clock;
use askuser_net::http::last_cause;
use askuser_net::url::Url;
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both, quoted};
use lettre::message::header::{ContentTransferEncoding, ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::carrier::{Carrier, Later, SendError};
use super::nudge::{Ended, Letter};

/// How long a whole delivery may take.
const TIME_MAX: Duration = Duration::from_secs(30);
/// How we sign in: the first of these that the server takes.
const MECHANISMS: [Mechanism; 2] = [Mechanism::Plain, Mechanism::Login];

/// The most that is read of a connection that begins in plain: its answers are short.
const PLAIN_BYTES_MAX: usize = 32 * 1024;

/// A mailbox, and the server that takes mail for it.
pub(super) struct Email {
    host: String,
    port: u16,
    /// Whether it is encrypted from the beginning.
    at_once: bool,
    from: Address,
    to: Address,
    account: Option<Credentials>,
    /// A file (PEM) of what is trusted besides the system's certificates.
    certificates: Option<PathBuf>,
    clock: Clock,
}

/// Says that no person wrote it, so that no machine answers it.
#[derive(Debug, Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl Email {
    pub(super) fn new(
        mailbox: &EmailPart,
        folder: &Path,
        certificates: Option<&Path>,
        clock: Clock,
    ) -> Result<Self, Both> {
        let server = mailbox.server.as_str();
        let wrong = || both(|say: Undelivered| say.no_mail_server(server));
        // Of the same form as an address of the web, with other usual ports.
        let url = server.strip_prefix("smtp").map(|rest| format!("http{rest}")).ok_or_else(wrong)?;
        let url: Url = url.parse().map_err(|_| wrong())?;
        let address = |text: &str| {
            let wrong = || both(|say: Undelivered| say.no_mailbox(text));
            let plain = |c: char| c.is_ascii_graphic() && !"<>,;\"()".contains(c);
            text.parse::<Address>().ok().filter(|_| text.chars().all(plain)).ok_or_else(wrong)
        };
        let password = mailbox.password.as_ref().map(|hidden| hidden.reveal(folder)).transpose()?;
        let account = mailbox.user.clone().zip(password);
        Ok(Self {
            host: url.host().to_owned(),
            port: url.named_port().unwrap_or(if url.is_tls() { 465 } else { 587 }),
            at_once: url.is_tls(),
            from: address(&mailbox.from)?,
            to: address(&mailbox.to)?,
            account: account.map(|(user, password)| Credentials::new(user, password)),
            certificates: certificates.map(Path::to_owned),
            clock,
        })
    }

    async fn deliver(&self, letter: &Letter) -> Result<(), SendError> {
        let mail = self.mail(letter).map_err(SendError::never)?;
        let mut server = self.connect().await?;
        if let Some(account) = &self.account {
            server.auth(&MECHANISMS, account).await.map_err(trouble)?;
        }
        server.send(mail.envelope(), &mail.formatted()).await.map_err(trouble)?;
        // It has the mail; whether it hears the good-bye is no matter.
        let _bye = server.quit().await;
        Ok(())
    }

    /// Connects, so that nobody reads along.
    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        let (place, us) = ((self.host.as_str(), self.port), ClientId::Domain("askuser".to_owned()));
        if self.at_once {
            let connecting = AsyncSmtpConnection::connect_tokio1(place, None, &us, Some(self.tls()?), None);
            return connecting.await.map_err(trouble);
        }
        let stream = TcpStream::connect(place).await.map_err(|error| SendError::later(quoted(error)))?;
        let is_here = stream.peer_addr().is_ok_and(|address| address.ip().is_loopback());
        let stream = Box::new(ByteWise { stream, n_left: PLAIN_BYTES_MAX });
        let mut server = AsyncSmtpConnection::connect_with_transport(stream, &us).await.map_err(trouble)?;
        if server.can_starttls() {
            server.starttls(self.tls()?, &us).await.map_err(trouble)?;
        } else if !is_here || self.account.is_some() {
            return Err(SendError::never(both(Undelivered::no_encryption)));
        }
        Ok(server)
    }

    fn tls(&self) -> Result<TlsParameters, SendError> {
        let mut tls = TlsParameters::builder(self.host.clone());
        if let Some(path) = &self.certificates {
            let failed = |error: &dyn fmt::Display| {
                SendError::later(both(|say: Undelivered| say.certificates(path.display(), error)))
            };
            let pem = std::fs::read(path).map_err(|error| failed(&error))?;
            tls = tls.add_root_certificate(Certificate::from_pem(&pem).map_err(|error| failed(&error))?);
        }
        tls.build_rustls().map_err(trouble)
    }

    pub(super) fn mail(&self, letter: &Letter) -> Result<Message, Both> {
        let mut text = String::new();
        text.extend([&letter.title, "\n\n"]);
        for line in letter.lines(false) {
            text.extend([&line, "\n"]);
        }
        if let Some(link) = &letter.link {
            text.extend(["\n", link, "\n"]);
        }
        let since = u64::try_from((self.clock)().0).unwrap_or_default();
        // Any text can be written so.
        let text = Body::new_with_encoding(text.trim_end().to_owned(), ContentTransferEncoding::Base64);
        let text = text.map_err(|_| both(Undelivered::not_a_mail))?;
        let mail = Message::builder()
            .from(Mailbox::new(Some("askuser".to_owned()), self.from.clone()))
            .to(Mailbox::new(None, self.to.clone()))
            .subject(letter.title.replace(['\r', '\n'], " "))
            .date(UNIX_EPOCH + Duration::from_millis(since))
            .message_id(Some(format!("<{}@{}>", letter.id, self.from.domain())))
            .header(AutoSubmitted)
            .header(ContentType::TEXT_PLAIN)
            .body(text);
        mail.map_err(quoted)
    }
}

/// Judges what went wrong: 4xx passes, 5xx does not.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn trouble(error: Error) -> SendError {
    let cause = last_cause(&error);
    let why = match error.status() {
        _ if cause.is::<Endless>() => both(Undelivered::too_much_said),
        Some(code) => both(|say: Undelivered| say.answered(format!("{code} {cause}"))),
        None => quoted(cause),
    };
    if error.is_permanent() || error.is_client() { SendError::never(why) } else { SendError::later(why) }
}

/// A connection that is read byte by byte. So nothing that came before TLS is taken for an answer that came within it.
#[derive(Debug)]
struct ByteWise {
    stream: TcpStream,
    /// How much may still be read.
    n_left: usize,
}

/// The server says more than any answer takes.
#[derive(Debug, thiserror::Error)]
#[error("it talks without end")]
struct Endless;

impl AsyncRead for ByteWise {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.n_left == 0 {
            return Poll::Ready(Err(io::Error::other(Endless)));
        }
        let mut byte = [0];
        let mut one = ReadBuf::new(&mut byte);
        let polled = Pin::new(&mut self.stream).poll_read(cx, &mut one);
        buf.put_slice(one.filled());
        self.n_left -= one.filled().len();
        polled
    }
}

impl AsyncWrite for ByteWise {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for ByteWise {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

impl Carrier for Email {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            let late = |_| SendError::later(both(|say: Undelivered| say.late(TIME_MAX.as_secs())));
            tokio::time::timeout(TIME_MAX, self.deliver(letter)).await.map_err(late)??;
            Ok(letter.id.clone())
        })
    }

    fn take_back<'a>(&'a self, _receipt: &'a str, _ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests;
