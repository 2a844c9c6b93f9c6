//! `askuser show`: one question in full.

use std::time::Duration;

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::lookup::{self, Noun};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::report::Report;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// `askuser show [ASK]`
pub fn run(
    ask: Option<&str>,
    form: Form,
    insists: Insists,
    environment: &Environment,
) -> Result<Exit, Report> {
    block_on(async {
        let client = lookup::reader(Noun::Question, ask, true, insists, environment).await?;
        let Some(id) = lookup::waiting(&client, ask, false, environment).await? else {
            return Ok(Exit::StillOpen);
        };
        let seen = client.get(KeyRole::Person, id, None, Duration::ZERO).await?;
        if form.json {
            return done(&seen.told.to_string());
        }
        let screen = Screen::of(environment);
        screen.print(&ask_text::in_full(&seen, screen.language, screen.paper()))
    })
}
