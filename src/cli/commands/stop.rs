//! `askuser stop`: ends the server in good order.

use askuser_words::commands::{NoServer, Server};
use serde_json::{Value, json};

use super::status;
use crate::cli::args::{Form, Insists};
use askuser_api::operating::Stop;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::error::ClientError;
use askuser_client::find_or_start::wait_until_gone;
use askuser_client::{Client, Location};
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Stop askuser; waiting questions are kept
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser stop")]
pub struct StopArgs {
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser stop`
pub fn run(args: &StopArgs, environment: &Environment) -> Result<Exit, Report> {
    let StopArgs { form, insists } = *args;
    let mark = connect::not_by_an_agent(environment, insists)?;
    block_on(async {
        let client = connect::client(environment)?.as_person(mark);
        if let Err(error @ ClientError::NotRunning) = client.url() {
            if form.json {
                let away = json!({"stopped": false, "why": error.to_string()});
                return askuser_ask::report::finish(&away.to_string(), Exit::Failed);
            }
            return Err(Report::failure(NoServer::not_running));
        }
        let open = status::fetch(&client).await.ok();
        let open = open.and_then(|told| told.get("open_asks").and_then(Value::as_u64)).unwrap_or(0);
        end(&client).await?;
        if form.json {
            return done(&json!({"stopped": true, "open_asks": open}).to_string());
        }
        let said = Server(language(environment));
        match open {
            0 => done(said.stopped()),
            n => done(&said.stopped_open(n)),
        }
    })
}

/// Ends a daemon in good order, and waits until it is gone.
pub(super) async fn end(client: &Client) -> Result<(), Report> {
    client.call::<Stop>(KeyRole::Admin).send().await?;
    if let Location::Folder(home) = client.location()
        && !wait_until_gone(home).await?
    {
        return Err(Report::failure(Server::not_stopped)
            .hint(|said: Server| said.not_stopped_hint(home.log().display())));
    }
    Ok(())
}
