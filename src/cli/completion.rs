//! Completion in the shell: what a word of the command line may become.
//!
//! The shell asks by running `askuser` with a variable set. What is answered is what the person's own key shows, read
//! from a server that is there: none is started, nothing is said where something fails, and nobody waits for long.
//! Where an agent's mark is set, nothing is answered that a server knows: completion is for people.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::future::Future;
use std::time::Duration;

use askuser_core::text::shown;
use askuser_words::Language;
use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use tokio::time::timeout;

use super::commands::template;
use super::fields::field;
use super::help;
use askuser_api::access::{Key, ListKeys, ListUsers};
use askuser_api::browsers::ListBrowsers;
use askuser_api::sessions::ListSessions;
use askuser_api::shapes::Session;
use askuser_api::tasks::ListTasks;
use askuser_ask::connect;
use askuser_ask::output::language;
use askuser_ask::report::print_outcome;
use askuser_client::error::ClientError;
use askuser_client::ids::{IdKind, Thing};
use askuser_client::seen::SeenAsk;
use askuser_client::{Client, Lookup};
use askuser_config::KEYS;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Who is completed, the variable by which the shell says so, and the command line as it is defined.
type Completed = (&'static str, &'static str, fn(Language) -> Command);
const COMPLETED: [Completed; 2] = [
    ("askuser", "ASKUSER_COMPLETE", help::command),
    ("AskUserQuestion", "ASKUSERQUESTION_COMPLETE", ask_user_question),
];

/// Nobody waits longer for a completion.
const PATIENCE: Duration = Duration::from_millis(300);
/// Characters of what a thing is about.
const HELP_CHARS_MAX: usize = 72;

/// Returns the script that has a shell complete both programs.
pub fn script(shell: Shell) -> String {
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(&shell.to_string()) else { return String::new() };
    let mut script = Vec::new();
    for (program, variable, _) in COMPLETED {
        // Writing to memory does not fail; both are completed by `askuser`, which knows the command line.
        let _written = shell.write_registration(variable, program, program, "askuser", &mut script);
    }
    String::from_utf8_lossy(&script).into_owned()
}

/// Answers the shell where that asks; false where this is a run like any other.
pub fn answers(words: &[OsString], environment: &Environment) -> bool {
    let asks = |(_, variable, _): &(&str, &str, fn(Language) -> Command)| environment.get(variable).is_some();
    let Some((_, variable, command)) = COMPLETED.iter().find(|completed| asks(completed)) else {
        return false;
    };
    let shells = Shells::builtins();
    let shell = environment.get(variable).and_then(|name| shells.completer(name));
    let begun = words.iter().position(|word| word == "--").map(|place| place + 1);
    if let (Some(shell), Some(line)) = (shell, begun.and_then(|place| words.get(place..))) {
        let mut command = command(language(environment));
        command.build();
        let mut told = Vec::new();
        let folder = environment.folder();
        // A shell that is told nothing offers nothing; an error would stand in the line that is being typed.
        if shell.write_complete(&mut command, line.to_vec(), folder.as_deref(), &mut told).is_ok() {
            let told = String::from_utf8_lossy(&told);
            let _printed = print_outcome(told.trim_end_matches('\n'));
        }
    }
    true
}

/// The command line of `AskUserQuestion`, which reads it by hand.
fn ask_user_question(language: Language) -> Command {
    let flag = |name: &'static str, short: char, help: &'static str| {
        Arg::new(name).long(name).short(short).action(ArgAction::SetTrue).help(language.help(help))
    };
    let plain = Arg::new("plain").long("plain").num_args(0..=1).require_equals(true);
    Command::new("AskUserQuestion")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(Arg::new("json").value_name("JSON"))
        .arg(
            plain
                .value_parser(["box", "list"])
                .help(language.help("Use numbered text prompts instead of the panel")),
        )
        .arg(flag("help", 'h', "Print help"))
        .arg(flag("version", 'V', "Print the version"))
}

/// Completes any question: those that wait first, then the latest.
pub fn questions() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_kind(typed, IdKind::Ask, false))
}

/// Completes questions that wait.
pub fn waiting() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_kind(typed, IdKind::Ask, true))
}

/// Completes conversations.
pub fn conversations() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_kind(typed, IdKind::Session, false))
}

/// Completes tasks.
pub fn tasks() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_kind(typed, IdKind::Task, false))
}

/// Completes tasks that run.
pub fn running() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_kind(typed, IdKind::Task, true))
}

