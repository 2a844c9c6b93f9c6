//! The part of the command line that is about notifications.

use std::path::PathBuf;

use clap::Subcommand;

use super::super::completion;
use super::{Form, Insists};

/// What to do about notifications.
#[derive(Debug, Subcommand)]
pub enum NotifyVerb {
    /// Send a test notification through each channel
    Test {
        /// Only to this user
        #[arg(long, value_name = "NAME")]
        person: Option<String>,
        /// Only through this channel
        #[arg(long, value_name = "NAME", add = completion::channels())]
        channel: Option<String>,
        /// The configuration file [default: config.yaml in the data folder]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}
