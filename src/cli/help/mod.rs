//! Help: the commands in groups, an example for each, topics to read offline, man pages, and what
//! `askuser` alone says.

pub mod groups;
pub mod man;
pub mod start;
pub mod topics;

use std::ffi::OsString;
use std::io::{self, IsTerminal};

use clap::builder::Styles;
use clap::{Command, CommandFactory, FromArgMatches};
use rustix::termios::tcgetwinsize;

use self::groups::{ENTRIES, Entry};
use super::args::Args;
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::report::Report;
use crate::environment::Environment;

/// The widest that help gets.
const COLUMNS_MAX: usize = 100;
/// How wide it is in a pipe.
const COLUMNS: usize = 80;

/// Reads the words of a command line.
pub fn parsed(words: &[OsString]) -> Result<Args, clap::Error> {
    let columns = io::stdout().is_terminal().then(|| tcgetwinsize(io::stdout()).ok()).flatten();
    let mut command = command(columns.map(|size| usize::from(size.ws_col)));
    let matches = command.try_get_matches_from_mut(words)?;
    Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The command line with its groups and examples, for a terminal of so many columns.
pub fn command(columns: Option<usize>) -> Command {
    let columns = columns.filter(|columns| *columns > 0).unwrap_or(COLUMNS).min(COLUMNS_MAX);
    let plain = Args::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n\n{}\n{{options}}\n\n{}",
        groups::listed(&plain, columns),
        heading("Options"),
        topics::listed(columns),
    );
    let mut command = plain.styles(styles()).help_template(template);
    for entry in ENTRIES {
        command = with_example(command, entry.path, entry);
    }
    command
}

/// Puts the example below the help of a command.
fn with_example(command: Command, path: &[&str], entry: &Entry) -> Command {
    let Some((first, rest)) = path.split_first() else {
        let lines = entry.examples.iter().map(|example| format!("\n  {example}"));
        let title = heading(if entry.examples.len() == 1 { "Example" } else { "Examples" });
        return command.after_help(format!("{title}{}", lines.collect::<String>()));
    };
    // One that the table has and the command line has not is found by a test.
    if command.find_subcommand(first).is_none() {
        return command;
    }
    command.mut_subcommand(*first, |command| with_example(command, rest, entry))
}

fn styles() -> Styles {
    Styles::styled()
        .header(Role::Strong.style())
        .usage(Role::Strong.style())
        .literal(Role::Id.style())
        .placeholder(Role::Plain.style())
        .error(Role::Bad.style())
        .valid(Role::Good.style())
        .invalid(Role::Warn.style())
}

/// A title, as clap writes its own; where there are no colours, clap takes them out.
fn heading(title: &str) -> String {
    let style = Role::Strong.style();
    format!("{style}{title}:{style:#}")
}

/// `askuser help [COMMAND or TOPIC]`
pub fn run(what: &[String], environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let mut root = command(screen.columns());
    root.build();
    let found = what.iter().try_fold(&root, |command, name| command.find_subcommand(name));
    let topic = match what {
        [name] => topics::find(name),
        _ => None,
    };
    let help = found.map(|command| {
        let help = command.clone().render_long_help();
        if screen.paint.is_on() { help.ansi().to_string() } else { help.to_string() }
    });
    // A command and a topic may have one name: both are shown.
    let text: Vec<String> = help.into_iter().chain(topic.map(|topic| topic.page(&screen))).collect();
    if text.is_empty() {
        let name = what.join(" ");
        let names = root.get_subcommands().map(Command::get_name).chain(topics::names());
        let near =
            names.map(|near| (strsim::jaro_winkler(&name, near), near)).max_by(|a, b| a.0.total_cmp(&b.0));
        let hint = match near.filter(|(like, _)| *like > 0.7) {
            Some((_, near)) => format!("did you mean `askuser help {near}`?"),
            None => "`askuser help` lists every command and topic".to_owned(),
        };
        return Err(Report::wrong_input(format!("no command or topic `{name}`"), Some(&hint)));
    }
    screen.print(&text.join("\n\n"))
}

/// Returns what help may be about, each with a line: commands, then topics.
pub fn subjects() -> Vec<(String, String)> {
    let root = Args::command();
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let commands = root.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = commands.map(|command| (command.get_name().to_owned(), about(command)));
    commands.chain(topics::abouts()).collect()
}

#[cfg(test)]
mod tests;
