//! `askuser install`, `uninstall`: connects a coding agent, and lets it go again.
//!
//! What an agent should be told is a recipe; a plan works out every file in full before one is
//! written; a receipt keeps the way back. Files that cannot be read are left alone.

pub mod args;
pub mod want;
pub mod json;
pub mod toml;
pub mod whole;
pub mod recipe;
pub mod file;
pub mod receipt;
pub mod plan;
pub mod agents;
mod handshake;

use std::path::PathBuf;

use serde_json::Value;

use self::args::{Agent, Install, Scope, Uninstall};
use self::file::FileError;
use self::plan::{Change, NoPlan};
use self::receipt::Receipts;
use self::recipe::{Around, Extras, NoRecipe};
use super::args::Form;
use super::connect::{self, done};
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::report::Report;
use crate::environment::Environment;

/// Connects an agent.
pub fn install(args: &Install, environment: &Environment) -> Result<Exit, Report> {
    let around = Around::look(environment)?;
    let receipts = Receipts::of(&connect::home(None, environment)?);
    let extras = Extras { permissions: args.permissions, elicitations: args.elicitations };
    let parts = recipe::recipe(args.agent, args.scope, extras, &around)?;
    let changes: Vec<Change> =
        parts.iter().map(|part| plan::install(part, args.scope, &receipts)).collect::<Result<_, _>>()?;
    if args.dry_run {
        return would(args.agent, &changes, args.form, environment);
    }
    let (written, _) = carry_out(&changes, &receipts)?;
    give_key(args.agent, environment)?;
    if args.form.json {
        return done(&told_json(args.agent, true, &written, environment));
    }
    if written.is_empty() {
        return done(&format!("{} is connected already: nothing changed", args.agent.name()));
    }
    let mut told = vec![format!("{} is connected", args.agent.name())];
    told.extend(written.iter().map(|change| line(change, environment)));
    let (agent, scope) = (args.agent.name(), args.scope.name());
    told.push(format!("`askuser uninstall {agent} --scope {scope}` puts everything back as it was"));
    told.extend(next(args.agent, args.scope).map(str::to_owned));
    done(&told.join("\n"))
}

/// Lets an agent go.
pub fn uninstall(args: &Uninstall, environment: &Environment) -> Result<Exit, Report> {
    let around = Around::look(environment)?;
    let receipts = Receipts::of(&connect::home(None, environment)?);
    let everything = Extras { permissions: true, elicitations: true };
    let parts = recipe::recipe(args.agent, args.scope, everything, &around)?;
    let changes: Vec<Change> =
        parts.iter().map(|part| plan::uninstall(part, args.scope, &receipts)).collect::<Result<_, _>>()?;
    if args.dry_run {
        return would(args.agent, &changes, args.form, environment);
    }
    let (written, folders) = carry_out(&changes, &receipts)?;
    if args.form.json {
        return done(&told_json(args.agent, false, &written, environment));
    }
    if written.is_empty() && folders.is_empty() {
        return done(&format!("{} was not connected: nothing changed", args.agent.name()));
    }
    let mut told = vec![format!("{} is no longer connected", args.agent.name())];
    told.extend(written.iter().map(|change| line(change, environment)));
    told.extend(folders.iter().map(|folder| format!("  removed {} (empty)", environment.told(folder))));
    done(&told.join("\n"))
}

/// `--dry-run`: what would change, as a diff in colours.
fn would(agent: Agent, changes: &[Change], form: Form, environment: &Environment) -> Result<Exit, Report> {
    let changing: Vec<&Change> = changes.iter().filter(|change| change.changes()).collect();
    if form.json {
        let files: Vec<Value> = changing
            .iter()
            .map(|change| {
                let name = environment.told(&change.path);
                serde_json::json!({"file": name, "would_be": change.verb(), "diff": change.diff(&name)})
            })
            .collect();
        return done(&serde_json::json!({"agent": agent.name(), "files": files}).to_string());
    }
    let screen = Screen::of(environment);
    let text = diffs(changes, environment);
    let line = |line: &str| match line.chars().next() {
        Some('+') => screen.paint.text(Role::Good, line),
        Some('-') => screen.paint.text(Role::Bad, line),
        Some('@') => screen.paint.text(Role::Id, line),
        _ => line.to_owned(),
    };
    screen.print(&text.lines().map(line).collect::<Vec<_>>().join("\n"))
}

