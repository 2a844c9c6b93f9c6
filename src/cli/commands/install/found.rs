//! The one look at the coding agents of this machine: which are here, how they are connected, and whether it works.
//!
//! `askuser setup`, `agents`, `doctor` and `askuser` alone all say what this finds.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use askuser_agents::install::{Content, Extras, Install, NAME, Scope, Want, is_our_hook};
use askuser_agents::{AGENTS, Agent};
use askuser_words::commands::setup::Connecting;
use askuser_words::config::Wrong;
use askuser_words::{Both, Language, both};
use serde_json::Value;

use super::handshake::greet;
use super::receipt::Receipts;
use super::recipe::{Machine, Part, recipe};
use super::{file, json, plan, toml, whole};
use askuser_ask::connect;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Where programs are that a person installed, below the home folder; it need not be on the path.
const OWN_PROGRAMS: &str = ".local/bin";

/// How closely it is looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// At the files alone.
    Files,
    /// Each server is started as its agent would start it, and greeted.
    Started,
}

/// An agent that is on this machine, or connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Which.
    pub agent: &'static Agent,
    /// Its program.
    pub program: Option<PathBuf>,
    /// How it is connected: in the person's settings, in the project's, in both or not at all.
    pub seen: Vec<Seen>,
    /// Why its settings cannot be changed, where somebody tried to work that out.
    pub hindered: Option<Both>,
}

/// How an agent is connected in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Which.
    pub agent: &'static Agent,
    /// Where.
    pub scope: Scope,
    /// The first of its files.
    pub file: String,
    /// Whether it works.
    pub state: State,
    /// What is asked beyond questions.
    pub extras: Extras,
    /// Whether the agent runs our hooks; none where nothing is known of it.
    pub trusts_hooks: Option<bool>,
}

/// Whether a connection works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It stands there and answers; after so many milliseconds, where it was started.
    Works(Option<u128>),
    /// The same, and would be written otherwise today.
    Old(Option<u128>),
    /// It stands there and does not work.
    Broken(Both),
    /// The file cannot be read.
    Unreadable(Both),
}

/// Where an agent stands, in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Nothing of ours is in its settings.
    NotConnected,
    /// All is well.
    Connected(Scope),
    /// It would be written otherwise today.
    Outdated,
    /// Its person has not let it run our hooks yet.
    NotTrusted,
    /// It does not work.
    Broken(Both),
    /// Its settings cannot be read, so they are left alone.
    Unreadable(Both),
}

impl Found {
    /// Says where it stands.
    pub fn status(&self) -> Status {
        if let Some(why) = &self.hindered {
            return Status::Unreadable(why.clone());
        }
        // What is the person's own counts first: that is what `setup` would write.
        let Some(seen) = self.seen.first() else { return Status::NotConnected };
        match &seen.state {
            State::Broken(why) => Status::Broken(why.clone()),
            State::Unreadable(why) => Status::Unreadable(why.clone()),
            State::Old(_) => Status::Outdated,
            State::Works(_) if seen.trusts_hooks == Some(false) => Status::NotTrusted,
            State::Works(_) => Status::Connected(seen.scope),
        }
    }

    /// Whose settings it is connected in, or would be.
    pub fn scope(&self) -> Scope {
        self.seen.first().map_or(Scope::User, |seen| seen.scope)
    }

    /// What it was connected with beyond questions: kept where it is connected anew.
    pub fn extras(&self) -> Extras {
        self.seen.first().map(|seen| seen.extras).unwrap_or_default()
    }
}

/// Looks for every agent: its program, and its settings.
pub fn look(how: Look, environment: &Environment) -> Result<Vec<Found>, Report> {
    let machine = Machine::look(environment)?;
    let receipts = Receipts::of(&connect::home(None, environment)?);
    let one = |agent: &'static Agent| {
        let seen = Scope::ALL.iter();
        let seen =
            seen.filter_map(|scope| one(agent, *scope, how, &machine, &receipts, environment)).collect();
        let program = agent.install.as_ref().and_then(|install| program(install, &machine.home, environment));
        Found { agent, program, seen, hindered: None }
    };
    Ok(AGENTS
        .into_iter()
        .map(one)
        .filter(|found| found.program.is_some() || !found.seen.is_empty())
        .collect())
}

/// Whether any agent is connected, from the files alone.
pub fn is_any_connected(environment: &Environment) -> bool {
    look(Look::Files, environment).is_ok_and(|found| found.iter().any(|found| !found.seen.is_empty()))
}

/// Finds the program that people start: on the path, else where its maker puts it.
fn program(install: &Install, home: &Path, environment: &Environment) -> Option<PathBuf> {
    let path = environment.get("PATH").unwrap_or_default();
    let on_path = path.split(':').map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folders =
        on_path.chain(std::iter::once(&OWN_PROGRAMS).chain(install.folders).map(|below| home.join(below)));
    let is_program = |file: &PathBuf| {
        file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
    };
    let app = install.mac_app.map(|name| Path::new("/Applications").join(name));
    let app = app.filter(|app| cfg!(target_os = "macos") && app.is_dir());
    folders.map(|folder| folder.join(install.program)).find(is_program).or(app)
}

