//! `askuser purge`: deletes the text of questions that were closed long ago, after saying how many.

use std::io::{self, BufRead, IsTerminal, Write};

use askuser_words::Language;
use askuser_words::commands::{Audit as Log, Given};

use crate::cli::args::{Form, Insists};
use crate::cli::duration;
use crate::cli::fields::json;
use askuser_api::audit::{CountOld, EraseOld, Older};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::report::Report;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Delete the text of questions closed long ago
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser purge --older-than 90d --dry-run")]
pub struct Purge {
    /// Delete the text of questions closed longer ago than this, e.g. 90d
    #[arg(long, value_name = "TIME")]
    pub older_than: String,
    /// Only show how many questions that would be
    #[arg(long)]
    pub dry_run: bool,
    /// Skip the confirmation
    #[arg(long, short)]
    pub yes: bool,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser purge --older-than TIME [--dry-run] [--yes]`
pub fn run(args: &Purge, environment: &Environment) -> Result<Exit, Report> {
    let older = duration::parse(&args.older_than);
    let older = older.map_err(|error| Report::from(error).hint(Log::older_hint))?;
    let screen = Screen::of(environment);
    block_on(async {
        let client = connect::person(environment, args.insists).await?;
        let older = Older { older_than: older.as_secs() };
        let told = client.call::<CountOld>(KeyRole::Admin).query(&older).send().await?;
        let n_old = told.would_erase;
        if args.dry_run && args.form.json {
            return done(&json(&told));
        }
        if args.dry_run || n_old == 0 && !args.form.json {
            return done(&would(n_old, &args.older_than, screen.language));
        }
        if n_old > 0 && !args.yes && !confirmed(n_old, &args.older_than, screen.language)? {
            return askuser_ask::report::finish(Log(screen.language).not_deleted(), Exit::Declined);
        }
        let told = client.call::<EraseOld>(KeyRole::Admin).body(&older).send().await?;
        done(&if args.form.json { json(&told) } else { Log(screen.language).deleted(told.erased) })
    })
}

fn would(n: u64, older: &str, language: Language) -> String {
    let said = Log(language);
    if n == 0 { said.nothing_older(older) } else { said.would_delete(n, older) }
}

/// Asks once more on a terminal; where there is none, `--yes` has to be said.
fn confirmed(n: u64, older: &str, language: Language) -> Result<bool, Report> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Report::input(Log::unconfirmed).hint(Log::unconfirmed_hint));
    }
    let ask = Log(language).confirm(n, older);
    let failed = |error: io::Error| Report::failure(|said: Given| said.no_terminal(&error));
    io::stderr().write_all(ask.as_bytes()).map_err(failed)?;
    let mut said = String::new();
    io::stdin().lock().read_line(&mut said).map_err(failed)?;
    Ok(is_yes(&said))
}

fn is_yes(said: &str) -> bool {
    matches!(said.trim().to_lowercase().as_str(), "y" | "yes" | "是" | "是的")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yes_is_said_in_both_languages_and_nothing_else_is_one() {
        assert!(["y", "YES\n", "是", " 是的\n"].into_iter().all(is_yes));
        assert!(!["", "n", "否", "yep", "不是"].into_iter().any(is_yes));
    }
}
