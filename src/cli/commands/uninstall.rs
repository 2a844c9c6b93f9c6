//! `askuser uninstall`: lets a coding agent go again; its settings are as they were.

use askuser_words::commands::setup::Connecting;

use super::install::{AgentSettings, Work, line, told_json, would};
use askuser_ask::connect::done;
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Disconnect a coding agent and restore its settings
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser uninstall claude-code")]
pub struct Uninstall {
    #[command(flatten)]
    pub of: AgentSettings,
}

/// Lets an agent go.
pub fn run(args: &Uninstall, environment: &Environment) -> Result<Exit, Report> {
    let work = Work::look(environment)?;
    let AgentSettings { agent, scope, dry_run, form } = args.of;
    let changes = work.disconnecting(agent, scope)?;
    let words = Connecting(language(environment));
    if dry_run {
        return would(agent, &changes, form, environment);
    }
    let (written, folders) = work.carry_out(&changes)?;
    if form.json {
        return done(&told_json(agent, false, &written, environment));
    }
    let name = agent.command_name();
    if written.is_empty() && folders.is_empty() {
        return done(&words.was_not_connected(name));
    }
    let mut told = vec![words.disconnected(name)];
    told.extend(written.iter().map(|change| line(change, words, environment)));
    told.extend(folders.iter().map(|folder| format!("  {}", words.removed_folder(environment.told(folder)))));
    done(&told.join("\n"))
}
