//! The environment of this process, read once; everything else is handed what it needs of it.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// Names and values, as they were when the program started.
#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<OsString, OsString>);

/// Variables that coding agents set for the commands that they run: nobody watches the terminal of
/// such a command, and no person types there (invariant 6).
const AGENT_MARKS: [&str; 9] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "OPENCODE",
    "CURSOR_AGENT",
    "QWEN_CODE",
];

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

    /// Returns a variable; an empty one counts as not set.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(std::ffi::OsStr::new(name))?.to_str().filter(|value| !value.is_empty())
    }

    /// Whether a variable is set to anything at all, text or not.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(std::ffi::OsStr::new(name)).is_some_and(|value| !value.is_empty())
    }

    /// Returns the name of the agent's mark that is set, if any is.
    pub fn agent_mark(&self) -> Option<&'static str> {
        AGENT_MARKS.into_iter().find(|name| self.has(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_mark_is_seen_and_an_empty_one_is_not() {
        assert_eq!(Environment::of(&[("CLAUDECODE", "1")]).agent_mark(), Some("CLAUDECODE"));
        assert_eq!(Environment::of(&[("CLAUDECODE", ""), ("HOME", "/x")]).agent_mark(), None);
    }
}
