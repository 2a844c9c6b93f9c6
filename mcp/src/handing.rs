//! Outcomes on their way to a client. Each counts as handed over when the reply that carries it has been written,
//! and not before: an agent that never got it asks again, and is told then.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::HttpBody;
use futures_core::Stream;
use hyper::body::{Bytes, Frame, SizeHint};
use parking_lot::{Mutex, MutexGuard};
use rmcp::RoleServer;
use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::streamable_http_server::session::ServerSseMessage;

/// What is done when a reply has been written; dropped, the reply was lost.
pub(super) type Written = Box<dyn FnOnce() + Send + Sync>;
/// What is done when one is about to be written.
pub(super) type Writing = Box<dyn FnOnce() -> Written + Send + Sync>;

/// Replies that carry outcomes, by the request that each is to. The reply to a call that was cancelled is never
/// written, and its entry goes with the connection.
#[derive(Clone, Default)]
pub struct Handing(Arc<Mutex<HashMap<RequestId, Writing>>>);

impl Handing {
    pub(super) fn put(&self, reply_to: RequestId, writing: Writing) {
        self.replies().insert(reply_to, writing);
    }

    /// This message is about to be written.
    fn writes(&self, message: &ServerJsonRpcMessage) -> Option<Written> {
        let JsonRpcMessage::Response(response) = message else { return None };
        let writing = self.replies().remove(&response.id)?;
        Some(writing())
    }

    /// All that came so far is about to be written.
    fn writes_all(&self) -> Vec<Written> {
        let all = std::mem::take(&mut *self.replies());
        all.into_values().map(|writing| writing()).collect()
    }

    fn replies(&self) -> MutexGuard<'_, HashMap<RequestId, Writing>> {
        self.0.lock()
    }
}

/// A client's pipes.
pub(super) struct HandingPipes<T> {
    pub(super) pipes: T,
    pub(super) handing: Handing,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for HandingPipes<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let written = self.handing.writes(&message);
        let sending = self.pipes.send(message);
        async move {
            sending.await?;
            if let Some(written) = written {
                written();
            }
            Ok(())
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.pipes.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.pipes.close()
    }
}

/// A stream of a session.
pub(super) struct HandingStream<S> {
    stream: Pin<Box<S>>,
    handing: Handing,
}

impl<S> HandingStream<S> {
    pub(super) fn new(stream: S, handing: Handing) -> Self {
        Self { stream: Box::pin(stream), handing }
    }
}

impl<S: Stream<Item = ServerSseMessage>> Stream for HandingStream<S> {
    type Item = ServerSseMessage;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.stream.as_mut().poll_next(cx));
        let writing = next.as_ref().and_then(|next| self.handing.writes(next.message.as_deref()?));
        if let Some(written) = writing {
            written();
        }
        Poll::Ready(next)
    }
}

/// The reply to a request without a session. Keeps what it is given until it is written.
pub(super) struct HandingBody<B: HttpBody, K> {
    body: B,
    handing: Handing,
    _kept: K,
}

impl<B: HttpBody, K> HandingBody<B, K> {
    pub(super) fn new(body: B, handing: Handing, kept: K) -> Self {
        Self { body, handing, _kept: kept }
    }
}

impl<B: HttpBody<Data = Bytes> + Unpin, K: Unpin> HttpBody for HandingBody<B, K> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.handing.writes_all().into_iter().for_each(|written| written());
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
