//! Connections: how many, how long a request may take to arrive, how long an answer may wait to be
//! read, and how it all ends.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use futures_util::future::join_all;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::gate::{Endpoint, Peer};
use super::write_timeout::WriteTimeout;
use super::{AppState, ServerOptions, hooks, routes};
use askuser_config::ServerKeys;
use askuser_system::peer::Peer as Process;
use askuser_watch::Watch;

/// How long to wait when the system gives us no more connections.
const NO_MORE: Duration = Duration::from_millis(50);

/// Those who are turned away at once, and how long each may take to hear it.
const LEAVING_MAX: usize = 64;
const LEAVING_TIME_MAX: Duration = Duration::from_millis(500);
/// What they are told.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
connection: close\r\ncontent-length: 142\r\n\r\n{\"success\":false,\"status\":\"error\",\"error\":\"unavailable\",\
\"message\":\"too many connections: come back in a moment\",\"problems\":[],\"retry_after\":1}";
/// Connections over the Unix socket at once, besides the others.
const LOCAL_MAX: usize = 500;
/// How long TLS may take to begin.
const HANDSHAKE_TIME_MAX: Duration = Duration::from_secs(10);

/// Where connections are taken.
pub struct Listener {
    pub socket: TcpListener,
    /// How TLS is spoken there; none: it is not.
    pub tls: Option<Arc<ServerConfig>>,
}

/// How much all callers together may ask of us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Connections at once; one more is told so with 503 and closed.
    pub connections_max: usize,
    /// How long a request may take to say what it is; also how long a connection may be idle.
    pub headers_time_max: Duration,
    /// Bytes of a request's headers.
    pub headers_bytes_max: usize,
    /// How long an answer may wait for its reader; then the connection is dropped.
    pub write_time_max: Duration,
    /// How long a message over a WebSocket may wait for its reader; then the socket is dropped.
    pub message_time_max: Duration,
    /// How often a silent stream of events says that it lives.
    pub heartbeat: Duration,
    /// How long requests may go on after we were told to stop.
    pub stop_time_max: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections_max: ServerKeys::default().connections,
            headers_time_max: Duration::from_secs(30),
            headers_bytes_max: 32 * 1024,
            write_time_max: Duration::from_secs(30),
            message_time_max: Duration::from_secs(10),
            heartbeat: Duration::from_secs(15),
            stop_time_max: Duration::from_secs(10),
        }
    }
}

/// One of the connections that are allowed at once; held as long as it lives.
#[derive(Clone)]
pub(super) struct Permit(#[expect(dead_code, reason = "it is held, not read")] Arc<ConnectionPermit>);

struct ConnectionPermit {
    _permit: OwnedSemaphorePermit,
    watch: Arc<Watch>,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.watch.metrics.connections.dec();
    }
}

/// Serves until `stopping` is cancelled, also by `POST /api/stop`. Then it takes no more connections
/// and no more asks, tells whoever waits or listens to come back, and lets requests finish, but not
/// for ever. The desk is still open when this returns: closing it is the caller's.
pub async fn serve(
    listener: TcpListener,
    options: ServerOptions,
    stopping: CancellationToken,
) -> io::Result<()> {
    serve_at(vec![Listener { socket: listener, tls: None }], None, options, stopping).await
}

