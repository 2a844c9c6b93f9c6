//! Turns lines into what a terminal understands, and redraws in place.
//!
//! Only relative moves: where on the screen the panel stands is never asked, because asking needs
//! an answer from the terminal and races with what is typed. Remembers the last frame, so that it
//! can be gone over line by line, and so that after a resize it is known how many rows the
//! terminal has broken it into. Touches no terminal itself.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;

use super::draw::Frame;
use super::line::{Line, Role, Span};
use super::width::width as columns_of;

pub(super) const BEGIN: &str = "\x1b[?2026h\x1b[?25l\x1b[?7l";
pub(super) const END: &str = "\x1b[?7h\x1b[?2026l";
/// Clears from the cursor's row to the end of the screen. In two steps: a multiplexer that is asked to clear
/// the whole screen moves what stands there into its scrollback instead, and keeps a dead panel there.
const CLEAR_BELOW: &str = "\x1b[2K\r\n\x1b[J\x1b[A";
pub(super) const SHOW_CARET: &str = "\x1b[?25h";

/// What a terminal does with what it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether colours are wanted.
    pub colour: bool,
    /// Whether long lines are broken anew when the window gets narrower, as nearly every terminal
    /// does; where it does not, going up too far would wipe out what stands above.
    pub reflow: bool,
}

impl Look {
    /// Finds out from the environment's variables.
    pub fn from(get: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| get(name).is_some_and(|value| !value.is_empty());
        let console = get("TERM").is_some_and(|term| term == "linux");
        Self { colour: !is_set("NO_COLOR"), reflow: !console && !is_set("XTERM_VERSION") }
    }

    /// Writes a line, each piece in the colour of its role.
    pub(super) fn line(self, out: &mut String, line: &Line) {
        for Span { text, role, at } in &line.0 {
            if let Some(at) = at {
                write!(out, "\x1b[{}G", at + 1).unwrap_or_default();
            }
            let style = self.style(*role);
            if style.is_empty() {
                out.push_str(text);
            } else {
                write!(out, "\x1b[{style}m{text}\x1b[0m").unwrap_or_default();
            }
        }
    }

    fn style(self, role: Role) -> &'static str {
        match (role, self.colour) {
            (Role::Plain, _) | (Role::Good | Role::Bad, false) => "",
            (Role::Strong, _) | (Role::Accent | Role::Emphasis | Role::Code, false) => "1",
            (Role::Secondary, _) => "2",
            (Role::Emphasis, true) => "3",
            (Role::Code, true) => "35",
            (Role::Accent, true) => "36",
            (Role::Good, true) => "32",
            (Role::Bad, true) => "31",
        }
    }
}

/// Paints frames over one another.
#[derive(Debug)]
pub struct Painter {
    look: Look,
    before: Option<Painted>,
}

/// What stands on the screen.
#[derive(Debug)]
struct Painted {
    lines: Vec<Line>,
    screen_width: usize,
    screen_height: usize,
    /// Where the terminal's cursor was left.
    row: usize,
    column: usize,
    /// Rows of the panel that a shrinking window pushed out of sight. The panel then stands at
    /// the top of the screen, and a window that grows brings them back above it.
    lost: usize,
}

impl Painter {
    /// Returns a painter that has painted nothing yet.
    pub fn new(look: Look) -> Self {
        Self { look, before: None }
    }

