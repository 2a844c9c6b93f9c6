//! Cold start to the first painted question, beside programs that do nothing and beside `whiptail`.
//!
//! Every program starts under a pseudo-terminal of its own, in turns, so that a busy moment of the
//! machine hits all of them alike. Measured is the time from before the start until the terminal
//! was sent the question's text; for a program that shows nothing, until its end. What counts is
//! the ratio: machines differ. The first ask of all starts a daemon, in a folder of its own each time; it is gone before
//! the next program starts.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use askuser_client::home::Home;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use crate::{Outcome, program};

const RUNS: usize = 60;
/// What has not painted by then never will.
const PATIENCE: Duration = Duration::from_secs(5);
/// One word, so that no wrapping and no colour between words can part it.
const QUESTION: &str = "Which-database-suits-us?";

/// A program to start.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    args: Vec<String>,
    vars: Vec<(&'static str, &'static str)>,
    /// What it paints; nothing for a program that only ends.
    paints: Option<&'static str>,
    /// Whether it starts a daemon that keeps what is asked.
    keeps: bool,
    pub(crate) times: Vec<Duration>,
}

impl Program {
    pub(crate) fn new(name: &'static str, paints: Option<&'static str>, args: Vec<String>) -> Self {
        Self { name, args, vars: Vec::new(), paints, keeps: false, times: Vec::new() }
    }

    /// Has it keep what it asks.
    pub(crate) fn keeping(self) -> Self {
        Self { keeps: true, ..self }
    }

    /// Sets a variable of its environment.
    pub(crate) fn var(mut self, name: &'static str, value: &'static str) -> Self {
        self.vars.push((name, value));
        self
    }

    /// Returns the middle time.
    pub(crate) fn median(&self) -> Duration {
        self.times[self.times.len() / 2]
    }

    /// Returns the time that nine of ten runs stay under.
    pub(crate) fn slow(&self) -> Duration {
        self.times[self.times.len() * 9 / 10]
    }
}

/// Builds a small program, with the settings of our release builds.
pub(crate) fn built(folder: &Path, name: &str, body: &str, flags: &[&str]) -> Outcome<String> {
    let source = folder.join(format!("{name}.rs"));
    let program = folder.join(name);
    fs::write(&source, format!("fn main() {{ {body} }}\n"))?;
    let status = Command::new("rustc")
        .args(["--edition=2024", "-Copt-level=3", "-Cstrip=symbols"])
        .args(flags)
        .arg("-o")
        .args([&program, &source])
        .status()?;
    let program = program.to_string_lossy().into_owned();
    status.success().then_some(program).ok_or_else(|| "rustc failed".into())
}

/// Lists the programs that are there.
fn programs(folder: &Path) -> Outcome<Vec<Program>> {
    let ask = format!(
        r#"{{"questions":[{{"question":"{QUESTION}","header":"Database","multiSelect":false,"options":[{{"label":"PostgreSQL","description":"A server"}},{{"label":"SQLite","description":"A file"}}]}}]}}"#
    );
    let command = program("AskUserQuestion");
    let nothing = built(folder, "nothing", "", &[])?;
    let all_in_one = built(folder, "all_in_one", "", &["-Ctarget-feature=+crt-static"])?;
    let prints = built(folder, "prints", &format!("println!(\"{QUESTION}\")"), &[])?;
    let mut programs = vec![
        Program::new("a Rust program that does nothing", None, vec![nothing]),
        Program::new("the same, linked statically", None, vec![all_in_one]),
        Program::new("one that prints the question", Some(QUESTION), vec![prints]),
        Program::new(
            "AskUserQuestion, this terminal only",
            Some(QUESTION),
            vec![command.clone(), ask.clone()],
        ),
        Program::new("AskUserQuestion, the first ask", Some(QUESTION), vec![command, ask]).keeping(),
    ];
    let whiptail = "/usr/bin/whiptail";
    if Path::new(whiptail).exists() {
        let menu = ["--menu", QUESTION, "20", "60", "2", "1", "PostgreSQL", "2", "SQLite"];
        let args = std::iter::once(whiptail).chain(menu).map(str::to_owned);
        programs.push(Program::new("whiptail --menu", Some(QUESTION), args.collect()));
    }
    Ok(programs)
}

/// Starts a program in a home of its own, and leaves nothing of it running.
fn start(program: &Program) -> Outcome<Duration> {
    let folder = tempfile::tempdir()?;
    let took = paint(program, folder.path().as_os_str())?;
    end_daemon(folder.path())?;
    Ok(took)
}

