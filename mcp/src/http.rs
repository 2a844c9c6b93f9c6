//! The server over streamable HTTP, behind the desk's own door: the door lets in, counts, and says
//! who comes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::OnceLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use http_body_util::Full;
use hyper::body::Bytes;
use rmcp::transport::streamable_http_server::session::SessionStore;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use super::desk::Guest;
use super::handing::HandingBody;
use super::remembered::Remembered;
use super::sealed::Seal;
use super::server::{Server, Settings};
use super::sessions::{self, Seen, Sessions};

/// How often sessions are looked at that nobody uses; more often where they live shorter.
const LOOK_EVERY: Duration = Duration::from_mins(1);
/// How older clients name their session.
pub const SESSION: &str = "mcp-session-id";
/// How long calls may take to say that they come back later, once we are told to stop.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Pages on this machine, as agents in a browser have them.
const ORIGINS: [&str; 4] =
    ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*", "http://askuser.localhost:*"];

/// Everything under `/mcp`.
pub struct Mcp {
    service: StreamableHttpService<Server, Sessions>,
    sessions: Arc<Sessions>,
    session_idle: Duration,
    stop: CancellationToken,
    listening: OnceLock<()>,
}

impl Mcp {
    /// Serves; besides pages on this machine, those of these hosts may call. Sessions are kept for the next daemon
    /// below this folder.
    pub fn new(settings: Settings, hosts: &[String], sessions: Option<PathBuf>) -> Self {
        let stop = CancellationToken::new();
        let own = ORIGINS.iter().map(|origin| (*origin).to_owned());
        let named =
            hosts.iter().flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
        let remembered = sessions.map(Remembered::new);
        let mut config = StreamableHttpServerConfig::default()
            // The door has looked at the host already.
            .disable_allowed_hosts()
            .with_allowed_origins(own.chain(named))
            // It would send events without data to clients that cannot read them; `sessions` knows who can.
            .with_sse_retry(None)
            .with_cancellation_token(stop.clone());
        config.session_store = remembered.clone().map(|kept| Arc::new(kept) as Arc<dyn SessionStore>);
        let sessions = Arc::new(Sessions::new(remembered));
        let seal = Arc::new(Seal::new());
        let server = move || Ok(Server::behind_the_door(settings, Arc::clone(&seal)));
        Self {
            service: StreamableHttpService::new(server, Arc::clone(&sessions), config),
            sessions,
            session_idle: settings.session_idle,
            stop,
            listening: OnceLock::new(),
        }
    }

    /// Answers a request of a guest. A session is its key's: whoever else names it is told nothing of it.
    pub async fn answer(&self, guest: Guest, mut parts: Parts, body: Vec<u8>) -> Result<Response, Refused> {
        self.look_after_sessions(&guest);
        let owner = guest.owner();
        let named = guest.connection.as_deref().map(|id| self.sessions.find(id, &owner));
        let is_unknown = matches!(named, Some(Seen::Unknown));
        let in_use = match named {
            Some(Seen::Own(in_use)) => Some(in_use),
            Some(Seen::Foreign) => return Err(Refused::Foreign),
            Some(Seen::Unknown) if parts.method == Method::DELETE => return Err(Refused::Unknown),
            // The newer era has none, and the SDK tells which it is.
            Some(Seen::Unknown) | None => None,
        };
        let (handing, connection) = (guest.handing.clone(), guest.connection.clone());
        parts.extensions.insert(guest);
        let request = Request::from_parts(parts.clone(), Full::new(Bytes::from(body)));
        let answering = Box::pin(self.service.handle(request));
        let (answered, refused) = self.sessions.answering(&owner, parts, answering).await;
        // One that the last daemon gave out is known again by now.
        let known_again = connection.filter(|_| is_unknown).map(|id| self.sessions.find(&id, &owner));
        let in_use = if let Some(Seen::Own(again)) = known_again { Some(again) } else { in_use };
        match refused {
            Some(full) => Err(Refused::Full(full)),
            // In the same words as for another key's, which is not to be told from one that is not there.
            None if is_unknown && is_no_session(&answered) => Err(Refused::Unknown),
            // It is in use until the last word of the answer is read, or its reader is gone.
            None => Ok(answered.map(|body| Body::new(HandingBody::new(body, handing, in_use)))),
        }
    }

    /// Ends sessions that nobody uses; and streams a moment after the desk begins to close: calls that wait
    /// come back by themselves.
    fn look_after_sessions(&self, guest: &Guest) {
        self.listening.get_or_init(|| {
            let (closing, stop) = (guest.desk.stopping(), self.stop.clone());
            let (sessions, idle_max) = (Arc::clone(&self.sessions), self.session_idle);
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        () = tokio::time::sleep(LOOK_EVERY.min(idle_max / 2)) => {}
                        () = closing.cancelled() => break,
                    }
                    sessions.end_idle(idle_max).await;
                }
                tokio::time::sleep(LAST_WORDS).await;
                stop.cancel();
            });
        });
    }
}

/// Whether the SDK says that there is no such session; what it says of methods is JSON.
fn is_no_session<T>(answered: &axum::http::Response<T>) -> bool {
    answered.status() == StatusCode::NOT_FOUND && !answered.headers().contains_key(CONTENT_TYPE)
}

/// Why a request is not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The session that it names is another key's.
    Foreign,
    /// There is no session that it names.
    Unknown,
    /// There is no room for one more session.
    Full(sessions::Full),
}
