//! The part of the command line that is about tasks.

use std::path::PathBuf;

use clap::Subcommand;

use super::super::completion;
use super::{Form, Insists};

/// Options of `askuser run`.
#[derive(Debug, clap::Args)]
pub struct Run {
    /// What the agent should do
    pub text: String,
    /// The agent's name in config.yaml [default: the only one]
    #[arg(long, value_name = "NAME", add = completion::agents())]
    pub agent: Option<String>,
    /// The folder to work in [default: the current folder]
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// Start the task and print its id, without following it
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
        /// The task's id, or four characters of it [default: the only one, or pick from a list]
        #[arg(add = completion::tasks())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Follow a task until it ends
    Follow {
        /// The task's id, or four characters of it [default: the one that is running]
        #[arg(add = completion::running())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop a task, by force if it does not stop by itself
    Stop {
        /// The task's id, or four characters of it [default: the one that is running]
        #[arg(add = completion::running())]
        task: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Send the agent another message
    #[command(allow_missing_positional = true)]
    Say {
        /// The task's id, or four characters of it [default: the one that is running]
        #[arg(add = completion::running())]
        task: Option<String>,
        /// The message
        text: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Resume an ended task
    #[command(allow_missing_positional = true)]
    Resume {
        /// The task's id, or four characters of it [default: the only one, or pick from a list]
        #[arg(add = completion::tasks())]
        task: Option<String>,
        /// What the agent should do now
        text: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}
