//! A real program under a real pseudo-terminal, and what a person would see there.
//!
//! The screen is read through a terminal emulator, so a test asserts what is visible and not which
//! bytes were sent. Waiting is for a text to appear, bounded, never for a time to pass.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use crate::emulator::Emulator;

const PATIENCE: Duration = Duration::from_secs(20);
/// What came up less than 400 ms ago takes no answer: people look before they press Enter.
const LOOK: Duration = Duration::from_millis(420);

/// A shell stays before the program, as it does for people: where the first program of a terminal ends, the kernel
/// throws away what is still on its way to the screen.
const SHELL: &str = r#"trap : INT TERM HUP TSTP; line=$1; shift; sh -c "$line" sh "$@"; exit $?"#;

/// What to run and in which surroundings.
pub(crate) struct Setup {
    program: &'static str,
    args: Vec<OsString>,
    vars: Vec<(String, String)>,
    columns: u16,
    rows: u16,
    stdin: Option<Vec<u8>>,
    before: String,
    wiring: &'static str,
    breaks_lines_anew: bool,
}

/// A program that is running on a terminal.
pub(crate) struct Stage {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    seen: Arc<Seen>,
    home: tempfile::TempDir,
}

struct Seen {
    terminal: Mutex<Terminal>,
    news: Condvar,
}

struct Terminal {
    emulator: Emulator,
    ended: bool,
}

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code.
    pub(crate) code: u32,
    /// What it printed on standard output.
    pub(crate) stdout: String,
    /// What the terminal shows, its cursor row last.
    pub(crate) screen: String,
    /// Every byte that reached the terminal.
    pub(crate) bytes: Vec<u8>,
}

impl Setup {
    pub(crate) fn new(program: &'static str) -> Self {
        Self {
            program,
            args: Vec::new(),
            vars: Vec::new(),
            columns: 80,
            rows: 30,
            stdin: None,
            before: String::new(),
            wiring: r#">"$HOME/stdout""#,
            breaks_lines_anew: false,
        }
    }

