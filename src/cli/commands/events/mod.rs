//! `askuser events`: the event protocol as JSON Lines (E7), for programs that speak it.
//!
//! Each line of standard input goes to the desk, each message of the desk is a line of standard
//! output. An agent's end sends requests, a person's end responses. When the input ends it stays
//! until everything that it sent was answered: a request by its response, a response by the close of
//! its ask, either by a complaint. A desk that goes away is come back to, and what has no answer yet
//! is sent again: a request joins its ask, also where that has ended meanwhile. A person's end is
//! told which asks ended while the desk was away, and no ask twice.

mod input;
mod talk;
mod received;

use std::time::Duration;

use askuser_core::asker::TimeoutPolicy;
use askuser_core::id::AskId;
use askuser_words::Language;
use askuser_words::commands::{Given, Server};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use self::input::Line;
use self::talk::Talk;
use crate::cli::args::Insists;
use askuser_ask::connect::{self, block_on, say};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::{Report, print_outcome};
use askuser_client::Client;
use askuser_client::socket::Socket;
use askuser_core::command::KeyRole;
use askuser_system::backoff::Pauses;
use askuser_system::environment::Environment;

/// Exchange events as JSON Lines on stdin and stdout
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser events --as person")]
pub struct EventsArgs {
    /// Which side to take
    #[arg(long = "as", value_name = "SIDE", value_enum, default_value = "agent")]
    pub who: End,
    #[command(flatten)]
    pub insists: Insists,
}

/// Who is at an end of the event protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum End {
    /// Send questions and receive their answers
    Agent,
    /// Receive questions and send answers
    Person,
}

/// Speaks the event protocol until the input ends and everything is answered.
pub fn run(args: &EventsArgs, environment: &Environment) -> Result<Exit, Report> {
    let EventsArgs { who: end, insists } = *args;
    block_on(async {
        let (client, who) = match end {
            End::Agent => (connect::desk(environment).await?, KeyRole::Agent),
            End::Person => (connect::person(environment, insists).await?, KeyRole::Person),
        };
        let mut lines = input::lines();
        let policy = super::ask::fallback(environment)?.map(TimeoutPolicy::name);
        let mut talk = Talk::new(end, policy);
        let said = Server(language(environment));
        loop {
            let mut socket = open(&client, who).await?;
            if catch_up(&mut talk, &client, language(environment)).await?
                && converse(&mut talk, &mut socket, &mut lines).await?
            {
                return Ok(Exit::Answered);
            }
            say(said.away());
            sleep(Pauses::OF_THE_SERVER.after(1)).await;
        }
    })
}

async fn open(client: &Client, who: KeyRole) -> Result<Socket, Report> {
    Ok(client.steady().starting_again().call(|| client.socket(who)).await?)
}

/// Gives up what cannot be sent again, and tells a person's end what ended while the line was cut:
/// once the new line is there, so that nothing is missed in between. False where the desk is gone again.
async fn catch_up(talk: &mut Talk, client: &Client, language: Language) -> Result<bool, Report> {
    for complaint in talk.come_back() {
        print(&complaint)?;
    }
    let remembered = talk.told.come_back();
    if remembered.is_empty() {
        return Ok(true);
    }
    // Most are open still: one call instead of one for each. Where it fails, each is looked up.
    let open: Vec<AskId> =
        client.inbox().await.map_or_else(|_| Vec::new(), |asks| asks.iter().map(|ask| ask.id).collect());
    for id in remembered.into_iter().filter(|id| !open.contains(id)) {
        match client.get(KeyRole::Person, id, None, Duration::ZERO).await {
            Ok(seen) => {
                if let Some(close) = talk.look_up(&seen) {
                    print(&close.to_string())?;
                }
            }
            Err(error) if error.may_pass() => {
                sleep(error.retry_after().unwrap_or_default()).await;
                return Ok(false);
            }
            Err(error) => {
                say(&Server(language).ending_unknown(id, error.said(language)));
                talk.told.forget(id);
            }
        }
    }
    Ok(true)
}

/// Talks until all is said (true) or the socket is gone (false).
async fn converse(
    talk: &mut Talk,
    socket: &mut Socket,
    lines: &mut mpsc::Receiver<Line>,
) -> Result<bool, Report> {
    if !send_held(talk, socket).await {
        return Ok(false);
    }
    loop {
        if talk.is_over() {
            return Ok(true);
        }
        let again_at = talk.again_at();
        tokio::select! {
            line = lines.recv(), if !talk.ended => {
                if !take(talk, socket, line).await? {
                    return Ok(false);
                }
            }
            message = socket.next() => {
                let Some(message) = message else { return Ok(false) };
                let value: Value = serde_json::from_str(&message).unwrap_or_default();
                if talk.hear(&value) {
                    print(&message)?;
                }
            }
            () = sleep_until(again_at.unwrap_or_else(Instant::now)), if again_at.is_some() => {
                if !send_held(talk, socket).await {
                    return Ok(false);
                }
            }
        }
    }
}

/// Takes a line of the input; false where the socket is gone.
async fn take(talk: &mut Talk, socket: &mut Socket, line: Option<Line>) -> Result<bool, Report> {
    let complaint = match line {
        None => {
            talk.ended = true;
            return Ok(true);
        }
        Some(Line::Text(text)) => match talk.take(text) {
            Ok(line) => return Ok(socket.send(&line).await),
            Err(complaint) => complaint,
        },
        Some(Line::TooLong) => input::too_long(&Value::Null),
        Some(Line::NotText) => input::not_text(),
    };
    print(&complaint).map(|()| true)
}

/// Sends what the desk does not have; false where the socket is gone.
async fn send_held(talk: &mut Talk, socket: &mut Socket) -> bool {
    talk.hold_no_longer();
    while let Some(line) = talk.held() {
        if !socket.send(&line).await {
            return false;
        }
    }
    true
}

fn print(message: &str) -> Result<(), Report> {
    print_outcome(message).map_err(|error| Report::failure(|said: Given| said.not_printed(&error)))
}
