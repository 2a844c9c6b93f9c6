//! What may be said to `askuser setup`, `install`, `uninstall` and `agents`.

use askuser_agents::install::Scope;
use askuser_agents::{AGENTS, Agent};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::cli::args::{Form, Insists};

/// Options of `askuser setup`.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Setup {
    /// Connect every agent found; ask nothing and open nothing
    #[arg(long)]
    pub yes: bool,
    /// Show what would change, without changing it
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// Options of `askuser install`.
#[derive(Debug, clap::Args)]
pub struct Install {
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
    /// Also forward permission prompts; they are answered in the browser or the terminal only
    #[arg(long)]
    pub permissions: bool,
    /// Also forward questions of other MCP servers, instead of the agent's own dialog
    #[arg(long)]
    pub elicitations: bool,
}

/// Options of `askuser uninstall`.
#[derive(Debug, clap::Args)]
pub struct Uninstall {
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
