//! Where a question is asked: in the terminal, at the desk, or at both.

use super::args::Place;
use super::connect;
use super::person::{self, NotAsked, Way};
use super::report::Report;
use crate::client::{Client, Whereabouts};
use crate::environment::Environment;

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
    },
}

/// Finds out where to ask: what the caller says, else what the environment says, else the terminal
/// when there is one, and the desk as well when a daemon is running.
pub fn find(said: Option<Place>, plain: bool, environment: &Environment) -> Result<Found, Report> {
    let said = wanted(said, environment)?;
    let desk = |way| Ok(Found::Desk { client: Box::new(connect::client(environment)?), way });
    match said {
        Some(Place::Terminal) => Ok(Found::Alone(person::way(environment, plain)?)),
        Some(Place::Desk) => desk(None),
        Some(Place::Both) => desk(person::terminal(environment, plain)?),
        None => match person::terminal(environment, plain)? {
            Some(way) if is_there(environment) => desk(Some(way)),
            Some(way) => Ok(Found::Alone(way)),
            None => desk(None),
        },
    }
}

/// Whether the terminal alone will be asked, as far as that can be said before anybody is looked for.
pub fn is_alone(said: Option<Place>, environment: &Environment) -> Result<bool, Report> {
    Ok(match wanted(said, environment)? {
        Some(Place::Terminal) => true,
        Some(Place::Desk | Place::Both) => false,
        None => !is_there(environment) && matches!(person::terminal(environment, true), Ok(Some(_))),
    })
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

/// Whether a desk is there: a look at one small file, and at its lock where that is there.
fn is_there(environment: &Environment) -> bool {
    let Ok(client) = connect::client(environment) else { return false };
    match client.whereabouts() {
        Whereabouts::Address(_) => true,
        Whereabouts::Folder(home) => home.running().is_some(),
    }
}
