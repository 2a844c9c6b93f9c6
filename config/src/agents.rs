//! The agents that the runner may start: the section `agents`, with names that the operator chooses.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::said::Fault;
use super::typed;
use crate::yaml::{Kind, Node};

/// One agent in the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentPart {
    /// How it is spoken to.
    pub driver: Driver,
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

/// How the section is written.
pub(super) const SAMPLE: &str = "\
agents:
  claude:
    driver: claude   # Claude Code
    command: claude
    environment: [PATH, HOME, ANTHROPIC_API_KEY]
  opencode:
    driver: acp      # any agent that speaks the Agent Client Protocol
    command: opencode
    args: [acp]";

/// Reads the section; what is wrong with it, agent by agent.
pub(super) fn read(node: &Node, faults: &mut Vec<Fault>) -> BTreeMap<String, AgentPart> {
    if !matches!(node.kind, Kind::Table(_) | Kind::Null) {
        faults.push(Fault::no_table(node, "agents"));
    }
    let mut agents = BTreeMap::new();
    for (name, part) in node.entries() {
        let named = name.text().unwrap_or_default();
        match serde_json::from_value(part.json()) {
            Ok(part) => drop(agents.insert(named.to_owned(), part)),
            Err(what) => {
                let what = typed::said(&what).within(|say, what| say.agent(named, what));
                faults.push(Fault { at: part.at, what });
            }
        }
    }
    agents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> (Vec<String>, Vec<String>) {
        let mut faults = Vec::new();
        let file = crate::yaml::parse(text).unwrap();
        let agents = read(file.get("agents").unwrap(), &mut faults);
        (agents.into_keys().collect(), faults.iter().map(|fault| fault.said().to_string()).collect())
    }

    #[test]
    fn agents_are_read_and_what_is_wrong_is_said() {
        assert_eq!(check(SAMPLE), (vec!["claude".to_owned(), "opencode".to_owned()], Vec::new()));
        let (agents, faults) =
            check("agents:\n  a:\n    driver: smoke\n    command: x\n  b:\n    driver: acp\n    comand: x\n");
        assert!(agents.is_empty());
        assert!(faults[0].contains("the agent `a`: is `smoke`, not one of claude, acp"), "{faults:?}");
        assert!(faults[1].contains("the agent `b`: no key `comand`: did you mean `command`?"), "{faults:?}");
        let (_, faults) = check("agents: [claude]");
        assert_eq!(faults, ["line 1, column 9: `agents` is a list, not a table"]);
    }
}
