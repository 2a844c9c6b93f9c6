//! The part of the command line that is about going back to an earlier point.

use super::super::completion;
use super::{Form, Insists};

/// Options of `askuser restore`.
#[derive(Debug, clap::Args)]
pub struct Restore {
    /// The conversation: its id, four characters of it, or the agent's own id [default: pick from a list]
    #[arg(value_name = "CONVERSATION", add = completion::conversations())]
    pub session: Option<String>,
    /// Continue from this version of the checkpoint [default: the latest]
    #[arg(long, value_name = "VERSION", conflicts_with = "round")]
    pub version: Option<u64>,
    /// Continue from this round
    #[arg(long, value_name = "N")]
    pub round: Option<u32>,
    /// The reason, for the record [default: `manual_recovery`]
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
