//! Finds the daemon of a data folder, or starts it in the background.
//!
//! Ten callers may come at once: each that finds nobody starts one, the lock lets a single one
//! live, and all of them wait for whichever it is. What a start said is in the log.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use askuser_api::operating::{ShowStatus, Stop};
use tokio::time::{Instant, sleep};

use super::error::ClientError;
use super::home::{Home, Running, ServerState};
use super::keys::Keys;
use super::{Client, Location};
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// How long a start may take.
const READY_WITHIN: Duration = Duration::from_secs(20);
/// How long a daemon may take to stop for a newer one.
const STOPPED_WITHIN: Duration = Duration::from_secs(10);
/// How often it is looked.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How much of the log is shown where a start failed.
const LOG_LINES: usize = 8;
const LOG_BYTES: u64 = 16 * 1024;

/// What a caller may want to tell the person about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartNotice {
    /// No daemon was there; one is being started.
    Starting {
        /// Where it logs.
        log: PathBuf,
    },
    /// An idle older daemon makes way for this version.
    Replacing { old: String },
    /// An older daemon stays, because agents wait for its asks, or work.
    Keeping {
        old: String,
        /// How many asks are open; none where a task is at work.
        open_asks: u64,
    },
    /// An older daemon stays, because somebody runs it: whoever it is knows how.
    Somebodys { old: String },
}

/// Finds the daemon or starts it, and returns when it takes calls.
pub async fn find_or_start(home: &Home, mut tell: impl FnMut(StartNotice)) -> Result<Running, ClientError> {
    if let Some(running) = home.running() {
        if !is_newer(env!("CARGO_PKG_VERSION"), &running.version) {
            return Ok(running);
        }
        if !replaced(home, &running, &mut tell).await? {
            return Ok(running);
        }
    }
    let (running, started) = start(home, Life::Resident, &mut tell).await?;
    if let Some(ours) = started {
        ours.end_unless(running.pid);
    }
    Ok(running)
}

/// Starts a daemon that other devices reach at this place, as `lan`, until it is stopped. Whoever wants
/// that has stopped the one before.
pub async fn start_on_network(
    home: &Home,
    place: &str,
    mut tell: impl FnMut(StartNotice),
) -> Result<Running, ClientError> {
    let (running, started) = start(home, Life::OnNetwork(place), &mut tell).await?;
    if let Some(ours) = started {
        ours.end_unless(running.pid);
    }
    Ok(running)
}

/// A daemon that ends with us, whatever becomes of us: it listens for the end of its input.
pub struct ChildServer(Child);

impl ChildServer {
    /// Ends it in good order, with its folder.
    pub fn end(mut self) {
        drop(self.0.stdin.take());
        // It ends by itself now; where it cannot be waited for, it is gone.
        let _ended = self.0.wait();
    }
}

/// Starts a daemon for as long as we live, in a folder that goes with it.
pub async fn start_child(home: &Home) -> Result<ChildServer, ClientError> {
    match start(home, Life::ChildServer, &mut |_| {}).await? {
        (_, Some(ours)) => Ok(ChildServer(ours.child)),
        (running, None) => {
            Err(ClientError::NotStarted { why: format!("the folder is owned by process {}", running.pid) })
        }
    }
}

/// How long a daemon lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life<'a> {
    /// Until somebody stops it.
    Resident,
    /// So too, and other devices come in at this place.
    OnNetwork(&'a str),
    /// As long as whoever started it.
    ChildServer,
}

/// Asks an older daemon to make way, if it is idle and we would start it as it was started.
async fn replaced(
    home: &Home,
    old: &Running,
    tell: &mut impl FnMut(StartNotice),
) -> Result<bool, ClientError> {
    if !old.by_itself {
        tell(StartNotice::Somebodys { old: old.version.clone() });
        return Ok(false);
    }
    let client = Client {
        location: Location::Address(old.url.clone()),
        keys: Keys::of(&Environment::default(), Some(home.clone())),
        http: super::http(),
        as_person: None,
        acknowledges: false,
        language: None,
    };
    // Making way is a courtesy: a daemon that cannot be asked about it works all the same.
    let Ok(status) = client.call::<ShowStatus>(KeyRole::Admin).send().await else {
        return Ok(false);
    };
    let open_asks = status.open_asks.unwrap_or(u64::MAX);
    if open_asks > 0 || status.tasks != Some(0) {
        tell(StartNotice::Keeping { old: old.version.clone(), open_asks });
        return Ok(false);
    }
    tell(StartNotice::Replacing { old: old.version.clone() });
    if client.call::<Stop>(KeyRole::Admin).send().await.is_err() && home.is_held() {
        return Ok(false);
    }
    wait_until_gone(home).await
}

/// Waits until nobody holds the lock; false where that takes too long.
pub async fn wait_until_gone(home: &Home) -> Result<bool, ClientError> {
    let until = Instant::now() + STOPPED_WITHIN;
    while home.is_held() {
        if Instant::now() >= until {
            return Ok(false);
        }
        sleep(LOOK_EVERY).await;
    }
    Ok(true)
}

async fn start(
    home: &Home,
    life: Life<'_>,
    tell: &mut impl FnMut(StartNotice),
) -> Result<(Running, Option<Started>), ClientError> {
    let until = Instant::now() + READY_WITHIN;
    let mut started: Option<Started> = None;
    loop {
        match home.look() {
            ServerState::Running(running) => return Ok((running, started)),
            // Ours, or that of another caller who was quicker.
            ServerState::Starting => {}
            ServerState::Nobody | ServerState::Crashed => match &mut started {
                None => {
                    tell(StartNotice::Starting { log: home.log() });
                    started = Some(Started::spawn(home, life)?);
                }
                Some(ours) => ours.is_well(home)?,
            },
        }
        if Instant::now() >= until {
            let said = started.map(|started| started.log_says(home)).unwrap_or_default();
            let why = format!("it is not ready after {} s{said}", READY_WITHIN.as_secs());
            return Err(ClientError::NotStarted { why });
        }
        sleep(LOOK_EVERY).await;
    }
}

