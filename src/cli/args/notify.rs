//! The part of the command line that is about notifications.

use std::path::PathBuf;

use clap::Subcommand;

use super::super::completing;
use super::{Form, Insists};

/// What to do about notifications.
#[derive(Debug, Subcommand)]
pub enum NotifyVerb {
    /// Send a test nudge through each configured channel, and say what happened
    Test {
        /// Only to this person
        #[arg(long, value_name = "NAME")]
        person: Option<String>,
        /// Only through this channel
        #[arg(long, value_name = "NAME", add = completing::channels())]
        channel: Option<String>,
        /// The configuration [default: config.yaml in the data folder]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}