/// Completes rules.
pub fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_kind(typed, IdKind::Rule, false))
}

/// Completes keys that are not revoked.
pub fn keys() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let told = asked(async |client| client.call::<ListKeys>(KeyRole::Admin).send().await);
        let held = told.unwrap_or_default().keys.into_iter().filter(|key| key.revoked_at.is_none());
        let thing = |key: Key| Thing {
            about: format!("{} of {}", key.role.name(), key.user),
            id: key.key_id,
            short_id: key.short_id,
            text: key.name,
            ..Thing::default()
        };
        fitting(typed, held.map(thing))
    })
}

/// Completes templates that are found from here.
pub fn templates() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let shelf = template::shelf(&Environment::of_this_process());
        let listed = shelf.map(|shelf| shelf.list()).unwrap_or_default();
        let named = listed.into_iter().map(|listed| {
            let about = listed.template.ok().and_then(|template| template.description.clone());
            (listed.name, about.unwrap_or_default())
        });
        beginning_so(typed, named)
    })
}

/// Completes agents that can be given a task.
pub fn agents() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let told = asked(async |client| client.call::<ListTasks>(KeyRole::Person).send().await);
        let agents = told.map(|told| told.agents).unwrap_or_default();
        beginning_so(typed, agents.into_iter().map(|agent| (agent.name, agent.driver)))
    })
}

/// Completes agents whose questions wait, or were the latest.
pub fn askers() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_asks(typed, |seen| seen.asker.agent))
}

/// Completes projects, in the same way.
pub fn projects() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| of_asks(typed, |seen| seen.asker.project))
}

fn of_asks(typed: &OsStr, name: impl Fn(SeenAsk) -> Option<String>) -> Vec<CompletionCandidate> {
    let latest = Lookup { open: true, ..Lookup::default() };
    let asks = asked(async |client| {
        let (waiting, page) = (client.inbox().await?, client.history(latest).await?);
        Ok(waiting.into_iter().chain(page.asks).collect::<Vec<_>>())
    });
    let names: BTreeSet<String> = asks.unwrap_or_default().into_iter().filter_map(name).collect();
    beginning_so(typed, names.into_iter().map(|name| (name, String::new())))
}

/// Completes conversations by what an asker calls them: its own name for one, else the whole id.
pub fn names_of_conversations() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let told = asked(async |client| client.call::<ListSessions>(KeyRole::Person).send().await);
        let sessions = told.map(|told| told.sessions).unwrap_or_default();
        let name = |Session(session)| match field(&session, "origin").as_str() {
            "derived" => field(&session, "id"),
            _ => field(&session, "session_id"),
        };
        beginning_so(typed, sessions.into_iter().map(|session| (name(session), String::new())))
    })
}

/// Completes browsers that are signed in.
pub fn browsers() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let told = asked(async |client| client.call::<ListBrowsers>(KeyRole::Person).send().await);
        let browsers = told.map(|told| told.browsers).unwrap_or_default();
        fitting(typed, browsers.into_iter().map(super::commands::browsers::thing))
    })
}

/// Completes users who are not disabled.
pub fn users() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let told = asked(async |client| client.call::<ListUsers>(KeyRole::Admin).send().await);
        let here = told.unwrap_or_default().users.into_iter().filter(|user| user.disabled_at.is_none());
        beginning_so(typed, here.map(|user| (user.name, String::new())))
    })
}

/// Completes agents that have a key of their own on this machine.
pub fn agents_with_keys() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let folder = connect::home(None, &Environment::of_this_process()).map(|home| home.agent_keys());
        let files = folder.ok().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
        let names = files.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
        beginning_so(typed, names.map(|name| (name, String::new())))
    })
}

/// Completes keys of the configuration.
pub fn settings() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let language = language(&Environment::of_this_process());
        beginning_so(typed, KEYS.iter().map(|key| (key.full_name(), key.about(language).to_owned())))
    })
}

/// Completes notification channels that are set up.
pub fn channels() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let loaded = super::commands::config::load(&Environment::of_this_process()).ok();
        let people = loaded.into_iter().flat_map(|loaded| loaded.config.notify.people);
        let named = people.flat_map(|(person, rule)| {
            rule.channels.into_keys().map(move |channel| (channel, person.clone()))
        });
        beginning_so(typed, named)
    })
}

/// Completes what help may be about: commands and topics.
pub fn helped() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        beginning_so(typed, help::subjects(&Environment::of_this_process()).into_iter())
    })
}

