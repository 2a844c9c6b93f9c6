//! A terminal of another size with the same text on it, its lines broken anew.
//!
//! The emulator cuts lines off when it gets narrower, as the Linux console does. Nearly every
//! other terminal breaks them into more rows, and that is what moves a panel under its program.

use std::num::NonZero;

/// A line as the program wrote it, and how many cells it takes.
#[derive(Default)]
struct Logical {
    text: String,
    n_cells: usize,
    /// The cells that begin a letter of two.
    wide: Vec<usize>,
    /// Where the cursor is, in cells, if it is here.
    cursor: Option<usize>,
}

impl Logical {
    /// Returns row and column of a cell where every row has this many columns. A wide letter that
    /// would straddle the edge goes to the next row whole.
    fn place(&self, cell: usize, columns: usize) -> (usize, usize) {
        let (mut row, mut column) = (0, 0);
        for idx in 0..=cell {
            let takes = if self.wide.contains(&idx) { 2 } else { 1 };
            if column + takes > columns {
                row += 1;
                column = 0;
            }
            column += 1;
        }
        (row, column - 1)
    }

    fn n_rows(&self, columns: usize) -> usize {
        self.place(self.n_cells.saturating_sub(1), columns).0 + 1
    }
}

/// Returns a terminal of this size that shows what the other one shows.
pub(crate) fn reflowed(screen: &vt100::Screen, columns: NonZero<u16>, rows: NonZero<u16>) -> vt100::Parser {
    let lines = logical_lines(screen);
    let mut parser = vt100::Parser::new(rows, columns, 1000);
    parser.process(screen.input_mode_formatted().as_bytes());
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    parser.process(texts.join("\r\n").as_bytes());
    let columns = usize::from(columns.get());
    let at = lines.iter().position(|line| line.cursor.is_some()).unwrap_or(0);
    let offset = lines[at].cursor.unwrap_or(0);
    let below: usize = lines[at + 1..].iter().map(|line| line.n_rows(columns)).sum();
    let (line_row, column) = lines[at].place(offset, columns);
    let up = (below + lines[at].n_rows(columns)).saturating_sub(1 + line_row);
    let row = usize::from(parser.screen().cursor_position().0).saturating_sub(up);
    let hide = if screen.hide_cursor() { "\x1b[?25l" } else { "" };
    parser.process(format!("{hide}\x1b[{};{}H", row + 1, column + 1).as_bytes());
    parser
}

/// Returns the lines down to the last that is written or has the cursor.
fn logical_lines(screen: &vt100::Screen) -> Vec<Logical> {
    let (n_rows, n_columns) = (screen.size().0.get(), screen.size().1.get());
    let (cursor_row, cursor_column) = screen.cursor_position();
    let mut lines = vec![Logical::default()];
    let mut last = 0;
    for row in 0..n_rows {
        let line = lines.last_mut().unwrap();
        if row == cursor_row {
            line.cursor = Some(line.n_cells + usize::from(cursor_column));
        }
        let written = (0..n_columns).rev().find(|column| screen.cell(row, *column).unwrap().has_contents());
        let end = if screen.row_wrapped(row) { n_columns } else { written.map_or(0, |column| column + 1) };
        for cell in (0..end).filter_map(|column| screen.cell(row, column)) {
            if cell.is_wide() {
                line.wide.push(line.n_cells);
            }
            line.n_cells += 1;
            match cell.contents() {
                _ if cell.is_wide_continuation() => {}
                "" => line.text.push(' '),
                text => line.text.push_str(text),
            }
        }
        if line.n_cells > 0 || line.cursor.is_some() {
            last = lines.len();
        }
        if !screen.row_wrapped(row) {
            lines.push(Logical::default());
        }
    }
    lines.truncate(last.max(1));
    lines
}

#[test]
fn lines_are_broken_anew_and_the_cursor_stays_at_its_letter() {
    let size = |n| NonZero::new(n).unwrap();
    let mut parser = vt100::Parser::new(size(4), size(10), 0);
    parser.process("one\r\n0123456789ab\r\n你好\x1b[A\x1b[2G".as_bytes());
    let parser = reflowed(parser.screen(), size(5), size(6));
    assert_eq!(parser.screen().rows(0, 5).collect::<Vec<_>>(), ["one", "01234", "56789", "ab", "你好", ""]);
    assert_eq!(parser.screen().cursor_position(), (3, 1));
}