fn told_json(agent: Agent, connected: bool, written: &[&Change], environment: &Environment) -> String {
    let files: Vec<Value> = written
        .iter()
        .map(|change| serde_json::json!({"file": environment.told(&change.path), "was": change.verb()}))
        .collect();
    serde_json::json!({"agent": agent.name(), "connected": connected, "files": files}).to_string()
}

fn line(change: &Change, environment: &Environment) -> String {
    format!("  {} {}", change.verb(), environment.told(&change.path))
}

/// Gives the agent a key of its own. While askuser does not run, its first start does so; where it had one before,
/// `askuser doctor` says how it stands.
fn give_key(agent: Agent, environment: &Environment) -> Result<(), Report> {
    let client = connect::client(environment)?.by_agent(Some(agent.name()));
    connect::block_on(async {
        let _given = client.get_own_key().await;
        Ok(())
    })
}

/// Makes every change or none: where one fails, those before it are taken back. Returns what changed, and
/// which folders went.
fn carry_out<'a>(
    changes: &'a [Change],
    receipts: &Receipts,
) -> Result<(Vec<&'a Change>, Vec<PathBuf>), Report> {
    let mut gone = Vec::new();
    for (idx, change) in changes.iter().enumerate() {
        let error = match change.carry_out(receipts) {
            Ok(folders) => {
                gone.extend(folders);
                continue;
            }
            Err(error) => error,
        };
        let mut report = error.to_string();
        for earlier in changes.iter().take(idx).filter(|earlier| earlier.changes()) {
            if let Err(error) = earlier.undo() {
                report = format!("{report}; and {} stays changed: {error}", earlier.path.display());
            }
        }
        return Err(Report::failed(report, None));
    }
    Ok((changes.iter().filter(|change| change.changes()).collect(), gone))
}

fn diffs(changes: &[Change], environment: &Environment) -> String {
    let diffs = changes.iter().filter(|change| change.changes());
    let diffs: Vec<String> = diffs.map(|change| change.diff(&environment.told(&change.path))).collect();
    if diffs.is_empty() { "nothing would change".to_owned() } else { diffs.concat().trim_end().to_owned() }
}

/// What the person has to do themselves.
fn next(agent: Agent, scope: Scope) -> Option<&'static str> {
    match (agent, scope) {
        (Agent::ClaudeCode, Scope::Project) => {
            Some("start claude in this project and approve the server and the hooks when it asks")
        }
        (Agent::ClaudeCode, Scope::User) => {
            Some("sessions that are running take it up when they are restarted")
        }
        (Agent::Codex, _) => Some(
            "start codex once and choose \"Trust all and continue\": its hooks run only then, and `codex exec` does not ask",
        ),
        (Agent::Vscode, _) => Some("in VS Code, start the server once from the MCP list"),
        (Agent::Opencode, _) => Some("opencode takes up the plugin when it is started anew"),
        (Agent::Gemini | Agent::Cursor | Agent::Windsurf, _) => None,
    }
}

impl From<NoRecipe> for Report {
    fn from(error: NoRecipe) -> Self {
        let hint = match &error {
            NoRecipe::NoProject { .. } => Some("use --scope user"),
            NoRecipe::NoHome => Some("set HOME"),
            NoRecipe::NoProgram(_) => None,
        };
        Self::wrong_input(error.to_string(), hint)
    }
}

impl From<NoPlan> for Report {
    fn from(error: NoPlan) -> Self {
        let hint = match &error {
            NoPlan::Unfit { .. } => Some("mend the file first; nothing was changed"),
            NoPlan::File(FileError::Changed { .. }) => None,
            NoPlan::File(_) | NoPlan::NoBackup { .. } => Some("nothing was changed"),
        };
        Self::failed(error.to_string(), hint)
    }
}
