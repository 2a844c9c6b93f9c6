//! A place in the line, and the steps that need no knowledge of words.
//!
//! Every step stops at an ASCII byte or at the end, so a slice never cuts a character in two.

use super::BadArgument;

/// Why reading a line stops before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// The line is not ours, or needs a real shell.
    Other,
    /// It is ours and gives no JSON.
    Bad(BadArgument),
}

/// A place in the line.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns where it stands, for `since`.
    pub(super) fn mark(&self) -> usize {
        self.at
    }

    /// Returns what lies between a mark and here.
    pub(super) fn since(&self, mark: usize) -> &'a str {
        self.text.get(mark..self.at).unwrap_or_default()
    }

    /// Returns all that is left.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Goes `n_bytes` on, or to the end.
    pub(super) fn skip(&mut self, n_bytes: usize) {
        self.at = self.at.saturating_add(n_bytes).min(self.text.len());
    }

    /// Goes past `prefix` where it stands here, and says whether it did.
    pub(super) fn take(&mut self, prefix: &str) -> bool {
        let there = self.rest().starts_with(prefix);
        if there {
            self.skip(prefix.len());
        }
        there
    }

    /// Takes everything up to the first byte that `stops`, which must be ASCII.
    pub(super) fn take_until(&mut self, stops: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let n_bytes = rest.bytes().position(stops).unwrap_or(rest.len());
        self.skip(n_bytes);
        rest.get(..n_bytes).unwrap_or_default()
    }

    /// Takes the rest of this line and its end; nothing at the end of the text.
    pub(super) fn take_line(&mut self) -> Option<&'a str> {
        self.peek()?;
        let line = self.take_until(|byte| byte == b'\n');
        self.skip(1);
        Some(line)
    }

    /// Goes past an escaped line end, which a shell removes. CR before LF counts as one line end:
    /// hosts on Windows send it, and no JSON is lost by it.
    pub(super) fn take_continuation(&mut self) -> bool {
        self.take("\\\n") || self.take("\\\r\n")
    }

    /// Whether a line ends here.
    pub(super) fn at_line_end(&self) -> bool {
        let rest = self.rest();
        rest.is_empty() || rest.starts_with('\n') || rest == "\r" || rest.starts_with("\r\n")
    }

    /// Goes past a CR that ends a line.
    fn take_return(&mut self) -> bool {
        self.peek() == Some(b'\r') && self.at_line_end() && self.take("\r")
    }

    /// Goes past blanks, and past a comment where one begins.
    pub(super) fn skip_blanks(&mut self) {
        // A `#` begins a comment only where a word would begin; that is where this is called.
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t')) {
                self.skip(1);
            }
            if self.peek() == Some(b'#') {
                self.take_until(|byte| byte == b'\n');
            } else if !self.take_continuation() && !self.take_return() {
                return;
            }
        }
    }
}
