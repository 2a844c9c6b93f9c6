//! The person's own program: it is given the nudge as JSON on standard input and in its environment,
//! never on a command line that a shell would read. What it prints first is handed back to it when the
//! ask has closed.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use super::carrier::{Carrier, Later, SendError};
use super::nudge::{Ended, Letter};
use askuser_config::CommandPart;
use askuser_system::environment::Environment;
use askuser_words::both;
use askuser_words::nudge::Undelivered;

/// What a program is given of our environment: enough to find itself and the person's screen.
const PASSED_ON: [&str; 11] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
];
/// How much of what it prints is read.
const PRINTED_BYTES_MAX: u64 = 4096;
/// The longest receipt that is kept of it.
const RECEIPT_CHARS_MAX: usize = 200;
pub(super) struct Program {
    command: Vec<String>,
    closed: bool,
    time_max: Duration,
    environment: Vec<(&'static str, String)>,
}

impl Program {
    pub(super) fn new(part: &CommandPart, environment: &Environment) -> Self {
        let passed_on = PASSED_ON.iter().filter_map(|name| Some((*name, environment.get(name)?.to_owned())));
        Self {
            command: part.command.clone(),
            closed: part.closed,
            time_max: part.time,
            environment: passed_on.collect(),
        }
    }

    /// Runs it; returns the first line that it prints.
    pub(super) async fn run(
        &self,
        arguments: &[&str],
        told: &[(&str, &str)],
        json: &Value,
    ) -> Result<String, SendError> {
        let Some((program, own)) = self.command.split_first() else {
            return Err(SendError::never(both(Undelivered::no_program)));
        };
        let failed = |error: &std::io::Error| both(|say: Undelivered| say.program(program, error));
        let ended_with = |status: ExitStatus| both(|say: Undelivered| say.ended(program, status));
        let mut command = Command::new(program);
        command
            .args(own)
            .args(arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.envs(told.iter().copied()).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| SendError::never(failed(&error)))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let running = async {
            let written = async {
                if let Some(mut stdin) = stdin {
                    // A program that does not want to know need not read.
                    let _told = stdin.write_all(format!("{json}\n").as_bytes()).await;
                }
            };
            let mut printed = Vec::new();
            let read = async {
                if let Some(stdout) = stdout {
                    let _read = stdout.take(PRINTED_BYTES_MAX).read_to_end(&mut printed).await;
                }
            };
            tokio::join!(written, read);
            (child.wait().await, printed)
        };
        let (ended, printed) = tokio::time::timeout(self.time_max, running).await.map_err(|_| {
            SendError::never(both(|say: Undelivered| say.ran_too_long(program, self.time_max.as_secs())))
        })?;
        match ended {
            Ok(status) if status.success() => {
                let printed = String::from_utf8_lossy(&printed);
                Ok(printed.lines().next().unwrap_or_default().chars().take(RECEIPT_CHARS_MAX).collect())
            }
            // A program that says that it failed for now may be tried again: EX_TEMPFAIL.
            Ok(status) if status.code() == Some(75) => Err(SendError::later(ended_with(status))),
            Ok(status) => Err(SendError::never(ended_with(status))),
            Err(error) => Err(SendError::later(failed(&error))),
        }
    }
}

/// What a program finds in its environment.
pub(super) fn variables<'a>(letter: &'a Letter, asks: &'a str) -> [(&'static str, &'a str); 6] {
    [
        ("ASKUSER_NUDGE", letter.why.name()),
        ("ASKUSER_ID", letter.id.as_str()),
        ("ASKUSER_TITLE", letter.title.as_str()),
        ("ASKUSER_TEXT", letter.text.as_str()),
        ("ASKUSER_LINK", letter.link.as_deref().unwrap_or_default()),
        ("ASKUSER_ASKS", asks),
    ]
}

impl Carrier for Program {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        Box::pin(async move {
            let asks = letter.asks.join(" ");
            self.run(&[], &variables(letter, &asks), &letter.json()).await
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            if !self.closed {
                return Ok(());
            }
            let told = [
                ("ASKUSER_NUDGE", "closed"),
                ("ASKUSER_RECEIPT", receipt),
                ("ASKUSER_TEXT", ended.text.as_str()),
                ("ASKUSER_ASKS", ended.ask.as_str()),
            ];
            self.run(&[], &told, &ended.json()).await.map(drop)
        })
    }
}

#[cfg(test)]
mod tests;
