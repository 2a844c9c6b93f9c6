//! `askuser show`: one question in full.

use std::time::Duration;

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::completion;
use crate::cli::lookup;
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::report::Report;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Show one question in full
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser show YNQD")]
pub struct ShowArgs {
    /// The question's id, or four characters of it [default: the only one waiting, or pick from a list]
    #[arg(value_name = "QUESTION", add = completion::questions())]
    pub ask: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser show [ASK]`
pub fn run(args: &ShowArgs, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let open = lookup::open(args.ask.as_deref(), args.insists, environment).await?;
        let Some((client, id)) = open else { return Ok(Exit::StillOpen) };
        let seen = client.get(KeyRole::Person, id, None, Duration::ZERO).await?;
        if args.form.json {
            return done(&seen.told.to_string());
        }
        let screen = Screen::of(environment);
        screen.print(&ask_text::in_full(&seen, screen.language, screen.paper()))
    })
}
