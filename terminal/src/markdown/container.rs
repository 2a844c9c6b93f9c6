//! What a text stands in: quotes with their bars, items of lists with their marks.

use super::{Drawing, Ink};
use crate::line::{Line, Role};
use crate::wrap::wrap;

/// Bars and indents leave a text at least this many columns where there are as many.
const TEXT_COLUMNS_MIN: usize = 16;

/// What a text stands in.
pub(super) enum Container {
    Quote,
    /// An item of a list, with its mark until that is drawn.
    Item {
        mark: Option<String>,
        columns: usize,
    },
}

impl Drawing<'_> {
    pub(super) fn bar(&self) -> &'static str {
        if self.ink == Ink::Styled { "┃ " } else { "> " }
    }

    /// Returns what fits of the bars and indents around a text, from the outside in, in columns.
    fn kept(&self) -> impl Iterator<Item = (&Container, bool)> {
        let mut room = self.columns.saturating_sub(TEXT_COLUMNS_MIN);
        self.containers.iter().map(move |container| {
            let columns = container.columns();
            let fits = columns <= room;
            room = if fits { room - columns } else { 0 };
            (container, fits)
        })
    }

    /// Returns the columns that are left for a text here.
    pub(super) fn room(&self) -> usize {
        let taken: usize =
            self.kept().filter(|(_, fits)| *fits).map(|(container, _)| container.columns()).sum();
        self.columns - taken
    }

    /// Puts lines behind the bars and indents that they stand in; the first has the marks of the items that
    /// begin with it. A mark that does not fit stands on a line of its own.
    pub(super) fn put(&mut self, lines: Vec<Line>) {
        let (mut first, mut next, mut above) = (Line::default(), Line::default(), String::new());
        for (container, fits) in self.kept() {
            match container {
                Container::Quote if fits => {
                    first.push(self.bar(), Role::Secondary);
                    next.push(self.bar(), Role::Secondary);
                }
                Container::Item { mark, columns } if fits => {
                    let blank = " ".repeat(*columns);
                    first.push(mark.clone().unwrap_or_else(|| blank.clone()), Role::Secondary);
                    next.push(blank, Role::Plain);
                }
                Container::Item { mark: Some(mark), .. } => above.push_str(mark),
                Container::Quote | Container::Item { .. } => {}
            }
        }
        let above = wrap(above.trim_end(), self.room()).into_iter().filter(|row| !row.is_empty());
        let above = above.map(|row| Line::of(row, Role::Secondary)).collect::<Vec<_>>();
        for (idx, line) in above.into_iter().chain(lines).enumerate() {
            let mut whole = if idx == 0 { first.clone() } else { next.clone() };
            whole.0.extend(line.0);
            self.lines.push(whole);
        }
        for container in &mut self.containers {
            if let Container::Item { mark, .. } = container {
                *mark = None;
            }
        }
    }
}

impl Container {
    fn columns(&self) -> usize {
        match self {
            Self::Quote => 2,
            Self::Item { columns, .. } => *columns,
        }
    }
}
