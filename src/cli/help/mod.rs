//! Help: the commands in groups, an example for each, topics to read offline, man pages, and what
//! `askuser` alone says.

mod fault;
mod page;
pub mod start;
pub mod topics;

use std::ffi::OsString;

use askuser_words::Language;
use askuser_words::help::chinese;
use clap::builder::{Str, StyledStr};
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use super::args::Args;
use askuser_ask::exit::Exit;
use askuser_ask::output::{Screen, language};
use askuser_ask::report;
use askuser_system::environment::Environment;

/// Reads the words of a command line.
pub fn parsed(words: &[OsString], language: Language) -> Result<Args, clap::Error> {
    let mut command = marked(command(language), "");
    let matches = command.try_get_matches_from_mut(words)?;
    Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The command line, with what it says of itself in a language.
pub fn command(language: Language) -> Command {
    match language {
        Language::English => Args::command(),
        Language::Chinese => translated(Args::command()),
    }
}

/// Puts the path of each command in place of its help: clap then names the one whose page is wanted.
fn marked(command: Command, path: &str) -> Command {
    let below = |command: Command| {
        let path = format!("{path} {}", command.get_name());
        marked(command, &path)
    };
    command.override_help(format!("askuser{path}")).mut_subcommands(below)
}

fn translated(command: Command) -> Command {
    let [about, long] = [command.get_about(), command.get_long_about()].map(|text| text.map(in_chinese));
    let command = match about {
        Some(about) => command.about(about),
        None => command,
    };
    let command = match long {
        Some(long) => command.long_about(long),
        None => command,
    };
    command.mut_args(translated_arg).mut_subcommands(translated)
}

fn translated_arg(arg: Arg) -> Arg {
    let names = arg.get_value_names().unwrap_or_default().iter();
    let names: Vec<Str> = names.map(|name| chinese(name).map_or_else(|| name.clone(), Str::from)).collect();
    let help = arg.get_help().map(in_chinese);
    let arg = match help {
        Some(help) => arg.help(help),
        None => arg,
    };
    if arg.get_action().takes_values() && !names.is_empty() { arg.value_names(names) } else { arg }
}

/// Paragraph by paragraph.
fn in_chinese(text: &StyledStr) -> String {
    let text = text.to_string();
    text.split("\n\n").map(|part| Language::Chinese.help(part)).collect::<Vec<_>>().join("\n\n")
}

/// Prints what the arguments ask for (help, version) or what is wrong with them, and returns the
/// exit code. A wrong argument is quoted, so it goes the way of every complaint.
pub fn misread(told: &clap::Error, environment: &Environment) -> Exit {
    let is_missing = told.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let screen = if is_missing { Screen::of_stderr(environment) } else { Screen::of(environment) };
    match told.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let path = told.to_string();
            let path: Vec<&str> = path.split_whitespace().skip(1).collect();
            let page = page_of(&path, &screen).unwrap_or_default();
            if is_missing {
                report::complain_in_colour(&format!("{page}\n"), environment);
                return Exit::WrongInput;
            }
            screen.print(&page).unwrap_or(Exit::Failed)
        }
        ErrorKind::DisplayVersion => screen.print(&told.to_string()).unwrap_or(Exit::Failed),
        _ => {
            report::complain_in_colour(&fault::said(told, screen.language), environment);
            Exit::WrongInput
        }
    }
}

/// Returns the page of a command, where there is such a command.
pub fn page_of(path: &[impl AsRef<str>], screen: &Screen) -> Option<String> {
    let mut root = command(screen.language);
    root.build();
    let found = path.iter().try_fold(&root, |command, name| command.find_subcommand(name.as_ref()));
    found.map(|command| page::page(command, screen))
}

/// Returns the examples of a command, as one types them; clap would put them below its own page.
pub fn examples(command: &Command) -> Vec<String> {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    examples.lines().map(str::to_owned).collect()
}

/// Returns what help may be about, each with a line: commands, then topics.
pub fn subjects(environment: &Environment) -> Vec<(String, String)> {
    let language = language(environment);
    let root = command(language);
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let commands = root.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = commands.map(|command| (command.get_name().to_owned(), about(command)));
    commands.chain(topics::abouts(language)).collect()
}

#[cfg(test)]
mod tests;
