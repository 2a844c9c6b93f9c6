//! The agent's pipes as the protocol's crate takes them: lines each way.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Sink, Stream, sink, stream};
use tokio::sync::{Semaphore, mpsc};

use super::super::super::lines::Line;

/// How long an agent that floods us is held up for each line beyond what we have room for.
const HELD_UP: Duration = Duration::from_millis(100);

/// What we say.
pub(super) fn outgoing(out: mpsc::Sender<String>) -> impl Sink<String, Error = io::Error> + Send + 'static {
    Box::pin(sink::unfold(out, |out, line| async move {
        let sent = out.send(line).await;
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(out)
    }))
}

/// What the agent prints. The crate takes all it can get, so room is counted here: an update takes
/// some, and whoever has dealt with it gives it back. Not every line comes back, so it is only ever
/// slowed down.
pub(super) fn incoming(
    lines: mpsc::Receiver<Line>,
    room: Arc<Semaphore>,
) -> impl Stream<Item = io::Result<String>> + Send + 'static {
    Box::pin(stream::unfold((lines, room), |(mut lines, room)| async move {
        loop {
            match lines.recv().await? {
                // Other programs' words on the same pipe are no messages, and half a line is none.
                Line::Whole(line) if !line.trim_start().starts_with('{') => {}
                Line::Half(_) | Line::TooLong(_) => {}
                Line::Whole(line) => {
                    if let Ok(Ok(taken)) = tokio::time::timeout(HELD_UP, room.acquire()).await {
                        taken.forget();
                    }
                    return Some((Ok(line), (lines, room)));
                }
            }
        }
    }))
}
