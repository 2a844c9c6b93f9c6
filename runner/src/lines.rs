//! What a child prints, line by line, within bounds: it is data, and there may be any amount of it.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::mpsc;

/// The longest line that is read; a longer one is passed over and told.
pub(super) const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Lines that wait to be read; then the child waits.
pub(super) const LINES_MAX: usize = 64;

/// One thing that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// A line. What is no text in it is replaced.
    Whole(String),
    /// A line that was too long, and how long.
    TooLong(usize),
    /// The child ended in the middle of a line.
    Half(String),
}

/// Reads until the end; whoever listens no more ends it too.
pub(super) async fn read(from: impl AsyncRead + Unpin, to: mpsc::Sender<Line>, bytes_max: usize) {
    let mut from = BufReader::with_capacity(64 * 1024, from);
    let mut line: Vec<u8> = Vec::new();
    let mut n_bytes = 0;
    loop {
        // A pipe that cannot be read has nothing more to say.
        let Ok(piece) = from.fill_buf().await else { return };
        if piece.is_empty() {
            break;
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let part = &piece[..end.unwrap_or(piece.len())];
        n_bytes += part.len();
        if n_bytes <= bytes_max {
            line.extend_from_slice(part);
        } else {
            line = Vec::new();
        }
        let taken = part.len() + usize::from(end.is_some());
        from.consume(taken);
        if end.is_none() {
            continue;
        }
        let whole = std::mem::take(&mut line);
        let read = if n_bytes > bytes_max { Line::TooLong(n_bytes) } else { Line::Whole(text(whole)) };
        n_bytes = 0;
        if to.send(read).await.is_err() {
            return;
        }
    }
    if n_bytes > 0 {
        // Whoever listens may be gone.
        let _sent = to.send(Line::Half(text(line))).await;
    }
}

fn text(bytes: Vec<u8>) -> String {
    let mut text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if text.ends_with('\r') {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(printed: &[u8], expected: &[Line]) {
        let (to, mut from) = mpsc::channel(100);
        read(printed, to, 8).await;
        let mut got = Vec::new();
        while let Some(line) = from.recv().await {
            got.push(line);
        }
        assert_eq!(got, expected, "{}", String::from_utf8_lossy(printed));
    }

    #[tokio::test]
    async fn long_half_and_broken_lines_are_told_apart() {
        let whole = |text: &str| Line::Whole(text.to_owned());
        check(b"", &[]).await;
        check(b"a\n\nb\r\n", &[whole("a"), whole(""), whole("b")]).await;
        check(b"12345678\n123456789\nc\n", &[whole("12345678"), Line::TooLong(9), whole("c")]).await;
        check(b"a\nhal", &[whole("a"), Line::Half("hal".to_owned())]).await;
        check(b"\xff\xfe\n", &[whole("\u{fffd}\u{fffd}")]).await;
        check(b"123456789", &[Line::Half(String::new())]).await;
    }
}
