//! `askuser cancel`: declines a question.

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::lookup::{self, Noun};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::Hand;
use askuser_system::environment::Environment;

/// `askuser cancel [ASK] [--reason R]`
pub fn run(
    ask: Option<&str>,
    reason: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = lookup::reader(Noun::Question, ask, true, insists, environment).await?;
        let Some(id) = lookup::waiting(&client, ask, false, environment).await? else {
            return Ok(Exit::StillOpen);
        };
        let seen = client.cancel(id, Hand::Program, reason).await?;
        done(&ask_text::closed(&seen, form, &[ask_text::headline(&seen)], language(environment)))
    })
}
