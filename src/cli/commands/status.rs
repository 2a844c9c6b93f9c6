//! `askuser status`: whether the server runs, and where.

use askuser_words::commands::Server;
use serde_json::{Value, json};

use super::reload;
use crate::cli::args::Form;
use crate::cli::fields::field;
use askuser_api::operating::ShowStatus;
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::report::{Report, print_outcome};
use askuser_client::Client;
use askuser_client::error::ClientError;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Show whether askuser is running, and where
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser status")]
pub struct StatusArgs {
    #[command(flatten)]
    pub form: Form,
}

/// `askuser status`: 0 where the daemon is well, 1 where it is not there.
pub fn run(StatusArgs { form }: &StatusArgs, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::client(environment)?;
        let told = match fetch(&client).await {
            Ok(told) => told,
            Err(error @ (ClientError::NotRunning | ClientError::Away { .. })) => {
                if form.json {
                    let away = json!({"running": false, "why": error.to_string()});
                    // The exit code says the rest.
                    let _printed = print_outcome(&away.to_string());
                    return Ok(Exit::Failed);
                }
                return Err(error.into());
            }
            Err(error) => return Err(error.into()),
        };
        let url = client.url().unwrap_or_default();
        if form.json {
            let mut told = told;
            if let Some(fields) = told.as_object_mut() {
                fields.insert("running".to_owned(), true.into());
                fields.insert("url".to_owned(), url.into());
                fields.insert("config".to_owned(), reload::difference(&client).await.into());
            }
            return done(&told.to_string());
        }
        let screen = Screen::of(environment);
        let said = Server(screen.language);
        // Without an admin's key nothing is told of all users together.
        let counted = told.get("open_asks").and_then(Value::as_u64).map(|n_open| {
            let (sessions, facts) = (field(&told, "sessions"), field(&told, "facts"));
            said.waiting(n_open, sessions, facts)
        });
        let since = field(&told, "started_at");
        let (clock, ago) = (screen.times.clock_of(&since), screen.times.relative_of(&since));
        let (version, pid) = (field(&told, "version"), field(&told, "pid"));
        let first = said.running(url, version, pid, clock, ago);
        let newer = reload::difference(&client).await;
        let newer = newer.and_then(|told| reload::notice(&told, screen.language));
        let lines: Vec<String> = std::iter::once(first).chain(counted).chain(newer).collect();
        screen.print(&screen.wrapped(&lines.join("\n")))
    })
}

/// Asks the desk how it is, with whichever key there is; an admin is told most.
pub(super) async fn fetch(client: &Client) -> Result<Value, ClientError> {
    let mut last = ClientError::NotRunning;
    client.url()?;
    for role in [KeyRole::Admin, KeyRole::Person, KeyRole::Agent] {
        match client.call::<ShowStatus>(role).told().await {
            Err(error @ ClientError::NoKey { .. }) => last = error,
            other => return other,
        }
    }
    Err(last)
}