fn one(
    agent: &'static Agent,
    scope: Scope,
    how: Look,
    machine: &Machine,
    receipts: &Receipts,
    environment: &Environment,
) -> Option<Seen> {
    let usual = recipe(agent, scope, Extras::default(), machine).ok()?;
    let first = usual.first()?;
    let told = |state, extras| {
        let trusts_hooks = trusts_hooks(agent, scope, &usual);
        let file = environment.told(&first.path);
        Some(Seen { agent, scope, file, state, extras, trusts_hooks })
    };
    let mut server = None;
    let mut hooks = Vec::new();
    for part in &usual {
        match stands(part) {
            Ok((found, ours)) => {
                server = server.or(found);
                hooks.extend(ours);
            }
            Err(why) => return told(State::Unreadable(why), Extras::default()),
        }
    }
    if server.is_none() && hooks.is_empty() {
        return None;
    }
    let extras = Extras::of(&hooks);
    let Some((command, variables)) = server else {
        return told(State::Broken(both(Connecting::no_server)), extras);
    };
    // What hooks say while they wait is in the language of whoever connected it: either is as it should be.
    let is_current = |language: Language| {
        let parts =
            recipe(agent, scope, extras, &Machine { language, ..machine.clone() }).unwrap_or_default();
        let changes = |part: &Part| plan::install(part, scope, receipts).is_ok_and(|change| change.changes());
        !parts.iter().any(changes)
    };
    let old = ![Language::English, Language::Chinese].into_iter().any(is_current);
    let greeted = match how {
        Look::Files => Ok(None),
        Look::Started => greet(&command, &variables).map(|took| Some(took.as_millis())),
    };
    let state = match greeted {
        Ok(took) if old => State::Old(took),
        Ok(took) => State::Works(took),
        Err(why) => State::Broken(why),
    };
    told(state, extras)
}

/// Whether the agent has noted that its person lets it run our hooks, where it notes that. What it notes for a
/// project, it does under a path that we may not know.
fn trusts_hooks(agent: &Agent, scope: Scope, parts: &[Part]) -> Option<bool> {
    let [settings, hooks] = parts else { return None };
    let trust = agent.install.as_ref()?.trust.filter(|_| scope == Scope::User)?;
    let text = file::read(&settings.path).ok()?.text.unwrap_or_default();
    let hooks = file::read(&hooks.path).ok()?.real;
    Some(toml::has(&text, trust.table, &(trust.entry)(&hooks.to_string_lossy())))
}

/// What is started, and with which variables.
type Server = (Vec<String>, Vec<(String, String)>);
/// An event and the tools that a hook is for.
type HookPlace = (String, String);

/// Returns our server and our hooks, by event and matcher, as they stand in a file.
fn stands(part: &Part) -> Result<(Option<Server>, Vec<HookPlace>), Both> {
    let found = file::read(&part.path).map_err(|error| both(|language| error.said(language)))?;
    let Some(text) = found.text else { return Ok((None, Vec::new())) };
    let damaged = |why: json::Unfit| {
        both(|language: Language| Wrong(language).in_file(file_name(&part.path), why.said(language)))
    };
    match &part.content {
        Content::Whole(_) => {
            let ours = whole::is_ours(&text).then(|| ("plugin".to_owned(), String::new()));
            Ok((None, ours.into_iter().collect()))
        }
        Content::Toml { table, .. } => {
            let entry = toml::read(&text, table, NAME).map_err(damaged)?;
            Ok((entry.map(|entry| server(&entry)), Vec::new()))
        }
        Content::Json(wants) => {
            let value = json::read(&text).map_err(damaged)?;
            let entry = wants.iter().find_map(|want| match want {
                Want::Entry { at, .. } => at.iter().try_fold(&value, |value, key| value.get(key)),
                _ => None,
            });
            Ok((entry.map(server), hooks(&value)))
        }
    }
}

fn hooks(value: &Value) -> Vec<HookPlace> {
    let events = value.get("hooks").and_then(Value::as_object).into_iter().flatten();
    let groups = events
        .flat_map(|(event, groups)| groups.as_array().into_iter().flatten().map(move |group| (event, group)));
    let ours = groups.filter(|(_, group)| {
        group.get("hooks").and_then(Value::as_array).into_iter().flatten().any(is_our_hook)
    });
    let matcher = |group: &Value| group.get("matcher").and_then(Value::as_str).unwrap_or_default().to_owned();
    ours.map(|(event, group)| (event.clone(), matcher(group))).collect()
}

/// Reads what is started: `command` with `args`, or a list of both, and the variables for it.
fn server(entry: &Value) -> Server {
    let texts = |value: Option<&Value>| -> Vec<String> {
        let list = value.and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let mut command = texts(entry.get("command"));
    command.extend(entry.get("command").and_then(Value::as_str).map(str::to_owned));
    command.extend(texts(entry.get("args")));
    let variables = entry.get("env").or_else(|| entry.get("environment")).and_then(Value::as_object);
    let variables = variables.into_iter().flatten();
    let variables = variables.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    (command, variables.collect())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Seen {
    /// Whether it stands there and works.
    pub fn works(&self) -> bool {
        matches!(self.state, State::Works(_) | State::Old(_))
    }

    /// What to do where the agent does not run our hooks.
    pub fn untrusted(&self, language: Language) -> Option<&'static str> {
        let trust = self.agent.install.as_ref()?.trust?;
        (self.trusts_hooks == Some(false)).then(|| (trust.remedy)(Connecting(language)))
    }

    /// Says whether it works.
    pub fn state_in_words(&self, language: Language) -> String {
        let words = Connecting(language);
        let asks =
            if self.extras.permissions { words.questions_and_permissions() } else { words.questions() };
        match &self.state {
            State::Works(ms) => words.works(asks, ms.unwrap_or_default()),
            State::Old(ms) => words.outdated(asks, ms.unwrap_or_default(), self.agent.command_name()),
            State::Broken(why) => words.broken(language.of(why)),
            State::Unreadable(why) => words.unreadable(language.of(why)),
        }
    }

    /// Returns it in words.
    pub fn line(&self, language: Language) -> String {
        let (agent, scope) = (self.agent.command_name(), self.scope.name());
        format!("{agent} ({scope}) {}: {}", self.file, self.state_in_words(language))
    }
}
