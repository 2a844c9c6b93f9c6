//! The part of the command line that is about tasks.

use std::path::PathBuf;

use clap::Subcommand;

use super::super::completing;
use super::{Form, Insists};

/// Options of `askuser run`.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// What to do
    pub text: String,
    /// The agent, by the name that it is configured under [default: the only one]
    #[arg(long, value_name = "NAME", add = completing::agents())]
    pub agent: Option<String>,
    /// The folder to work in [default: this one]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Start the task, print its id, and do not follow it
    #[arg(long)]
    pub detach: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// What is done with a task.
#[derive(Debug, Subcommand)]
pub enum TaskVerb {
    /// Show one task
    Show {
        /// The task, by its id or four characters of it [default: the only one, or you pick one]
        #[arg(add = completing::tasks())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Follow a task until it ends
    Follow {
        /// The task, by its id or four characters of it [default: the one that runs]
        #[arg(add = completing::running())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop a task: gently, then hard
    Stop {
        /// The task, by its id or four characters of it [default: the one that runs]
        #[arg(add = completing::running())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Say something more to the agent
    #[command(allow_missing_positional = true)]
    Say {
        /// The task, by its id or four characters of it [default: the one that runs]
        #[arg(add = completing::running())]
        task: Option<String>,
        /// What
        text: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Resume a task that has ended
    #[command(allow_missing_positional = true)]
    Resume {
        /// The task, by its id or four characters of it [default: the only one, or you pick one]
        #[arg(add = completing::tasks())]
        task: Option<String>,
        /// What to do now
        text: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}
