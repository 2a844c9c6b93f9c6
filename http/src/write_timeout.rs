//! How long an answer may wait to be read.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// A connection that does not wait for ever for its reader.
pub(super) struct WriteTimeout<Stream> {
    stream: Stream,
    /// Rings when the reader took nothing for too long; none while it keeps up.
    waits: Option<Pin<Box<Sleep>>>,
    time_max: Duration,
}

impl<Stream> WriteTimeout<Stream> {
    pub(super) fn new(stream: Stream, time_max: Duration) -> Self {
        Self { stream, waits: None, time_max }
    }

    /// Takes what came of writing; a reader that is too slow ends the connection.
    fn written<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if poll.is_ready() {
            self.waits = None;
            return poll;
        }
        let deadline = Instant::now() + self.time_max;
        let waits = self.waits.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        ready!(waits.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the reader does not read")))
    }
}

impl<Stream: AsyncRead + Unpin> AsyncRead for WriteTimeout<Stream> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<Stream: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<Stream> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.written(cx, poll)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.written(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
