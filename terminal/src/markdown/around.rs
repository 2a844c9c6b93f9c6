//! What a text stands in: quotes with their bars, items of lists with their marks.

use super::{Drawing, Ink};
use crate::line::{Line, Role};
use crate::wrap::wrap;

/// Bars and indents leave a text at least this many columns where there are as many.
const TEXT_COLUMNS_MIN: usize = 16;

/// What a text stands in.
pub(super) enum Around {
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
    fn kept(&self) -> impl Iterator<Item = (&Around, bool)> {
        let mut room = self.columns.saturating_sub(TEXT_COLUMNS_MIN);
        self.around.iter().map(move |around| {
            let columns = around.columns();
            let fits = columns <= room;
            room = if fits { room - columns } else { 0 };
            (around, fits)
        })
    }

    /// Returns the columns that are left for a text here.
    pub(super) fn room(&self) -> usize {
        let taken: usize = self.kept().filter(|(_, fits)| *fits).map(|(around, _)| around.columns()).sum();
        self.columns - taken
    }

    /// Puts lines behind the bars and indents that they stand in; the first has the marks of the items that
    /// begin with it. A mark that does not fit stands on a line of its own.
    pub(super) fn put(&mut self, lines: Vec<Line>) {
        let (mut first, mut next, mut above) = (Line::default(), Line::default(), String::new());
        for (around, fits) in self.kept() {
            match around {
                Around::Quote if fits => {
                    first.push(self.bar(), Role::Secondary);
                    next.push(self.bar(), Role::Secondary);
                }
                Around::Item { mark, columns } if fits => {
                    let blank = " ".repeat(*columns);
                    first.push(mark.clone().unwrap_or_else(|| blank.clone()), Role::Secondary);
                    next.push(blank, Role::Plain);
                }
                Around::Item { mark: Some(mark), .. } => above.push_str(mark),
                Around::Quote | Around::Item { .. } => {}
            }
        }
        let above = wrap(above.trim_end(), self.room()).into_iter().filter(|row| !row.is_empty());
        let above = above.map(|row| Line::of(row, Role::Secondary)).collect::<Vec<_>>();
        for (idx, line) in above.into_iter().chain(lines).enumerate() {
            let mut whole = if idx == 0 { first.clone() } else { next.clone() };
            whole.0.extend(line.0);
            self.lines.push(whole);
        }
        for around in &mut self.around {
            if let Around::Item { mark, .. } = around {
                *mark = None;
            }
        }
    }
}

impl Around {
    fn columns(&self) -> usize {
        match self {
            Self::Quote => 2,
            Self::Item { columns, .. } => *columns,
        }
    }
}
