//! Which agents there are and where they may work: the `runner` and `agents` parts of `config.yaml`.
//!
//! Nothing runs until somebody wrote down an agent and a folder. Nothing here is taken from an ask,
//! a project's files or the environment of an agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::environment::Environment;

/// Tasks that run at the same time where nothing is said.
const RUNNING_MAX: usize = 2;
/// What an agent's process is given of our environment where nothing is said: what a program needs
/// to find its way, and nothing that opens doors.
const USUAL_VARIABLES: [&str; 9] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME"];

/// The part of the file that is about running.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunnerPart {
    /// Folders in which every agent may work, and in what lies below.
    pub folders: Vec<String>,
    /// Tasks that run at the same time.
    pub running_max: Option<usize>,
    /// How many seconds a question of a task waits; for ever where nothing is said. Then the task is
    /// stopped (O4).
    pub timeout: Option<u64>,
    /// Whether a person is asked about uncommitted changes before a task begins, and about merging
    /// the branch that it made.
    pub git: bool,
}

/// One agent in the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentPart {
    /// How it is spoken to.
    pub driver: Driver,
    /// The program.
    pub command: String,
    /// Its arguments, before those that the driver adds.
    #[serde(default)]
    pub args: Vec<String>,
    /// Which variables it gets: `NAME` is passed on, `NAME=value` is set.
    pub environment: Option<Vec<String>>,
    /// Folders in which it may work, instead of those of everybody.
    #[serde(default)]
    pub folders: Vec<String>,
}

/// How an agent is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Driver {
    /// Claude Code's stream of JSON with its control protocol.
    Claude,
    /// The Agent Client Protocol.
    Acp,
}

impl Driver {
    /// Returns its word in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Acp => "acp",
        }
    }
}

/// One agent, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// How it is spoken to.
    pub driver: Driver,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Everything that is in its environment.
    pub environment: Vec<(String, String)>,
    /// Folders in which it may work.
    pub folders: Vec<PathBuf>,
}

/// Every agent there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agents {
    /// Tasks that run at the same time.
    pub running_max: usize,
    /// How long a question of a task waits.
    pub timeout: Option<Duration>,
    /// Whether a person is asked about the state of Git.
    pub git: bool,
    /// The agents, by name.
    pub agents: Vec<Agent>,
}

impl Agents {
    /// Puts together what the file says and what of the environment may be passed on.
    pub fn new(runner: &RunnerPart, agents: &BTreeMap<String, AgentPart>, environment: &Environment) -> Self {
        let home = environment.path("HOME");
        let place = |folder: &String| expanded(folder, home.as_deref());
        let common: Vec<PathBuf> = runner.folders.iter().map(place).collect();
        let agents = agents.iter().map(|(name, part)| Agent {
            name: name.clone(),
            driver: part.driver,
            command: expanded(&part.command, home.as_deref()),
            args: part.args.clone(),
            environment: variables(part.environment.as_deref(), environment),
            folders: if part.folders.is_empty() {
                common.clone()
            } else {
                part.folders.iter().map(place).collect()
            },
        });
        Self {
            running_max: runner.running_max.unwrap_or(RUNNING_MAX).max(1),
            timeout: runner.timeout.map(Duration::from_secs),
            git: runner.git,
            agents: agents.collect(),
        }
    }

    /// Whether there is anything that could run.
    pub fn is_off(&self) -> bool {
        self.agents.iter().all(|agent| agent.folders.is_empty())
    }

    /// Finds an agent; the only one where none is named.
    pub fn find(&self, name: Option<&str>) -> Option<&Agent> {
        match (name, self.agents.as_slice()) {
            (Some(name), agents) => agents.iter().find(|agent| agent.name == name),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }
}

fn expanded(path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix('~'), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(path),
    }
}

fn variables(listed: Option<&[String]>, environment: &Environment) -> Vec<(String, String)> {
    let usual = USUAL_VARIABLES.map(str::to_owned);
    let passed = |name: &str| environment.get(name).map(|value| (name.to_owned(), value.to_owned()));
    let one = |entry: &String| match entry.split_once('=') {
        Some((name, value)) => Some((name.to_owned(), value.to_owned())),
        None => passed(entry),
    };
    listed.unwrap_or(&usual).iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(environment: Option<Vec<String>>) -> AgentPart {
        AgentPart {
            driver: Driver::Claude,
            command: "~/bin/agent".to_owned(),
            args: Vec::new(),
            environment,
            folders: Vec::new(),
        }
    }

    #[test]
    fn only_what_is_listed_is_passed_on() {
        let ours = Environment::of(&[("HOME", "/home/ann"), ("PATH", "/bin"), ("SECRET", "x")]);
        let runner =
            RunnerPart { folders: vec!["~/src".to_owned(), "/work".to_owned()], ..Default::default() };
        let mut parts = BTreeMap::from([("usual".to_owned(), part(None))]);
        let listed = vec!["SECRET".to_owned(), "MODE=test=1".to_owned(), "ABSENT".to_owned()];
        parts.insert("own".to_owned(), part(Some(listed)));
        let agents = Agents::new(&runner, &parts, &ours);
        let of = |name: &str| agents.find(Some(name)).unwrap().environment.clone();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(of("usual"), [pair("PATH", "/bin"), pair("HOME", "/home/ann")]);
        assert_eq!(of("own"), [pair("SECRET", "x"), pair("MODE", "test=1")]);
        let usual = agents.find(Some("usual")).unwrap();
        assert_eq!(usual.command, Path::new("/home/ann/bin/agent"));
        assert_eq!(usual.folders, [Path::new("/home/ann/src"), Path::new("/work")]);
        assert_eq!((agents.running_max, agents.find(None)), (2, None));
    }

    #[test]
    fn nothing_runs_until_an_agent_and_a_folder_are_written_down() {
        let none = Environment::default();
        let off = |runner: &RunnerPart, agents| Agents::new(runner, &agents, &none).is_off();
        let agents = || BTreeMap::from([("a".to_owned(), part(None))]);
        let folders = RunnerPart { folders: vec!["/work".to_owned()], ..RunnerPart::default() };
        assert!(off(&RunnerPart::default(), BTreeMap::new()));
        assert!(off(&RunnerPart::default(), agents()));
        assert!(off(&folders, BTreeMap::new()));
        assert!(!off(&folders, agents()));
    }
}
