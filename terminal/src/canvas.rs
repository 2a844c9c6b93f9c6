//! Paints a whole screen: row by row in its place, and only what changed.
//!
//! Makes the bytes and touches no terminal. The real cursor stands where text is typed, because
//! that is where an input method opens its window; where nothing is typed it is hidden.

use std::fmt::Write as _;

use super::draw::Frame;
use super::line::Line;
use super::paint::{BEGIN, END, Look, SHOW_CARET};

/// Paints screens over one another.
#[derive(Debug)]
pub struct Canvas {
    look: Look,
    lines: Vec<Line>,
    size: (usize, usize),
    caret: Option<(usize, usize)>,
}

impl Canvas {
    /// Returns a canvas on which nothing is known to stand.
    pub fn new(look: Look) -> Self {
        Self { look, lines: Vec::new(), size: (0, 0), caret: None }
    }

    /// Returns the bytes that make a screen of this size show the frame; none where it does already.
    pub fn frame(&mut self, frame: Frame, size: (usize, usize)) -> String {
        let mut out = String::new();
        if self.size != size {
            self.size = size;
            self.lines.clear();
            out.push_str("\x1b[2J");
        }
        let blank = Line::default();
        let n_rows = size.1.min(frame.lines.len().max(self.lines.len()));
        for row in 0..n_rows {
            let line = frame.lines.get(row).unwrap_or(&blank);
            if self.lines.get(row).unwrap_or(&blank) != line {
                write!(out, "\x1b[{};1H\x1b[2K", row + 1).unwrap_or_default();
                self.look.line(&mut out, line);
            }
        }
        let caret = frame.caret.filter(|(row, column)| *row < size.1 && *column < size.0);
        if out.is_empty() && caret == self.caret {
            return out;
        }
        self.lines = frame.lines;
        self.caret = caret;
        let mut bytes = BEGIN.to_owned();
        bytes.push_str(&out);
        if let Some((row, column)) = caret {
            write!(bytes, "\x1b[{};{}H{SHOW_CARET}", row + 1, column + 1).unwrap_or_default();
        }
        bytes.push_str(END);
        bytes
    }

    /// Forgets what stands there: something else has written since.
    pub fn forget(&mut self) {
        *self = Self::new(self.look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Role;

    const PLAIN: Look = Look { colour: false, reflow: true };

    fn frame(lines: &[&str], caret: Option<(usize, usize)>) -> Frame {
        Frame {
            lines: lines.iter().map(|line| Line::of(*line, Role::Plain)).collect(),
            caret,
            ..Frame::default()
        }
    }

    #[test]
    fn only_what_changed_is_painted_and_the_cursor_stands_where_is_typed() {
        let size = |n| std::num::NonZero::new(n).unwrap();
        let mut parser = vt100::Parser::new(size(4), size(12), 0);
        let mut canvas = Canvas::new(PLAIN);
        parser.process(b"left over");
        parser.process(canvas.frame(frame(&["one", "two", "three"], None), (12, 4)).as_bytes());
        assert_eq!(parser.screen().contents(), "one\ntwo\nthree");
        assert!(parser.screen().hide_cursor());
        let bytes = canvas.frame(frame(&["one", "数据"], Some((1, 4))), (12, 4));
        assert!(!bytes.contains("one"), "{bytes:?}");
        parser.process(bytes.as_bytes());
        assert_eq!(parser.screen().contents(), "one\n数据");
        assert_eq!((parser.screen().cursor_position(), parser.screen().hide_cursor()), ((1, 4), false));
        assert_eq!(canvas.frame(frame(&["one", "数据"], Some((1, 4))), (12, 4)), "");
        // Another size, or another hand on the screen: everything anew.
        assert!(canvas.frame(frame(&["one", "数据"], None), (10, 4)).contains("one"));
        canvas.forget();
        assert!(canvas.frame(frame(&["one"], None), (10, 4)).contains("one"));
    }
}
