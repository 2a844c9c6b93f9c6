//! The server over streamable HTTP, behind the desk's own door: the door lets in, counts, and says
//! who comes.

use std::sync::Arc;
use std::sync::OnceLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use axum::http::request::Parts;
use axum::response::Response;
use http_body_util::Full;
use hyper::body::Bytes;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;

use super::at_desk::Guest;
use super::sealed::Seal;
use super::server::{Server, Settings};

/// How long an older client may be silent before it has to introduce itself anew.
const SESSION_IDLE_MAX: Duration = Duration::from_hours(24);
/// How long calls may take to say that they come back later, once we are told to stop.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Pages on this machine, as agents in a browser have them.
const ORIGINS: [&str; 4] =
    ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*", "http://askuser.localhost:*"];

/// Everything under `/mcp`.
pub struct Mcp {
    service: StreamableHttpService<Server, LocalSessionManager>,
    stop: CancellationToken,
    listening: OnceLock<()>,
}

impl Mcp {
    /// Serves; besides pages on this machine, those of these hosts may call.
    pub fn new(settings: Settings, hosts: &[String]) -> Self {
        let stop = CancellationToken::new();
        let own = ORIGINS.iter().map(|origin| (*origin).to_owned());
        let named =
            hosts.iter().flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
        let config = StreamableHttpServerConfig::default()
            // The door has looked at the host already.
            .disable_allowed_hosts()
            .with_allowed_origins(own.chain(named))
            .with_cancellation_token(stop.clone());
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(SESSION_IDLE_MAX);
        let seal = Arc::new(Seal::new());
        let server = move || Ok(Server::behind_the_door(settings, Arc::clone(&seal)));
        Self {
            service: StreamableHttpService::new(server, Arc::new(sessions), config),
            stop,
            listening: OnceLock::new(),
        }
    }

    /// Answers a request of a guest.
    pub async fn answer(&self, guest: Guest, mut parts: Parts, body: Vec<u8>) -> Response {
        self.listen_for_the_end(&guest);
        parts.extensions.insert(guest);
        let request = Request::from_parts(parts, Full::new(Bytes::from(body)));
        self.service.handle(request).await.map(Body::new)
    }

    /// Ends streams a moment after the desk begins to close: calls that wait come back by themselves.
    fn listen_for_the_end(&self, guest: &Guest) {
        self.listening.get_or_init(|| {
            let (closing, stop) = (guest.desk.stopping(), self.stop.clone());
            tokio::spawn(async move {
                closing.cancelled().await;
                tokio::time::sleep(LAST_WORDS).await;
                stop.cancel();
            });
        });
    }
}
