//! What may be said to `askuser install`, `uninstall` and `agents`.

use clap::ValueEnum;

use crate::cli::args::Form;

/// A coding agent that can be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Agent {
    /// Claude Code
    ClaudeCode,
    /// `OpenAI` Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// opencode
    Opencode,
    /// Cursor
    Cursor,
    /// VS Code
    Vscode,
    /// Windsurf
    Windsurf,
}

/// Where an agent is told about us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// In the person's own settings: every project
    User,
    /// In this project's files, which others may share
    Project,
}

/// Options of `askuser install`.
#[derive(Debug, clap::Args)]
pub struct Install {
    /// The agent
    #[arg(value_enum)]
    pub agent: Agent,
    /// Whose settings are changed
    #[arg(long, value_enum, default_value = "user")]
    pub scope: Scope,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub form: Form,
    /// Ask about the agent's permission prompts as well: only the web page or a terminal answers them
    #[arg(long)]
    pub permissions: bool,
    /// Ask what other MCP servers want to know as well, instead of the agent's own dialog
    #[arg(long)]
    pub elicitations: bool,
}

/// Options of `askuser uninstall`.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
    /// The agent
    #[arg(value_enum)]
    pub agent: Agent,
    /// Whose settings are changed back
    #[arg(long, value_enum, default_value = "user")]
    pub scope: Scope,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub form: Form,
}

impl Agent {
    /// Every agent.
    pub const ALL: [Self; 7] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Cursor,
        Self::Vscode,
        Self::Windsurf,
    ];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Windsurf => "windsurf",
        }
    }
}

impl Scope {
    /// Both.
    pub const ALL: [Self; 2] = [Self::User, Self::Project];

    /// Returns its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}
