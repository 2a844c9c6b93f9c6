//! The server on standard input and output, which carry nothing else.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::{StdioReader, stdio_pipes};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use super::handing::HandingPipes;
use super::server::Server;

/// Serves until the client closes our input.
pub async fn serve(server: Server) -> io::Result<()> {
    let (input, output) = stdio_pipes();
    let input = Heard { input, ended: server.left() };
    let desk = server.desk_elsewhere();
    let handing = desk.as_ref().map(|desk| desk.handing()).unwrap_or_default();
    let pipes = HandingPipes { pipes: AsyncRwTransport::new_server(input, output), handing };
    let serving = match Box::pin(server.serve(pipes)).await {
        Ok(serving) => serving,
        // A client that leaves without a word wanted nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(io::Error::other(error)),
    };
    let ended = serving.waiting().await.map(drop).map_err(io::Error::other);
    if let Some(desk) = desk {
        desk.acknowledged().await;
    }
    ended
}

/// Our input, which says when it has ended: calls that wait then wait for nobody.
struct Heard {
    input: StdioReader,
    ended: CancellationToken,
}

impl AsyncRead for Heard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = ready!(Pin::new(&mut self.input).poll_read(cx, buf));
        if read.is_err() || buf.filled().len() == before {
            self.ended.cancel();
        }
        Poll::Ready(read)
    }
}
