//! A paragraph in pieces, each with its role, broken into lines that fit.

use crate::line::{Line, Role};
use crate::wrap::{Row, rows};

/// A part of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) role: Role,
}

/// Returns the pieces in lines of at most `columns` columns.
pub(super) fn wrapped(pieces: &[Piece], columns: usize) -> Vec<Line> {
    let text: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
    rows(&text, columns).iter().map(|row| line(pieces, &text, row)).collect()
}

fn line(pieces: &[Piece], text: &str, row: &Row) -> Line {
    let end = row.start + row.text.len();
    if text.get(row.start..end) != Some(&row.text) {
        // Something in it is shown otherwise than it was written; that is not taken apart.
        return Line::of(row.text.clone(), Role::Plain);
    }
    let mut line = Line::default();
    let mut start = 0;
    for piece in pieces {
        let own = row.start.max(start)..end.min(start + piece.text.len());
        let part = text.get(own).unwrap_or_default();
        match line.0.last_mut() {
            Some(last) if last.role == piece.role => last.text.push_str(part),
            _ => line.push(part, piece.role),
        }
        start += piece.text.len();
    }
    line
}
