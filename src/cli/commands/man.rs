//! `askuser man DIR`: the man pages of both programs, from the same command line that is parsed. For
//! whoever packages it.

use std::fs;
use std::io;
use std::path::PathBuf;

use askuser_words::Language;
use askuser_words::config::Wrong;
use askuser_words::help::Help;
use clap::{Arg, Command};
use clap_mangen::Man;

use crate::cli::help;
use askuser_ask::command;
use askuser_ask::connect::done;
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Write the man pages to a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser man ~/.local/share/man/man1")]
#[command(hide = true)]
pub struct ManArgs {
    /// The folder to write to
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// Writes a page for each command, and says how many.
pub fn run(ManArgs { folder }: &ManArgs, environment: &Environment) -> Result<Exit, Report> {
    let language = language(environment);
    let failed = |error: io::Error| Report::failure(|said: Wrong| said.in_file(folder.display(), &error));
    fs::create_dir_all(folder).map_err(failed)?;
    let pages = pages(language).map_err(failed)?;
    for (name, page) in &pages {
        fs::write(folder.join(name), page).map_err(failed)?;
    }
    done(&Help(language).man_pages(pages.len(), folder.display()))
}

/// Every page, by the name of its file.
pub fn pages(language: Language) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut askuser = with_examples(help::command(language), language);
    askuser.build();
    let mut pages = Vec::new();
    collect(&askuser, "askuser", &mut pages)?;
    let mut page = Vec::new();
    Man::new(strict_command()).render(&mut page)?;
    pages.push(("AskUserQuestion.1".to_owned(), page));
    Ok(pages)
}

/// Gives the examples of each command their title.
fn with_examples(command: Command, language: Language) -> Command {
    let examples = help::examples(&command);
    let command = if examples.is_empty() {
        command
    } else {
        let title = Help(language).examples(examples.len());
        command.after_help(format!("{title}\n  {}", examples.join("\n  ")))
    };
    command.mut_subcommands(|command| with_examples(command, language))
}

fn collect(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let mut page = Vec::new();
    Man::new(command.clone()).title(name).render(&mut page)?;
    pages.push((format!("{name}.1"), page));
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        collect(command, &format!("{name}-{}", command.get_name()), pages)?;
    }
    Ok(())
}

/// The strict command, which reads its arguments by hand, as clap would have it. In English always, as its
/// `--help`: that is written for the prompt of an agent, and models read it.
fn strict_command() -> Command {
    let manual = command::MANUAL.split_once("JSON SCHEMA:").map_or("", |(_, rest)| rest);
    Command::new("AskUserQuestion")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Ask user questions during execution")
        .arg(Arg::new("json_input").required(true).help("JSON object containing questions array"))
        .arg(
            Arg::new("plain")
                .long("plain")
                .value_name("LAYOUT")
                .num_args(0..=1)
                .require_equals(true)
                .help("Numbered lines instead of the panel, in a box or as a list"),
        )
        .after_help(format!("JSON SCHEMA:{manual}"))
}