/// The same with several listeners, and over a Unix socket for the commands of this machine.
pub async fn serve_at(
    listeners: Vec<Listener>,
    local: Option<UnixListener>,
    options: ServerOptions,
    stopping: CancellationToken,
) -> io::Result<()> {
    let options = ServerOptions { stop: stopping.clone(), ..options };
    let bounds = options.bounds;
    let desk = options.desk.clone();
    options.watch.start();
    tokio::spawn(hooks::expect_back(desk.clone()));
    let state = Arc::new(AppState::new(options));
    let serving = Serving {
        router: routes::router(&state),
        http: http(bounds),
        permits: Arc::new(Semaphore::new(bounds.connections_max)),
        local_permits: Arc::new(Semaphore::new(LOCAL_MAX)),
        leaving: Arc::new(Semaphore::new(LEAVING_MAX)),
        bounds,
        watch: Arc::clone(&state.options.watch),
        stopping: stopping.clone(),
        cut: CancellationToken::new(),
        connections: TaskTracker::new(),
    };
    tokio::select! {
        _never = join_all(listeners.iter().map(|listener| serving.accept(listener))) => {}
        () = serving.accept_local(local.as_ref()), if local.is_some() => {}
        () = stopping.cancelled() => {}
    }
    drop((listeners, local));
    desk.stopping().cancel();
    serving.connections.close();
    state.sockets.close();
    let finishing = async { tokio::join!(serving.connections.wait(), state.sockets.wait()) };
    if timeout(bounds.stop_time_max, finishing).await.is_err() {
        tracing::warn!("Closing {} connections that did not end in time", serving.connections.len());
        serving.cut.cancel();
    }
    Ok(())
}

fn http(bounds: Bounds) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.headers_time_max)
        .max_header_size(bounds.headers_bytes_max)
        // A hundred headers at most, which is hyper's own default: a number of ours would cost an
        // allocation for every request.
        .max_buf_size(bounds.headers_bytes_max.max(64 * 1024));
    http
}

