//! `askuser purge`: deletes the text of questions that were closed long ago, after saying how many.

use std::io::{self, BufRead, IsTerminal, Write};

use askuser_words::Language;
use askuser_words::commands::{Audit as Log, Given};
use hyper::Method;
use serde_json::{Value, json};

use super::args::Purge;
use super::connect::{self, block_on, done};
use super::duration;
use super::exit::Exit;
use super::output::Screen;
use super::report::Report;
use askuser_client::keys::KeyFor;
use askuser_system::environment::Environment;

/// `askuser purge --older-than TIME [--dry-run] [--yes]`
pub fn run(args: &Purge, environment: &Environment) -> Result<Exit, Report> {
    let older = duration::parse(&args.older_than);
    let older = older.map_err(|error| Report::from(error).hint(Log::older_hint))?;
    let screen = Screen::of(environment);
    let seconds = older.as_secs();
    block_on(async {
        let client = connect::person(environment, args.insists.as_person).await?;
        let path = format!("/api/purge?older_than={seconds}");
        let told = client.plain(Method::GET, &path, KeyFor::Admin, None).await?;
        let n_old = told.get("would_erase").and_then(Value::as_u64).unwrap_or(0);
        if args.dry_run && args.form.json {
            return done(&told.to_string());
        }
        if args.dry_run || n_old == 0 && !args.form.json {
            return done(&would(n_old, &args.older_than, screen.language));
        }
        if n_old > 0 && !args.yes && !confirmed(n_old, &args.older_than, screen.language)? {
            return super::ask::finish(Log(screen.language).not_deleted(), Exit::Declined);
        }
        let body = json!({"older_than": seconds});
        let told = client.plain(Method::POST, "/api/purge", KeyFor::Admin, Some(body)).await?;
        if args.form.json {
            return done(&told.to_string());
        }
        done(&Log(screen.language).deleted(told.get("erased").and_then(Value::as_u64).unwrap_or(0)))
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
