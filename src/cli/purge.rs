//! `askuser purge`: deletes the text of questions that were closed long ago, after saying how many.

use std::io::{self, BufRead, IsTerminal, Write};

use askuser_words::Language;
use hyper::Method;
use serde_json::{Value, json};

use super::args::Purge;
use super::connect::{self, block_on, done};
use super::duration;
use super::exit::Exit;
use super::output::Screen;
use super::report::Report;
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
        if n_old > 0 && !args.yes && !confirmed(n_old, &args.older_than, screen.language)? {
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

/// Asks once more on a terminal; where there is none, `--yes` has to be said.
fn confirmed(n: u64, older: &str, language: Language) -> Result<bool, Report> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let hint = language.pick(
            "add --yes to delete it, or --dry-run to see how many it is",
            "加上 --yes 即删除，加上 --dry-run 可先查看数量",
        );
        let what = language.pick(
            "there is no terminal to ask for confirmation: nothing was deleted",
            "没有可供确认的终端：没有删除任何内容",
        );
        return Err(Report::wrong_input(what, Some(hint)));
    }
    let ask = match language {
        Language::English => {
            format!(
                "Delete the text of {} closed more than {older} ago? This cannot be undone. [y/N] ",
                questions(n)
            )
        }
        Language::Chinese => format!("要删除 {n} 个关闭超过 {older} 的问题的内容吗？此操作无法撤销。[是/N] "),
    };
    let failed = |error: io::Error| Report::failed(format!("the terminal said no: {error}"), None);
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
