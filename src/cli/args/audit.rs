//! The part of the command line that is about the log of decisions.

use clap::ValueEnum;

use askuser_api::audit::ACTIONS;

use super::super::completion;
use super::{Form, Insists};

/// Options of `askuser audit`.
#[derive(Debug, clap::Args)]
pub struct Audit {
    /// Verify that the log is unchanged; name the first entry that is not
    #[arg(long, conflicts_with_all = ["security", "export"])]
    pub verify: bool,
    /// Show security events instead, e.g. wrong keys and forged answers
    #[arg(long, conflicts_with = "export")]
    pub security: bool,
    /// Export the log
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub export: Option<AuditForm>,
    /// Only since then, e.g. 2h, 3d, 2026-11-15 or 2026-11-15T10:00:00Z
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Only before then
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// Only in this conversation: its id, four characters of it, or the agent's own id
    #[arg(long, value_name = "CONVERSATION", add = completion::conversations())]
    pub session: Option<String>,
    /// Only from this agent
    #[arg(long, value_name = "NAME", add = completion::askers())]
    pub agent: Option<String>,
    /// Only if asked of this user, or closed by them
    #[arg(long, value_name = "NAME", add = completion::users())]
    pub user: Option<String>,
    /// Only this action; `voice` is one of several people's answers
    #[arg(long, value_name = "ACTION", value_parser = ACTIONS)]
    pub action: Option<String>,
    /// Only with these words in the question, answer, context or comment
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
    /// One JSON entry per line
    Jsonl,
    /// A table
    Csv,
    /// Decision records to read
    Md,
}

/// Options of `askuser purge`.
#[derive(Debug, clap::Args)]
pub struct Purge {
    /// Delete the text of questions closed longer ago than this, e.g. 90d
    #[arg(long, value_name = "TIME")]
    pub older_than: String,
    /// Only show how many questions that would be
    #[arg(long)]
    pub dry_run: bool,
    /// Skip the confirmation
    #[arg(long, short)]
    pub yes: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
