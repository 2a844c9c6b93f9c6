//! `askuser setup`: finds the coding agents of this machine, connects the chosen ones, and tries every way to the
//! person with a test question. What it asks, it asks with our own panel.
//!
//! All of the connecting is worked out before the first file is written, and made whole or not at all.

pub mod flow;
mod reach;

use askuser_agents::Agent;
use askuser_core::question::YES;
use askuser_words::commands::setup::{Connecting, Setup as Words};
use serde_json::json;

use self::flow::Plan;
use super::install::found::{self, Look};
use super::install::{self, Work};
use crate::cli::args::{Form, Insists};
use askuser_ask::connect::not_by_an_agent;
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::report::Report;
use askuser_ask::report::finish;
use askuser_ask::surface;
use askuser_system::environment::Environment;

/// Connect the coding agents on this machine
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(after_help = "askuser setup
askuser setup --dry-run
askuser setup --yes")]
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

/// Sets askuser up.
pub fn run(args: &Setup, environment: &Environment) -> Result<Exit, Report> {
    not_by_an_agent(environment, args.insists)?;
    let found = found::look(Look::Started, environment)?;
    let plan = Plan::of(found, &Work::look(environment)?);
    let screen = Screen::of(environment);
    let words = Words(screen.language);
    if args.form.json {
        return as_json(*args, &plan, environment);
    }
    show(&plan.listed(&screen, environment))?;
    if args.dry_run {
        return would(&plan, &screen, environment);
    }
    if args.yes {
        if plan.changes.is_empty() {
            return show(&screen.wrapped(nothing_to_do(&plan, words)));
        }
        show(&connect(&plan, &plan.agents(), &screen, environment)?)?;
        return show(&next(&screen));
    }
    if surface::terminal(environment, None)?.is_none() {
        if plan.changes.is_empty() {
            return show(&screen.wrapped(nothing_to_do(&plan, words)));
        }
        return Err(Report::nobody_there(words.nobody_there(), words.run_instead()));
    }
    guided(&plan, *args, &screen, environment)
}

/// Goes through it with a person.
fn guided(plan: &Plan, args: Setup, screen: &Screen, environment: &Environment) -> Result<Exit, Report> {
    let words = Words(screen.language);
    let mut is_new = false;
    if plan.changes.is_empty() {
        show(&screen.wrapped(nothing_to_do(plan, words)))?;
    } else {
        let chosen = plan.chosen(&flow::picks(&plan.which(words, environment), environment)?);
        let agreed = !chosen.is_empty() && {
            show(&install::diffs(plan.of_agents(&chosen), screen, environment))?;
            let changing = plan.of_agents(&chosen).filter(|change| change.changes());
            let files: Vec<String> = changing.map(|change| environment.told(&change.path)).collect();
            let confirm = flow::confirm(chosen.len(), &files, words);
            flow::picks(&confirm, environment)?.iter().any(|pick| pick == YES)
        };
        if agreed {
            show(&connect(plan, &chosen, screen, environment)?)?;
            is_new = true;
        } else {
            show(words.nothing_changed())?;
        }
    }
    let tried = reach::try_each(is_new, args.insists, environment)?;
    let lines: Vec<String> = tried.iter().map(|line| screen.wrapped(&format!("  {line}"))).collect();
    let done = (!lines.is_empty())
        .then(|| format!("{}\n{}\n", screen.paint.text(Role::Strong, words.summary()), lines.join("\n")));
    show(&done.into_iter().chain([next(screen)]).collect::<Vec<_>>().join("\n"))
}

/// Connects agents, and says which files that changed and how to undo it.
fn connect(
    plan: &Plan,
    agents: &[&'static Agent],
    screen: &Screen,
    environment: &Environment,
) -> Result<String, Report> {
    let written = Work::look(environment)?.carry_out(plan.of_agents(agents))?.0;
    let (words, said) = (Words(screen.language), Connecting(screen.language));
    let mut lines = Vec::new();
    for agent in agents {
        install::give_key(agent, environment)?;
        lines.push(screen.paint.text(Role::Good, &said.connected(agent.title)));
        let own = plan.of_agents(std::slice::from_ref(agent));
        let files = own.filter(|change| written.iter().any(|written| std::ptr::eq(*written, *change)));
        lines.extend(files.map(|change| install::line(change, said, environment)));
        let scope = plan.scope(agent);
        lines.push(screen.wrapped(&format!("  {}", words.undo(install::undo(agent, scope)))));
        let next = install::next(agent, scope, said);
        lines.extend(next.map(|next| screen.wrapped(&format!("  {next}"))));
    }
    Ok(lines.join("\n"))
}

/// `--dry-run`: what would change.
fn would(plan: &Plan, screen: &Screen, environment: &Environment) -> Result<Exit, Report> {
    let words = Words(screen.language);
    if plan.changes.is_empty() {
        return show(&screen.wrapped(nothing_to_do(plan, words)));
    }
    let agents = plan.agents();
    let titles: Vec<&str> = agents.iter().map(|agent| agent.title).collect();
    let head = words.would_connect(titles.join(words.and()));
    screen.print(&format!("{head}\n\n{}", install::diffs(plan.of_agents(&agents), screen, environment)))
}

/// `--json`: what was found, and with `--yes` what was done; alone it changes nothing.
fn as_json(args: Setup, plan: &Plan, environment: &Environment) -> Result<Exit, Report> {
    let agents = plan.agents();
    let is_done = args.yes && !args.dry_run;
    let files = if is_done {
        let (written, _) = Work::look(environment)?.carry_out(plan.of_agents(&agents))?;
        agents.iter().try_for_each(|agent| install::give_key(agent, environment))?;
        install::written_json(&written, environment)
    } else {
        install::would_json(plan.of_agents(&agents), environment)
    };
    let connected: Vec<&str> = agents.iter().filter(|_| is_done).map(|agent| agent.command_name()).collect();
    let told = json!({"agents": plan.to_json(environment), "connected": connected, "files": files});
    finish(&told.to_string(), Exit::Answered)
}

/// Why there is nothing to connect.
fn nothing_to_do(plan: &Plan, words: Words) -> &'static str {
    // Where there are none, or one that cannot be connected, the list says what to do.
    let is_all_well = !plan.found.is_empty() && plan.is_all_well();
    if is_all_well { words.all_connected() } else { words.nothing_changed() }
}

/// What comes next.
fn next(screen: &Screen) -> String {
    let words = Words(screen.language);
    let lines = [words.next_demo(), words.next_inbox(), words.next_open(), words.next_notifications()];
    let lines = lines.map(|line| screen.wrapped(&format!("  {line}")));
    format!("{}\n{}", screen.paint.text(Role::Strong, words.next()), lines.join("\n"))
}

/// Prints a part, with an empty line behind it where more follows on the terminal.
fn show(text: &str) -> Result<Exit, Report> {
    finish(&format!("{}\n", text.trim_end()), Exit::Answered)
}
