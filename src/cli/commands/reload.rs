//! `askuser reload`; and what in the file is newer than the server.

use askuser_words::Language;
use askuser_words::commands::{Server, Tasks};
use serde_json::{Value, json};

use crate::cli::args::{Form, Insists};
use askuser_api::operating::{CompareConfig, ReloadConfig};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::Client;
use askuser_client::error::ClientError;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Apply changes to the configuration file
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser reload")]
pub struct ReloadArgs {
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser reload`
pub fn run(args: &ReloadArgs, environment: &Environment) -> Result<Exit, Report> {
    let ReloadArgs { form, insists } = *args;
    let mark = connect::not_by_an_agent(environment, insists)?;
    let language = language(environment);
    block_on(async {
        let client = connect::client(environment)?.as_person(mark);
        let told = match reloaded(&client).await {
            Ok(told) => told,
            Err(ClientError::NotRunning) => {
                let nothing = json!({"running": false, "reload": [], "restart": [], "faults": []});
                let words = Server(language).not_running_reload();
                return done(&if form.json { nothing.to_string() } else { words.to_owned() });
            }
            Err(error) => return Err(error.into()),
        };
        let faults = names(&told, "faults");
        if form.json {
            return askuser_ask::report::finish(
                &told.to_string(),
                if faults.is_empty() { Exit::Answered } else { Exit::WrongInput },
            );
        }
        if !faults.is_empty() {
            return Err(Report::wrong_input(faults.join("\n"), None).hint(Server::unchanged_hint));
        }
        done(&applied(&told, language).join("\n"))
    })
}

/// Has the server read its file again, if one runs: one that does not reads it when it starts.
pub fn apply(environment: &Environment) -> Result<(), Report> {
    let client = connect::client(environment)?.as_person(None);
    block_on(async {
        match reloaded(&client).await {
            Ok(_) | Err(ClientError::NotRunning) => Ok(()),
            Err(error) => Err(error.into()),
        }
    })
}

/// Has the server read its file again; none is looked for with a key that is not there yet.
async fn reloaded(client: &Client) -> Result<Value, ClientError> {
    client.url()?;
    client.call::<ReloadConfig>(KeyRole::Admin).told().await
}

fn applied(told: &Value, language: Language) -> Vec<String> {
    let (reload, restart) = (names(told, "reload"), names(told, "restart"));
    let mut lines = Vec::new();
    if reload.is_empty() && restart.is_empty() {
        lines.push(Server(language).nothing_changed().to_owned());
    }
    if !reload.is_empty() {
        lines.push(Server(language).applied(listed(&reload, language)));
    }
    lines.extend(needs_restart(&restart, language));
    lines
}

pub(super) fn needs_restart(restart: &[String], language: Language) -> Option<String> {
    (!restart.is_empty()).then(|| Server(language).needs_restart(listed(restart, language)))
}

fn listed(names: &[String], language: Language) -> String {
    names.join(language.words().comma())
}

/// Asks the running server what in its file is newer; none if none runs, or it does not know.
pub async fn difference(client: &Client) -> Option<Value> {
    client.url().ok()?;
    for role in [KeyRole::Admin, KeyRole::Person] {
        if let Ok(told) = client.call::<CompareConfig>(role).told().await {
            return Some(told);
        }
    }
    None
}

/// Says what in the file is newer than the server, in a few lines; none if nothing is.
pub fn notice(told: &Value, language: Language) -> Option<String> {
    let (reload, restart, faults) = (names(told, "reload"), names(told, "restart"), names(told, "faults"));
    let mut lines = Vec::new();
    if let Some(fault) = faults.first() {
        lines.push(Server(language).not_read(fault));
    }
    if !reload.is_empty() {
        lines.push(Server(language).not_applied(listed(&reload, language)));
    }
    lines.extend(needs_restart(&restart, language));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Says that no agent can be given a task, and what to do: most often the file says it already, and the server
/// that runs has not read it.
pub async fn runner_off(client: &Client, environment: &Environment) -> Report {
    let told = difference(client).await;
    let faults = told.as_ref().map(|told| names(told, "faults")).unwrap_or_default();
    if let Some(fault) = faults.first() {
        return Report::failure(|said: Tasks| said.off_unread(fault)).hint(Tasks::off_unread_hint);
    }
    let file = told.as_ref().and_then(|told| told.get("file")?.as_str().map(str::to_owned));
    let usual = || connect::home(None, environment).ok().map(|home| environment.told(&home.config()));
    let file = file.or_else(usual).unwrap_or_else(|| "config.yaml".to_owned());
    let newer = told.as_ref().map(|told| names(told, "restart")).unwrap_or_default();
    if newer.iter().any(|name| name == "agents" || name.starts_with("runner.")) {
        let hint = |language| needs_restart(&newer, language).unwrap_or_default();
        return Report::failure(Tasks::off).hint(hint);
    }
    Report::failure(|said: Tasks| said.off_unset(&file)).hint(Tasks::off_unset_hint)
}

/// The same, from a command that has no client yet.
pub fn notice_here(environment: &Environment) -> Option<String> {
    let client = connect::client(environment).ok()?;
    let told = block_on(async { Ok(difference(&client).await) }).ok()??;
    notice(&told, language(environment))
}

pub(super) fn names(told: &Value, key: &str) -> Vec<String> {
    let list = told.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}
