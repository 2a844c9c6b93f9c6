//! Agents that are only told from people (invariant 6): of each of them a variable or a program is known, and
//! nothing else. One of which more is known gets a file of its own.

/// Variables that they set for the commands that they run.
pub const MARKS: [&str; 9] = [
    "COPILOT_CLI",
    "COPILOT_AGENT",
    "AUGMENT_AGENT",
    "CLINE_ACTIVE",
    "CRUSH",
    "PI_CODING_AGENT",
    "ANTIGRAVITY_AGENT",
    "TRAE_AI_SHELL_ID",
    "AI_AGENT",
];

/// Names that they put into the variable `AGENT`.
pub const NAMES: [&str; 2] = ["amp", "crush"];

/// Their processes by name.
pub const PROGRAMS: [&str; 12] = [
    "amp",
    "aider",
    "crush",
    "copilot",
    "droid",
    "auggie",
    "openhands",
    "kiro-cli",
    "qchat",
    "kimi",
    "cline",
    "kilocode",
];
