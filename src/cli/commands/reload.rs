//! `askuser config path|get|set` and `askuser reload`; and what in the file is newer than the server.

use std::path::PathBuf;

use askuser_words::Language;
use askuser_words::commands::{Server, Tasks};
use askuser_words::config::Wrong;
use serde_json::{Value, json};

use super::config::read;
use super::install::file;
use crate::cli::args::{ConfigVerb, Form, Insists};
use crate::cli::connect::{self, block_on, done};
use crate::cli::exit::Exit;
use crate::cli::output::language;
use crate::cli::report::Report;
use askuser_api::operating::{CompareConfig, ReloadConfig};
use askuser_client::Client;
use askuser_client::error::ClientError;
use askuser_client::keys::KeyFor;
use askuser_config::{KEYS, Key, NotSet, Sources, nearest, set, settings};
use askuser_system::environment::Environment;

/// `askuser config path`, `get KEY`, `set KEY VALUE`; `--json` may stand before or behind what is done.
pub fn run(
    what: &ConfigVerb,
    before: Form,
    sources: &Sources,
    environment: &Environment,
) -> Result<Exit, Report> {
    let said = |form: &Form, told: Value, words: String| {
        done(&if form.json || before.json { told.to_string() } else { words })
    };
    let language = language(environment);
    match what {
        ConfigVerb::Path { form } => {
            let file = path(sources)?.display().to_string();
            said(form, json!({ "file": file }), file)
        }
        ConfigVerb::Get { key, form } => {
            let (key, loaded) = (find(key, language)?, read(sources, language)?);
            let (name, value) = (key.full_name(), key.show(&loaded.config));
            let settings = settings(&loaded, environment, Language::English);
            let from =
                settings.iter().find(|setting| setting.name == name).map(|setting| setting.from.name());
            said(form, json!({ "name": name, "value": value, "from": from }), value)
        }
        ConfigVerb::Set { key, value, form, insists } => {
            connect::not_by_an_agent(environment, insists.as_person)?;
            let key = find(key, language)?;
            let path = put(key, value, sources, language)?;
            let (name, value) = (key.full_name(), key.show(&read(sources, language)?.config));
            let file = path.display().to_string();
            let mut lines = vec![format!("{name} = {value}  ({file})")];
            lines.extend(notice_here(environment));
            said(form, json!({ "name": name, "value": value, "file": file }), lines.join("\n"))
        }
    }
}

/// `askuser reload`
pub fn reload(form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    let mark = connect::not_by_an_agent(environment, insists.as_person)?;
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
            return super::ask::finish(
                &told.to_string(),
                if faults.is_empty() { Exit::Answered } else { Exit::WrongInput },
            );
        }
        if !faults.is_empty() {
            return Err(Report::of(Exit::WrongInput, faults.join("\n")).hint(Server::unchanged_hint));
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
    client.call::<ReloadConfig>(KeyFor::Admin).told().await
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

fn needs_restart(restart: &[String], language: Language) -> Option<String> {
    (!restart.is_empty()).then(|| Server(language).needs_restart(listed(restart, language)))
}

fn listed(names: &[String], language: Language) -> String {
    names.join(language.words().comma())
}

/// Asks the running server what in its file is newer; none if none runs, or it does not know.
pub async fn difference(client: &Client) -> Option<Value> {
    client.url().ok()?;
    for role in [KeyFor::Admin, KeyFor::Person] {
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

fn names(told: &Value, key: &str) -> Vec<String> {
    let list = told.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Writes a value into the file; returns where that is.
fn put(key: &Key, value: &str, sources: &Sources, language: Language) -> Result<PathBuf, Report> {
    let path = path(sources)?;
    let found = file::read(&path).map_err(|error| unwritten(&error))?;
    let text = set(found.text.as_deref().unwrap_or_default(), key, value).map_err(|error| {
        let hint = match &error {
            NotSet::Value(_) => key.about(language).to_owned(),
            NotSet::Faults(_) | NotSet::Unusual(_) => Wrong(language).edit_yourself(path.display()),
        };
        Report::wrong_input(error.said(language), Some(&hint))
    })?;
    file::write(&path, &found, Some(&text), 0o600).map_err(|error| unwritten(&error))?;
    Ok(path)
}

fn unwritten(error: &file::FileError) -> Report {
    Report::failure(|language| error.said(language))
}

fn path(sources: &Sources) -> Result<PathBuf, Report> {
    sources.file().ok_or_else(|| Report::failure(Server::no_file).hint(Server::no_file_hint))
}

/// Finds a key by `section.name`, or by its name alone where one section has it.
fn find(name: &str, language: Language) -> Result<&'static Key, Report> {
    let mut found = KEYS.iter().filter(|key| key.full_name() == name || key.name == name);
    if let (Some(key), None) = (found.next(), found.next()) {
        return Ok(key);
    }
    let names: Vec<String> = KEYS.iter().map(Key::full_name).collect();
    let said = Wrong(language);
    let near = nearest(name, names.iter().map(String::as_str));
    let what = match near {
        Some(near) => said.no_key(name, said.did_you_mean(near)),
        None => said.no_key_at_all(name),
    };
    Err(Report::wrong_input(what, Some(said.see_list())))
}
