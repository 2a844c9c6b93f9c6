//! The desktop's own notifications, by the program that the system has for them: `notify-send`, or
//! `osascript` on a Mac. A library for it would be 66 crates and two minutes (docs/decisions/0025).

use std::time::Duration;

use serde_json::Value;

use super::carrier::{Carrier, Later, SendError};
use super::command::Program;
use super::nudge::{Ended, Letter};
use askuser_config::CommandPart;
use askuser_system::environment::Environment;
use askuser_words::nudge::Undelivered;
use askuser_words::{Both, both};

/// A Mac is told by a script that takes what it says as arguments, so that nothing in it is run.
const SCRIPT: &str =
    "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
/// How long it may take.
const TIME_MAX: Duration = Duration::from_secs(10);

/// The desktop that this daemon runs on.
pub(super) struct Desktop {
    program: Program,
    /// Whether a message can be put in the place of another.
    replaces: bool,
}

impl Desktop {
    pub(super) fn new(environment: &Environment) -> Result<Self, Both> {
        let is_mac = cfg!(target_os = "macos");
        let command: &[&str] = if is_mac {
            &["osascript", "-e", SCRIPT]
        } else {
            &["notify-send", "--app-name=askuser", "--print-id"]
        };
        let has_screen = is_mac
            || ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"]
                .iter()
                .any(|name| environment.has(name));
        if !has_screen {
            return Err(both(Undelivered::no_desktop));
        }
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        let part = CommandPart { command, closed: true, time: TIME_MAX };
        Ok(Self { program: Program::new(&part, environment), replaces: !is_mac })
    }
}

impl Carrier for Desktop {
    fn send<'a>(&'a self, letter: &'a Letter) -> Later<'a, Result<String, SendError>> {
        // `--` ends the options: an agent's text that begins with a dash is a text.
        let dashes: &[&str] = if self.replaces { &["--"] } else { &[] };
        Box::pin(async move {
            let arguments = [dashes, &[letter.title.as_str(), letter.text.as_str()]].concat();
            self.program.run(&arguments, &[], &Value::Null).await
        })
    }

    fn take_back<'a>(&'a self, receipt: &'a str, ended: &'a Ended) -> Later<'a, Result<(), SendError>> {
        Box::pin(async move {
            // Only a number is a receipt of notify-send; an older one prints none.
            if !self.replaces || receipt.parse::<u32>().is_err() {
                return Ok(());
            }
            let replace = format!("--replace-id={receipt}");
            let arguments = [replace.as_str(), "--expire-time=3000", "--", "askuser", ended.text.as_str()];
            self.program.run(&arguments, &[], &Value::Null).await.map(drop)
        })
    }
}

#[cfg(test)]
mod tests;
