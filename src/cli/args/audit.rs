//! The part of the command line that is about the log of decisions.

use clap::ValueEnum;

use super::{Form, Insists};

/// Options of `askuser audit`.
#[derive(Debug, clap::Args)]
pub struct Audit {
    /// Prove that nobody changed it: walk the chains; the first broken link is named
    #[arg(long, conflicts_with_all = ["security", "export"])]
    pub verify: bool,
    /// The security events instead of the decisions
    #[arg(long, conflicts_with = "export")]
    pub security: bool,
    /// As a file: one entry a line, a table, or decision records to read
    #[arg(long, value_name = "FORM", value_enum)]
    pub export: Option<AuditForm>,
    /// From this day or moment on, as 2026-11-15 or 2026-11-15T10:00:00Z
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Before this day or moment
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
    /// In this session, by our id
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// Asked by this agent
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Asked of, or ended by, this person
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Only these: ask, show, answer, cancel, withdraw, timeout, `answer_late`, reopen,
    /// voice (one of several people), escalate
    #[arg(long, value_name = "ACTION")]
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
    /// Erase what asks tell that ended longer ago, as 90d
    #[arg(long, value_name = "TIME")]
    pub older_than: String,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
