//! `askuser withdraw`: takes back a question that was asked.

use crate::cli::args::Form;
use crate::cli::ask_text;
use crate::cli::completion;
use crate::cli::lookup::{self};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Withdraw a question you asked
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser withdraw YNQD")]
pub struct WithdrawArgs {
    /// The question's id, or four characters of it [default: the only one you asked]
    #[arg(value_name = "QUESTION", add = completion::waiting())]
    pub ask: Option<String>,
    #[command(flatten)]
    pub form: Form,
}

/// `askuser withdraw [ASK]`
pub fn run(args: &WithdrawArgs, environment: &Environment) -> Result<Exit, Report> {
    let ask = args.ask.as_deref();
    block_on(async {
        let client = lookup::asker(ask, environment).await?;
        let Some(id) = lookup::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let seen = client.withdraw(id).await?;
        done(&ask_text::closed(&seen, args.form, &[ask_text::headline(&seen)], language(environment)))
    })
}
