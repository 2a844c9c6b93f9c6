//! Where a question is asked: in the terminal, at the desk, or at both.

use std::ffi::OsStr;

use askuser_words::commands::ToAsk;

use super::args::{Layout, Place};
use super::connect::{self, say};
use super::output::language;
use super::person::{self, NotAsked, Way};
use super::report::Report;
use askuser_client::{Client, Location};
use askuser_system::environment::Environment;

/// Where to ask, found out.
#[derive(Debug)]
pub enum Found {
    /// In the terminal alone, without a daemon.
    Alone(Way),
    /// At the desk, and in the terminal as well where there is one.
    Desk {
        /// The desk.
        client: Box<Client>,
        /// The terminal.
        way: Option<Way>,
        /// Whether the terminal alone is asked where there can be no desk.
        or_alone: bool,
    },
}

/// What standard input is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The questions came that way.
    Questions,
    /// Nothing yet.
    Free,
}

impl Input {
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
    input: Input,
    environment: &Environment,
) -> Result<Found, Report> {
    let said = wanted(said, environment)?;
    let here = || -> Result<Option<Way>, NotAsked> {
        let piped = if input == Input::Free { person::piped(environment, plain)? } else { None };
        Ok(if piped.is_some() { piped } else { person::terminal(environment, plain)? })
    };
    match said {
        Some(Place::Terminal) => Ok(Found::Alone(person::way(environment, plain)?)),
        Some(Place::Stdin) => Ok(Found::Alone(person::standard_input(environment, plain)?)),
        Some(Place::Desk) => Ok(Found::at_desk(connect::client(environment)?, None)),
        Some(Place::Both) => Ok(Found::at_desk(connect::client(environment)?, here()?)),
        None => match (here()?, connect::client(environment)) {
            (Some(way), Ok(client)) => {
                let or_alone = matches!(client.location(), Location::Folder(_));
                Ok(Found::Desk { client: Box::new(client), way: Some(way), or_alone })
            }
            // There is no folder to keep anything in.
            (Some(way), Err(_)) => Ok(Found::Alone(way)),
            (None, client) => Ok(Found::at_desk(client?, None)),
        },
    }
}

impl Found {
    /// At the desk and nowhere without it.
    pub fn at_desk(client: Client, way: Option<Way>) -> Self {
        Self::Desk { client: Box::new(client), way, or_alone: false }
    }

    /// Says that lines which were piped in are no answer, where the caller may wait for them to be taken: away
    /// from a terminal they may as well be the rest of a script, or a list that a loop goes through.
    pub fn tell_unread(&self, input: Input, environment: &Environment) {
        let elsewhere = matches!(self, Self::Desk { way: None, .. });
        if elsewhere && input == Input::Free && person::is_piped() {
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
