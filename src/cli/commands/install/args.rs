//! What may be said to `askuser setup`, `install`, `uninstall` and `agents`.

use clap::ValueEnum;

use crate::cli::args::{Form, Insists};

/// A coding agent that can be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Agent {
    /// Claude Code
    ClaudeCode,
    #[value(help = "OpenAI Codex")]
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
    /// Your own settings, for every project
    User,
    /// This project's files, which others may share
    Project,
}

/// Options of `askuser setup`.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Setup {
    /// Connect every agent found; ask nothing and open nothing
    #[arg(long)]
    pub yes: bool,
    /// Show what would change, without changing it
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// Options of `askuser install`.
#[derive(Debug, clap::Args)]
pub struct Install {
    /// The coding agent
    #[arg(value_enum)]
    pub agent: Agent,
    /// Where the agent's settings are
    #[arg(long, value_enum, default_value = "user")]
    pub scope: Scope,
    /// Show what would change, without changing it
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub form: Form,
    /// Also forward permission prompts; they are answered in the browser or the terminal only
    #[arg(long)]
    pub permissions: bool,
    /// Also forward questions of other MCP servers, instead of the agent's own dialog
    #[arg(long)]
    pub elicitations: bool,
}

/// Options of `askuser uninstall`.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
    /// The coding agent
    #[arg(value_enum)]
    pub agent: Agent,
    /// Where the agent's settings are
    #[arg(long, value_enum, default_value = "user")]
    pub scope: Scope,
    /// Show what would change, without changing it
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

impl Agent {
    /// Returns what its maker calls it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::Windsurf => "Windsurf",
        }
    }

    /// Returns the program that people start.
    pub fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Vscode => "code",
            other => other.name(),
        }
    }

    /// Returns its folder among the applications of a Mac, where it is one.
    pub fn mac_app(self) -> Option<&'static str> {
        match self {
            Self::Cursor => Some("Cursor.app"),
            Self::Vscode => Some("Visual Studio Code.app"),
            Self::Windsurf => Some("Windsurf.app"),
            _ => None,
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