/// Ends the daemon of a folder, where one was started; comes back when it is gone.
pub(crate) fn end_daemon(folder: &Path) -> Outcome {
    let home = Home::new(folder);
    // It opens the log before it starts the daemon: where there is none, there is no daemon either.
    let until = Instant::now() + PATIENCE;
    while home.log().exists() && Instant::now() < until {
        if let Some(pid) = home.running().and_then(|daemon| Pid::from_raw(daemon.pid.cast_signed())) {
            kill_process(pid, Signal::KILL)?;
            while home.is_held() {
                thread::sleep(Duration::from_millis(1));
            }
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Starts a program under a pseudo-terminal and returns how long it took to paint, or to end.
pub(crate) fn paint(program: &Program, home: &OsStr) -> Outcome<Duration> {
    let terminal =
        native_pty_system().openpty(PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 })?;
    let mut command = CommandBuilder::from_argv(program.args.iter().map(Into::into).collect());
    // An agent's marks in our own environment would tell it that nobody is there.
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")] {
        command.env(name, value);
    }
    for (name, value) in &program.vars {
        command.env(name, value);
    }
    // A pager would wait for a key.
    command.env("ASKUSER_PAGER", "");
    command.env("HOME", home);
    command.env("ASKUSER_HOME", home);
    if !program.keeps {
        command.env("ASKUSER_WHERE", "terminal");
    }
    let mut reader = terminal.master.try_clone_reader()?;
    let mut writer = terminal.master.take_writer()?;

    let begun = Instant::now();
    let mut child = terminal.slave.spawn_command(command)?;
    drop(terminal.slave);
    let mut killer = child.clone_killer();
    let (done, is_done) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        if is_done.recv_timeout(PATIENCE).is_err() {
            let _gone = killer.kill();
        }
    });
    let painted = read_until(&mut reader, &mut writer, program.paints);
    let took = begun.elapsed();
    done.send(()).ok();
    let _gone = child.kill();
    child.wait()?;
    let _ended = watch.join();
    match (painted, program.paints) {
        (false, Some(_)) => Err(format!("{} never painted the question", program.name).into()),
        _ => Ok(took),
    }
}

/// Reads until a text was painted or the program ended, and answers as a terminal does.
fn read_until(reader: &mut impl Read, writer: &mut impl Write, paints: Option<&str>) -> bool {
    let mut seen = Vec::new();
    let mut bytes = [0; 4096];
    // A pseudo-terminal whose other end is closed reads as an error on Linux.
    while let Ok(n_bytes @ 1..) = reader.read(&mut bytes) {
        seen.extend_from_slice(&bytes[..n_bytes]);
        let has = |text: &[u8]| seen.windows(text.len()).any(|window| window == text);
        if paints.is_some_and(|text| has(text.as_bytes())) {
            return true;
        }
        // Where is the cursor, and what are you: a real terminal answers both at once.
        for (query, reply) in [("\x1b[6n", "\x1b[1;1R"), ("\x1b[c", "\x1b[?62c")] {
            if has(query.as_bytes()) {
                let _sent = writer.write_all(reply.as_bytes()).and_then(|()| writer.flush());
                seen.clear();
                break;
            }
        }
    }
    false
}

/// Prints the times, each beside the first program's.
fn report(programs: &[Program]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let baseline = programs[0].median().as_secs_f64();
    writeln!(out, "cold start to the first painted question, {RUNS} runs each, in turns")?;
    writeln!(out, "{:<38}{:>12}{:>12}{:>9}", "", "median ms", "p90 ms", "ratio")?;
    for program in programs {
        let median = program.median().as_secs_f64();
        let slow = program.slow().as_secs_f64();
        let (median_ms, slow_ms, ratio) = (median * 1e3, slow * 1e3, median / baseline);
        writeln!(out, "{:<38}{median_ms:>12.2}{slow_ms:>12.2}{ratio:>8.2}x", program.name)?;
    }
    Ok(())
}

pub(crate) fn run() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut programs = programs(folder.path())?;
    for program in &programs {
        start(program)?; // Once unmeasured, so that all are in memory.
    }
    for _ in 0..RUNS {
        for program in &mut programs {
            let took = start(program)?;
            program.times.push(took);
        }
    }
    for program in &mut programs {
        program.times.sort();
    }
    Ok(report(&programs)?)
}
