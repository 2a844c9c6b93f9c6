//! `askuser install`: connects a coding agent.
//!
//! What an agent should be told is a recipe; a plan works out every file in full before one is
//! written; a receipt keeps the way back. Files that cannot be read are left alone.

pub mod json;
pub mod toml;
pub mod whole;
pub mod recipe;
pub mod file;
pub mod receipt;
pub mod plan;
pub mod found;
mod handshake;

use std::path::PathBuf;

use askuser_agents::install::{Extras, Scope};
use askuser_agents::{AGENTS, Agent};
use askuser_words::Language;
use askuser_words::commands::setup::{Connecting, Editing};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::Value;

use self::file::FileError;
use self::plan::{Change, NoPlan};
use self::receipt::Receipts;
use self::recipe::{Machine, NoRecipe};
use crate::cli::args::Form;
use askuser_ask::connect::{self, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::paint::Role;
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Connect a coding agent, so its questions reach you
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser install claude-code
askuser install codex --scope project --dry-run")]
pub struct Install {
    #[command(flatten)]
    pub of: AgentSettings,
    /// Also forward permission prompts; they are answered in the browser or the terminal only
    #[arg(long)]
    pub permissions: bool,
    /// Also forward questions of other MCP servers, instead of the agent's own dialog
    #[arg(long)]
    pub elicitations: bool,
}

/// Whose settings are changed, and how that is told.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct AgentSettings {
    /// The coding agent
    #[arg(value_parser = agent(installed))]
    pub agent: &'static Agent,
    /// Where the agent's settings are
    #[arg(long, value_parser = scope(), default_value = "user")]
    pub scope: Scope,
    /// Show what would change, without changing it
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub form: Form,
}

/// Takes the name of an agent, one of those that fit.
pub fn agent(fits: fn(&Agent) -> bool) -> impl TypedValueParser<Value = &'static Agent> {
    let known = move || AGENTS.into_iter().filter(move |agent| fits(agent));
    let value = |agent: &'static Agent| {
        let value = PossibleValue::new(agent.command_name()).help(agent.title);
        if agent.name == agent.command_name() { value } else { value.alias(agent.name) }
    };
    let names = PossibleValuesParser::new(known().map(value));
    names.try_map(move |name| known().find(|agent| agent.is_called(&name)).ok_or("no such agent"))
}

fn installed(agent: &Agent) -> bool {
    agent.install.is_some()
}

fn scope() -> impl TypedValueParser<Value = Scope> {
    let value = |scope: Scope| {
        PossibleValue::new(scope.name()).help(match scope {
            Scope::User => "Your own settings, for every project",
            Scope::Project => "This project's files, which others may share",
        })
    };
    let names = PossibleValuesParser::new(Scope::ALL.map(value));
    names.try_map(|name| Scope::ALL.into_iter().find(|scope| scope.name() == name).ok_or("no such scope"))
}

/// Connects an agent.
pub fn run(args: &Install, environment: &Environment) -> Result<Exit, Report> {
    let work = Work::look(environment)?;
    let extras = Extras { permissions: args.permissions, elicitations: args.elicitations };
    let AgentSettings { agent, scope, dry_run, form } = args.of;
    let changes = work.connecting(agent, scope, extras)?;
    let words = Connecting(language(environment));
    if dry_run {
        return would(agent, &changes, form, environment);
    }
    let (written, _) = work.carry_out(&changes)?;
    give_key(agent, environment)?;
    if form.json {
        return done(&told_json(agent, true, &written, environment));
    }
    let name = agent.command_name();
    if written.is_empty() {
        return done(&words.already_connected(name));
    }
    let mut told = vec![words.connected(name)];
    told.extend(written.iter().map(|change| line(change, words, environment)));
    told.push(words.undo(undo(agent, scope)));
    told.extend(next(agent, scope, words));
    done(&told.join("\n"))
}

/// What it takes to change agents' settings.
pub(super) struct Work {
    machine: Machine,
    receipts: Receipts,
}

impl Work {
    /// Looks at it.
    pub(super) fn look(environment: &Environment) -> Result<Self, Report> {
        let receipts = Receipts::of(&connect::home(None, environment)?);
        Ok(Self { machine: Machine::look(environment)?, receipts })
    }

    /// Works out what connects an agent.
    pub(super) fn connecting(
        &self,
        agent: &Agent,
        scope: Scope,
        extras: Extras,
    ) -> Result<Vec<Change>, Report> {
        let parts = recipe::recipe(agent, scope, extras, &self.machine)?;
        let changes = parts.iter().map(|part| plan::install(part, scope, &self.receipts));
        Ok(changes.collect::<Result<_, _>>()?)
    }

    pub(super) fn disconnecting(&self, agent: &Agent, scope: Scope) -> Result<Vec<Change>, Report> {
        let everything = Extras { permissions: true, elicitations: true };
        let parts = recipe::recipe(agent, scope, everything, &self.machine)?;
        let changes = parts.iter().map(|part| plan::uninstall(part, scope, &self.receipts));
        Ok(changes.collect::<Result<_, _>>()?)
    }

