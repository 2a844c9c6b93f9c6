//! `askuser agents`: which agents are connected, where, and whether it works.

use std::path::Path;

use serde_json::{Value, json};

use super::args::{Agent, Scope};
use super::handshake::greet;
use super::receipt::Receipts;
use super::recipe::{Around, Extras, Part, Stands, recipe};
use super::want::{NAME, Want, is_our_hook};
use super::{file, json, plan, toml, whole};
use crate::cli::args::Form;
use crate::cli::connect::{self, done};
use crate::cli::exit::Exit;
use crate::cli::output::Screen;
use crate::cli::output::paint::Role;
use crate::cli::output::table::{Cell, Column, table};
use crate::cli::report::Report;
use crate::environment::Environment;

/// What to do where Codex does not run our hooks.
const NOT_TRUSTED: &str = "its hooks do not run yet: start codex once and choose \"Trust all and continue\" (codex exec does not ask)";

/// How an agent is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    agent: Agent,
    scope: Scope,
    /// The first of its files.
    file: String,
    state: State,
    permissions: bool,
    /// Whether the agent runs our hooks; none where nothing is known of it.
    trusts_hooks: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// It stands there and answers, after so many milliseconds.
    Works(u128),
    /// It stands there, answers, and would be written otherwise today.
    Old(u128),
    /// It stands there and does not work.
    Broken(String),
    /// The file cannot be read.
    Unreadable(String),
}

/// Shows what is connected.
pub fn run(form: Form, environment: &Environment) -> Result<Exit, Report> {
    let seen = look(environment)?;
    if form.json {
        let told: Vec<Value> = seen.iter().map(Seen::json).collect();
        return done(&json!({ "agents": told }).to_string());
    }
    if seen.is_empty() {
        return done("no agent is connected: `askuser install AGENT` connects one");
    }
    let screen = Screen::of(environment);
    let row = |seen: &Seen| {
        let role = if seen.works() { Role::Good } else { Role::Bad };
        vec![
            Cell::new(Role::Id, seen.agent.name()),
            seen.scope.name().into(),
            Cell::new(role, seen.state_in_words()),
            Cell::new(Role::Dim, seen.file.clone()),
        ]
    };
    let table = table(&screen, &COLUMNS, seen.iter().map(row).collect());
    let notes = seen.iter().filter_map(|seen| Some(format!("{}: {}", seen.agent.name(), seen.untrusted()?)));
    let notes: Vec<String> =
        notes.map(|note| screen.paint.text(Role::Warn, &screen.wrapped(&note))).collect();
    screen.print(&std::iter::once(table).chain(notes).collect::<Vec<_>>().join("\n\n"))
}

const COLUMNS: [Column; 4] = [
    Column::new("AGENT", "智能体"),
    Column::new("SCOPE", "范围").minor(2),
    Column::new("STATUS", "状态").cut(18),
    Column::new("FILE", "文件").cut(12).minor(1),
];

/// Looks at every agent's files.
pub fn look(environment: &Environment) -> Result<Vec<Seen>, Report> {
    let around = Around::look(environment)?;
    let receipts = Receipts::of(&connect::home(None, environment)?);
    let mut seen = Vec::new();
    for agent in Agent::ALL {
        for scope in Scope::ALL {
            seen.extend(one(agent, scope, &around, &receipts, environment));
        }
    }
    Ok(seen)
}

