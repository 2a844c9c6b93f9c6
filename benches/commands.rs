//! What people wait for at their prompt: `list`, completion, `answer`, and a question until its panel is painted,
//! with one question open and with a thousand.
//!
//! Beside a Rust program that does nothing, in turns, as in `cold_start`. The daemon runs already.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use askuser_client::home::Home;
use askuser_client::{Client, NewAsk};
use askuser_system::environment::Environment;
use serde_json::json;
use tokio::runtime::Builder;

use crate::cold_start::{Program, built, paint};
use crate::{Outcome, program};

const RUNS: usize = 40;
/// How many questions are open.
const OPEN: [usize; 2] = [1, 1_000];
/// Questions of one conversation: fewer than may be asked in one within a minute.
const IN_SESSION: usize = 50;
/// Completion that takes longer is felt at the Tab key.
const TAB_MAX: Duration = Duration::from_millis(100);
const STARTS_WITHIN: Duration = Duration::from_secs(10);

/// A daemon with a folder of its own; it ends with this.
struct Daemon(Child);

impl Daemon {
    fn start(folder: &Path) -> Outcome<Self> {
        let child = Command::new(program("askuser"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .env_clear()
            // All at once, which one agent would not ask.
            .env("ASKUSER_MAX_SESSIONS_PER_USER", OPEN[1].to_string())
            .env("ASKUSER_KEY_RATE_FACTOR", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.join("bench.log"))?)
            .spawn()?;
        let daemon = Self(child);
        let until = Instant::now() + STARTS_WITHIN;
        while Home::new(folder).running().is_none() {
            if Instant::now() > until {
                return Err("the daemon did not start".into());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(daemon)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _dead = self.0.kill();
        let _waited = self.0.wait();
    }
}

/// Asks so many questions, and returns their ids.
fn asked(folder: &Path, n: usize) -> Outcome<Vec<String>> {
    let home = folder.to_string_lossy();
    let client = Client::new(&Environment::of(&[("ASKUSER_HOME", home.as_ref())]), Home::new(folder));
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let mut ids = Vec::with_capacity(n);
        for place in 0..n {
            let questions = json!({
                "session_id": format!("session-{}", place / IN_SESSION),
                "question": format!("Deploy build {place} to production?"), "type": "boolean",
            });
            ids.push(client.ask(&NewAsk { questions, ..NewAsk::default() }).await?.id.to_string());
        }
        Ok(ids)
    })
}

/// The commands; `id` is the question that is answered.
fn commands(id: &str) -> Vec<Program> {
    let words = |line: &[&str]| -> Vec<String> {
        std::iter::once(program("askuser")).chain(line.iter().map(|&word| word.to_owned())).collect()
    };
    let panel = ["ask", "Deploy-it-now?", "--output", "value"];
    vec![
        Program::new("askuser list", None, words(&["list"])).keeping(),
        Program::new("Tab after askuser answer", None, words(&["--", "askuser", "answer", ""]))
            .keeping()
            .var("ASKUSER_COMPLETE", "fish"),
        Program::new("askuser ask … --output value, painted", Some("Deploy-it-now?"), words(&panel))
            .keeping(),
        Program::new("askuser answer ID --pick yes", None, words(&["answer", id, "--pick", "yes"])).keeping(),
    ]
}

fn measure(n_open: usize, nothing: &str) -> Outcome {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let _daemon = Daemon::start(folder.path())?;
    // One more for each run, which is answered, and one for the run that is not measured.
    let ids = asked(folder.path(), n_open + RUNS + 1)?;
    let mut done: Vec<Program> = Vec::new();
    for (run, id) in ids.iter().take(RUNS + 1).enumerate() {
        let nothing = Program::new("a Rust program that does nothing", None, vec![nothing.to_owned()]);
        let mut these = vec![nothing];
        these.extend(commands(id));
        for program in &mut these {
            let took = paint(program, folder.path().as_os_str())?;
            program.times.push(took);
        }
        match run {
            0 => {}
            1 => done = these,
            _ => done.iter_mut().zip(these).for_each(|(all, one)| all.times.extend(one.times)),
        }
    }
    for program in &mut done {
        program.times.sort();
    }
    Ok(report(n_open, &done)?)
}

fn report(n_open: usize, programs: &[Program]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let baseline = programs.first().map_or(1.0, |program| program.median().as_secs_f64());
    writeln!(out, "\n{n_open} open, {RUNS} runs each, in turns")?;
    writeln!(out, "{:<38}{:>12}{:>12}{:>9}", "", "median ms", "p90 ms", "ratio")?;
    for program in programs {
        let (median, slow) = (program.median().as_secs_f64(), program.slow().as_secs_f64());
        let ratio = median / baseline;
        write!(out, "{:<38}{:>12.2}{:>12.2}{ratio:>8.2}x", program.name, median * 1e3, slow * 1e3)?;
        let is_tab = program.name.starts_with("Tab");
        let verdict = if program.median() <= TAB_MAX { "  within 100 ms" } else { "  NOT within 100 ms" };
        writeln!(out, "{}", if is_tab { verdict } else { "" })?;
    }
    Ok(())
}

pub(crate) fn run() -> Outcome {
    let folder = tempfile::tempdir()?;
    let nothing = built(folder.path(), "nothing", "", &[])?;
    OPEN.into_iter().try_for_each(|n_open| measure(n_open, &nothing))
}
