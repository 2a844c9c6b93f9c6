//! The page of a command: what it does, how it is written, its arguments and options, examples.
//!
//! Drawn here and not by clap, which has its few words in English only and breaks lines at blanks, of which
//! Chinese has none.

use askuser_words::help::Help;
use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command};

use super::topics;
use crate::cli::commands::GROUPS;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_terminal::width::width;
use askuser_terminal::wrap::wrap;

/// The widest that help gets.
const COLUMNS_MAX: usize = 100;
/// How wide it is in a pipe.
const COLUMNS: usize = 80;
/// Columns of a name that has what it is for beside it; a longer one has it below.
const NAME_MAX: usize = 28;
/// Where a terminal is narrower than this, most names have it below.
const NARROW: usize = 60;

/// Columns of the longest name of a command.
const NAME_COLUMNS: usize = 11;

/// A name, and what it is for: texts, each on lines of its own.
pub(super) type Row = (String, Vec<String>);

/// Returns the page of a command that has been built.
pub(super) fn page(command: &Command, screen: &Screen) -> String {
    let said = Help(screen.language);
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let mut parts: Vec<String> = about.split("\n\n").map(|text| wrapped(text, screen)).collect();
    parts.push(usage(command, screen));
    let args = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    if command.get_bin_name().is_none_or(|name| !name.contains(' ')) {
        parts.extend(listed(command, screen));
        parts.push(part(said.options(), &options(args(), screen), screen));
        parts.push(topics::listed(screen));
        return parts.join("\n\n");
    }
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: Vec<Row> =
        visible.map(|command| (command.get_name().to_owned(), vec![about(command)])).collect();
    parts.push(part(said.commands(), &commands, screen));
    let arguments: Vec<Row> = args().filter(|arg| arg.is_positional()).map(|arg| row(arg, screen)).collect();
    parts.push(part(said.arguments(), &arguments, screen));
    let of = |heading: Option<&str>| {
        let here = args().filter(|arg| !arg.is_positional() && arg.get_help_heading() == heading);
        options(here, screen)
    };
    parts.push(part(said.options(), &of(None), screen));
    let mut headings: Vec<&str> = args().filter_map(Arg::get_help_heading).collect();
    headings.dedup();
    parts.extend(
        headings
            .into_iter()
            .map(|heading| part(&said.part(screen.language.help(heading)), &of(Some(heading)), screen)),
    );
    parts.extend(examples(command, screen));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// The commands, group by group.
fn listed(command: &Command, screen: &Screen) -> Vec<String> {
    let visible: Vec<&Command> = command.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    let find = |name: &&str| visible.iter().copied().find(|command| command.get_name() == *name);
    let is_known = |command: &&&Command| GROUPS.iter().any(|(_, names)| names.contains(&command.get_name()));
    let others: Vec<&Command> = visible.iter().filter(|command| !is_known(command)).copied().collect();
    let groups = GROUPS.iter().map(|(title, names)| (*title, names.iter().filter_map(find).collect()));
    let groups = groups.chain((!others.is_empty()).then_some(("Other", others)));
    let group = |(title, commands): (&str, Vec<&Command>)| {
        let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
        // All groups are as wide as the longest name.
        let name = |command: &Command| format!("{:NAME_COLUMNS$}", command.get_name());
        let rows: Vec<Row> =
            commands.into_iter().map(|command| (name(command), vec![about(command)])).collect();
        part(&Help(screen.language).part(screen.language.help(title)), &rows, screen)
    };
    groups.map(group).collect()
}

/// Returns how a command is written.
fn usage(command: &Command, screen: &Screen) -> String {
    let said = Help(screen.language);
    let line = command.clone().render_usage().to_string();
    let line = in_words(line.trim_start_matches("Usage:").trim(), said);
    let rows = wrap(&line, columns(screen).saturating_sub(width(said.usage())).max(12));
    let indent = format!("\n{}", " ".repeat(width(said.usage())));
    format!("{}{}", screen.paint.text(Role::Strong, said.usage()), rows.join(&indent))
}

/// Returns a line of usage with the words in it that are clap's own in the person's language.
pub(super) fn in_words(usage: &str, said: Help) -> String {
    usage
        .replace("[OPTIONS]", said.some_options())
        .replace("<COMMAND>", said.a_command())
        .replace("[COMMAND]", said.any_command())
}

/// Returns the examples of a command, as one types them.
fn examples(command: &Command, screen: &Screen) -> Option<String> {
    let examples = super::examples(command);
    let title = screen.paint.text(Role::Strong, &Help(screen.language).examples(examples.len()));
    (!examples.is_empty()).then(|| format!("{title}\n  {}", examples.join("\n  ")))
}

/// Returns options in the order in which they are defined, those that every command has at the end.
fn options<'a>(args: impl Iterator<Item = &'a Arg>, screen: &Screen) -> Vec<Row> {
    let is_common = |arg: &&Arg| {
        arg.get_id() == "color" || matches!(arg.get_action(), ArgAction::Help | ArgAction::Version)
    };
    let (common, own): (Vec<&Arg>, Vec<&Arg>) = args.filter(|arg| !arg.is_positional()).partition(is_common);
    own.into_iter().chain(common).map(|arg| row(arg, screen)).collect()
}

