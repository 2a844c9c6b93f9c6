//! One coding agent: the record that its file fills in.

use std::fmt;

use crate::hook::{Hooks, Mode};
use crate::install::Install;
use crate::patience::Patience;

/// Everything that is known of a coding agent. What is not known is left out: `..Agent::UNKNOWN`.
pub struct Agent {
    /// Its name over every doorway: in asks, in rules, for its key.
    pub name: &'static str,
    /// What its maker calls it.
    pub title: &'static str,
    /// How the names begin that its programs give themselves, in small letters: over MCP and for its key.
    pub clients: &'static [&'static str],
    /// Variables that it sets for the commands that it runs, where no person types (invariant 6).
    pub marks: &'static [&'static str],
    /// Variables that it sets in the terminals of its person as well: no mark, and beside one nobody is proven to be
    /// a person.
    pub doubts: &'static [&'static str],
    /// Its processes by name, and the scripts that an interpreter runs for it.
    pub processes: &'static [&'static str],
    /// The variable with its own name for its conversation, in the commands that it runs.
    pub conversation: Option<&'static str>,
    /// What its calls over MCP say of themselves.
    pub meta: Meta,
    /// How long its calls over MCP are held.
    pub patience: Option<Patience>,
    /// Whether its model asks for approval of a plan by a tool of its own, `ExitPlanMode`.
    pub has_plan_mode: bool,
    pub hooks: Option<Hooks>,
    /// How it is connected.
    pub install: Option<Install>,
}

/// Under which names an agent's calls over MCP say, in `_meta`, where they come from.
#[derive(Debug, Clone, Copy)]
pub struct Meta {
    /// Its own name for the conversation.
    pub conversation: Option<&'static str>,
    /// Its name for the call.
    pub tool_call: Option<&'static str>,
    /// The folder that it works in.
    pub folder: Option<&'static str>,
}

impl Agent {
    /// An agent of which nothing is known yet.
    pub const UNKNOWN: Self = Self {
        name: "",
        title: "",
        clients: &[],
        marks: &[],
        doubts: &[],
        processes: &[],
        conversation: None,
        meta: Meta::NONE,
        patience: None,
        has_plan_mode: false,
        hooks: None,
        install: None,
    };

    /// Returns its name on the command line, which may be shorter.
    pub fn command_name(&self) -> &'static str {
        self.install.as_ref().map_or(self.name, |install| install.name)
    }

    /// Whether it shows a dialog of its own while its hook waits, by the variables that it sets for that.
    pub fn mode(&self, attended: Option<&str>, entrypoint: Option<&str>) -> Mode {
        self.hooks.as_ref().map_or(Mode::Headless, |hooks| hooks.dialog.mode(attended, entrypoint))
    }

    /// Whether it is called so, on the command line or anywhere else.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.command_name() == name
    }
}

impl Meta {
    /// The calls say nothing.
    pub const NONE: Self = Self { conversation: None, tool_call: None, folder: None };
}

/// There is one of each.
impl PartialEq for Agent {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Agent {}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
