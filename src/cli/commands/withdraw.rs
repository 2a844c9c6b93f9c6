//! `askuser withdraw`: takes back a question that was asked.

use crate::cli::args::Form;
use crate::cli::ask_text;
use crate::cli::lookup::{self};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// `askuser withdraw [ASK]`
pub fn run(ask: Option<&str>, form: Form, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = lookup::asker(ask, environment).await?;
        let Some(id) = lookup::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let seen = client.withdraw(id).await?;
        done(&ask_text::closed(&seen, form, &[ask_text::headline(&seen)], language(environment)))
    })
}
