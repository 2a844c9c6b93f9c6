//! The HTTP client: a request and its answer, with everything bounded, how long and how much. No redirect is followed,
//! and nothing is kept between two requests: a server that was started anew is found by the next one.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::{Path, PathBuf};
use std::time::Duration;

use askuser_words::nudge::Unanswered;
use askuser_words::{Both, both, quoted};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderMap, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::Connect;
use hyper_util::rt::TokioExecutor;
use tokio::time::timeout;
use tokio_rustls::rustls;

use super::connect;
use super::guard::{self, NotCalled, Reach};
use super::trust::Trust;
use super::url::{Url, UrlError};

/// How much of a service's answer is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// How long it may take to connect.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// The longest that a service may tell us to stay away.
const RETRY_AFTER_MAX: Duration = Duration::from_hours(1);
/// Who we say that we are.
const AGENT: &str = concat!("askuser/", env!("CARGO_PKG_VERSION"));

/// Makes requests. Cloning it is cheap.
#[derive(Debug, Clone)]
pub struct Http {
    trust: Trust,
    /// The Unix socket of the server, where it is on this machine.
    socket: Option<PathBuf>,
    connect_max: Duration,
}

/// A request; its body is text, unless it says otherwise.
#[derive(Debug, Clone)]
pub struct Call<'a, B = String> {
    pub method: Method,
    /// The address, with http:// or https://.
    pub url: &'a str,
    /// Headers besides the usual ones.
    pub headers: &'a [(&'a str, &'a str)],
    pub body: B,
    /// How long it may take in all.
    pub time_max: Duration,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: StatusCode,
    /// When to come again, where it says so.
    pub retry_after: Option<Duration>,
    /// What it says, as far as it is read.
    pub body: String,
}

/// A part of a request that takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Connecting, with the name being looked up.
    Connect,
    /// Beginning TLS.
    Tls,
    /// The answer, to its end.
    Answer,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.said().english)]
