//! Cold start to the first painted question, beside programs that do nothing and beside `whiptail`.
//!
//! Every program starts under a pseudo-terminal of its own, in turns, so that a busy moment of the
//! machine hits all of them alike. Measured is the time from before the start until the terminal
//! was sent the question's text; for a program that shows nothing, until its end. What counts is
//! the ratio: machines differ.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::Outcome;

const RUNS: usize = 60;
/// What has not painted by then never will.
const PATIENCE: Duration = Duration::from_secs(5);
/// One word, so that no wrapping and no colour between words can part it.
const QUESTION: &str = "Which-database-suits-us?";

/// A program to start.
struct Program {
    name: &'static str,
    args: Vec<String>,
    /// What it paints; nothing for a program that only ends.
    paints: Option<&'static str>,
    times: Vec<Duration>,
}

impl Program {
    fn new(name: &'static str, paints: Option<&'static str>, args: Vec<String>) -> Self {
        Self { name, args, paints, times: Vec::new() }
    }

    /// Returns the middle time.
    fn median(&self) -> Duration {
        self.times[self.times.len() / 2]
    }

    /// Returns the time that nine of ten runs stay under.
    fn slow(&self) -> Duration {
        self.times[self.times.len() * 9 / 10]
    }
}

/// Builds a small program, with the settings of our release builds.
fn built(folder: &Path, name: &str, body: &str) -> Outcome<String> {
    let source = folder.join(format!("{name}.rs"));
    let program = folder.join(name);
    fs::write(&source, format!("fn main() {{ {body} }}\n"))?;
    let status = Command::new("rustc")
        .args(["--edition=2024", "-Copt-level=3", "-Cstrip=symbols", "-o"])
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
    let nothing = built(folder, "nothing", "")?;
    let prints = built(folder, "prints", &format!("println!(\"{QUESTION}\")"))?;
    let mut programs = vec![
        Program::new("a Rust program that does nothing", None, vec![nothing]),
        Program::new("one that prints the question", Some(QUESTION), vec![prints]),
        Program::new(
            "AskUserQuestion",
            Some(QUESTION),
            vec![env!("CARGO_BIN_EXE_AskUserQuestion").into(), ask],
        ),
    ];
    let whiptail = "/usr/bin/whiptail";
    if Path::new(whiptail).exists() {
        let menu = ["--menu", QUESTION, "20", "60", "2", "1", "PostgreSQL", "2", "SQLite"];
        let args = std::iter::once(whiptail).chain(menu).map(str::to_owned);
        programs.push(Program::new("whiptail --menu", Some(QUESTION), args.collect()));
    }
    Ok(programs)
}

/// Starts a program under a pseudo-terminal and returns how long it took to paint, or to end.
fn start(program: &Program, home: &OsStr) -> Outcome<Duration> {
    let terminal =
        native_pty_system().openpty(PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 })?;
    let mut command = CommandBuilder::from_argv(program.args.iter().map(Into::into).collect());
    // An agent's marks in our own environment would tell it that nobody is there.
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")] {
        command.env(name, value);
    }
    command.env("HOME", home);
    command.env("ASKUSER_HOME", home);
    command.env("ASKUSER_WHERE", "terminal");
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
    writeln!(out, "{:<34}{:>12}{:>12}{:>9}", "", "median ms", "p90 ms", "ratio")?;
    for program in programs {
        let median = program.median().as_secs_f64();
        let slow = program.slow().as_secs_f64();
        let (median_ms, slow_ms, ratio) = (median * 1e3, slow * 1e3, median / baseline);
        writeln!(out, "{:<34}{median_ms:>12.2}{slow_ms:>12.2}{ratio:>8.2}x", program.name)?;
    }
    Ok(())
}

pub(crate) fn run() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut programs = programs(folder.path())?;
    for program in &programs {
        start(program, folder.path().as_os_str())?; // Once unmeasured, so that all are in memory.
    }
    for _ in 0..RUNS {
        for program in &mut programs {
            let took = start(program, folder.path().as_os_str())?;
            program.times.push(took);
        }
    }
    for program in &mut programs {
        program.times.sort();
    }
    Ok(report(&programs)?)
}
