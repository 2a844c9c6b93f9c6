//! The inside of the panel while it is being drawn: lines, where the cursor is, where the caret.

use std::ops::Range;

use crate::line::{Line, Role};
use crate::markdown::{self, Ink};
use crate::panel::Panel;
use crate::width::width;
use crate::wrap::wrap;
use askuser_core::deadline::URGENT;
use askuser_core::text::shown;

/// Text that is indented keeps at least this many columns where the panel has them.
const TEXT_COLUMNS_MIN: usize = 20;

/// Lines of at most `columns` columns.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) columns: usize,
    pub(crate) lines: Vec<Line>,
    /// The lines that carry the asker's words, each with those.
    pub(crate) asked: Vec<(usize, String)>,
    /// The lines that must be in sight.
    pub(crate) focus: Option<Range<usize>>,
    pub(crate) caret: Option<(usize, usize)>,
}

impl Body {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, lines: Vec::new(), asked: Vec::new(), focus: None, caret: None }
    }

    /// Returns an indent that leaves room for text.
    pub(crate) fn indent(&self, wanted: usize) -> usize {
        wanted.min(self.columns.saturating_sub(TEXT_COLUMNS_MIN))
    }

    /// Whether there is no room for numbers beside the choices.
    pub(crate) fn is_narrow(&self, indent: usize) -> bool {
        self.columns - indent < 16
    }

    /// Adds an empty line, unless there is one already or nothing stands above.
    pub(crate) fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.0.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// Adds a text, wrapped.
    pub(crate) fn text(&mut self, indent: usize, text: &str, role: Role) {
        if !text.is_empty() {
            let prefix = Line::of(" ".repeat(indent), Role::Plain);
            self.hang(&prefix, text, role);
        }
    }

    /// Adds a text of the asker's, wrapped: what has to be read before it is answered.
    pub(crate) fn asked(&mut self, indent: usize, text: &str, role: Role) {
        if !text.is_empty() {
            self.hang_asked(&Line::of(" ".repeat(indent), Role::Plain), text, role);
        }
    }

    /// The same behind a prefix.
    pub(crate) fn hang_asked(&mut self, prefix: &Line, text: &str, role: Role) {
        let rows = self.rows(prefix, text);
        let first = self.lines.len();
        let said = rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
        self.asked.extend(said.map(|(idx, row)| (first + idx, row.clone())));
        self.hang_rows(prefix, rows, role);
    }

    /// Adds Markdown of the asker's, drawn.
    pub(crate) fn markdown(&mut self, text: &str) {
        for line in markdown::lines(text.trim_end(), self.columns, Ink::Styled) {
            let row = line.text();
            if !row.trim().is_empty() {
                self.asked.push((self.lines.len(), row));
            }
            self.lines.push(line);
        }
    }

    /// Adds a text of the asker's whose lines are kept, behind a bar: a command, say.
    pub(crate) fn block(&mut self, text: &str, role: Role) {
        for row in wrap(text, self.columns.saturating_sub(2).max(1)) {
            self.asked.push((self.lines.len(), row.clone()));
            self.lines.push(Line::of("▏ ", Role::Accent).and(row, role));
        }
    }

    /// Adds a text behind a prefix, its further rows below its first.
    pub(crate) fn hang(&mut self, prefix: &Line, text: &str, role: Role) {
        let rows = self.rows(prefix, text);
        self.hang_rows(prefix, rows, role);
    }

    fn rows(&self, prefix: &Line, text: &str) -> Vec<String> {
        wrap(text, self.columns.saturating_sub(prefix.width()).max(1))
    }

    fn hang_rows(&mut self, prefix: &Line, rows: Vec<String>, role: Role) {
        let start = prefix.width();
        for (idx, row) in rows.into_iter().enumerate() {
            let mut line = if idx == 0 { prefix.clone() } else { Line::of(" ".repeat(start), Role::Plain) };
            line.push(row, role);
            self.lines.push(line);
        }
    }

    /// Puts a tag at the right end of the last line, or below it where there is no room.
    pub(crate) fn tag(&mut self, indent: usize, tag: &str, role: Role) {
        let at = self.columns.saturating_sub(width(tag));
        match self.lines.last_mut() {
            Some(line) if line.width() + 2 <= at => line.push_at(at, tag, role),
            _ => self.text(indent, tag, role),
        }
    }

    /// Says who asks and how much time is left: on every panel.
    pub(crate) fn asker(&mut self, panel: &Panel) {
        let asker = &panel.around.asker;
        let place = asker.project.as_ref().or(asker.folder.as_ref());
        let parts: Vec<String> = [asker.agent.as_ref(), place]
            .into_iter()
            .flatten()
            .map(|part| shown(part).replace(['\n', '\t'], " "))
            .collect();
        self.text(0, &parts.join(" · "), Role::Secondary);
        if let Some(left) = panel.time_left {
            let role = if left < URGENT { Role::Bad } else { Role::Secondary };
            let text = panel.around.language.deadline(left, panel.around.then.as_ref());
            if parts.is_empty() {
                self.lines.push(Line::default());
            }
            self.tag(0, &text, role);
        }
    }
}
