//! A text field: what is typed, a rule below it, and the caret.

use unicode_segmentation::UnicodeSegmentation;

use super::body::Body;
use crate::editor::Editor;
use crate::line::{Line, Role};
use crate::width::width;
use crate::wrap::{column, rows, wrap};

/// The widest rule below a field.
const RULE_COLUMNS_MAX: usize = 60;

/// What a field looks like beside its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) placeholder: &'a str,
    pub(super) chars_max: usize,
    pub(super) secret: bool,
}

impl Field<'_> {
    /// Draws the field while it is typed in.
    pub(super) fn active(&self, body: &mut Body, prefix: &Line, editor: &Editor) {
        let indent = prefix.width();
        // The last column is the caret's when a row is full.
        let room = body.columns.saturating_sub(indent + 1).max(2);
        let (text, caret) = self.seen(editor.text(), editor.caret());
        let first = body.lines.len();
        if text.is_empty() {
            body.caret = Some((first, indent));
            let hint = wrap(self.placeholder, room);
            for (idx, row) in hint.into_iter().enumerate() {
                let line = lead(prefix, idx).and(row, Role::Secondary);
                body.lines.push(line);
            }
        }
        for (idx, row) in rows(&text, room).iter().enumerate() {
            if text.is_empty() {
                break;
            }
            if row.start <= caret {
                let at = indent + column(&text, row, caret).min(room);
                body.caret = Some((body.lines.len(), at));
            }
            let line = lead(prefix, idx).and(row.text.clone(), Role::Plain);
            body.lines.push(line);
        }
        self.rule(body, indent, editor.text().chars().count());
    }

    /// Draws the field while the cursor is elsewhere.
    pub(super) fn idle(&self, body: &mut Body, prefix: &Line, text: &str) {
        if text.is_empty() {
            body.hang(prefix, self.placeholder, Role::Secondary);
        } else {
            body.hang(prefix, &self.seen(text, 0).0, Role::Plain);
        }
        let n_chars = text.chars().count();
        self.rule(body, prefix.width(), n_chars);
    }

    fn rule(&self, body: &mut Body, indent: usize, n_chars: usize) {
        let room = body.columns.saturating_sub(indent).min(RULE_COLUMNS_MAX);
        // Counted aloud only when the end is near.
        let near = n_chars.saturating_mul(5) >= self.chars_max.saturating_mul(4);
        let count = format!(" {n_chars}/{}", self.chars_max);
        let mut line = Line::of(" ".repeat(indent), Role::Plain);
        if near && width(&count) + 4 <= room {
            line.push("─".repeat(room - width(&count)), Role::Secondary);
            let role = if n_chars > self.chars_max { Role::Bad } else { Role::Secondary };
            line.push(count, role);
        } else {
            line.push("─".repeat(room), Role::Secondary);
        }
        body.lines.push(line);
    }

    /// Returns what is seen of a text and where the caret is in that.
    fn seen(&self, text: &str, caret: usize) -> (String, usize) {
        if !self.secret {
            return (text.to_owned(), caret);
        }
        let mut seen = String::new();
        let mut place = 0;
        for (start, cluster) in text.grapheme_indices(true) {
            if start == caret {
                place = seen.len();
            }
            seen.push(if cluster == "\n" { '\n' } else { '•' });
        }
        if caret >= text.len() {
            place = seen.len();
        }
        (seen, place)
    }
}

fn lead(prefix: &Line, row_idx: usize) -> Line {
    if row_idx == 0 { prefix.clone() } else { Line::of(" ".repeat(prefix.width()), Role::Plain) }
}