pub enum HttpError {
    /// There is no such address.
    Url(#[from] UrlError),
    /// Nobody may send us there.
    NotCalled(#[from] NotCalled),
    /// It took too long.
    Slow {
        step: Step,
        /// How long it may take.
        time_max: Duration,
    },
    /// The server's certificate is not trusted.
    Certificate(rustls::CertificateError),
    /// TLS did not come about.
    Tls(#[source] Cause),
    /// A host of this form can have no certificate.
    NoTlsName(String),
    /// It answered more than is read.
    TooLong(usize),
    /// Nobody is there.
    NotConnected(#[source] Cause),
    /// It answered something that is no HTTP, or hung up.
    Failed(#[source] Cause),
}

/// What a library or the system said.
pub type Cause = Box<dyn Error + Send + Sync>;

impl Default for Http {
    fn default() -> Self {
        Self::new(Trust::default())
    }
}

impl Http {
    /// Trusts these certificates.
    pub fn new(trust: Trust) -> Self {
        Self { trust, socket: None, connect_max: CONNECT_MAX }
    }

    /// Comes over this Unix socket, whatever the address is.
    #[must_use]
    pub fn over(self, socket: &Path) -> Self {
        Self { socket: Some(socket.to_owned()), ..self }
    }

    /// Connects within this time.
    #[must_use]
    pub fn connecting_within(self, connect_max: Duration) -> Self {
        Self { connect_max, ..self }
    }

    /// Calls, and reads what is answered.
    pub async fn call<B: Into<Bytes>>(&self, call: Call<'_, B>) -> Result<Answer, HttpError> {
        self.call_within(Reach::Any, call).await
    }

    /// Calls an address that somebody else handed in: only if it leads to the open internet, or is one of those that
    /// were named.
    pub async fn call_public<B: Into<Bytes>>(
        &self,
        call: Call<'_, B>,
        named: &[String],
    ) -> Result<Answer, HttpError> {
        self.call_within(guard::reach(call.url, named)?, call).await
    }

    async fn call_within<B: Into<Bytes>>(
        &self,
        reach: Reach,
        call: Call<'_, B>,
    ) -> Result<Answer, HttpError> {
        let time_max = call.time_max;
        let calling = async {
            let response = self.send(reach, call).await?;
            let (status, retry_after) = (response.status(), retry_after(response.headers()));
            let retry_after = retry_after.map(|wanted| wanted.min(RETRY_AFTER_MAX));
            let body = read(response, ANSWER_BYTES_MAX, time_max).await?;
            Ok(Answer { status, retry_after, body: String::from_utf8_lossy(&body).into_owned() })
        };
        within(Step::Answer, time_max, calling).await
    }

    /// Calls, and hands what is answered on as it comes; it has to begin in time.
    pub async fn open<B: Into<Bytes>>(&self, call: Call<'_, B>) -> Result<Response<Incoming>, HttpError> {
        within(Step::Answer, call.time_max, self.send(Reach::Any, call)).await
    }

    async fn send<B: Into<Bytes>>(
        &self,
        reach: Reach,
        call: Call<'_, B>,
    ) -> Result<Response<Incoming>, HttpError> {
        let url: Url = call.url.parse()?;
        let mut request = Request::builder().method(call.method).uri(url.uri()).header(USER_AGENT, AGENT);
        for (name, value) in call.headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(call.body.into()));
        let request = request.map_err(|error| HttpError::Failed(error.into()))?;
        if let Some(socket) = &self.socket {
            return exchange(connect::local(socket, self.connect_max), request).await;
        }
        if url.is_tls() {
            if rustls::pki_types::ServerName::try_from(url.host()).is_err() {
                return Err(HttpError::NoTlsName(url.host().to_owned()));
            }
            let config = self.trust.config().map_err(HttpError::Tls)?;
            exchange(connect::tls(reach, self.connect_max, config), request).await
        } else {
            exchange(connect::plain(reach, self.connect_max), request).await
        }
    }
}

async fn exchange<C>(connector: C, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, HttpError>
where
    C: Connect + Clone + Send + Sync + 'static,
{
    let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
    client.request(request).await.map_err(|error| {
        let is_connect = error.is_connect();
        match HttpError::of(error.into()) {
            HttpError::Failed(cause) if is_connect => HttpError::NotConnected(cause),
            other => other,
        }
    })
}

/// Reads an answer to its end.
pub async fn read(
    response: Response<Incoming>,
    bytes_max: usize,
    time_max: Duration,
) -> Result<Bytes, HttpError> {
    let reading = async {
        match Limited::new(response.into_body(), bytes_max).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(HttpError::TooLong(bytes_max)),
            Err(error) => Err(HttpError::of(error)),
        }
    };
    within(Step::Answer, time_max, reading).await
}

/// Returns when to come again, where the answer says so in seconds.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

async fn within<T>(
    step: Step,
    time_max: Duration,
    doing: impl Future<Output = Result<T, HttpError>>,
) -> Result<T, HttpError> {
    timeout(time_max, doing).await.unwrap_or(Err(HttpError::Slow { step, time_max }))
}

impl HttpError {
    /// Finds what went wrong among its causes.
    fn of(error: Cause) -> Self {
        for cause in causes(&*error) {
            match cause.downcast_ref::<Self>() {
                Some(Self::Slow { step, time_max }) => {
                    return Self::Slow { step: *step, time_max: *time_max };
                }
                Some(Self::NotCalled(why)) => return Self::NotCalled(why.clone()),
                _ => {}
            }
            match cause.downcast_ref::<rustls::Error>() {
                Some(rustls::Error::InvalidCertificate(why)) => return Self::Certificate(why.clone()),
                Some(other) => return Self::Tls(other.clone().into()),
                None => {}
            }
        }
        Self::Failed(error)
    }

    /// Says it in both languages; of what is known to nobody here, the first cause says it best.
    pub fn said(&self) -> Both {
        match self {
            Self::Url(UrlError::Form(url)) => both(|say: Unanswered| say.no_address(url)),
            Self::Url(UrlError::NoHost(url)) => both(|say: Unanswered| say.no_host(url)),
            Self::NotCalled(why) => why.said(),
            Self::Slow { step, time_max } => both(|say: Unanswered| {
                let seconds = time_max.as_secs_f64();
                match step {
                    Step::Connect => say.no_connection(seconds),
                    Step::Tls => say.no_tls(seconds),
                    Step::Answer => say.no_answer(seconds),
                }
            }),
            Self::Certificate(why) => both(|say: Unanswered| say.not_encrypted(why)),
            Self::Tls(why) => both(|say: Unanswered| say.not_encrypted(why)),
            Self::NoTlsName(name) => both(|say: Unanswered| say.no_tls_name(name)),
            Self::TooLong(max) => both(|say: Unanswered| say.too_long(max)),
            Self::NotConnected(cause) | Self::Failed(cause) => quoted(last_cause(&**cause)),
        }
    }
}

/// Returns what an error comes down to: those above it mostly say that something below failed.
pub fn last_cause<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    causes(error).last().unwrap_or(error)
}

/// An error and what caused it. An `io::Error` keeps what it was made of to itself.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error: &&'a (dyn Error + 'static)| {
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        }
    })
}

#[cfg(test)]
mod tests;
