//! A real program under a real pseudo-terminal, and what a person would see there.
//!
//! The screen is read through a terminal emulator, so a test asserts what is visible and not which
//! bytes were sent. Waiting is for a text to appear, bounded, never for a time to pass.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(20);

/// What to run and in which surroundings.
pub struct Setup {
    program: &'static str,
    args: Vec<String>,
    vars: Vec<(String, String)>,
    columns: u16,
    rows: u16,
    stdin: Option<String>,
}

/// A program that is running on a terminal.
pub struct Stage {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    seen: Arc<Seen>,
    home: tempfile::TempDir,
}

struct Seen {
    parser: Mutex<Terminal>,
    news: Condvar,
}

struct Terminal {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    ended: bool,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code.
    pub code: u32,
    /// What it printed on standard output.
    pub stdout: String,
    /// What the terminal shows, its cursor row last.
    pub screen: String,
    /// Every byte that reached the terminal.
    pub bytes: Vec<u8>,
}

impl Setup {
    pub fn new(program: &'static str) -> Self {
        Self { program, args: Vec::new(), vars: Vec::new(), columns: 80, rows: 30, stdin: None }
    }

    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// Standard input is a file with this text instead of the terminal.
    pub fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.to_owned());
        self
    }

    /// Starts it. Standard output goes to a file: it is the caller's, not the person's.
    pub fn start(self) -> Stage {
        let home = tempfile::tempdir().unwrap();
        let size = PtySize { rows: self.rows, cols: self.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("/bin/sh");
        let redirect = match &self.stdin {
            Some(text) => {
                std::fs::write(home.path().join("stdin"), text).unwrap();
                r#"exec "$@" >"$HOME/stdout" <"$HOME/stdin""#
            }
            None => r#"exec "$@" >"$HOME/stdout""#,
        };
        command.args(["-c", redirect, "sh", self.program]);
        command.args(&self.args);
        command.env_clear();
        command.env("HOME", home.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for (name, value) in &self.vars {
            command.env(name, value);
        }
        command.cwd(home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new(nonzero(self.rows), nonzero(self.columns), 1000);
        let terminal = Terminal { parser, bytes: Vec::new(), ended: false };
        let seen = Arc::new(Seen { parser: Mutex::new(terminal), news: Condvar::new() });
        let reader = pair.master.try_clone_reader().unwrap();
        let watched = Arc::clone(&seen);
        std::thread::spawn(move || watch(reader, &watched));
        let keys = pair.master.take_writer().unwrap();
        Stage { child, master: pair.master, keys, seen, home }
    }
}

fn nonzero(size: u16) -> NonZero<u16> {
    NonZero::new(size).unwrap()
}

fn watch(mut reader: Box<dyn Read + Send>, seen: &Seen) {
    let mut buffer = [0; 4096];
    loop {
        let read = reader.read(&mut buffer).unwrap_or(0);
        let mut terminal = seen.parser.lock().unwrap();
        terminal.parser.process(&buffer[..read]);
        terminal.bytes.extend_from_slice(&buffer[..read]);
        terminal.ended = read == 0;
        seen.news.notify_all();
        if read == 0 {
            return;
        }
    }
}

impl Stage {
    /// Waits until the screen satisfies a condition, and returns the screen.
    #[track_caller]
    pub fn wait(&self, what: &str, met: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut terminal = self.seen.parser.lock().unwrap();
        loop {
            let screen = terminal.parser.screen().contents();
            if met(&screen) {
                return screen;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !terminal.ended, "waited for {what}; the screen was:\n{screen}");
            terminal = self.seen.news.wait_timeout(terminal, left).unwrap().0;
        }
    }

    /// Waits until the screen shows a text, and returns the screen.
    #[track_caller]
    pub fn sees(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Waits until the screen no longer shows a text, and returns the screen.
    #[track_caller]
    pub fn loses(&self, text: &str) -> String {
        self.wait(&format!("no {text}"), |screen| !screen.contains(text))
    }

    /// Returns the screen with its colours.
    pub fn screen(&self) -> vt100::Screen {
        self.seen.parser.lock().unwrap().parser.screen().clone()
    }

    /// Types.
    pub fn types(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    /// Changes the terminal's size.
    pub fn resize(&self, columns: u16, rows: u16) {
        // First our own screen, so that what the program draws next lands on the new one.
        self.seen.parser.lock().unwrap().parser.screen_mut().set_size(nonzero(rows), nonzero(columns));
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// The home of the program.
    pub fn home(&self) -> PathBuf {
        self.home.path().to_owned()
    }

    /// Whether the terminal echoes and reads whole lines, as a shell expects it.
    pub fn is_cooked(&self) -> bool {
        use rustix::termios::{LocalModes, tcgetattr};
        let device = self.master.tty_name().unwrap();
        let terminal = std::fs::OpenOptions::new().read(true).open(device).unwrap();
        let modes = tcgetattr(&terminal).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    /// Whether the cursor is hidden, or pasting is bracketed.
    pub fn is_disturbed(&self) -> bool {
        let terminal = self.seen.parser.lock().unwrap();
        let screen = terminal.parser.screen();
        screen.hide_cursor() || screen.bracketed_paste()
    }

    /// Waits until the program ends.
    #[track_caller]
    pub fn ends(&mut self) -> Ended {
        let code = self.child.wait().unwrap().exit_code();
        let until = Instant::now() + PATIENCE;
        let mut terminal = self.seen.parser.lock().unwrap();
        // What it wrote last is still on its way. The other side stays open as long as we hold a
        // writer, so what is awaited is quiet: the program is gone, nothing more is written.
        while !terminal.ended && Instant::now() < until {
            let (next, waited) = self.seen.news.wait_timeout(terminal, Duration::from_millis(300)).unwrap();
            terminal = next;
            if waited.timed_out() {
                break;
            }
        }
        let screen = terminal.parser.screen().contents();
        let bytes = terminal.bytes.clone();
        let stdout = std::fs::read_to_string(self.home.path().join("stdout")).unwrap_or_default();
        Ended { code, stdout, screen, bytes }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A test that failed must not leave its program behind; one that ended cannot be killed.
        let _gone = self.child.kill();
    }
}
