//! The environment of this process, read once; everything else is handed what it needs of it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use askuser_agents::{AGENTS, Agent, OTHER_MARKS, OTHER_NAMES};

/// Names and values, as they were when the program started.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

/// Our own mark, of what runs for a task.
const TASK: &str = "ASKUSER_TASK";

/// A mark for some values only: as a name it is too common.
const AGENT: &str = "AGENT";

/// Every mark: variables of the commands that coding agents run, where nobody watches the terminal and no person
/// types (invariant 6).
fn marks() -> impl Iterator<Item = &'static str> {
    let known = AGENTS.into_iter().flat_map(|agent| agent.marks).copied();
    std::iter::once(TASK).chain(known).chain(OTHER_MARKS).chain([AGENT])
}

fn is_agent(value: &str) -> bool {
    AGENTS.iter().any(|agent| agent.name == value) || OTHER_NAMES.contains(&value)
}

impl Environment {
    /// Reads the environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads it")]
    pub fn of_this_process() -> Self {
        Self(std::env::vars_os().collect())
    }

    /// Returns a made-up environment.
    pub fn of(vars: &[(&str, &str)]) -> Self {
        Self(vars.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
    }

    /// Reads the environment of another process, as the system shows it: `NAME=VALUE`, ended by NUL.
    pub fn of_block(block: &[u8]) -> Self {
        use std::os::unix::ffi::OsStrExt;
        let pairs = block.split(|byte| *byte == 0).filter_map(|pair| {
            let equals = pair.iter().position(|byte| *byte == b'=')?;
            let (name, value) = (pair.get(..equals)?, pair.get(equals + 1..)?);
            Some((OsStr::from_bytes(name).to_owned(), OsStr::from_bytes(value).to_owned()))
        });
        Self(pairs.collect())
    }

    /// Returns a variable; an empty one counts as not set.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(OsStr::new(name))?.to_str().filter(|value| !value.is_empty())
    }

    /// Whether a variable is set to anything at all, text or not.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(OsStr::new(name)).is_some_and(|value| !value.is_empty())
    }

    /// Whether a variable is there, be it empty.
    pub fn is_set(&self, name: &str) -> bool {
        self.0.contains_key(OsStr::new(name))
    }

    /// Returns it with one variable set, and another not.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str, without: &str) -> Self {
        self.0.insert(name.into(), value.into());
        self.0.remove(OsStr::new(without));
        self
    }

    /// Returns a variable that names a path, which need not be text.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.0.get(OsStr::new(name)).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// Returns a path as it is told to others: the home folder as `~`.
    pub fn told(&self, path: &Path) -> String {
        let below = self.path("HOME").and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned));
        match below {
            Some(below) if below.as_os_str().is_empty() => "~".to_owned(),
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        }
    }

    /// Returns the folder in which the program was started.
    pub fn folder(&self) -> Option<PathBuf> {
        std::env::current_dir().ok()
    }

    /// Returns the name of the agent's mark that is set, if any is.
    pub fn agent_mark(&self) -> Option<&'static str> {
        let is_set = |name: &str| match name {
            AGENT => self.get(AGENT).is_some_and(is_agent),
            _ => self.has(name),
        };
        marks().find(|name| is_set(name))
    }

    /// Returns the name of a variable that stands in an agent's terminals and in its person's.
    pub fn agent_doubt(&self) -> Option<&'static str> {
        AGENTS.into_iter().flat_map(|agent| agent.doubts).copied().find(|name| self.has(name))
    }

    /// Returns the agent whose mark is set.
    pub fn agent(&self) -> Option<&'static Agent> {
        AGENTS.into_iter().find(|agent| agent.marks.iter().any(|name| self.has(name)))
    }

    /// Returns the agent's own name for its conversation, where it tells one: what a repeated ask
    /// is told apart by.
    pub fn conversation(&self) -> Option<&str> {
        // Where one agent runs another, both tell one. Claude Code stands first in the table and its conversation is
        // the longer one: by it, two of another agent's would be taken for the same.
        AGENTS.iter().rev().filter_map(|agent| agent.conversation).find_map(|name| self.get(name))
    }

    /// Returns the session of the task that this runs for, where it runs for one: what is asked goes
    /// there.
    pub fn session(&self) -> Option<&str> {
        self.get("ASKUSER_SESSION")
    }

    /// Returns the driver of the task that this runs for.
    pub fn driver(&self) -> Option<&str> {
        self.get("ASKUSER_DRIVER").filter(|_| self.has(TASK))
    }

    /// Returns the variables that a program in the background must not inherit: marks of the agent
    /// that happened to start it, and keys.
    pub fn not_inherited() -> impl Iterator<Item = &'static str> {
        marks().chain([
            "ASKUSER_KEY",
            "ASKUSER_AGENT_KEY",
            "ASKUSER_URL",
            "ASKUSER_WHERE",
            "ASKUSER_PLAIN",
            "ASKUSER_HOLD",
            "ASKUSER_AGENT_DIALOG",
            "ASKUSER_SESSION",
            "ASKUSER_DRIVER",
            "ASKUSER_SERVER",
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_agents::by_client;

    #[test]
    fn a_path_is_told_from_home() {
        let environment = Environment::of(&[("HOME", "/home/ana")]);
        for (path, told) in [("/home/ana/shop", "~/shop"), ("/home/ana", "~"), ("/srv/x", "/srv/x")] {
            assert_eq!(environment.told(Path::new(path)), told);
        }
    }

    #[test]
    fn an_agent_has_one_name_however_it_comes() {
        for (mark, agent) in [
            ("CLAUDE_CODE_ENTRYPOINT", "claude-code"),
            ("GEMINI_CLI", "gemini-cli"),
            ("QWEN_CODE", "qwen-code"),
        ] {
            let found = Environment::of(&[("ASKUSER_TASK", "t"), (mark, "1")]).agent().unwrap();
            assert_eq!((found.name, by_client(found.name)), (agent, Some(found)));
        }
    }

    #[test]
    fn an_agents_mark_is_seen_and_an_empty_one_is_not() {
        assert_eq!(Environment::of(&[("CLAUDECODE", "1")]).agent_mark(), Some("CLAUDECODE"));
        assert_eq!(Environment::of(&[("CLAUDECODE", ""), ("HOME", "/x")]).agent_mark(), None);
        assert_eq!(
            Environment::of(&[("GOOSE_TERMINAL", "1")]).agent().map(|agent| agent.name),
            Some("goose")
        );
        assert_eq!(Environment::of(&[("AGENT", "amp")]).agent_mark(), Some("AGENT"));
        assert_eq!(Environment::of(&[("AGENT", "ssh"), ("CLAUDE_CODE_SSE_PORT", "1")]).agent_mark(), None);
    }

    #[test]
    fn another_process_s_environment_is_read_as_the_system_shows_it() {
        let environment =
            Environment::of_block(b"HOME=/home/ana\0CODEX_CI=1\0ODD\0A=b=c\0CURSOR_TRACE_ID=x\0");
        assert_eq!((environment.get("HOME"), environment.get("A")), (Some("/home/ana"), Some("b=c")));
        assert_eq!(
            (environment.agent_mark(), environment.agent_doubt()),
            (Some("CODEX_CI"), Some("CURSOR_TRACE_ID"))
        );
        assert_eq!(Environment::of_block(b"").agent_mark(), None);
    }
}
