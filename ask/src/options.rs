//! What the command line and the environment say of an ask, where both programs take it.

use clap::ValueEnum;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The whole reply as JSON
    Json,
    /// Just the answer: the text, yes or no, one line per choice
    Value,
    /// Assignments for `eval` in a shell: header='answer'
    Shell,
}

/// How numbered lines are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// Each question in a box
    Box,
    /// Plain text without boxes, for screen readers
    List,
}

impl Layout {
    /// Reads a layout as a variable or an option names it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "box" => Some(Self::Box),
            "list" => Some(Self::List),
            _ => None,
        }
    }
}

/// Where to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// In this terminal; without one, on standard input
    Terminal,
    /// In the browser, the inbox and your other channels; starts askuser if needed
    Desk,
    /// Both; the first answer counts
    Both,
    /// On standard input only, for scripts; refused in an agent's shell
    Stdin,
}

impl Place {
    /// Reads a place as a variable names it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "terminal" => Some(Self::Terminal),
            "desk" => Some(Self::Desk),
            "both" => Some(Self::Both),
            "stdin" => Some(Self::Stdin),
            _ => None,
        }
    }
}
