//! `askuser purge`: deletes the text of questions that were closed long ago, after saying how many.

use std::io::{self, BufRead, IsTerminal, Write};

use hyper::Method;
use serde_json::{Value, json};

use super::args::Purge;
use super::connect::{self, block_on, done};
use super::duration;
use super::exit::Exit;
use super::output::Screen;
use super::report::Report;
use crate::channel::terminal::Language;
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// `askuser purge --older-than TIME [--dry-run] [--yes]`
pub fn run(args: &Purge, environment: &Environment) -> Result<Exit, Report> {
    let older = duration::parse(&args.older_than);
    let older =
        older.map_err(|error| Report::wrong_input(error.to_string(), Some("e.g. --older-than 90d")))?;
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
        if !args.yes && !confirmed(n_old, &args.older_than, screen.language)? {
            return super::ask::finish(
                screen.pick("Nothing was deleted.", "没有删除任何内容。"),
                Exit::Declined,
            );
        }
        let body = json!({"older_than": seconds});
        let told = client.plain(Method::POST, "/api/purge", KeyFor::Admin, Some(body)).await?;
        if args.form.json {
            return done(&told.to_string());
        }
        done(&deleted(told.get("erased").and_then(Value::as_u64).unwrap_or(0), screen.language))
    })
}

fn questions(n: u64) -> String {
    if n == 1 { "1 question".to_owned() } else { format!("{n} questions") }
}

fn would(n: u64, older: &str, language: Language) -> String {
    match (n, language) {
        (0, Language::English) => format!("Nothing to delete: no question was closed more than {older} ago."),
        (0, Language::Chinese) => format!("没有可删除的内容：没有关闭超过 {older} 的问题。"),
        (n, Language::English) => {
            format!("Would delete the text of {} closed more than {older} ago.", questions(n))
        }
        (n, Language::Chinese) => format!("将删除 {n} 个关闭超过 {older} 的问题的内容。"),
    }
}

fn deleted(n: u64, language: Language) -> String {
    match language {
        Language::English => format!(
            "Deleted the text of {}. Their ids, times and who closed them are kept, and the audit chain stays valid.",
            questions(n)
        ),
        Language::Chinese => {
            format!("已删除 {n} 个问题的内容。编号、时间和由谁关闭仍然保留，审计链依旧有效。")
        }
    }
}

/// Asks once more on a terminal. A script has said what it wants.
fn confirmed(n: u64, older: &str, language: Language) -> Result<bool, Report> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(true);
    }
    let ask = match language {
        Language::English => {
            format!(
                "Delete the text of {} closed more than {older} ago? This cannot be undone. [y/N] ",
                questions(n)
            )
        }
        Language::Chinese => format!("要删除 {n} 个关闭超过 {older} 的问题的内容吗？此操作无法撤销。[y/N] "),
    };
    let failed = |error: io::Error| Report::failed(format!("the terminal said no: {error}"), None);
    io::stderr().write_all(ask.as_bytes()).map_err(failed)?;
    let mut said = String::new();
    io::stdin().lock().read_line(&mut said).map_err(failed)?;
    Ok(matches!(said.trim().to_lowercase().as_str(), "y" | "yes"))
}
