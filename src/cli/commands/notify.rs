//! `askuser notify test`: a test nudge through each channel, and what came of it. Needs no daemon.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use askuser_core::id::UserId;
use askuser_words::Both;
use askuser_words::commands::Titles;
use askuser_words::commands::reach::Notifying;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::config;
use super::install::file::{self, FileError};
use super::reload;
use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use askuser_ask::connect::{self, block_on, not_by_an_agent};
use askuser_ask::exit::Exit;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_config::{ChannelPart, DesktopPart, PersonPart};
use askuser_notify::{Nudge, Settings, Why, make_carrier};
use askuser_system::clock;
use askuser_system::environment::Environment;

/// Test your notifications
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser notify test")]
pub struct NotifyArgs {
    /// What to do
    #[command(subcommand)]
    pub what: NotifyVerb,
}

/// What to do about notifications.
#[derive(Debug, clap::Subcommand)]
pub enum NotifyVerb {
    /// Send a test notification through each channel
    #[command(after_help = "askuser notify test --channel phone")]
    Test {
        /// Only to this user
        #[arg(long, value_name = "NAME")]
        person: Option<String>,
        /// Only through this channel
        #[arg(long, value_name = "NAME", add = completion::channels())]
        channel: Option<String>,
        /// The configuration file [default: config.yaml in the data folder]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// What came of one channel.
struct Tried {
    person: String,
    channel: String,
    kind: &'static str,
    took_ms: u128,
    done: Result<String, Both>,
}

/// Tries the channels.
pub fn run(args: &NotifyArgs, environment: &Environment) -> Result<Exit, Report> {
    let NotifyVerb::Test { person, channel, config, form, insists } = &args.what;
    not_by_an_agent(environment, *insists)?;
    let settings = configured(config.as_deref(), environment)?;
    let fits = |wanted: &Option<String>, name: &String| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let people = settings.notify.people.iter().filter(|(name, _)| fits(person, name));
    let all: Vec<_> = people
        .flat_map(|(person, rule)| rule.channels.iter().map(move |(name, part)| (person, rule, name, part)))
        .filter(|(_, _, name, _)| fits(channel, name))
        .collect();
    if all.is_empty() {
        let words = Notifying(language(environment));
        return Err(no_channel(&settings, person.as_deref(), channel.as_deref(), words));
    }
    let tried = block_on(async {
        let mut tried = Vec::new();
        for (person, rule, channel, part) in all {
            tried.push(attempt(&settings, person, rule, channel, part).await);
        }
        Ok(tried)
    })?;
    let exit = if tried.iter().all(|one| one.done.is_ok()) { Exit::Answered } else { Exit::Failed };
    askuser_ask::report::finish(&listing(&tried, form.json, &Screen::of(environment)), exit)
}

/// What there is to notify a person by.
pub(super) enum Channels {
    /// These are set up.
    SetUp(Vec<String>),
    /// None is, and this machine has a desktop.
    Desktop,
    /// None is.
    None,
}

/// Looks what there is.
pub(super) fn channels(environment: &Environment) -> Result<Channels, Report> {
    let settings = configured(None, environment)?;
    let names = settings.notify.people.values().flat_map(|rule| rule.channels.keys().cloned());
    let names: Vec<String> = names.collect();
    let desktop = ChannelPart::Desktop(DesktopPart {});
    let has_desktop = || make_carrier(&settings, &desktop, Arc::new(clock::now), None).is_ok();
    Ok(match names.is_empty() {
        false => Channels::SetUp(names),
        // Somebody who named people and no channel wants none.
        true if settings.notify.people.is_empty() && has_desktop() => Channels::Desktop,
        true => Channels::None,
    })
}

/// Sends a test nudge through each, and says what came of it.
pub(super) fn try_all(channels: &Channels, environment: &Environment) -> Result<String, Report> {
    let mut settings = configured(None, environment)?;
    if let Channels::Desktop = channels {
        let part = ChannelPart::Desktop(DesktopPart {});
        let rule = PersonPart { channels: [("desktop".to_owned(), part)].into(), ..PersonPart::default() };
        settings.notify.people.insert(PERSON.to_owned(), rule);
    }
    let tried = block_on(async {
        let mut tried = Vec::new();
        for (person, rule) in &settings.notify.people {
            for (name, part) in &rule.channels {
                tried.push(attempt(&settings, person, rule, name, part).await);
            }
        }
        Ok(tried)
    })?;
    Ok(listing(&tried, false, &Screen::of(environment)))
}

/// Whose desktop it is, where nobody was named.
const PERSON: &str = "local";
/// What makes the desktop a channel of theirs.
const DESKTOP: &str = "notify:\n  people:\n    local:\n      channels:\n        desktop: {kind: desktop}\n";

/// Writes the desktop down in the configuration, and has askuser read it. Returns the file.
pub(super) fn keep_desktop(environment: &Environment) -> Result<PathBuf, Report> {
    let path = connect::home(None, environment)?.config();
    let failed = |error: FileError| Report::failure(|language| error.said(language));
    let found = file::read(&path).map_err(failed)?;
    let mut text = found.text.clone().unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(DESKTOP);
    file::write(&path, &found, Some(&text), 0o600).map_err(failed)?;
    if let Err(report) = config::load(environment) {
        // It is written in a way that only its person can edit, so it is as it was.
        let now = file::read(&path).map_err(failed)?;
        file::write(&path, &now, found.text.as_deref(), 0o600).map_err(failed)?;
        return Err(report);
    }
    reload::apply(environment)?;
    Ok(path)
}

fn configured(named: Option<&Path>, environment: &Environment) -> Result<Settings, Report> {
    let folder = connect::home(None, environment)?.folder().to_owned();
    let loaded = match named {
        Some(file) => config::load_from(file, environment)?,
        None => config::load(environment)?,
    };
    Ok(Settings::new(loaded.config.notify, folder, environment.clone()))
}

/// Says why there is nothing to try: none is set up, or none of this name.
fn no_channel(settings: &Settings, person: Option<&str>, channel: Option<&str>, words: Notifying) -> Report {
    let names = settings.notify.people.values().flat_map(|rule| rule.channels.keys());
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.is_empty() {
        return Report::wrong_input(words.none_set_up(), Some(words.none_set_up_hint()));
    }
    let wanted = [person.map(|name| words.person(name)), channel.map(|name| words.channel(name))];
    let wanted: Vec<String> = wanted.into_iter().flatten().collect();
    Report::wrong_input(words.nothing_for(wanted.join(", ")), Some(&words.there_are(names.join(", "))))
}

async fn attempt(
    settings: &Settings,
    person: &str,
    rule: &PersonPart,
    channel: &str,
    part: &ChannelPart,
) -> Tried {
    let begun = Instant::now();
    let nudge = Nudge {
        id: format!("nudge_test_{}_{channel}", clock::now().0),
        why: Why::Test,
        person: UserId::from(person),
        asks: Vec::new(),
    };
    let letter = nudge.write(rule, settings.notify.url.as_deref(), None);
    let done = match make_carrier(settings, part, Arc::new(clock::now), None) {
        Ok(carrier) => carrier.send(&letter).await.map_err(|trouble| trouble.why),
        Err(why) => Err(why),
    };
    let (person, channel) = (person.to_owned(), channel.to_owned());
    Tried { person, channel, kind: part.kind(), took_ms: begun.elapsed().as_millis(), done }
}

const COLUMNS: [Column; 5] = [
    Column::new(Titles::user).cut(6).minor(2),
    Column::new(Titles::channel),
    Column::new(Titles::kind).minor(1),
    Column::new(Titles::took).right().minor(3),
    Column::new(Titles::result).cut(16),
];

fn listing(tried: &[Tried], as_json: bool, screen: &Screen) -> String {
    if as_json {
        let one = |one: &Tried| {
            json!({
                "person": one.person, "channel": one.channel, "kind": one.kind,
                "sent": one.done.is_ok(), "why": one.done.as_ref().err().map(|why| &why.english),
                "took_ms": u64::try_from(one.took_ms).unwrap_or(u64::MAX),
            })
        };
        let all: Vec<Value> = tried.iter().map(one).collect();
        return json!({ "channels": all }).to_string();
    }
    let words = Notifying(screen.language);
    let row = |one: &Tried| {
        let result = match &one.done {
            Ok(_) => Cell::new(Role::Good, words.sent()),
            Err(why) => Cell::new(Role::Bad, words.not_sent(screen.language.of(why))),
        };
        let (person, channel) = (one.person.clone().into(), one.channel.clone().into());
        vec![person, channel, one.kind.into(), format!("{} ms", one.took_ms).into(), result]
    };
    table(screen, &COLUMNS, tried.iter().map(row).collect())
}
