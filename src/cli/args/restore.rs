//! The part of the command line that is about going back to an earlier point.

use super::super::completing;
use super::{Form, Insists};

/// Options of `askuser restore`.
#[derive(Debug, clap::Args)]
pub struct Restore {
    /// The conversation, by its id, four characters of it, or the agent's own id [default: you pick one]
    #[arg(add = completing::conversations())]
    pub session: Option<String>,
    /// The checkpoint's version to go on from [default: the latest]
    #[arg(long, value_name = "V", conflicts_with = "round")]
    pub version: Option<u64>,
    /// The round to go on from
    #[arg(long, value_name = "N")]
    pub round: Option<u32>,
    /// Why [default: `manual_recovery`]
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
