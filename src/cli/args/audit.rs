//! The part of the command line that is about the log of decisions.

use clap::ValueEnum;

use crate::watch::audit::ACTIONS;

use super::super::completing;
use super::{Form, Insists};

/// Options of `askuser audit`.
#[derive(Debug, clap::Args)]
pub struct Audit {
    /// Prove that nobody changed it; the first broken link is named
    #[arg(long, conflicts_with_all = ["security", "export"])]
    pub verify: bool,
    /// Show the security events instead: wrong keys, forged answers, …
    #[arg(long, conflicts_with = "export")]
    pub security: bool,
    /// Export it: one entry per line, a table, or decision records to read
    #[arg(long, value_name = "FORM", value_enum)]
    pub export: Option<AuditForm>,
    /// Since then: 2h, 3d, 2026-11-15 or 2026-11-15T10:00:00Z
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Before then
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// In this conversation, by its id, four characters of it, or the agent's own id
    #[arg(long, value_name = "SESSION", add = completing::conversations())]
    pub session: Option<String>,
    /// Asked by this agent
    #[arg(long, value_name = "NAME", add = completing::askers())]
    pub agent: Option<String>,
    /// Asked of, or ended by, this person
    #[arg(long, value_name = "NAME", add = completing::users())]
    pub user: Option<String>,
    /// Only these; voice is one of several people
    #[arg(long, value_name = "ACTION", value_parser = ACTIONS)]
    pub action: Option<String>,
    /// With these words in a question, an answer, a context or a comment
    #[arg(long, value_name = "WORDS")]
    pub text: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// How the log of decisions leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditForm {
    /// One entry a line
    Jsonl,
    /// A table
    Csv,
    /// Decision records to read
    Md,
}

/// Options of `askuser purge`.
#[derive(Debug, clap::Args)]
pub struct Purge {
    /// Delete the text of questions that were closed longer ago than this, e.g. 90d
    #[arg(long, value_name = "TIME")]
    pub older_than: String,
    /// Say how many that would be, and delete nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub yes: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
