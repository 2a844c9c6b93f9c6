//! The process of an agent: in a group of its own, with only the environment that was listed, and
//! with an end that leaves nobody behind.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::{ServerId, TaskId};
use askuser_core::task::{Child as Process, Task};
use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::agent::ConfiguredAgent;
use super::leftover;
use super::lines::{self, LINE_BYTES_MAX, LINES_MAX, Line};

/// In the environment of everything that runs for a task: by it our own commands know that an agent
/// runs them, and a process that left its group is found.
pub const MARK: &str = "ASKUSER_TASK";
/// In the same environment: the server that runs it.
pub(super) const SERVER: &str = "ASKUSER_SERVER";
/// How long a process may take to end when it was asked to.
const GENTLY: Duration = Duration::from_secs(5);
/// What is kept of what it prints on standard error.
const STDERR_BYTES_MAX: usize = 8 * 1024;
/// Lines that wait to be written to it.
const OUT_MAX: usize = 64;

/// A running process.
pub(super) struct Child {
    process: tokio::process::Child,
    pub(super) id: Process,
    group: Group,
    task: TaskId,
    server: ServerId,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    reading: JoinHandle<()>,
}

/// The two ends of its pipes.
pub(super) struct Pipes {
    /// What it prints.
    pub(super) lines: mpsc::Receiver<Line>,
    /// What it is told. Dropped, its standard input is closed.
    pub(super) out: mpsc::Sender<String>,
}

/// Ends the group when it goes out of sight, however that comes about.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0.take() {
            // Where nobody is left, there is nobody to end.
            let _ended = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Child {
    /// Starts the process of an agent.
    pub(super) fn start(
        agent: &ConfiguredAgent,
        more_args: &[String],
        task: &Task,
        server: ServerId,
        surroundings: &[(String, String)],
    ) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(&agent.command);
        command
            .args(&agent.args)
            .args(more_args)
            .current_dir(Path::new(&task.folder))
            .env_clear()
            .envs(agent.environment.iter().map(|(name, value)| (name, value)))
            .envs(surroundings.iter().map(|(name, value)| (name, value)))
            .env(SERVER, server.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut process = command.spawn()?;
        let pid = process.id().unwrap_or_default();
        let group = Group(i32::try_from(pid).ok().and_then(Pid::from_raw));
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        else {
            return Err(io::Error::other("it has no pipes"));
        };
        let (to, lines) = mpsc::channel(LINES_MAX);
        tokio::spawn(lines::read(stdout, to, LINE_BYTES_MAX));
        let (out, waiting) = mpsc::channel(OUT_MAX);
        tokio::spawn(write(stdin, waiting));
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let reading = tokio::spawn(keep_end(stderr, Arc::clone(&kept)));
        let id = Process { pid, started: leftover::started(pid).unwrap_or_default() };
        Ok((Self { process, id, group, task: task.id, server, stderr: kept, reading }, Pipes { lines, out }))
    }

    /// Waits for its end by itself, for so long.
    pub(super) async fn ended_within(&mut self, wait: Duration) -> Option<ExitStatus> {
        tokio::time::timeout(wait, self.process.wait()).await.ok()?.ok()
    }

    /// Asks the whole group to end, and ends it where it does not. Nobody is left.
    pub(super) async fn end(&mut self) -> Option<ExitStatus> {
        let mut ended = self.process.try_wait().ok().flatten();
        if ended.is_none() {
            self.signal(Signal::TERM);
            ended = self.ended_within(GENTLY).await;
        }
        // The first of the group may be gone while others go on.
        self.signal(Signal::KILL);
        if ended.is_none() {
            ended = self.ended_within(GENTLY).await;
        }
        self.group.0 = None;
        leftover::end_marked(self.task, self.server);
        ended
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group.0 {
            let _sent = kill_process_group(group, signal);
        }
    }

    /// Returns the last that it printed on standard error, once it has ended.
    pub(super) async fn last_words(self) -> String {
        // What it printed just before its end may not have been read yet.
        let _read = tokio::time::timeout(GENTLY, self.reading).await;
        let kept = self.stderr.lock();
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

async fn write(mut stdin: tokio::process::ChildStdin, mut waiting: mpsc::Receiver<String>) {
    while let Some(mut line) = waiting.recv().await {
        line.push('\n');
        let written = stdin.write_all(line.as_bytes()).await;
        if written.is_err() || stdin.flush().await.is_err() {
            // It has closed its end: whoever listens to it will see why.
            return;
        }
    }
}

async fn keep_end(mut stderr: tokio::process::ChildStderr, kept: Arc<Mutex<VecDeque<u8>>>) {
    let mut piece = vec![0; 4096];
    while let Ok(n_bytes) = stderr.read(&mut piece).await {
        if n_bytes == 0 {
            return;
        }
        let mut kept = kept.lock();
        kept.extend(&piece[..n_bytes]);
        let too_many = kept.len().saturating_sub(STDERR_BYTES_MAX);
        kept.drain(..too_many);
    }
}