    /// Returns the bytes that put this frame in place of the last one.
    pub fn frame(&mut self, frame: &Frame, screen: (usize, usize)) -> String {
        let (screen_width, screen_height) = screen;
        let mut out = BEGIN.to_owned();
        let lost = self.go_to_top(&mut out, screen);
        // A window of another size shows the old lines elsewhere.
        let before = self
            .before
            .take()
            .filter(|before| before.screen_width == screen_width && before.screen_height == screen_height);
        if before.is_none() {
            out.push_str(CLEAR_BELOW);
        }
        let old: &[Line] = before.as_ref().map_or(&[], |before| &before.lines);
        for (idx, line) in frame.lines.iter().enumerate() {
            if idx > 0 {
                out.push_str("\r\n");
            }
            if old.get(idx) != Some(line) {
                out.push_str("\x1b[2K");
                self.look.line(&mut out, line);
            }
        }
        if old.len() > frame.lines.len() {
            out.push_str("\x1b[B\r\x1b[J\x1b[A");
        }
        let end = frame.lines.len().saturating_sub(1);
        let (row, column) = frame.caret.unwrap_or((end, 0));
        out.push('\r');
        up(&mut out, end - row.min(end));
        if frame.caret.is_some() {
            write!(out, "\x1b[{}G{SHOW_CARET}", column + 1).unwrap_or_default();
        }
        out.push_str(END);
        self.before =
            Some(Painted { lines: frame.lines.clone(), screen_width, screen_height, row, column, lost });
        out
    }

    /// Returns the bytes that take the panel away and leave these lines for good.
    pub fn finish(&mut self, lines: &[Line], screen: (usize, usize)) -> String {
        let mut out = BEGIN.to_owned();
        self.go_to_top(&mut out, screen);
        out.push_str(CLEAR_BELOW);
        for line in lines {
            self.look.line(&mut out, line);
            out.push_str("\r\n");
        }
        out.push_str(END);
        out.push_str(SHOW_CARET);
        self.before = None;
        out
    }

    /// Forgets the last frame: something else has written since.
    pub fn forget(&mut self) {
        self.before = None;
    }

    /// Goes to where the last frame begins now, and returns how many of its rows are out of sight
    /// above the screen.
    fn go_to_top(&self, out: &mut String, screen: (usize, usize)) -> usize {
        out.push('\r');
        let Some(before) = &self.before else { return 0 };
        let (width, height) = (screen.0.max(1), screen.1);
        if (before.screen_width, before.screen_height) == screen {
            up(out, before.row);
            return before.lost;
        }
        let broken = self.look.reflow && width < before.screen_width;
        let rows = if broken {
            let above = before.lines.iter().take(before.row);
            let above: usize = above.map(|line| broken_rows(&line.text(), width) + 1).sum();
            let here = before.lines.get(before.row).map(Line::text).unwrap_or_default();
            above + broken_rows(&left_of(&here, before.column), width)
        } else {
            before.row
        };
        // The terminal stops at its top row, so going up too far there does no harm.
        let rows = rows + before.lost * before.screen_width / width;
        up(out, rows);
        rows.saturating_sub(height.saturating_sub(1))
    }
}

/// Returns how often a terminal of this width breaks a text that stood on one row. A wide letter
/// that would straddle the edge goes to the next row whole.
fn broken_rows(text: &str, width: usize) -> usize {
    let (mut row, mut column) = (0, 0);
    for cluster in text.graphemes(true) {
        let columns = columns_of(cluster);
        if column + columns > width {
            row += 1;
            column = 0;
        }
        column += columns;
    }
    row
}

/// Returns a text up to and with the letter in this column.
fn left_of(text: &str, column: usize) -> String {
    let mut end = 0;
    let letters = text.graphemes(true).take_while(|cluster| {
        let start = end;
        end += columns_of(cluster);
        start <= column
    });
    letters.collect()
}