fn of_kind(typed: &OsStr, kind: IdKind, open: bool) -> Vec<CompletionCandidate> {
    let found = asked(async |client| client.things(KeyRole::Person, kind, open).await).unwrap_or_default();
    fitting(typed, found.things.into_iter())
}

/// Asks a server that is there, as the person; none where there is none, or it takes too long.
fn asked<T>(question: impl AsyncFnOnce(Client) -> Result<T, ClientError>) -> Option<T> {
    let environment = Environment::of_this_process();
    if environment.agent_mark().is_some() {
        return None;
    }
    let client = connect::client(&environment).ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let told = runtime.block_on(async { within_patience(question(client)).await });
    runtime.shutdown_background();
    told
}

async fn within_patience<T>(asking: impl Future<Output = Result<T, ClientError>>) -> Option<T> {
    timeout(PATIENCE, asking).await.ok()?.ok()
}

/// Those whose short id begins as typed, or whose whole one does, with or without its prefix; in the letters that were
/// typed.
fn fitting(typed: &OsStr, things: impl Iterator<Item = Thing>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let small = typed.chars().any(|letter| letter.is_ascii_lowercase());
    let begins = |id: &str| id.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(&typed));
    let candidate = |thing: Thing| {
        let digits = thing.id.split_once('_').map_or(thing.id.as_str(), |(_, digits)| digits);
        let fits = [thing.short_id.as_str(), digits, thing.id.as_str()].into_iter().find(|id| begins(id))?;
        let (known, rest) = fits.split_at(typed.len().min(fits.len()));
        let rest = if small && !known.contains('_') { rest.to_ascii_lowercase() } else { rest.to_owned() };
        let parts = [thing.text.as_str(), thing.about.as_str()].into_iter().filter(|part| !part.is_empty());
        Some(described(format!("{typed}{rest}"), &parts.collect::<Vec<_>>().join(" · ")))
    };
    things.filter_map(candidate).collect()
}

fn beginning_so(typed: &OsStr, named: impl Iterator<Item = (String, String)>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let named = named.filter(|(name, _)| name.starts_with(&*typed));
    named.map(|(name, about)| described(name, &about)).collect()
}

/// A candidate with what it is about, on one line and harmless.
fn described(value: String, about: &str) -> CompletionCandidate {
    let line = shown(about).replace(['\n', '\t'], " ");
    let help: String = line.chars().take(HELP_CHARS_MAX).collect();
    CompletionCandidate::new(value).help((!help.is_empty()).then(|| help.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(typed: &str) -> Vec<String> {
        let thing = |id: &str, short_id: &str, text: &str| Thing {
            id: id.to_owned(),
            short_id: short_id.to_owned(),
            text: text.to_owned(),
            ..Thing::default()
        };
        let things = [
            thing("ask_01M7MR5HTHE008AZZ93X8DYNQD", "YNQD", "Rename the\ncrate?\u{1b}[31m"),
            thing("ask_01M7MRA60ZE0099FAPS4FXY9E7", "Y9E7", "Which database?"),
        ];
        let found = fitting(OsStr::new(typed), things.into_iter());
        found.iter().map(|candidate| candidate.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn an_id_is_completed_from_its_end_or_its_beginning_in_the_letters_typed() {
        assert_eq!(values(""), ["YNQD", "Y9E7"]);
        assert_eq!(values("YN"), ["YNQD"]);
        assert_eq!(values("y9"), ["y9e7"]);
        assert_eq!(values("ask_01M7MRA"), ["ask_01M7MRA60ZE0099FAPS4FXY9E7"]);
        assert_eq!(values("01M7MR5"), ["01M7MR5HTHE008AZZ93X8DYNQD"]);
        assert_eq!(values("é"), Vec::<String>::new());
    }

    #[test]
    fn what_it_is_about_stands_on_one_line_and_does_nothing() {
        let help = described("YNQD".to_owned(), "Rename the\ncrate?\u{1b}[31m");
        assert_eq!(help.get_help().unwrap().to_string(), "Rename the crate?␛[31m");
    }

    #[test]
    fn both_programs_are_registered_for_every_shell() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell] {
            let script = script(shell);
            for part in ["ASKUSER_COMPLETE", "ASKUSERQUESTION_COMPLETE", "AskUserQuestion"] {
                assert!(script.contains(part), "{shell}: {part}");
            }
        }
    }
}