    pub(crate) fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub(crate) fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// Standard input is a file with this text instead of the terminal.
    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.into());
        self.wiring = r#">"$HOME/stdout" <"$HOME/stdin""#;
        self
    }

    /// What the agent wrote on the terminal before it asks.
    pub(crate) fn before(mut self, text: &str) -> Self {
        text.clone_into(&mut self.before);
        self
    }

    /// The program's streams, in the words of the shell, in place of `>"$HOME/stdout"`.
    pub(crate) fn wiring(mut self, wiring: &'static str) -> Self {
        self.wiring = wiring;
        self
    }

    /// A terminal that breaks its lines anew when it is resized, as nearly all do.
    pub(crate) fn breaks_lines_anew(mut self) -> Self {
        self.breaks_lines_anew = true;
        self
    }

    /// Starts it. Standard output goes to a file: it is the caller's, not the person's.
    pub(crate) fn start(self) -> Stage {
        let home = tempfile::tempdir().unwrap();
        let size = PtySize { rows: self.rows, cols: self.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("/bin/sh");
        if let Some(text) = &self.stdin {
            std::fs::write(home.path().join("stdin"), text).unwrap();
        }
        let line =
            format!(r#"printf '%s' "$BEFORE" >&2; unset BEFORE; echo $$ >pid; exec "$@" {}"#, self.wiring);
        command.args(["-c", SHELL, "sh", &line, self.program]);
        command.args(&self.args);
        command.env_clear();
        command.env("HOME", home.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("PATH", "/usr/bin:/bin");
        command.env("BEFORE", &self.before);
        // Most stories are about what is seen and pressed: they need no daemon, and leave none behind.
        if !self.vars.iter().any(|(name, _)| name == "ASKUSER_HOME") {
            command.env("ASKUSER_WHERE", "terminal");
        }
        for (name, value) in &self.vars {
            command.env(name, value);
        }
        command.cwd(home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let emulator = Emulator::new(self.columns, self.rows, self.breaks_lines_anew);
        let terminal = Mutex::new(Terminal { emulator, ended: false });
        let seen = Arc::new(Seen { terminal, news: Condvar::new() });
        let reader = pair.master.try_clone_reader().unwrap();
        let watched = Arc::clone(&seen);
        std::thread::spawn(move || watch(reader, &watched));
        let keys = pair.master.take_writer().unwrap();
        Stage { child, master: pair.master, keys, seen, home }
    }
}

fn watch(mut reader: Box<dyn Read + Send>, seen: &Seen) {
    let mut buffer = [0; 4096];
    loop {
        let read = match reader.read(&mut buffer) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // Linux tells the end of a terminal as an error.
            read => read.unwrap_or(0),
        };
        let mut terminal = seen.terminal.lock().unwrap();
        terminal.emulator.process(&buffer[..read]);
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
    pub(crate) fn wait(&self, what: &str, met: impl Fn(&str) -> bool) -> String {
        self.wait_cells(what, |screen| met(&screen.contents()))
    }

    /// Waits until the cells of the screen satisfy a condition, and returns the screen.
    #[track_caller]
    pub(crate) fn wait_cells(&self, what: &str, met: impl Fn(&vt100::Screen) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        let mut terminal = self.seen.terminal.lock().unwrap();
        loop {
            let screen = terminal.emulator.screen().contents();
            if met(terminal.emulator.screen()) {
                return screen;
            }
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !terminal.ended, "waited for {what}; the screen was:\n{screen}");
            terminal = self.seen.news.wait_timeout(terminal, left).unwrap().0;
        }
    }

    /// Waits until the screen shows a text, and returns the screen.
    #[track_caller]
    pub(crate) fn sees(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Waits until the screen no longer shows a text, and returns the screen.
    #[track_caller]
    pub(crate) fn loses(&self, text: &str) -> String {
        self.wait(&format!("no {text}"), |screen| !screen.contains(text))
    }

    /// Returns the screen with its colours.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.seen.terminal.lock().unwrap().emulator.screen().clone()
    }

    /// Types, as people do: what would answer comes after a look at the screen.
    pub(crate) fn types(&mut self, keys: &str) -> &mut Self {
        if keys.contains('\r') {
            self.looks();
        }
        self.types_bytes(keys.as_bytes());
        self
    }

    /// Looks at the screen for as long as nothing new is answered on it.
    pub(crate) fn looks(&mut self) -> &mut Self {
        std::thread::sleep(LOOK);
        self
    }

    /// Reads all of a question that the screen is too small for: up to its beginning, down to its end.
    pub(crate) fn reads(&mut self) -> &mut Self {
        let (up, down) = ("\x1b[5~", "\x1b[6~");
        self.types(&up.repeat(40)).types(&down.repeat(80))
    }

    /// Types bytes that need not be text.
    pub(crate) fn types_bytes(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).unwrap();
        self.keys.flush().unwrap();
    }

    /// Types, waits until the screen shows a text, and returns the screen.
    #[track_caller]
    pub(crate) fn does(&mut self, keys: &str, seen: &str) -> String {
        self.types(keys).sees(seen)
    }

    /// Changes the terminal's size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        // First our own screen, so that what the program draws next lands on the new one.
        let mut terminal = self.seen.terminal.lock().unwrap();
        terminal.emulator.resize(columns, rows);
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Sends the program a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// The process id.
    pub(crate) fn pid(&self) -> u32 {
        let until = Instant::now() + PATIENCE;
        loop {
            let said = std::fs::read_to_string(self.home.path().join("pid")).unwrap_or_default();
            if let Some(pid) = said.strip_suffix('\n') {
                return pid.parse().unwrap();
            }
            assert!(Instant::now() < until, "its shell did not start it");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The home of the program.
    pub(crate) fn home(&self) -> PathBuf {
        self.home.path().to_owned()
    }

    /// Whether the terminal echoes and reads whole lines, as a shell expects it.
    pub(crate) fn is_cooked(&self) -> bool {
        use rustix::termios::{LocalModes, tcgetattr};
        let device = self.master.tty_name().unwrap();
        let terminal = std::fs::OpenOptions::new().read(true).open(device).unwrap();
        let modes = tcgetattr(&terminal).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    /// Whether the cursor is hidden, or pasting is bracketed.
    pub(crate) fn is_disturbed(&self) -> bool {
        let terminal = self.seen.terminal.lock().unwrap();
        let screen = terminal.emulator.screen();
        screen.hide_cursor() || screen.bracketed_paste()
    }

    /// Waits until the program ends.
    #[track_caller]
    pub(crate) fn ends(&mut self) -> Ended {
        let until = Instant::now() + PATIENCE;
        let mut terminal = self.seen.terminal.lock().unwrap();
        // The terminal says that it ended when the last program on it let go of it.
        while !terminal.ended {
            let left = until.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "it did not end; the screen:\n{}",
                terminal.emulator.screen().contents()
            );
            terminal = self.seen.news.wait_timeout(terminal, left).unwrap().0;
        }
        let screen = terminal.emulator.screen().contents();
        let bytes = terminal.emulator.bytes().to_vec();
        drop(terminal);
        let code = self.child.wait().unwrap().exit_code();
        let stdout = std::fs::read_to_string(self.home.path().join("stdout")).unwrap_or_default();
        Ended { code, stdout, screen, bytes }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A test that failed must not leave its program behind; it ends with its shell, the first of the terminal.
        let _gone = self.child.kill();
    }
}
