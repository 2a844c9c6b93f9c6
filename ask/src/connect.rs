//! The way from a command to the desk: which folder, which daemon, and who may.

use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::pin::Pin;

use askuser_words::Language;
use askuser_words::commands::NoServer;

use super::exit::Exit;
use super::output::language;
use super::report::Report;
use askuser_client::find_or_start::{StartNotice, find_or_start};
use askuser_client::home::Home;
use askuser_client::{Client, Location};
use askuser_config as config;
use askuser_system::environment::Environment;

/// For a person in an agent's shell.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Insists {
    /// Run even though this looks like an agent's shell (recorded in the audit log)
    #[arg(long)]
    as_person: bool,
}

impl Insists {
    /// For what has no flag to insist with.
    pub const NO: Self = Self { as_person: false };
}

/// Runs what waits, on this thread alone: a command does one thing.
pub fn block_on<T>(work: impl Future<Output = Result<T, Report>>) -> Result<T, Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Report::failure(|said: NoServer| said.runtime(&error)))?;
    // Boxed: the runtime is compiled once, not once a command.
    let work: Pin<Box<dyn Future<Output = _>>> = Box::pin(work);
    let done = runtime.block_on(work);
    // What still waits, as a thread that reads a terminal, ends with the program.
    runtime.shutdown_background();
    done
}

/// Finds the data folder.
pub fn home(flag: Option<PathBuf>, environment: &Environment) -> Result<Home, Report> {
    let (folder, _) = config::data_folder(flag, environment)
        .map_err(|_| Report::failure(NoServer::no_folder).hint(NoServer::no_folder_hint))?;
    Ok(Home::new(folder))
}

/// Returns a client of the desk, which need not be there. A command that an agent runs is that agent.
pub fn client(environment: &Environment) -> Result<Client, Report> {
    Ok(Client::new(environment, home(None, environment)?)
        .by_agent(environment.agent().map(|agent| agent.name)))
}

/// Returns a client of the desk, with its daemon found or started.
pub async fn desk(environment: &Environment) -> Result<Client, Report> {
    let client = client(environment)?;
    if let Location::Folder(home) = client.location() {
        find_or_start(home, |told| say(&words(&told, language(environment)))).await?;
    }
    Ok(client)
}

/// Whether nothing was ever asked here: there is no database, and no server elsewhere that could have one.
pub fn has_nothing(client: &Client, environment: &Environment) -> bool {
    match client.location() {
        Location::Address(_) => false,
        Location::Folder(home) => {
            let is_there = home.running().is_some() || home.database().exists();
            !is_there && !environment.has("ASKUSER_DATABASE")
        }
    }
}

/// Returns a client for a person who only looks; none where there is nothing to look at, and no server is
/// started to say so. One that must be started is started without a word: it is not what they asked for.
pub async fn reader(environment: &Environment, insists: Insists) -> Result<Option<Client>, Report> {
    let mark = not_by_an_agent(environment, insists)?;
    let client = client(environment)?;
    if has_nothing(&client, environment) {
        return Ok(None);
    }
    if let Location::Folder(home) = client.location() {
        find_or_start(home, |told| match told {
            StartNotice::Starting { .. } => {}
            told => say(&words(&told, language(environment))),
        })
        .await?;
    }
    Ok(Some(client.as_person(mark)))
}

/// Returns a client for a person's command. Where an agent's mark is set, only a person who
/// insists gets one (invariant 6), and the desk is told.
pub async fn person(environment: &Environment, insists: Insists) -> Result<Client, Report> {
    let mark = not_by_an_agent(environment, insists)?;
    Ok(desk(environment).await?.as_person(mark))
}

/// Refuses to go on where an agent's mark is set, unless a person insists; returns the mark.
pub fn not_by_an_agent(environment: &Environment, insists: Insists) -> Result<Option<&'static str>, Report> {
    match environment.agent_mark() {
        Some(mark) if !insists.as_person => Err(Report::input(|said: NoServer| said.for_people(mark))
            // Not how a person gets past it: whoever reads this is an agent.
            .hint(NoServer::for_people_hint)),
        mark => Ok(mark),
    }
}

/// Says something beside the outcome.
pub fn say(text: &str) {
    // Where standard error is closed there is nobody to tell.
    let _told = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Prints what a command is for, and ends well.
pub fn done(text: &str) -> Result<Exit, Report> {
    super::report::finish(text, Exit::Answered)
}

/// Says what is done about the daemon.
pub fn words(told: &StartNotice, language: Language) -> String {
    let (own, said) = (env!("CARGO_PKG_VERSION"), NoServer(language));
    match told {
        StartNotice::Starting { log } => said.starting(log.display()),
        StartNotice::Replacing { old } => said.replacing(old, own),
        StartNotice::Keeping { old, open_asks: 0 } => said.busy(old, own),
        StartNotice::Keeping { old, open_asks } => said.has_open(*open_asks, old, own),
        StartNotice::Somebodys { old } => said.by_hand(old, own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_command_is_refused_to_an_agent_and_given_to_who_insists() {
        let agent = Environment::of(&[("CLAUDECODE", "1")]);
        let refused = not_by_an_agent(&agent, Insists::NO).unwrap_err();
        assert_eq!(refused.exit, Exit::WrongInput);
        assert_eq!(not_by_an_agent(&agent, Insists { as_person: true }), Ok(Some("CLAUDECODE")));
        assert_eq!(not_by_an_agent(&Environment::of(&[]), Insists::NO), Ok(None));
    }
}
