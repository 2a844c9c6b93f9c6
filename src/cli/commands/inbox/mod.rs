//! `askuser inbox`: everything that waits for the person, on the whole terminal.
//!
//! Wires three things that know nothing of each other: the terminal (`full`), the inbox, which is pure,
//! and the desk (`errands`). Keys and news come in, one at a time; what came of it is painted.

mod items;
mod action;
mod background;
mod event_loop;
mod news;

use std::io;

use askuser_words::inbox::Inbox as Words;

use self::event_loop::Sitting;
use crate::cli::args::Insists;
use askuser_ask::connect::{self, block_on};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_ask::surface::NotAsked;
use askuser_client::Location;
use askuser_system::environment::Environment;
use askuser_terminal::bell::Bell;
use askuser_terminal::full::Full;
use askuser_terminal::paint::Look;
use askuser_terminal::{Tty, there_is_a_terminal};

/// Answer waiting questions in this terminal
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser inbox")]
pub struct InboxArgs {
    #[command(flatten)]
    pub insists: Insists,
}

/// Opens the inbox and stays until the person leaves.
pub fn run(InboxArgs { insists }: &InboxArgs, environment: &Environment) -> Result<Exit, Report> {
    // First of all, so that an agent is told this and not that it has no terminal.
    connect::not_by_an_agent(environment, *insists)?;
    let Some(tty) = there_is_a_terminal(None).filter(|_| Tty::takes_panel(environment.get("TERM"))) else {
        let said = Words(language(environment));
        return Err(Report::wrong_input(said.no_terminal(), Some(said.no_terminal_hint())));
    };
    block_on(async {
        let client = connect::person(environment, *insists).await?;
        let get = |name: &str| environment.get(name).map(ToOwned::to_owned);
        let desk = match client.location() {
            Location::Address(url) => Some(url.clone()),
            Location::Folder(_) => None,
        };
        let bell = (Bell::from(get, Bell::Bell), environment.has("TMUX"));
        let mut sitting = Sitting::new(client, language(environment), desk, bell).await?;
        let failed = |error: io::Error| Report::from(NotAsked::from(error));
        let full = Full::open(tty, Look::from(get)).map_err(failed)?;
        sitting.sit(full).await
    })
}
