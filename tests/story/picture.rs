//! The picture in the README is made from the real program, and this test keeps it true.
//!
//! `UPDATE_PICTURES=1 cargo test --test story picture` draws it anew.

use std::fmt::Write;
use std::path::Path;

use crate::asks::ASKUSER;
use crate::stage::Setup;

const CELL: (u16, u16) = (9, 18);
const MARGIN: u16 = 16;

/// The screen as an SVG: a dark terminal, one text element for each run of equal looks.
fn svg(screen: &vt100::Screen) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let last =
        (0..rows).rev().find(|row| (0..columns).any(|column| has_text(screen, *row, column))).unwrap_or(0);
    let (width, height) = (columns * CELL.0 + 2 * MARGIN, (last + 1) * CELL.1 + 2 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"askuser asks in the terminal\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#16161e\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace\" \
         font-size=\"15\" xml:space=\"preserve\">\n"
    );
    for row in 0..=last {
        for column in 0..columns {
            let Some(cell) = screen.cell(row, column).filter(|_| has_text(screen, row, column)) else {
                continue;
            };
            let (x, y) = (MARGIN + column * CELL.0, MARGIN + row * CELL.1 + 14);
            let n_cells = if cell.is_wide() { 2 } else { 1 };
            let bold = if cell.bold() { " font-weight=\"bold\"" } else { "" };
            let text = cell.contents().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            writeln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" textLength=\"{}\" fill=\"{}\"{bold}>{text}</text>",
                n_cells * CELL.0,
                colour(cell)
            )
            .unwrap();
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn has_text(screen: &vt100::Screen, row: u16, column: u16) -> bool {
    screen.cell(row, column).is_some_and(|cell| !cell.contents().trim().is_empty())
}

fn colour(cell: &vt100::Cell) -> &'static str {
    match cell.fgcolor() {
        vt100::Color::Idx(6 | 14) => "#7dcfff",
        vt100::Color::Idx(2 | 10) => "#9ece6a",
        vt100::Color::Idx(1 | 9) => "#f7768e",
        vt100::Color::Idx(5 | 13) => "#bb9af7",
        _ if cell.dim() => "#787c99",
        _ => "#c0caf5",
    }
}

#[test]
fn the_picture_in_the_readme_is_what_the_program_shows() {
    let mut stage = Setup::new(ASKUSER).arg("demo").size(84, 24).start();
    stage.sees("Which authentication method");
    stage.types("1");
    stage.sees("Which providers?");
    stage.types("\x1b[B ");
    stage.sees("[x] GitHub");
    let now = svg(&stage.screen());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prompt.svg");
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == now, "docs/prompt.svg is out of date: UPDATE_PICTURES=1 cargo test --test story picture");
}
