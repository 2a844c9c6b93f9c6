//! Where a question is asked: in the terminal, at the desk, or at both.

use std::ffi::OsStr;

use askuser_words::commands::ToAsk;

use super::connect::{self, say};
use super::options::{Layout, Place};
use super::output::language;
use super::report::Report;
use super::surface::{self, NotAsked, Surface};
use askuser_client::{Client, Location};
use askuser_system::environment::Environment;

/// Where to ask, found out.
#[derive(Debug)]
pub enum Destination {
    /// In the terminal alone, without a daemon.
    Alone(Surface),
    /// At the desk, and in the terminal as well where there is one.
    Desk {
        /// The desk.
        client: Box<Client>,
        /// The terminal.
        surface: Option<Surface>,
        /// Whether the terminal alone is asked where there can be no desk.
        or_alone: bool,
    },
}

/// What standard input is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// The questions came that way.
    Questions,
    /// Nothing yet.
    Free,
}

impl Stdin {
    /// What is left of it, where the questions are in this argument.
    pub fn after(json: Option<&OsStr>) -> Self {
        if json.is_some_and(|json| json == "-") { Self::Questions } else { Self::Free }
    }
}

/// Finds out where to ask: what the caller says, else what the environment says, else the desk, and the terminal as
/// well when there is one.
pub fn find(
    said: Option<Place>,
    plain: Option<Layout>,
    input: Stdin,
    environment: &Environment,
) -> Result<Destination, Report> {
    let said = wanted(said, environment)?;
    let here = || -> Result<Option<Surface>, NotAsked> {
        let piped = if input == Stdin::Free { surface::piped(environment, plain)? } else { None };
        Ok(if piped.is_some() { piped } else { surface::terminal(environment, plain)? })
    };
    match said {
        Some(Place::Terminal) => Ok(Destination::Alone(surface::here(environment, plain)?)),
        Some(Place::Stdin) => Ok(Destination::Alone(surface::standard_input(environment, plain)?)),
        Some(Place::Desk) => Ok(Destination::at_desk(connect::client(environment)?, None)),
        Some(Place::Both) => Ok(Destination::at_desk(connect::client(environment)?, here()?)),
        None => match (here()?, connect::client(environment)) {
            (Some(surface), Ok(client)) => {
                let or_alone = matches!(client.location(), Location::Folder(_));
                Ok(Destination::Desk { client: Box::new(client), surface: Some(surface), or_alone })
            }
            // There is no folder to keep anything in.
            (Some(surface), Err(_)) => Ok(Destination::Alone(surface)),
            (None, client) => Ok(Destination::at_desk(client?, None)),
        },
    }
}

impl Destination {
    /// At the desk and nowhere without it.
    pub fn at_desk(client: Client, surface: Option<Surface>) -> Self {
        Self::Desk { client: Box::new(client), surface, or_alone: false }
    }

    /// Says that lines which were piped in are no answer, where the caller may wait for them to be taken: away
    /// from a terminal they may as well be the rest of a script, or a list that a loop goes through.
    pub fn tell_unread(&self, input: Stdin, environment: &Environment) {
        let elsewhere = matches!(self, Self::Desk { surface: None, .. });
        if elsewhere && input == Stdin::Free && surface::is_piped() {
            let said = ToAsk(language(environment));
            match environment.agent_mark() {
                Some(mark) => say(&said.stdin_unread_by(mark)),
                None => say(said.stdin_unread()),
            }
        }
    }
}

/// Whether the terminal alone is asked because the caller wants that.
pub fn is_alone(said: Option<Place>, environment: &Environment) -> Result<bool, Report> {
    Ok(matches!(wanted(said, environment)?, Some(Place::Terminal | Place::Stdin)))
}

/// Says what is wrong with the place that the environment names, where that is all it is good for.
pub fn check(environment: &Environment) -> Result<(), Report> {
    Ok(wanted(None, environment).map(drop)?)
}

fn wanted(said: Option<Place>, environment: &Environment) -> Result<Option<Place>, NotAsked> {
    match (said, environment.get("ASKUSER_WHERE")) {
        (Some(place), _) => Ok(Some(place)),
        (None, None) => Ok(None),
        (None, Some(name)) => {
            Place::parse(name).map(Some).ok_or_else(|| NotAsked::NoSuchPlace(name.to_owned()))
        }
    }
}
