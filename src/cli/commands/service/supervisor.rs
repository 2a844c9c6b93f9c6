//! Who starts the daemon and keeps it running: where its file lies, and what it is told.

use std::path::{Path, PathBuf};
use std::process::Command;

use askuser_words::commands::service::Service;

use super::{Supervisor, Wanted, plist, unit};
use askuser_ask::report::Report;
use askuser_system::environment::Environment;
use askuser_words::commands::setup::{Connecting, Editing};
use askuser_words::{Both, Language, both, quoted};

/// What launchd calls it.
const LABEL: &str = "askuser";
/// What systemd calls it.
const UNIT: &str = "askuser.service";

/// A call of another program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step(Vec<String>);

impl Step {
    fn of(words: &[&str]) -> Self {
        Self(words.iter().map(|word| (*word).to_owned()).collect())
    }

    /// Returns it as a shell takes it: none of its words needs quotes but the file's.
    pub(super) fn as_typed(&self) -> String {
        let word = |word: &String| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@".contains(c);
            if word.chars().all(plain) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Runs it and returns what it printed; where it failed, what it said.
    pub(super) fn run(&self) -> Result<String, Both> {
        let Some((program, args)) = self.0.split_first() else { return Ok(String::new()) };
        let output = Command::new(program).args(args).output();
        let output = output.map_err(|error| both(|said: Connecting| said.not_started(program, &error)))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        let (said, printed) = (text(&output.stderr), text(&output.stdout));
        let said = if said.is_empty() { printed } else { said };
        let said = quoted(said);
        Err(both(|language: Language| {
            format!("`{}`: {} ({})", self.as_typed(), language.of(&said), output.status)
        }))
    }
}

impl Supervisor {
    /// Returns the one of this system.
    pub(super) fn usual() -> Self {
        if cfg!(target_os = "macos") { Self::Launchd } else { Self::Systemd }
    }

    /// Returns where the file lies.
    pub(super) fn file(self, environment: &Environment) -> Result<PathBuf, Report> {
        let home = environment.path("HOME").filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| Report::input(Editing::no_home).hint(Editing::no_home_hint))?;
        Ok(match self {
            Self::Systemd => {
                let own = environment.path("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
                own.unwrap_or_else(|| home.join(".config")).join("systemd/user").join(UNIT)
            }
            Self::Launchd => home.join("Library/LaunchAgents").join(format!("{LABEL}.plist")),
        })
    }

    /// Returns what is written there.
    pub(super) fn text(self, wanted: &Wanted) -> String {
        match self {
            Self::Systemd => unit::text(wanted),
            Self::Launchd => plist::text(wanted, LABEL),
        }
    }

    /// What is done once the file is there: it runs now, as the file says, and from now on.
    pub(super) fn begin(self, file: &Path) -> Vec<Step> {
        match self {
            Self::Systemd => vec![
                Step::of(&["systemctl", "--user", "daemon-reload"]),
                Step::of(&["systemctl", "--user", "enable", UNIT]),
                Step::of(&["systemctl", "--user", "restart", UNIT]),
            ],
            Self::Launchd => {
                vec![Step::of(&["launchctl", "bootstrap", &domain(), &file.display().to_string()])]
            }
        }
    }

    /// What is done before the file goes, or is replaced.
    pub(super) fn end(self) -> Vec<Step> {
        match self {
            Self::Systemd => vec![Step::of(&["systemctl", "--user", "disable", "--now", UNIT])],
            Self::Launchd => vec![Step::of(&["launchctl", "bootout", &format!("{}/{LABEL}", domain())])],
        }
    }

    /// Whether it must be ended before the file is replaced: launchd takes none twice.
    pub(super) fn ends_first(self) -> bool {
        self == Self::Launchd
    }

    /// What is done once the file is gone.
    pub(super) fn forget(self) -> Vec<Step> {
        match self {
            Self::Systemd => vec![Step::of(&["systemctl", "--user", "daemon-reload"])],
            Self::Launchd => Vec::new(),
        }
    }

    /// Returns whether it runs at this moment, and whether it will by itself, in its own words.
    pub(super) fn state(self) -> (String, String) {
        let word = |words: &[&str]| {
            // `is-active` fails where it is not, and says so all the same.
            let asked = Command::new(words.first().copied().unwrap_or_default()).args(&words[1..]).output();
            asked.map_or_else(
                |error| format!("unknown ({error})"),
                |output| match String::from_utf8_lossy(&output.stdout).lines().next() {
                    Some(line) => line.trim().to_owned(),
                    None if output.status.success() => "yes".to_owned(),
                    None => "no".to_owned(),
                },
            )
        };
        match self {
            Self::Systemd => (
                word(&["systemctl", "--user", "is-active", UNIT]),
                word(&["systemctl", "--user", "is-enabled", UNIT]),
            ),
            Self::Launchd => {
                let print = Step::of(&["launchctl", "print", &format!("{}/{LABEL}", domain())]).run();
                let running = print.as_ref().is_ok_and(|told| told.contains("state = running"));
                let loaded = if print.is_ok() { "enabled" } else { "disabled" };
                (if running { "active" } else { "inactive" }.to_owned(), loaded.to_owned())
            }
        }
    }

    /// Returns what a person has to know besides.
    pub(super) fn remark(self, words: Service) -> &'static str {
        match self {
            Self::Systemd => words.systemd(),
            Self::Launchd => words.launchd(),
        }
    }

    /// Returns its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Systemd => "systemd",
            Self::Launchd => "launchd",
        }
    }
}

/// The person's own part of launchd.
fn domain() -> String {
    format!("gui/{}", rustix::process::getuid().as_raw())
}
