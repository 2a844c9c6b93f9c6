//! What is known of each coding agent: a file for each, and one table of them.
//!
//! Whoever must tell one agent from another asks the table. Nothing is read or written here: the environment, the
//! files and the events are handed in.

#![forbid(unsafe_code)]

mod agent;
pub mod hook;
pub mod install;
mod others;
pub mod patience;

mod claude_code;
mod codex;
mod cursor;
mod gemini;
mod goose;
mod opencode;
mod qwen_code;
mod vscode;
mod windsurf;

pub use self::agent::{Agent, Meta};
pub use self::claude_code::SETTINGS as CLAUDE_CODE_SETTINGS;
pub use self::others::{MARKS as OTHER_MARKS, NAMES as OTHER_NAMES, PROGRAMS as OTHER_PROGRAMS};

/// Every agent, in the order in which people see them.
pub static AGENTS: [&Agent; 9] = [
    &claude_code::AGENT,
    &codex::AGENT,
    &gemini::AGENT,
    &opencode::AGENT,
    &cursor::AGENT,
    &vscode::AGENT,
    &windsurf::AGENT,
    &qwen_code::AGENT,
    &goose::AGENT,
];

/// Finds an agent by its name, on the command line or anywhere else.
pub fn named(name: &str) -> Option<&'static Agent> {
    AGENTS.into_iter().find(|agent| agent.is_called(name))
}

/// Finds an agent by what its programs call themselves.
pub fn by_client(name: &str) -> Option<&'static Agent> {
    let lower = name.to_lowercase();
    let is_its = |agent: &&&Agent| agent.clients.iter().any(|beginning| lower.starts_with(beginning));
    AGENTS.iter().find(is_its).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_agent_has_one_name_however_it_comes() {
        for (names, agent) in [
            (&["claude-code", "Claude-Code/2"][..], Some("claude-code")),
            (&["gemini", "gemini-cli", "gemini-cli-mcp-client"], Some("gemini-cli")),
            (&["codex-mcp-client"], Some("codex")),
            (&["cursor-vscode"], Some("cursor")),
            (&["Visual Studio Code"], Some("vscode")),
            (&["claude-ai", "", "../x"], None),
        ] {
            for name in names {
                assert_eq!(by_client(name).map(|agent| agent.name), agent, "{name}");
            }
        }
    }

    /// Whoever looks an agent up finds that one and no other.
    #[test]
    fn no_name_mark_or_program_stands_for_two_agents() {
        let mut known = BTreeSet::new();
        for agent in AGENTS {
            let names = BTreeSet::from([agent.name, agent.command_name()]);
            for word in names.iter().chain(agent.marks).chain(agent.doubts) {
                assert!(known.insert(*word), "{agent:?}: {word}");
            }
            assert!(!agent.title.is_empty() && !agent.clients.is_empty(), "{agent:?}");
            for name in names.into_iter().chain(agent.clients.iter().copied()) {
                assert_eq!(by_client(name), Some(agent), "{name}");
            }
        }
        let programs: Vec<&str> =
            AGENTS.iter().flat_map(|agent| agent.processes).chain(&OTHER_PROGRAMS).copied().collect();
        let different: BTreeSet<&str> = programs.iter().copied().collect();
        assert_eq!(different.len(), programs.len(), "{programs:?}");
    }
}
