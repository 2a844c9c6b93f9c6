//! The inside of the panel while it is being drawn: lines, where the cursor is, where the caret.

use std::ops::Range;

use crate::channel::terminal::line::{Line, Role};
use crate::channel::terminal::panel::Panel;
use crate::channel::terminal::width::width;
use crate::channel::terminal::wrap::wrap;
use askuser_core::text::shown;

/// Text that is indented keeps at least this many columns where the panel has them.
const TEXT_COLUMNS_MIN: usize = 20;

/// Lines of at most `columns` columns.
#[derive(Debug)]
pub(in crate::channel::terminal) struct Body {
    pub(in crate::channel::terminal) columns: usize,
    pub(in crate::channel::terminal) lines: Vec<Line>,
    /// The lines that must be in sight.
    pub(in crate::channel::terminal) focus: Option<Range<usize>>,
    pub(in crate::channel::terminal) caret: Option<(usize, usize)>,
}

impl Body {
    pub(in crate::channel::terminal) fn new(columns: usize) -> Self {
        Self { columns, lines: Vec::new(), focus: None, caret: None }
    }

    /// Returns an indent that leaves room for text.
    pub(in crate::channel::terminal) fn indent(&self, wanted: usize) -> usize {
        wanted.min(self.columns.saturating_sub(TEXT_COLUMNS_MIN))
    }

    /// Whether there is no room for numbers beside the choices.
    pub(in crate::channel::terminal) fn is_narrow(&self, indent: usize) -> bool {
        self.columns - indent < 16
    }

    /// Adds an empty line, unless there is one already or nothing stands above.
    pub(in crate::channel::terminal) fn blank(&mut self) {
        if self.lines.last().is_some_and(|line| !line.0.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// Adds a text, wrapped.
    pub(in crate::channel::terminal) fn text(&mut self, indent: usize, text: &str, role: Role) {
        if !text.is_empty() {
            let prefix = Line::of(" ".repeat(indent), Role::Plain);
            self.hang(&prefix, text, role);
        }
    }

    /// Adds a text behind a prefix, its further rows below its first.
    pub(in crate::channel::terminal) fn hang(&mut self, prefix: &Line, text: &str, role: Role) {
        let start = prefix.width();
        let room = self.columns.saturating_sub(start).max(1);
        for (idx, row) in wrap(text, room).into_iter().enumerate() {
            let mut line = if idx == 0 { prefix.clone() } else { Line::of(" ".repeat(start), Role::Plain) };
            line.push(row, role);
            self.lines.push(line);
        }
    }

    /// Puts a tag at the right end of the last line, or below it where there is no room.
    pub(in crate::channel::terminal) fn tag(&mut self, indent: usize, tag: &str, role: Role) {
        let at = self.columns.saturating_sub(width(tag));
        match self.lines.last_mut() {
            Some(line) if line.width() + 2 <= at => line.push_at(at, tag, role),
            _ => self.text(indent, tag, role),
        }
    }

    /// Says who asks and how much time is left: on every panel.
    pub(in crate::channel::terminal) fn asker(&mut self, panel: &Panel) {
        let asker = &panel.around.asker;
        let place = asker.project.as_ref().or(asker.folder.as_ref());
        let parts: Vec<String> = [asker.agent.as_ref(), place]
            .into_iter()
            .flatten()
            .map(|part| shown(part).replace(['\n', '\t'], " "))
            .collect();
        self.text(0, &parts.join(" · "), Role::Secondary);
        if let Some(left) = panel.time_left {
            let role = if left.as_secs() < 60 { Role::Bad } else { Role::Secondary };
            let text = panel.around.language.time_left(left);
            if parts.is_empty() {
                self.lines.push(Line::default());
            }
            self.tag(0, &text, role);
        }
    }
}
