//! The terminal device: whether there is one with a person at it, its size, its modes.
//!
//! Everything is written to `/dev/tty`, never to standard output. Whatever happens, the terminal
//! is left as it was: on leaving, on drop, on a panic. Knows nothing of questions.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event;
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::process::getpgrp;
use rustix::termios::{QueueSelector, isatty, tcflush, tcgetpgrp, tcgetwinsize};

const DEVICE: &str = "/dev/tty";
const OPEN: &[u8] = b"\x1b[?2004h\x1b[?25l";
/// Ends an update under way, turns wrapping and the cursor on and bracketed paste off.
const CLOSE: &[u8] = b"\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[?2004l";
/// A screen of its own, wiped; what stood on the other one comes back afterwards.
const OTHER_SCREEN: &[u8] = b"\x1b[?1049h\x1b[2J\x1b[H";
const FIRST_SCREEN: &[u8] = b"\x1b[?1049l";

/// Whether the terminal is in our modes, for a panic to find out.
static IS_OPEN: AtomicBool = AtomicBool::new(false);
/// Whether the other screen is shown.
static IS_FULL: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// The terminal of this process.
#[derive(Debug)]
pub struct Tty(File);

/// Returns the terminal, if there is one with a person at it: `/dev/tty` opens, we are in its
/// foreground, standard input or standard error is that terminal, and no agent runs us.
pub fn there_is_a_terminal(agent_mark: Option<&str>) -> Option<Tty> {
    if agent_mark.is_some() {
        return None;
    }
    let device = File::options().read(true).write(true).open(DEVICE).ok()?;
    if tcgetpgrp(&device).ok()? != getpgrp() {
        return None;
    }
    // Only the terminal that controls this process says which group is in its foreground, so
    // this also tells it from every other one. Device numbers do not: `/dev/tty` has its own.
    let input = is_ours(io::stdin());
    if isatty(io::stdin()) && !input {
        return None;
    }
    (input || is_ours(io::stderr())).then_some(Tty(device))
}

fn is_ours(stream: impl AsFd) -> bool {
    tcgetpgrp(stream).is_ok()
}

impl Tty {
    /// Whether a terminal of this type can show the panel; the plain mode is for the others.
    pub fn takes_panel(term: Option<&str>) -> bool {
        term.is_some_and(|term| !term.is_empty() && term != "dumb")
    }

    /// Returns columns and rows; those of a common terminal where it does not know.
    pub fn size(&self) -> io::Result<(usize, usize)> {
        let size = tcgetwinsize(&self.0)?;
        let known = |n: u16, common: usize| if n == 0 { common } else { usize::from(n) };
        Ok((known(size.ws_col, 80), known(size.ws_row, 24)))
    }

    /// Returns the device, to write to it when this is gone.
    pub fn output(&self) -> io::Result<File> {
        self.0.try_clone()
    }

    /// Writes to the terminal.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }

    /// Throws away what was typed before there was a question to be answered by it.
    pub fn drop_type_ahead(&self) -> io::Result<()> {
        tcflush(&self.0, QueueSelector::IFlush)?;
        while event::poll(Duration::ZERO)? {
            event::read()?;
        }
        Ok(())
    }

    /// Takes the terminal over: keys one by one, pastes marked, no cursor.
    pub fn open(&mut self) -> io::Result<()> {
        HOOK.call_once(restore_on_panic);
        IS_OPEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        self.0.write_all(OPEN)
    }

    /// Takes the whole terminal over: the same on a screen of its own.
    pub fn open_full(&mut self) -> io::Result<()> {
        HOOK.call_once(restore_on_panic);
        IS_FULL.store(true, Ordering::SeqCst);
        self.0.write_all(OTHER_SCREEN)?;
        self.open()
    }

    /// Whether the terminal is ours just now.
    pub fn is_open() -> bool {
        IS_OPEN.load(Ordering::SeqCst)
    }

    /// Gives the terminal back as it was.
    pub fn close(&mut self) {
        restore();
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        restore();
    }
}

fn restore_on_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        restore();
        before(panic);
    }));
}

/// Gives the terminal back, from wherever it is called. Failures have nowhere to go: the terminal
/// that would show them is the one that failed.
fn restore() {
    if !IS_OPEN.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Ok(mut device) = File::options().write(true).open(DEVICE) {
        device.write_all(CLOSE).ok();
        if IS_FULL.swap(false, Ordering::SeqCst) {
            device.write_all(FIRST_SCREEN).ok();
        }
    }
    disable_raw_mode().ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_terminal_is_none() {
        assert!(there_is_a_terminal(Some("CLAUDECODE")).is_none());
    }

    #[test]
    fn dumb_terminals_get_the_plain_mode() {
        assert!(Tty::takes_panel(Some("xterm-256color")));
        for term in [None, Some(""), Some("dumb")] {
            assert!(!Tty::takes_panel(term), "{term:?}");
        }
    }
}
