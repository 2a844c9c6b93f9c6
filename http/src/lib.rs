//! HTTP: every route of the contract, events as they happen, and the event protocol over a socket.
//!
//! One table (`routes`) says what there is, who may use it and how it is counted; `gate` lets in,
//! `visit` is one request on its way, and each noun has its file. Read in that order.

#![forbid(unsafe_code)]

pub mod event_protocol;
mod routes;
mod rules;
mod gate;
mod rates;
mod sliding_window;
mod sharing;
mod visit;
mod proof;
mod failing;
mod listening;
mod serving;
mod write_timeout;
mod asks;
mod dialog;
mod person;
mod push;
mod task;
mod tasks;
mod sessions;
mod history;
mod restoring;
mod events;
mod socket;
mod signing_in;
mod browsers;
mod configuration;
mod page;
mod access;
mod own_keys;
mod mcp;
mod operating;
mod figures;
mod alerts;
mod audit;
mod templates;
mod timings;
mod hooks;
mod ids;
mod insight;
mod openapi;
mod reach;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use askuser_core::time::Timestamp;
use askuser_words::Language;
use axum::Router;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use askuser_config::Settings;
use askuser_config::template::Shelf;
use askuser_desk::Desk;
use askuser_mcp::{Mcp, Settings as McpSettings};
use askuser_runner::Runner;
use askuser_watch::Watch;

pub use listening::{listen, listen_locally, listen_with_twin};
pub use openapi::document;
pub use rates::Rates;
pub use reach::Reach;
pub use serving::{Bounds, Listener, serve, serve_at};

/// What the server is started with: the desk behind it, and what is asked of whoever comes.
#[derive(Clone)]
pub struct ServerOptions {
    pub desk: Desk,
    /// What people see: it gets every path that is no route of ours, and the caller with it.
    pub page: Option<Router>,
    /// The page's own name on this machine, which agents are never told; none where it has none.
    pub page_host: Option<String>,
    /// The language of whoever names none.
    pub language: Language,
    /// Names under which we are reached besides the loopback ones, as `askuser.example.com`.
    pub hosts: Vec<String>,
    /// Names that are reached over TLS only: whoever comes from a page under one of them without it comes from
    /// somebody else's.
    pub https_hosts: Vec<String>,
    /// Where other devices come in.
    pub reach: watch::Receiver<Reach>,
    /// How much one caller may ask of us.
    pub rates: Rates,
    /// Says how much that is from now on, where it may change.
    pub changed: Option<watch::Receiver<Rates>>,
    /// The way to whoever has the configuration, if anybody has.
    pub settings: Option<Settings>,
    /// How much all callers may.
    pub bounds: Bounds,
    /// What was configured for agents that come in by MCP.
    pub mcp: McpSettings,
    /// Where their sessions are kept for the next daemon; nowhere where none is named.
    pub mcp_sessions: Option<PathBuf>,
    /// Question templates, where there are any.
    pub templates: Option<Arc<Shelf>>,
    /// Who looks on.
    pub watch: Arc<Watch>,
    /// What runs tasks, where anything does.
    pub runner: Option<Runner>,
    /// Cancelled by `POST /api/stop`, and by whoever else wants us to stop.
    pub stop: CancellationToken,
}

impl ServerOptions {
    /// The usual limits.
    pub fn new(desk: Desk) -> Self {
        Self {
            watch: Arc::new(Watch::new(desk.clone())),
            desk,
            page: None,
            page_host: None,
            language: Language::default(),
            hosts: Vec::new(),
            https_hosts: Vec::new(),
            reach: watch::channel(Reach::default()).1,
            rates: Rates::default(),
            changed: None,
            settings: None,
            bounds: Bounds::default(),
            mcp: McpSettings::default(),
            mcp_sessions: None,
            templates: None,
            runner: None,
            stop: CancellationToken::new(),
        }
    }
}

/// Returns every route, ready to be served. [`serve`] adds the limits on connections.
pub fn router(options: ServerOptions) -> Router {
    routes::router(&Arc::new(AppState::new(options)))
}

/// What every request shares.
struct AppState {
    options: ServerOptions,
    limits: Arc<rates::Limits>,
    started_at: Timestamp,
    /// Sockets that were upgraded out of their connection.
    sockets: TaskTracker,
    n_sockets: AtomicU64,
    readiness: operating::Readiness,
    mcp: Mcp,
    /// A number that only this process has; it says nothing but that.
    number: String,
}

impl AppState {
    fn new(options: ServerOptions) -> Self {
        let limits = Arc::new(rates::Limits::new(options.rates, options.changed.clone()));
        if options.desk.replicas().may_be() {
            let desk = options.desk.clone();
            limits.share(move |words| desk.replicas().publish("rates", words));
            let heard = Arc::downgrade(&limits);
            let hear = move |words: &str| heard.upgrade().into_iter().for_each(|limits| limits.heard(words));
            options.desk.replicas().subscribe("rates", Arc::new(hear));
        }
        Self {
            limits,
            started_at: options.desk.now(),
            sockets: TaskTracker::new(),
            n_sockets: AtomicU64::new(0),
            readiness: operating::Readiness::default(),
            mcp: Mcp::new(options.mcp, &options.hosts, options.mcp_sessions.clone()),
            number: number(),
            options,
        }
    }

    fn watch(&self) -> &Watch {
        &self.options.watch
    }

    fn desk(&self) -> &Desk {
        &self.options.desk
    }
}

/// Sixteen bytes that nobody else has, as text.
fn number() -> String {
    let mut bytes = [0; 16];
    // Without random numbers there are no keys either; then this one is the same everywhere, and says so.
    let _filled = getrandom::fill(&mut bytes);
    format!("{:032x}", u128::from_be_bytes(bytes))
}