fn one(
    agent: Agent,
    scope: Scope,
    around: &Around,
    receipts: &Receipts,
    environment: &Environment,
) -> Option<Seen> {
    let usual = recipe(agent, scope, Extras::default(), around).ok()?;
    let first = usual.first()?;
    let told = |state, permissions| {
        let trusts_hooks = trusts_hooks(agent, scope, &usual);
        let file = environment.told(&first.path);
        Some(Seen { agent, scope, file, state, permissions, trusts_hooks })
    };
    let mut server = None;
    let mut hooks = Vec::new();
    for part in &usual {
        match stands(part) {
            Ok((found, ours)) => {
                server = server.or(found);
                hooks.extend(ours);
            }
            Err(why) => return told(State::Unreadable(why), false),
        }
    }
    let permissions = hooks.iter().any(|(event, matcher)| event == "PermissionRequest" && matcher == "*");
    let elicitations = hooks.iter().any(|(event, _)| event == "Elicitation");
    if server.is_none() && hooks.is_empty() {
        return None;
    }
    let Some((command, variables)) = server else {
        return told(State::Broken("the hooks stand there, the server does not".to_owned()), permissions);
    };
    let extras = Extras { permissions, elicitations };
    let current = recipe(agent, scope, extras, around).ok()?;
    let old =
        current.iter().any(|part| plan::install(part, scope, receipts).is_ok_and(|change| change.changes()));
    let state = match greet(&command, &variables) {
        Ok(took) if old => State::Old(took.as_millis()),
        Ok(took) => State::Works(took.as_millis()),
        Err(why) => State::Broken(why),
    };
    told(state, permissions)
}

/// Whether Codex has noted that its person trusts our hooks: until then it runs none of them, and
/// `codex exec` says nothing of it. What it notes for a project, it does under a path that we may not know.
fn trusts_hooks(agent: Agent, scope: Scope, parts: &[Part]) -> Option<bool> {
    let [settings, hooks] = parts else { return None };
    if agent != Agent::Codex || scope != Scope::User {
        return None;
    }
    let text = file::read(&settings.path).ok()?.text.unwrap_or_default();
    let hooks = file::read(&hooks.path).ok()?.real;
    let question = format!("{}:pre_tool_use:", hooks.display());
    Some(toml::has(&text, ["hooks", "state"], &question))
}

/// What is started, and with which variables.
type Server = (Vec<String>, Vec<(String, String)>);
/// An event and the tools that a hook is for.
type HookPlace = (String, String);

/// Returns our server and our hooks, by event and matcher, as they stand in a file.
fn stands(part: &Part) -> Result<(Option<Server>, Vec<HookPlace>), String> {
    let found = file::read(&part.path).map_err(|error| error.to_string())?;
    let Some(text) = found.text else { return Ok((None, Vec::new())) };
    let damaged = |why: json::Unfit| format!("{}: {why}", file_name(&part.path));
    match &part.stands {
        Stands::Whole(_) => {
            let ours = whole::is_ours(&text).then(|| ("plugin".to_owned(), String::new()));
            Ok((None, ours.into_iter().collect()))
        }
        Stands::Toml { table, .. } => {
            let entry = toml::read(&text, table, NAME).map_err(damaged)?;
            Ok((entry.map(|entry| server(&entry)), Vec::new()))
        }
        Stands::Json(wants) => {
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
    pub fn untrusted(&self) -> Option<&'static str> {
        (self.trusts_hooks == Some(false)).then_some(NOT_TRUSTED)
    }

    /// Says whether it works.
    fn state_in_words(&self) -> String {
        let agent = self.agent.name();
        let asks = if self.permissions { "questions and permissions" } else { "questions" };
        match &self.state {
            State::Works(ms) => format!("works ({asks}; answers in {ms} ms)"),
            State::Old(ms) => {
                format!("works ({asks}; answers in {ms} ms), but `askuser install {agent}` would update it")
            }
            State::Broken(why) => format!("does not work: {why}"),
            State::Unreadable(why) => format!("cannot be read: {why}"),
        }
    }

    /// Returns it in words.
    pub fn line(&self) -> String {
        let (agent, scope) = (self.agent.name(), self.scope.name());
        format!("{agent} ({scope}) {} in {}", self.state_in_words(), self.file)
    }

    fn json(&self) -> Value {
        let (state, why) = match &self.state {
            State::Works(_) => ("works", None),
            State::Old(_) => ("old", None),
            State::Broken(why) => ("broken", Some(why)),
            State::Unreadable(why) => ("unreadable", Some(why)),
        };
        json!({
            "agent": self.agent.name(), "scope": self.scope.name(), "file": self.file,
            "state": state, "why": why, "permissions": self.permissions, "trusts_hooks": self.trusts_hooks,
        })
    }
}
