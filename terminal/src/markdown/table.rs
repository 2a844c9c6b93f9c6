//! A table: side by side where it fits, its cells broken into rows where it must be, and where even that is
//! too narrow a line for each cell.

use pulldown_cmark::Alignment;

use super::Ink;
use super::pieces::{Piece, wrapped};
use crate::line::{Line, Role};
use crate::width::width;
use crate::wrap::wrap;

/// Narrower columns are no help to a reader.
const COLUMN_MIN: usize = 10;
/// What stands between two columns.
const BETWEEN: usize = 3;

type Cell = Vec<Piece>;

/// A table while it is read.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Cell>>,
    row: Vec<Cell>,
    /// What stood in it beyond its columns.
    left_over: Vec<String>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new(), row: Vec::new(), left_over: Vec::new() }
    }

    pub(super) fn cell(&mut self, cell: Cell) {
        self.row.push(cell);
    }

    pub(super) fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    pub(super) fn left_over(&mut self, text: &str) {
        self.left_over.push(text.to_owned());
    }

    pub(super) fn lines(self, columns: usize, ink: Ink) -> Vec<Line> {
        let widths = if ink == Ink::Spoken { None } else { self.widths(columns) };
        let mut lines = match widths {
            Some(widths) => self.side_by_side(&widths),
            None => self.stacked(columns),
        };
        let left_over = self.left_over.iter().flat_map(|text| wrap(text, columns));
        lines.extend(left_over.map(|row| Line::of(row, Role::Secondary)));
        lines
    }

    /// Returns how wide each column is; none where they do not stand beside each other.
    fn widths(&self, columns: usize) -> Option<Vec<usize>> {
        let n_columns = self.alignments.len();
        let of_column = |idx: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(idx));
            cells.map(|cell| cell_width(cell).min(columns)).max().unwrap_or(0).max(1)
        };
        let room = columns.checked_sub(BETWEEN * n_columns.saturating_sub(1))?;
        let mut widths: Vec<usize> = (0..n_columns).map(of_column).collect();
        if widths.iter().map(|width| (*width).min(COLUMN_MIN)).sum::<usize>() > room {
            return None;
        }
        while widths.iter().sum::<usize>() > room {
            // The widest gives way.
            let widest = widths.iter_mut().max()?;
            *widest -= 1;
        }
        Some(widths)
    }

    fn side_by_side(&self, widths: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (row_idx, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<Line>> = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| wrapped(&headed(cell, row_idx == 0), *width))
                .collect();
            for line_idx in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let line = cells.iter().map(|cell| cell.get(line_idx).cloned().unwrap_or_default());
                lines.push(self.beside(line.collect(), widths));
            }
            if row_idx == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(Line::of(rules.join("─┼─"), Role::Secondary));
            }
        }
        lines
    }

    /// Puts one line of every cell beside each other.
    fn beside(&self, cells: Vec<Line>, widths: &[usize]) -> Line {
        let mut whole = Line::default();
        let last = widths.len().saturating_sub(1);
        for (idx, (cell, width)) in cells.into_iter().zip(widths).enumerate() {
            let free = width.saturating_sub(cell.width());
            let before = match self.alignments.get(idx) {
                Some(Alignment::Right) => free,
                Some(Alignment::Center) => free / 2,
                _ => 0,
            };
            whole.push(" ".repeat(before), Role::Plain);
            whole.0.extend(cell.0);
            if idx < last {
                whole.push(" ".repeat(free - before), Role::Plain);
                whole.push(" │ ", Role::Secondary);
            }
        }
        whole
    }

    /// Writes every cell on a line of its own, behind what its column is called.
    fn stacked(&self, columns: usize) -> Vec<Line> {
        let Some((head, rows)) = self.rows.split_first() else { return Vec::new() };
        if rows.is_empty() {
            return head.iter().flat_map(|cell| wrapped(&headed(cell, true), columns)).collect();
        }
        let mut lines = Vec::new();
        for (row_idx, row) in rows.iter().enumerate() {
            if row_idx > 0 {
                lines.push(Line::default());
            }
            for (idx, cell) in row.iter().enumerate() {
                let mut pieces = headed(head.get(idx).map_or(&[][..], Vec::as_slice), true);
                if !pieces.is_empty() {
                    pieces.push(Piece { text: ": ".to_owned(), role: Role::Strong });
                }
                pieces.extend(cell.iter().cloned());
                if !pieces.is_empty() {
                    lines.extend(wrapped(&pieces, columns));
                }
            }
        }
        lines
    }
}

fn cell_width(cell: &[Piece]) -> usize {
    width(&cell.iter().map(|piece| piece.text.as_str()).collect::<String>())
}

/// Returns a cell, all of it strong where it is of the head.
fn headed(cell: &[Piece], is_head: bool) -> Cell {
    let role = |piece: &Piece| if is_head && piece.role == Role::Plain { Role::Strong } else { piece.role };
    cell.iter().map(|piece| Piece { text: piece.text.clone(), role: role(piece) }).collect()
}
