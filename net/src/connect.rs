//! Steps on the way to a server, each in bounded time: its name, its address, TLS; or its Unix socket.

use std::error::Error;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioIo;
use tokio::net::{UnixStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;
use tower_service::Service;

use super::guard::Reach;
use super::http::{HttpError, Step};

type BoxError = Box<dyn Error + Send + Sync>;
type Connecting<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

/// A connection without TLS.
pub(crate) type Plain = Within<HttpConnector<Names>>;
/// A connection with TLS where the address says so.
pub(crate) type Tls = Within<HttpsConnector<Plain>>;

/// Connects to the addresses behind a name: the judged ones are the ones that are called.
pub(crate) fn plain(reach: Reach, time_max: Duration) -> Plain {
    let mut inner = HttpConnector::new_with_resolver(Names(reach));
    inner.enforce_http(false);
    // A question is one small packet each way: waiting for more would only delay it.
    inner.set_nodelay(true);
    Within { inner, step: Step::Connect, time_max }
}

/// The same, encrypted; TLS may take as long again.
pub(crate) fn tls(reach: Reach, time_max: Duration, config: Arc<ClientConfig>) -> Tls {
    let inner = HttpsConnector::from((plain(reach, time_max), config));
    Within { inner, step: Step::Tls, time_max: time_max * 2 }
}

/// A step that may take only so long.
#[derive(Debug, Clone)]
pub(crate) struct Within<S> {
    inner: S,
    step: Step,
    time_max: Duration,
}

impl<S> Service<Uri> for Within<S>
where
    S: Service<Uri>,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Connecting<S::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (connecting, step, time_max) = (self.inner.call(uri), self.step, self.time_max);
        Box::pin(async move {
            let connected = timeout(time_max, connecting).await;
            connected.map_err(|_| HttpError::Slow { step, time_max })?.map_err(Into::into)
        })
    }
}

/// Looks names up, and judges where they lead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names(Reach);

impl Service<Name> for Names {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = BoxError;
    type Future = Connecting<Self::Response>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let reach = self.0;
        Box::pin(async move {
            // The port is put in by whoever connects.
            let found: Vec<SocketAddr> = lookup_host((name.as_str(), 0)).await?.collect();
            reach.judge(name.as_str(), found.iter().map(SocketAddr::ip)).map_err(HttpError::NotCalled)?;
            Ok(found.into_iter())
        })
    }
}

/// Connects to a Unix socket, whatever the address says.
#[derive(Debug, Clone)]
pub(crate) struct Local(Arc<Path>);

/// Returns what connects to this socket.
pub(crate) fn local(socket: &Path, time_max: Duration) -> Within<Local> {
    Within { inner: Local(socket.into()), step: Step::Connect, time_max }
}

impl Service<Uri> for Local {
    type Response = TokioIo<UnixStream>;
    type Error = BoxError;
    type Future = Connecting<Self::Response>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let socket = Arc::clone(&self.0);
        Box::pin(async move { Ok(TokioIo::new(UnixStream::connect(socket).await?)) })
    }
}