    /// Makes every change or none: where one fails, those before it are taken back. Returns what changed, and
    /// which folders went.
    pub(super) fn carry_out<'a>(
        &self,
        changes: impl IntoIterator<Item = &'a Change>,
    ) -> Result<(Vec<&'a Change>, Vec<PathBuf>), Report> {
        let (mut made, mut gone) = (Vec::new(), Vec::new());
        for change in changes {
            match change.carry_out(&self.receipts) {
                Ok(folders) => gone.extend(folders),
                Err(error) => return Err(taken_back(&made, &error)),
            }
            if change.changes() {
                made.push(change);
            }
        }
        Ok((made, gone))
    }
}

fn taken_back(made: &[&Change], error: &NoPlan) -> Report {
    let stay: Vec<_> = made.iter().filter_map(|made| Some((&made.path, made.undo().err()?))).collect();
    Report::failure(|language: Language| {
        stay.iter().fold(error.said(language), |said, (path, why)| {
            Editing(language).stays_changed(said, path.display(), why.said(language))
        })
    })
}

/// The command that undoes it.
pub(super) fn undo(agent: &Agent, scope: Scope) -> String {
    let scope = match scope {
        Scope::User => "",
        Scope::Project => " --scope project",
    };
    format!("askuser uninstall {}{scope}", agent.command_name())
}

/// `--dry-run`: what would change, as a diff in colours.
pub(super) fn would(
    agent: &Agent,
    changes: &[Change],
    form: Form,
    environment: &Environment,
) -> Result<Exit, Report> {
    if form.json {
        let files = would_json(changes, environment);
        return done(&serde_json::json!({"agent": agent.command_name(), "files": files}).to_string());
    }
    let screen = Screen::of(environment);
    screen.print(&diffs(changes, &screen, environment))
}

/// What would become of each file, for programs.
pub(super) fn would_json<'a>(
    changes: impl IntoIterator<Item = &'a Change>,
    environment: &Environment,
) -> Vec<Value> {
    let changing = changes.into_iter().filter(|change| change.changes());
    let file = |change: &Change| {
        let name = environment.told(&change.path);
        serde_json::json!({"file": name, "would_be": change.verb(), "diff": change.diff(&name)})
    };
    changing.map(file).collect()
}

/// What changed, for programs.
pub(super) fn written_json(written: &[&Change], environment: &Environment) -> Vec<Value> {
    let file =
        |change: &&Change| serde_json::json!({"file": environment.told(&change.path), "was": change.verb()});
    written.iter().map(file).collect()
}

pub(super) fn told_json(
    agent: &Agent,
    connected: bool,
    written: &[&Change],
    environment: &Environment,
) -> String {
    let files = written_json(written, environment);
    serde_json::json!({"agent": agent.command_name(), "connected": connected, "files": files}).to_string()
}

/// Says what became of a file.
pub(super) fn line(change: &Change, words: Connecting, environment: &Environment) -> String {
    let file = environment.told(&change.path);
    let said = match change.verb() {
        "created" => words.created(file),
        "removed" => words.removed(file),
        _ => words.changed(file),
    };
    format!("  {said}")
}

/// Gives the agent a key of its own. While askuser does not run, its first start does so; where it had one before,
/// `askuser doctor` says how it stands.
pub(super) fn give_key(agent: &Agent, environment: &Environment) -> Result<(), Report> {
    let client = connect::client(environment)?.by_agent(Some(agent.name));
    connect::block_on(async {
        let _given = client.get_own_key().await;
        Ok(())
    })
}

/// What would change, as `diff -u` shows it, in colours.
pub(super) fn diffs<'a>(
    changes: impl IntoIterator<Item = &'a Change>,
    screen: &Screen,
    environment: &Environment,
) -> String {
    let changing = changes.into_iter().filter(|change| change.changes());
    let text: String = changing.map(|change| change.diff(&environment.told(&change.path))).collect();
    if text.is_empty() {
        return Connecting(screen.language).nothing_to_change().to_owned();
    }
    let line = |line: &str| match line.chars().next() {
        Some('+') => screen.paint.text(Role::Good, line),
        Some('-') => screen.paint.text(Role::Bad, line),
        Some('@') => screen.paint.text(Role::Id, line),
        _ => line.to_owned(),
    };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What the person has to do themselves.
pub(super) fn next(agent: &Agent, scope: Scope, words: Connecting) -> Option<String> {
    (agent.install.as_ref()?.next)(words, scope)
}

impl From<NoRecipe> for Report {
    fn from(error: NoRecipe) -> Self {
        let report = Self::input(|language| error.said(language));
        match &error {
            NoRecipe::NoProject { .. } => report.hint(Editing::no_project_hint),
            NoRecipe::NoHome => report.hint(Editing::no_home_hint),
            NoRecipe::NoProgram(_) => report,
        }
    }
}

impl From<NoPlan> for Report {
    fn from(error: NoPlan) -> Self {
        let report = Self::failure(|language| error.said(language));
        match &error {
            NoPlan::Unfit { .. } => report.hint(Editing::correct_it),
            NoPlan::File(FileError::Changed { .. }) => report,
            NoPlan::File(_) | NoPlan::NoBackup { .. } => report.hint(Editing::unchanged),
        }
    }
}
