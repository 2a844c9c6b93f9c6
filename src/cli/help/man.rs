//! `askuser man DIR`: the man pages of both programs, from the same command line that is parsed. For
//! whoever packages it.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Arg, Command};
use clap_mangen::Man;

use crate::cli::ask_user_question;
use crate::cli::connect::done;
use crate::cli::exit::Exit;
use crate::cli::report::Report;

/// Writes a page for each command, and says how many.
pub fn run(folder: &Path) -> Result<Exit, Report> {
    let failed = |error: io::Error| Report::failed(format!("{}: {error}", folder.display()), None);
    fs::create_dir_all(folder).map_err(failed)?;
    let pages = pages().map_err(failed)?;
    for (name, page) in &pages {
        fs::write(folder.join(name), page).map_err(failed)?;
    }
    done(&format!("{} man pages written to {}", pages.len(), folder.display()))
}

/// Every page, by the name of its file.
pub(super) fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut askuser = super::command(None);
    askuser.build();
    let mut pages = Vec::new();
    collect(&askuser, "askuser", &mut pages)?;
    let mut page = Vec::new();
    Man::new(strict_command()).render(&mut page)?;
    pages.push(("AskUserQuestion.1".to_owned(), page));
    Ok(pages)
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

/// The strict command, which reads its arguments by hand, as clap would have it.
fn strict_command() -> Command {
    let manual = ask_user_question::MANUAL.split_once("JSON SCHEMA:").map_or("", |(_, rest)| rest);
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
