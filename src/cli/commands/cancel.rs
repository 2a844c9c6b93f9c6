//! `askuser cancel`: declines a question.

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::completion;
use crate::cli::lookup;
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::Via;
use askuser_system::environment::Environment;

/// Decline a question
#[derive(Debug, clap::Args)]
#[command(after_help = r#"askuser cancel YNQD --reason "not before Monday""#)]
pub struct CancelArgs {
    /// The question's id, or four characters of it [default: the only one waiting, or pick from a list]
    #[arg(value_name = "QUESTION", add = completion::waiting())]
    pub ask: Option<String>,
    /// The reason, for the agent
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser cancel [ASK] [--reason R]`
pub fn run(args: &CancelArgs, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let open = lookup::open(args.ask.as_deref(), args.insists, environment).await?;
        let Some((client, id)) = open else { return Ok(Exit::StillOpen) };
        let seen = client.cancel(id, Via::Program, args.reason.as_deref()).await?;
        done(&ask_text::closed(&seen, args.form, &[ask_text::headline(&seen)], language(environment)))
    })
}