/// A daemon that we started.
struct Started {
    child: Child,
    /// How long the log was before.
    log_from: u64,
    /// Since when it is gone, with nobody in its place.
    gone: Option<Instant>,
}

impl Started {
    fn spawn(home: &Home, life: Life<'_>) -> Result<Self, ClientError> {
        let program = program()?;
        let failed = |what: String| ClientError::NotStarted { why: what };
        // The folder is the owner's alone, as the daemon would make it.
        let made = DirBuilder::new().recursive(true).mode(0o700).create(home.folder());
        made.map_err(|error| {
            failed(format!(
                "{} cannot be made: {error}; set ASKUSER_HOME to another folder",
                home.folder().display()
            ))
        })?;
        let log = File::options().append(true).create(true).mode(0o600).open(home.log());
        let log = log.map_err(|error| {
            failed(format!(
                "{} cannot be written: {error}; set ASKUSER_HOME to another folder",
                home.log().display()
            ))
        })?;
        let log_from = log.metadata().map_or(0, |metadata| metadata.len());
        let both = |error: io::Error| failed(format!("{}: {error}", home.log().display()));
        let mut command = Command::new(&program);
        command.args(["serve", "--background", "--data"]).arg(home.folder()).current_dir(home.folder());
        command.stdin(Stdio::null()).stdout(log.try_clone().map_err(both)?).stderr(log);
        match life {
            Life::Resident => {}
            Life::OnNetwork(place) => drop(command.args(["--tls-listen", place])),
            Life::ChildServer => drop(command.arg("--with-parent").stdin(Stdio::piped())),
        }
        for name in Environment::not_inherited() {
            command.env_remove(name);
        }
        let child = command.spawn();
        let child = child.map_err(|error| failed(format!("{}: {error}", program.display())))?;
        Ok(Self { child, log_from, gone: None })
    }

    /// Fails where it ended and nobody else took its place: whoever won the lock may need a
    /// moment to say so.
    fn is_well(&mut self, home: &Home) -> Result<(), ClientError> {
        let Ok(Some(status)) = self.child.try_wait() else { return Ok(()) };
        let gone = *self.gone.get_or_insert_with(Instant::now);
        if gone.elapsed() < LOOK_EVERY * 5 {
            return Ok(());
        }
        Err(ClientError::NotStarted { why: format!("it ended at once ({status}){}", self.log_says(home)) })
    }

    /// Ends it where another caller's daemon won: it would only be refused, but when is the
    /// system's to say, and by then the other may have been stopped on purpose.
    fn end_unless(mut self, won: u32) {
        if self.child.id() != won {
            // One that is gone already cannot be ended again.
            let _ended = self.child.kill().and_then(|()| self.child.wait());
        }
    }

    fn log_says(&self, home: &Home) -> String {
        let lines = tail(&home.log(), self.log_from);
        if lines.is_empty() {
            return format!("; its log is {}", home.log().display());
        }
        format!("; its log ({}) says:\n{lines}", home.log().display())
    }
}

/// Returns the program `askuser`: this one, or the one beside it.
fn program() -> Result<PathBuf, ClientError> {
    let failed = |error: io::Error| ClientError::NotStarted { why: format!("where is askuser? {error}") };
    let own = std::env::current_exe().map_err(failed)?;
    let beside = own.with_file_name("askuser");
    // A program that was replaced while it ran is found by its name again.
    Ok(if beside.is_file() { beside } else { PathBuf::from("askuser") })
}

/// Returns the last lines of a log, of what was written since.
fn tail(path: &Path, since: u64) -> String {
    let Ok(mut file) = File::open(path) else { return String::new() };
    let len = file.metadata().map_or(0, |metadata| metadata.len());
    // One that is shorter than before is a new one: the daemon moved the old one away.
    let since = if since > len { 0 } else { since };
    let from = since.max(len.saturating_sub(LOG_BYTES));
    let mut text = Vec::new();
    if file.seek(SeekFrom::Start(from)).is_err() || file.read_to_end(&mut text).is_err() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].join("\n")
}

/// Whether a version is newer than another; what cannot be read is neither.
fn is_newer(own: &str, other: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        let plain = version.split(['-', '+']).next()?;
        plain.split('.').map(|part| part.parse().ok()).collect()
    };
    match (numbers(own), numbers(other)) {
        (Some(own), Some(other)) => own > other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_order_by_their_numbers() {
        for (own, other, newer) in [
            ("0.2.0", "0.1.9", true),
            ("0.10.0", "0.9.0", true),
            ("0.1.0", "0.1.0", false),
            ("0.1.0", "0.2.0", false),
            ("1.0.0", "odd", false),
            ("0.1.1-beta", "0.1.0", true),
        ] {
            assert_eq!(is_newer(own, other), newer, "{own} {other}");
        }
    }

    #[test]
    fn only_what_the_start_itself_wrote_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "old\nerror: new\nhint: do this\n").unwrap();
        assert_eq!(tail(&path, 4), "error: new\nhint: do this");
        let long: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        std::fs::write(&path, long.join("\n")).unwrap();
        assert_eq!(tail(&path, 0).lines().next(), Some("92"));
        assert_eq!(tail(&folder.path().join("none"), 0), "");
    }
}
