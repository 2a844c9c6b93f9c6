//! The part of the command line that is about tasks.

use std::path::PathBuf;

use clap::Subcommand;

use super::{Form, Insists};

/// Options of `askuser run`.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// What is to be done
    pub text: String,
    /// The agent, by the name that it is configured under [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// The folder to work in [default: this one]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Give the task, print its id, and do not follow it
    #[arg(long)]
    pub detach: bool,
    #[command(flatten)]
    pub insists: Insists,
}

/// What is done with a task.
#[derive(Debug, Subcommand)]
pub enum TaskVerb {
    /// One task in full
    Show {
        /// The task
        task: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Follow a task until it ends
    Follow {
        /// The task
        task: String,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop a task: gently, then hard
    Stop {
        /// The task
        task: String,
        #[command(flatten)]
        insists: Insists,
    },
    /// Say something more to an agent that works
    Say {
        /// The task
        task: String,
        /// What
        text: String,
        #[command(flatten)]
        insists: Insists,
    },
    /// Take a task up again that has ended
    Resume {
        /// The task
        task: String,
        /// What is to be done now
        text: String,
        #[command(flatten)]
        insists: Insists,
    },
}