fn up(out: &mut String, rows: usize) {
    if rows > 0 {
        write!(out, "\x1b[{rows}A").unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::draw;
    use crate::keys::press;
    use crate::samples::{auth_zh, keys, name, panel};

    const PLAIN: Look = Look { colour: false, reflow: true };

    fn frame(lines: &[&str], caret: Option<(usize, usize)>) -> Frame {
        let lines = lines.iter().map(|line| Line::of(*line, Role::Plain)).collect();
        let scroll = 0;
        Frame { lines, caret, scroll, ..Frame::default() }
    }

    /// Shows what a terminal of this size shows after all of it.
    fn screen(parts: &[String], width: u16) -> String {
        let size = |n| std::num::NonZero::new(n).unwrap();
        let mut parser = vt100::Parser::new(size(12), size(width), 0);
        parser.process(b"above\r\n");
        for part in parts {
            parser.process(part.as_bytes());
        }
        parser.screen().contents()
    }

    #[test]
    fn a_frame_is_painted_over_the_last_one_and_what_stands_above_stays() {
        let mut painter = Painter::new(PLAIN);
        let parts = [
            painter.frame(&frame(&["one", "two", "three"], Some((1, 2))), (20, 12)),
            painter.frame(&frame(&["one", "2"], None), (20, 12)),
        ];
        assert_eq!(screen(&parts, 20), "above\none\n2");
        let parts = [parts.concat(), painter.finish(&[Line::of("done", Role::Good)], (20, 12))];
        assert_eq!(screen(&parts, 20), "above\ndone");
    }

    #[test]
    fn a_line_that_did_not_change_is_not_painted_again() {
        let mut painter = Painter::new(PLAIN);
        painter.frame(&frame(&["same", "old"], None), (20, 12));
        let out = painter.frame(&frame(&["same", "new"], None), (20, 12));
        assert!(!out.contains("same") && out.contains("new"), "{out:?}");
    }

    #[test]
    fn after_a_resize_it_goes_up_as_many_rows_as_the_terminal_made_of_it() {
        let mut painter = Painter::new(PLAIN);
        painter.frame(&frame(&["0123456789", "0123456789", "end"], None), (10, 12));
        let out = painter.frame(&frame(&["01234"], None), (5, 12));
        assert!(out.contains(&format!("\x1b[4A{CLEAR_BELOW}")), "{out:?}");
        let mut painter = Painter::new(Look { reflow: false, ..PLAIN });
        painter.frame(&frame(&["0123456789", "0123456789", "end"], None), (10, 12));
        let out = painter.frame(&frame(&["01234"], None), (5, 12));
        assert!(out.contains(&format!("\x1b[2A{CLEAR_BELOW}")), "{out:?}");
    }

    #[test]
    fn a_wide_letter_at_the_edge_of_the_new_width_goes_to_the_next_row_whole() {
        let check = |text: &str, width: usize, rows: usize| assert_eq!(broken_rows(text, width), rows);
        check("0123456789", 5, 1);
        check("0123你56789", 5, 2);
        check("012你45678", 5, 1);
        check("", 5, 0);
        assert_eq!(left_of("0你2", 1), "0你");
    }

    #[test]
    fn no_color_means_no_colours_and_every_role_has_its_own() {
        let line = [Line::of("a", Role::Accent).and("b", Role::Bad)];
        let coloured = Look { colour: true, ..PLAIN };
        let out = Painter::new(coloured).finish(&line, (9, 12));
        assert!(out.contains("\x1b[36ma\x1b[0m\x1b[31mb"), "{out:?}");
        let out = Painter::new(PLAIN).finish(&line, (9, 12));
        assert!(!out.contains("\x1b[3"), "{out:?}");
        let look = Look::from(|name| (name == "NO_COLOR").then(|| "1".to_owned()));
        assert_eq!(look, PLAIN);
    }

    /// After every key the screen shows what was drawn, though most lines are not painted again.
    #[test]
    fn the_screen_always_shows_the_last_frame() {
        let script = r#"1 down space tab "你好" newline "two" tab up up ? esc esc down enter "no" esc esc"#;
        for size in [(80, 24), (44, 12), (30, 9)] {
            let nonzero = |n: usize| std::num::NonZero::new(u16::try_from(n).unwrap()).unwrap();
            let mut parser = vt100::Parser::new(nonzero(size.1), nonzero(size.0), 0);
            parser.process("above\r\n".repeat(3).as_bytes());
            let mut panel = panel(vec![auth_zh(), name()]);
            let mut painter = Painter::new(PLAIN);
            for key in keys(script) {
                press(&mut panel, key);
                let frame = draw(&panel, size.0, size.1);
                parser.process(painter.frame(&frame, size).as_bytes());
                let shown = parser.screen().contents();
                let drawn: Vec<String> = frame.lines.iter().map(Line::text).collect();
                assert!(shown.ends_with(&drawn.join("\n")), "{shown}");
                assert_eq!(parser.screen().hide_cursor(), frame.caret.is_none());
            }
        }
    }
}
