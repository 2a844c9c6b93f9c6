//! `askuser withdraw`: takes back a question that was asked.

use crate::cli::args::Form;
use crate::cli::in_full;
use crate::cli::which::{self};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// `askuser withdraw [ASK]`
pub fn run(ask: Option<&str>, form: Form, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = which::asker(ask, environment).await?;
        let Some(id) = which::asked(&client, ask, environment).await? else { return Ok(Exit::StillOpen) };
        let seen = client.withdraw(id).await?;
        done(&in_full::closed(&seen, form, &[in_full::headline(&seen)], language(environment)))
    })
}
