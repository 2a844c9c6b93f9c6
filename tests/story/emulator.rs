//! A terminal that shows what a program writes, in a window whose size may change at any moment.
//!
//! `vt100` does the work but for two things that real terminals do and that a resize needs: it does
//! not know how to leave the wrapping off, and it breaks no lines anew. What a program drew for a
//! wider window may arrive after the window got narrower; without wrapping it is cut off there.

use std::num::NonZero;

use crate::reflow::reflowed;

const WRAP_OFF: &[u8] = b"\x1b[?7l";
const WRAP_ON: &[u8] = b"\x1b[?7h";

/// A terminal and what it shows.
pub(crate) struct Emulator {
    parser: vt100::Parser,
    /// Everything that reached it.
    bytes: Vec<u8>,
    wraps: bool,
    breaks_lines_anew: bool,
}

impl Emulator {
    /// Returns an empty terminal; most real ones break their lines anew when they are resized.
    pub(crate) fn new(columns: u16, rows: u16, breaks_lines_anew: bool) -> Self {
        let parser = vt100::Parser::new(nonzero(rows), nonzero(columns), 1000);
        Self { parser, bytes: Vec::new(), wraps: true, breaks_lines_anew }
    }

    /// Shows what a program wrote.
    pub(crate) fn process(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.bytes.push(*byte);
            self.parser.process(&[*byte]);
            if self.bytes.ends_with(WRAP_OFF) {
                self.wraps = false;
            } else if self.bytes.ends_with(WRAP_ON) {
                self.wraps = true;
            }
            if !self.wraps {
                self.stay_in_the_last_column();
            }
        }
    }

    /// Changes its size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        let (columns, rows) = (nonzero(columns), nonzero(rows));
        if self.breaks_lines_anew {
            self.parser = reflowed(self.parser.screen(), columns, rows);
        } else {
            self.parser.screen_mut().set_size(rows, columns);
        }
    }

    /// What it shows.
    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Everything that reached it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Behind the last column the next letter would begin a new row. A letter was just shown there,
    /// so no sequence is under way that this one would break.
    fn stay_in_the_last_column(&mut self) {
        let columns = self.screen().size().1.get();
        if self.screen().cursor_position().1 >= columns {
            self.parser.process(format!("\x1b[{columns}G").as_bytes());
        }
    }
}

fn nonzero(size: u16) -> NonZero<u16> {
    NonZero::new(size).unwrap()
}

#[test]
fn without_wrapping_what_is_too_long_is_cut_off() {
    let mut emulator = Emulator::new(5, 3, false);
    emulator.process(b"\x1b[?7labcdefgh\r\nxy\x1b[?7h");
    assert_eq!(emulator.screen().contents(), "abcdh\nxy");
    emulator.process(b"z0123");
    assert_eq!(emulator.screen().rows(0, 5).collect::<Vec<_>>(), ["abcdh", "xyz01", "23"]);
}

#[test]
fn what_was_drawn_for_a_wider_window_and_arrives_later_is_cut_off() {
    let frame = "\x1b[?7l┌────────┐\r\n└────────┘\r\x1b[1A\x1b[?7h";
    for cut in 0..frame.len() {
        let mut emulator = Emulator::new(10, 4, false);
        emulator.process(&frame.as_bytes()[..cut]);
        emulator.resize(6, 4);
        emulator.process(&frame.as_bytes()[cut..]);
        let rows: Vec<String> = emulator.screen().rows(0, 6).collect();
        assert!(rows[0].starts_with("┌────") && rows[1].starts_with("└────"), "{cut}: {rows:?}");
        assert_eq!((rows[2].as_str(), emulator.screen().cursor_position()), ("", (0, 0)), "{cut}");
    }
}