/// What went wrong with one connection is over; where the system gives us no more, we wait a little.
async fn none_taken(error: &io::Error) {
    if !is_of_one_connection(error) {
        tracing::warn!(%error, "A connection could not be accepted: {error}");
        tokio::time::sleep(NO_MORE).await;
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

struct Serving {
    router: Router,
    http: http1::Builder,
    permits: Arc<Semaphore>,
    /// Those of the Unix socket, beside the others.
    local_permits: Arc<Semaphore>,
    /// Those who are told that there is no room.
    leaving: Arc<Semaphore>,
    bounds: Bounds,
    watch: Arc<Watch>,
    stopping: CancellationToken,
    /// Ends what did not end by itself.
    cut: CancellationToken,
    connections: TaskTracker,
}

impl Serving {
    /// Full: saying so at once tells it more than leaving it waiting. A few are read for a moment, since
    /// an end with unread words takes back what was said; the rest are simply closed.
    fn turn_away(&self, stream: TcpStream) {
        self.watch.metrics.turned_away.inc();
        let told = stream.try_write(FULL).is_ok();
        let Ok(turn) = Arc::clone(&self.leaving).try_acquire_owned() else { return };
        if told {
            self.connections.spawn(async move {
                let mut unread = [0; 1024];
                // Whatever comes of it, it is over.
                let _left = timeout(LEAVING_TIME_MAX, async {
                    while stream.readable().await.is_ok() && stream.try_read(&mut unread).is_ok_and(|n| n > 0)
                    {
                    }
                })
                .await;
                drop(turn);
            });
        }
    }

    /// Takes connections for ever.
    async fn accept(&self, listener: &Listener) {
        loop {
            match listener.socket.accept().await {
                Ok((stream, peer)) => self.take(stream, peer, listener.tls.as_ref()),
                Err(error) => none_taken(&error).await,
            }
        }
    }

    /// The same over the Unix socket.
    async fn accept_local(&self, listener: Option<&UnixListener>) {
        while let Some(listener) = listener {
            match listener.accept().await {
                Ok((stream, _)) => self.take_local(stream),
                Err(error) => none_taken(&error).await,
            }
        }
    }

    fn permit(&self, among: &Arc<Semaphore>) -> Option<Permit> {
        let permit = Arc::clone(among).try_acquire_owned().ok()?;
        self.watch.metrics.connections.inc();
        Some(Permit(Arc::new(ConnectionPermit { _permit: permit, watch: Arc::clone(&self.watch) })))
    }

    /// Takes a connection of a command on this machine: who it is, the system says. Whoever fills all others
    /// does not shut it out.
    fn take_local(&self, stream: UnixStream) {
        let Some(permit) = self.permit(&self.local_permits) else {
            self.watch.metrics.turned_away.inc();
            // What was said stays readable there after the end.
            let _told = stream.try_write(FULL);
            return;
        };
        let peer = Peer((Ipv4Addr::LOCALHOST, 0).into());
        let connection = Connection { peer, endpoint: None, process: Some(Arc::new(Process::of(&stream))) };
        let stream = WriteTimeout::new(stream, self.bounds.write_time_max);
        let service = tower(self.router.clone(), connection, permit.clone());
        let (http, stopping, cut) = (self.http.clone(), self.stopping.clone(), self.cut.clone());
        self.connections.spawn(async move {
            see_through(&http, stream, service, &stopping, &cut).await;
            drop(permit);
        });
    }

    fn take(&self, stream: TcpStream, peer: SocketAddr, tls: Option<&Arc<ServerConfig>>) {
        let Some(permit) = self.permit(&self.permits) else {
            // In TLS the words would be noise: there it is simply closed.
            return if tls.is_none() {
                self.turn_away(stream);
            } else {
                self.watch.metrics.turned_away.inc();
            };
        };
        // Answers are small and wanted now; a socket that cannot be told so works all the same.
        let _slower = stream.set_nodelay(true);
        let endpoint = stream.local_addr().ok().map(|own| Endpoint { to: own.ip(), tls: tls.is_some() });
        let stream = WriteTimeout::new(stream, self.bounds.write_time_max);
        let connection = Connection { peer: Peer(peer), endpoint, process: None };
        let service = tower(self.router.clone(), connection, permit.clone());
        let (http, stopping, cut) = (self.http.clone(), self.stopping.clone(), self.cut.clone());
        let Some(tls) = tls else {
            self.connections.spawn(async move {
                see_through(&http, stream, service, &stopping, &cut).await;
                drop(permit);
            });
            return;
        };
        let beginning = TlsAcceptor::from(Arc::clone(tls)).accept(stream);
        self.connections.spawn(async move {
            // Whoever does not trust our certificate, or speaks something else, is told so by TLS itself.
            let begun = tokio::select! {
                begun = timeout(HANDSHAKE_TIME_MAX, beginning) => begun,
                () = stopping.cancelled() => return,
            };
            let Ok(Ok(stream)) = begun else { return };
            see_through(&http, stream, service, &stopping, &cut).await;
            drop(permit);
        });
    }
}

/// Serves a connection to its end, or until we stop.
async fn see_through<Stream, Routes>(
    http: &http1::Builder,
    stream: Stream,
    service: Routes,
    stopping: &CancellationToken,
    cut: &CancellationToken,
) where
    Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    Routes: hyper::service::Service<
            Request<Incoming>,
            Response = axum::response::Response,
            Error = std::convert::Infallible,
            Future = Called,
        >,
{
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    // What goes wrong on a connection is between it and its caller.
    let ended = tokio::select! {
        _ended = connection.as_mut() => true,
        () = stopping.cancelled() => false,
    };
    if !ended {
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            _ended = connection => {}
            () = cut.cancelled() => {}
        }
    }
}

type Called =
    Pin<Box<dyn Future<Output = Result<axum::response::Response, std::convert::Infallible>> + Send>>;

/// How a connection connection, which every request on it is told.
#[derive(Clone)]
struct Connection {
    /// From where; over the Unix socket from this machine.
    peer: Peer,
    endpoint: Option<Endpoint>,
    process: Option<Arc<Process>>,
}

/// The router as hyper wants it, with where the request comes from.
fn tower(
    router: Router,
    connection: Connection,
    permit: Permit,
) -> impl hyper::service::Service<
    Request<Incoming>,
    Response = axum::response::Response,
    Error = std::convert::Infallible,
    Future = Called,
> {
    let router = TowerToHyperService::new(router);
    hyper::service::service_fn(move |mut request: Request<Incoming>| -> Called {
        let extensions = request.extensions_mut();
        extensions.insert(connection.peer);
        connection.endpoint.map(|endpoint| extensions.insert(endpoint));
        connection.process.clone().map(|process| extensions.insert(process));
        extensions.insert(permit.clone());
        let called = hyper::service::Service::call(&router, request.map(Body::new));
        Box::pin(called)
    })
}
