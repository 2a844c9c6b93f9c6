//! `askuser help`: the page of a command or a topic.

use askuser_words::help::Help;
use clap::{Command, CommandFactory};

use crate::cli::args::Args;
use crate::cli::completion;
use crate::cli::help;
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Show help for a command or a topic
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser help ask
askuser help wire")]
pub struct HelpArgs {
    /// A command, e.g. `ask` or `task stop`, or a topic, e.g. `asking`
    #[arg(value_name = "COMMAND OR TOPIC", add = completion::helped())]
    pub what: Vec<String>,
}

/// `askuser help [COMMAND or TOPIC]`
pub fn run(HelpArgs { what }: &HelpArgs, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let topic = match what.as_slice() {
        [name] => help::topics::find(name),
        _ => None,
    };
    // A command and a topic may have one name: both are shown.
    let page = help::page_of(what, &screen);
    let text: Vec<String> = page.into_iter().chain(topic.map(|topic| topic.page(&screen))).collect();
    if !text.is_empty() {
        return screen.print(&text.join("\n\n"));
    }
    let (said, name) = (Help(screen.language), what.join(" "));
    let root = Args::command();
    let names = root.get_subcommands().map(Command::get_name).chain(help::topics::names());
    let near = names.map(|near| (strsim::jaro_winkler(&name, near), near)).max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = match near.filter(|(like, _)| *like > 0.7) {
        Some((_, near)) => said.did_you_mean(near),
        None => said.all().to_owned(),
    };
    Err(Report::wrong_input(said.no_such(name), Some(&hint)))
}
