//! A question in a box (T7), closed on every side and no wider than the terminal.

use std::fmt::Write as _;

use askuser_core::question::{Kind, PreviewFormat};
use askuser_words::plain::Plain as Words;

use super::About;
use super::words::{self, inline, offered};
use crate::line::Line;
use crate::markdown::{self, Ink};
use crate::width::width;
use crate::wrap::wrap;

/// As wide as the box of the source document, where the terminal is.
const COLUMNS_MIN: usize = 51;
/// What the edges take, with a blank each.
const EDGES: usize = 4;

/// The question in its box, all of it: why it is asked, what it would let run, what the choices mean.
pub(super) fn print(about: &About<'_>, columns: usize) -> String {
    let About { question, context, permission, entry, language } = *about;
    let mut inside = Inside { room: columns.saturating_sub(EDGES).max(8), rows: Vec::new() };
    if let Some(context) = context {
        inside.markdown("", context);
        inside.rows.push(String::new());
    }
    inside.text("", &question.text);
    match (permission, &question.description) {
        (Some(permission), Some(_)) => {
            inside.text("  > ", &permission.command);
            permission.folder.iter().for_each(|folder| inside.text("", &words::folder(folder, language)));
            permission.rest.iter().for_each(|rest| inside.text("", rest));
        }
        (None, Some(description)) => inside.text("", description),
        (_, None) => {}
    }
    inside.rows.push(String::new());
    for (choice_idx, choice) in question.choices.iter().enumerate() {
        inside.hang(&format!(" {}. ", choice_idx + 1), &offered(question, choice, entry, language));
        if let Some(description) = &choice.description {
            inside.text("    ", description);
        }
        match choice.preview.as_ref().map(|preview| (preview.format, &preview.text)) {
            Some((PreviewFormat::Markdown, text)) => inside.markdown("    | ", text),
            Some((PreviewFormat::Html, text)) => inside.text("    | ", text),
            None => {}
        }
        if let Some(running) = &choice.running {
            inside.text("    → ", running);
        }
    }
    if question.takes_other() {
        inside.hang(" 0. ", Words(language).other());
    }
    if question.kind == Kind::Text {
        let hint = question.free.as_ref().and_then(|free| free.placeholder.as_deref());
        inside.text("", hint.unwrap_or(Words(language).text_here()));
    }
    if let Some(typed) = entry.and_then(|entry| entry.text.as_deref()).filter(|_| !question.secret) {
        inside.text("", &Words(language).so_far(typed));
    }
    let header = question.header.as_deref().unwrap_or(language.words().question());
    inside.closed(&inline(header), columns)
}

/// The rows of a box.
struct Inside {
    room: usize,
    rows: Vec<String>,
}

impl Inside {
    /// Adds a text of any number of lines, each behind this.
    fn text(&mut self, prefix: &str, text: &str) {
        for row in wrap(text, self.room_behind(prefix)) {
            self.rows.push(format!("{prefix}{row}"));
        }
    }

    /// Adds a text whose further rows stand below its first.
    fn hang(&mut self, prefix: &str, text: &str) {
        let blank = " ".repeat(width(prefix));
        for (idx, row) in wrap(text, self.room_behind(prefix)).iter().enumerate() {
            self.rows.push(format!("{}{row}", if idx == 0 { prefix } else { &blank }));
        }
    }

    /// Adds Markdown, drawn.
    fn markdown(&mut self, prefix: &str, text: &str) {
        let lines = markdown::lines(text.trim_matches('\n'), self.room_behind(prefix), Ink::Plain);
        self.rows.extend(lines.iter().map(|line: &Line| format!("{prefix}{}", line.text())));
    }

    fn room_behind(&self, prefix: &str) -> usize {
        self.room.saturating_sub(width(prefix)).max(2)
    }

    /// Puts the edges around the rows; a header that does not fit into the upper one stands below it.
    fn closed(mut self, header: &str, columns: usize) -> String {
        let fits = width(header) + EDGES < self.room;
        if !fits {
            let rows = wrap(header, self.room);
            self.rows.splice(0..0, rows);
        }
        let widest = self.rows.iter().map(|row| width(row)).max().unwrap_or(0);
        let wanted = if fits { widest.max(width(header) + 2) } else { widest };
        let inner = wanted.max(COLUMNS_MIN.min(columns).saturating_sub(EDGES));
        let top = if fits { format!("─ {header} ") } else { String::new() };
        let rest = "─".repeat((inner + 2).saturating_sub(width(&top)));
        let mut text = format!("\n┌{top}{rest}┐\n");
        for row in &self.rows {
            let blank = " ".repeat(inner.saturating_sub(width(row)));
            // Writing to a string does not fail.
            let _written = writeln!(text, "│ {row}{blank} │");
        }
        let _written = writeln!(text, "└{}┘", "─".repeat(inner + 2));
        text
    }
}
