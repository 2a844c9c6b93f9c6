//! What is around the desk: the terminal, the clock, the system's service, the agents.

use askuser_words::commands::Around;
use askuser_words::time::Times;
use askuser_words::{Language, both};
use serde_json::Value;

use super::{Finding, Verdict};
use crate::cli::commands::install::found::{self, Look, Seen, State};
use crate::cli::commands::service;
use crate::cli::fields::field;
use askuser_ask::report::in_theirs;
use askuser_ask::surface;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_wire::time;

/// 2025-01-01: a clock before that was never set.
const CLOCK_MIN_MS: i64 = 1_735_689_600_000;
/// How far two clocks may be apart before it is worth a word.
const APART_MS: i64 = 5_000;

pub(super) fn terminal(environment: &Environment) -> Finding {
    if let Some(mark) = environment.agent_mark() {
        return Finding::ok("terminal", |said: Around| said.by_agent(mark));
    }
    match surface::terminal(environment, None) {
        Ok(Some(surface::Surface::Panel(_))) => Finding::ok("terminal", Around::panel),
        Ok(Some(_)) => Finding::ok("terminal", Around::lines),
        Ok(None) => Finding::ok("terminal", Around::none),
        Err(error) => Finding::warn("terminal", |language| error.said(language))
            .means(Around::bad_terminal_means)
            .hint(Around::bad_terminal_hint),
    }
}

/// Our clock, and the desk's where it says so.
pub(super) fn clock(status: Option<&Value>) -> Vec<Finding> {
    let now = clock::now();
    let said = |at| Times::local(now, Language::English).full(at);
    if now.0 < CLOCK_MIN_MS {
        return vec![
            Finding::fail("clock", |it: Around| it.clock_unset(said(now)))
                .means(Around::clock_unset_means)
                .hint(Around::set_clock_hint),
        ];
    }
    let desk = status.and_then(|told| time::read(&field(told, "now")));
    match desk {
        Some(desk) if (desk.0 - now.0).abs() > APART_MS => vec![
            Finding::warn("clock", |it: Around| it.clocks_apart(said(now), said(desk)))
                .means(Around::clocks_apart_means)
                .hint(Around::set_clocks_hint),
        ],
        _ => vec![Finding::new("clock", Verdict::Ok, in_theirs(said(now)))],
    }
}

pub(super) fn service(environment: &Environment) -> Option<Finding> {
    let (said, well) = service::seen(environment)?;
    Some(if well {
        Finding::new("service", Verdict::Ok, in_theirs(said))
    } else {
        Finding::new("service", Verdict::Warn, in_theirs(said))
            .means(Around::service_means)
            .hint(Around::service_hint)
    })
}

/// Who is connected, and whether it works.
pub(super) fn agents(environment: &Environment) -> Vec<Finding> {
    let Ok(found) = found::look(Look::Started, environment) else { return Vec::new() };
    let seen: Vec<&Seen> = found.iter().flat_map(|found| &found.seen).collect();
    if seen.is_empty() {
        return vec![Finding::ok("agents", Around::no_agents)];
    }
    seen.into_iter().map(agent).collect()
}

fn agent(seen: &Seen) -> Finding {
    let name = seen.agent.command_name();
    let found = |verdict| Finding::new("agents", verdict, both(|language: Language| seen.line(language)));
    if let State::Unreadable(_) = seen.state {
        // Installing it would say the same, and change nothing.
        let hint = |said: Around| said.unreadable_hint(&seen.file, name);
        return found(Verdict::Warn).means(Around::unreadable_means).hint(hint);
    }
    match (seen.works(), seen.untrusted(Language::English)) {
        (true, Some(_)) => {
            let hint = both(|language: Language| seen.untrusted(language).unwrap_or_default());
            Finding { hint: Some(hint), ..found(Verdict::Warn).means(Around::untrusted_means) }
        }
        (true, None) => found(Verdict::Ok),
        (false, _) => {
            found(Verdict::Warn).means(Around::broken_means).hint(|said: Around| said.broken_hint(name))
        }
    }
}
