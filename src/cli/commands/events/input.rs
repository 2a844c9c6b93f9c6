//! The lines of standard input: bounded, so that none fills the memory, and none lost in silence.

use std::io::{self, BufRead, Read};

use askuser_words::Language;
use askuser_words::failed::Failed;
use serde_json::Value;
use tokio::sync::mpsc;

use askuser_api::event_protocol;
use askuser_api::headers::BODY_BYTES_MAX;
use askuser_ask::connect::say;
use askuser_wire::failure::{Code, Failure};

/// Lines that wait for the desk.
const BACKLOG: usize = 64;

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// One that can be sent.
    Text(String),
    /// One that is longer than any message; it was skipped.
    TooLong,
    /// One that is not UTF-8.
    NotText,
}

/// Refuses a line that is not sent, in the protocol that it speaks. The desk as well speaks English to whoever does not
/// say what they read.
pub(super) fn complaint(line: &Value, failure: &Failure) -> String {
    event_protocol::refusal(line, failure, Language::English).to_string()
}

/// Reads lines in a thread of its own, which ends with the program.
pub(super) fn lines() -> mpsc::Receiver<Line> {
    let (to, lines) = mpsc::channel(BACKLOG);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            match next(&mut input) {
                Ok(Some(line)) => {
                    if to.blocking_send(line).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => return say(&format!("standard input cannot be read any further: {error}")),
            }
        }
    });
    lines
}

/// Reads the next line that is not blank; none at the end.
fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    loop {
        let mut bytes = Vec::new();
        // One more than may be, for the end of the line.
        let most = u64::try_from(BODY_BYTES_MAX + 1).unwrap_or(u64::MAX);
        if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let whole = bytes.pop_if(|byte| *byte == b'\n').is_some();
        if bytes.len() > BODY_BYTES_MAX {
            if !whole {
                input.skip_until(b'\n')?;
            }
            return Ok(Some(Line::TooLong));
        }
        match String::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => return Ok(Some(Line::Text(text.trim_end_matches('\r').to_owned()))),
            Err(_) => return Ok(Some(Line::NotText)),
        }
    }
}

/// Complains about a line that is too long; as far as it is known which.
pub(super) fn too_long(line: &Value) -> String {
    complaint(line, &Failure::new(Code::PayloadTooLarge, |said: Failed| said.line_too_long(BODY_BYTES_MAX)))
}

/// Complains about a line that is not text.
pub(super) fn not_text() -> String {
    let failure = Failure::new(Code::InvalidRequest, Failed::line_not_text);
    complaint(&Value::Null, &failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<Line> {
        // A small buffer, as a pipe gives it in pieces.
        let mut input = io::BufReader::with_capacity(7, input);
        std::iter::from_fn(|| next(&mut input).unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_end_at_a_line_feed_or_at_the_end_and_blank_ones_are_none() {
        assert_eq!(read(b""), []);
        assert_eq!(read(b"\n  \n a \r\n\nb"), [text(" a "), text("b")]);
    }

    #[test]
    fn what_is_not_text_is_told_and_the_next_line_is_read() {
        assert_eq!(read(b"\xff\xfe\na\n"), [Line::NotText, text("a")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_the_next_one_is_read() {
        let longest = "x".repeat(BODY_BYTES_MAX);
        assert_eq!(read(format!("{longest}\na").as_bytes()), [text(&longest), text("a")]);
        assert_eq!(read(longest.as_bytes()), [text(&longest)]);
        for more in ["x".to_owned(), longest.repeat(3)] {
            assert_eq!(read(format!("{longest}{more}\na\n").as_bytes()), [Line::TooLong, text("a")]);
            assert_eq!(read(format!("{longest}{more}").as_bytes()), [Line::TooLong]);
        }
    }
}