/// Returns an argument with what it is for and what it may be set to.
fn row(arg: &Arg, screen: &Screen) -> Row {
    let long = match arg.get_long() {
        Some(_) if arg.get_short().is_some() => arg.clone().short(None),
        _ => arg.clone(),
    };
    let name = match arg.get_short() {
        Some(short) => format!("-{short}, {long}"),
        None if arg.is_positional() => long.to_string(),
        None => format!("    {long}"),
    };
    let mut about = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values();
    let values = || values.iter().filter(|value| !value.is_hide_set() && !arg.is_hide_possible_values_set());
    let explained = values().any(|value| value.get_help().is_some());
    if !explained && values().next().is_some() {
        let names = values().map(PossibleValue::get_name).collect::<Vec<_>>();
        about = format!("{about} [{}]", names.join(", "));
    }
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    if arg.get_action().takes_values() && !arg.is_hide_default_value_set() && defaults.len() > 0 {
        about.push(' ');
        about.push_str(&Help(screen.language).default(defaults.collect::<Vec<_>>().join(", ")));
    }
    let mut about = vec![about];
    if explained {
        let widest = values().map(|value| value.get_name().len()).max().unwrap_or(0);
        about.extend(values().map(|value| {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            format!("  {:widest$}  {}", value.get_name(), screen.language.help(&help))
        }));
    }
    (name, about)
}

/// Returns a part of a page with its title; nothing where it has no rows.
pub(super) fn part(title: &str, rows: &[Row], screen: &Screen) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let columns = columns(screen);
    let most = if columns < NARROW { NAME_MAX / 2 } else { NAME_MAX };
    let widest =
        rows.iter().map(|(name, _)| width(name)).filter(|columns| *columns <= most).max().unwrap_or(2);
    let indent = " ".repeat(widest + 4);
    let mut lines = vec![screen.paint.text(Role::Strong, title)];
    for (name, about) in rows {
        let mut about =
            about.iter().flat_map(|text| hanging(text, columns.saturating_sub(indent.len()).max(12)));
        let first = if width(name) <= most { about.next().unwrap_or_default() } else { String::new() };
        let space = " ".repeat((widest + 2).saturating_sub(width(name)));
        lines.push(format!("  {}{space}{first}", screen.paint.text(Role::Id, name)).trim_end().to_owned());
        lines.extend(about.map(|row| format!("{indent}{row}")));
    }
    lines.join("\n")
}

/// Breaks a text; one that begins with a name and two blanks goes on below what comes after them.
fn hanging(text: &str, columns: usize) -> Vec<String> {
    let name = text.strip_prefix("  ").and_then(|rest| rest.split_once("  "));
    let Some((name, rest)) = name else { return wrap(text, columns) };
    let begin = text.len() - rest.trim_start().len();
    let rows = wrap(rest.trim_start(), columns.saturating_sub(begin).max(8));
    let row = |(n, row): (usize, &String)| match n {
        0 => format!("{:begin$}{row}", format!("  {name}")),
        _ => format!("{:begin$}{row}", ""),
    };
    rows.iter().enumerate().map(row).collect()
}

fn wrapped(text: &str, screen: &Screen) -> String {
    wrap(text, columns(screen)).join("\n")
}

fn columns(screen: &Screen) -> usize {
    screen.columns().unwrap_or(COLUMNS).min(COLUMNS_MAX)
}
