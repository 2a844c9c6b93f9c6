//! `askuser notify test`: a test nudge through each channel, and what came of it. Needs no daemon.

use std::path::Path;
use std::sync::Arc;

use askuser_core::id::UserId;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::args::NotifyVerb;
use super::connect::{self, block_on, not_by_an_agent};
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::output::table::{Cell, Column, table};
use super::report::Report;
use super::{ask, settings};
use crate::channel::notify::{Nudge, Settings, Why, fitting};
use crate::clock;
use crate::config::{ChannelPart, PersonPart};
use crate::environment::Environment;

/// What came of one channel.
struct Tried {
    person: String,
    channel: String,
    kind: &'static str,
    took_ms: u128,
    done: Result<String, String>,
}

/// Tries the channels.
pub fn run(what: &NotifyVerb, environment: &Environment) -> Result<Exit, Report> {
    let NotifyVerb::Test { person, channel, config, form, insists } = what;
    not_by_an_agent(environment, insists.as_person)?;
    let settings = configured(config.as_deref(), environment)?;
    let fits = |wanted: &Option<String>, name: &String| wanted.as_ref().is_none_or(|wanted| wanted == name);
    let people = settings.notify.people.iter().filter(|(name, _)| fits(person, name));
    let all: Vec<_> = people
        .flat_map(|(person, rule)| rule.channels.iter().map(move |(name, part)| (person, rule, name, part)))
        .filter(|(_, _, name, _)| fits(channel, name))
        .collect();
    if all.is_empty() {
        return Err(no_channel(&settings, person.as_deref(), channel.as_deref()));
    }
    let tried = block_on(async {
        let mut tried = Vec::new();
        for (person, rule, channel, part) in all {
            tried.push(attempt(&settings, person, rule, channel, part).await);
        }
        Ok(tried)
    })?;
    let exit = if tried.iter().all(|one| one.done.is_ok()) { Exit::Answered } else { Exit::Failed };
    ask::finish(&told(&tried, form.json, &Screen::of(environment)), exit)
}

fn configured(named: Option<&Path>, environment: &Environment) -> Result<Settings, Report> {
    let folder = connect::home(None, environment)?.folder().to_owned();
    let loaded = match named {
        Some(file) => settings::load_from(file, environment)?,
        None => settings::load(environment)?,
    };
    Ok(Settings::new(loaded.config.notify, folder, environment.clone()))
}

/// Says why there is nothing to try: none is set up, or none of this name.
fn no_channel(settings: &Settings, person: Option<&str>, channel: Option<&str>) -> Report {
    let names = settings.notify.people.values().flat_map(|rule| rule.channels.keys());
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.is_empty() {
        let hint = "`askuser help notifications` says how to set one up under `notify:` in config.yaml";
        return Report::wrong_input("no notification channel is set up", Some(hint));
    }
    let wanted =
        [person.map(|name| format!("person `{name}`")), channel.map(|name| format!("channel `{name}`"))];
    let wanted: Vec<String> = wanted.into_iter().flatten().collect();
    let hint = format!("the channels are {}", names.join(", "));
    Report::wrong_input(format!("nothing is set up for {}", wanted.join(", ")), Some(&hint))
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
    let done = match fitting(settings, part, Arc::new(clock::now), None) {
        Ok(carrier) => carrier.send(&letter).await.map_err(|trouble| trouble.why),
        Err(why) => Err(why),
    };
    let (person, channel) = (person.to_owned(), channel.to_owned());
    Tried { person, channel, kind: part.kind(), took_ms: begun.elapsed().as_millis(), done }
}

const COLUMNS: [Column; 5] = [
    Column::new("PERSON", "用户").cut(6).minor(2),
    Column::new("CHANNEL", "渠道"),
    Column::new("KIND", "类型").minor(1),
    Column::new("TOOK", "耗时").right().minor(3),
    Column::new("RESULT", "结果").cut(16),
];

fn told(tried: &[Tried], as_json: bool, screen: &Screen) -> String {
    if as_json {
        let one = |one: &Tried| {
            json!({
                "person": one.person, "channel": one.channel, "kind": one.kind,
                "sent": one.done.is_ok(), "why": one.done.as_ref().err(),
                "took_ms": u64::try_from(one.took_ms).unwrap_or(u64::MAX),
            })
        };
        let all: Vec<Value> = tried.iter().map(one).collect();
        return json!({ "channels": all }).to_string();
    }
    let row = |one: &Tried| {
        let result = match &one.done {
            Ok(_) => Cell::new(Role::Good, screen.pick("sent", "已发送")),
            Err(why) => Cell::new(Role::Bad, format!("{}{why}", screen.pick("not sent: ", "未发送："))),
        };
        let (person, channel) = (one.person.clone().into(), one.channel.clone().into());
        vec![person, channel, one.kind.into(), format!("{} ms", one.took_ms).into(), result]
    };
    table(screen, &COLUMNS, tried.iter().map(row).collect())
}
