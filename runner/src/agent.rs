//! Which agents there are and where they may work: what `config.yaml` says of them, and what of our environment they get.
//!
//! Nothing runs until somebody wrote down an agent and a folder. Nothing here is taken from an ask,
//! a project's files or the environment of an agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use askuser_config::{AgentPart, RunnerKeys};
use askuser_system::environment::Environment;

pub use askuser_config::Driver;

/// What an agent's process is given of our environment where nothing is said: what a program needs
/// to find its way, and nothing that opens doors.
const USUAL_VARIABLES: [&str; 9] =
    ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TMPDIR", "XDG_CONFIG_HOME"];

/// One agent, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredAgent {
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

/// Where the desk is found by what an agent starts: its own `askuser` asks in the task's session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskPlace {
    /// The data folder.
    pub home: PathBuf,
    pub program: PathBuf,
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
    pub agents: Vec<ConfiguredAgent>,
    /// Where the desk is found; none where what agents start is none of its business.
    pub desk: Option<DeskPlace>,
}

impl Agents {
    /// Puts together what the file says and what of the environment may be passed on.
    pub fn new(runner: &RunnerKeys, agents: &BTreeMap<String, AgentPart>, environment: &Environment) -> Self {
        let home = environment.path("HOME");
        let place = |folder: &String| expanded(folder, home.as_deref());
        let common: Vec<PathBuf> = runner.folders.iter().map(place).collect();
        let agents = agents.iter().map(|(name, part)| ConfiguredAgent {
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
            running_max: runner.running_max,
            timeout: runner.timeout,
            git: runner.git,
            agents: agents.collect(),
            desk: None,
        }
    }

    /// Whether there is anything that could run.
    pub fn is_off(&self) -> bool {
        self.agents.iter().all(|agent| agent.folders.is_empty())
    }

    /// Finds an agent; the only one where none is named.
    pub fn find(&self, name: Option<&str>) -> Option<&ConfiguredAgent> {
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
            RunnerKeys { folders: vec!["~/src".to_owned(), "/work".to_owned()], ..Default::default() };
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
        let off = |runner: &RunnerKeys, agents| Agents::new(runner, &agents, &none).is_off();
        let agents = || BTreeMap::from([("a".to_owned(), part(None))]);
        let folders = RunnerKeys { folders: vec!["/work".to_owned()], ..RunnerKeys::default() };
        assert!(off(&RunnerKeys::default(), BTreeMap::new()));
        assert!(off(&RunnerKeys::default(), agents()));
        assert!(off(&folders, BTreeMap::new()));
        assert!(!off(&folders, agents()));
    }
}
