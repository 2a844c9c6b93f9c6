//! What is around the desk: the terminal, the clock, the system's service, the agents.

use askuser_words::Language;
use askuser_words::time::Times;
use serde_json::Value;

use super::Finding;
use crate::cli::told::field;
use crate::cli::{install, person, service};
use crate::clock;
use crate::environment::Environment;
use crate::wire::time;

/// 2025-01-01: a clock before that was never set.
const CLOCK_MIN_MS: i64 = 1_735_689_600_000;
/// How far two clocks may be apart before it is worth a word.
const APART_MS: i64 = 5_000;

pub(super) fn terminal(environment: &Environment) -> Finding {
    if let Some(mark) = environment.agent_mark() {
        let said = format!("{mark} is set, so an agent runs this: questions go to the inbox");
        return Finding::ok("terminal", said);
    }
    match person::terminal(environment, None) {
        Ok(Some(person::Way::Panel(_))) => Finding::ok("terminal", "questions are shown as a panel here"),
        Ok(Some(_)) => Finding::ok("terminal", "questions are shown line by line here"),
        Ok(None) => Finding::ok("terminal", "there is none: questions go to the inbox"),
        Err(error) => Finding::warn("terminal", error.to_string())
            .means("questions cannot be asked in this terminal")
            .hint("set ASKUSER_WHERE=desk, and answer in the browser (`askuser open`)"),
    }
}

/// Our clock, and the desk's where it says so.
pub(super) fn clock(status: Option<&Value>) -> Vec<Finding> {
    let now = clock::now();
    let said = Times::local(now, Language::English).full(now);
    if now.0 < CLOCK_MIN_MS {
        return vec![
            Finding::fail("clock", format!("it says {said}"))
                .means("deadlines follow it, and certificates and links are not good yet")
                .hint("set the clock, best by NTP"),
        ];
    }
    let desk = status.and_then(|told| time::read(&field(told, "now")));
    match desk {
        Some(desk) if (desk.0 - now.0).abs() > APART_MS => vec![
            Finding::warn(
                "clock",
                format!("{said} here, {} at the server", Times::local(now, Language::English).full(desk)),
            )
            .means("deadlines follow the server's clock, and \"time left\" is off by as much here")
            .hint("set both, best by NTP"),
        ],
        _ => vec![Finding::ok("clock", said)],
    }
}

pub(super) fn service(environment: &Environment) -> Option<Finding> {
    let (said, well) = service::seen(environment)?;
    Some(if well {
        Finding::ok("service", said)
    } else {
        Finding::warn("service", said)
            .means("the system was told to run askuser and does not")
            .hint("`systemctl --user status askuser` says why (launchd: askuser.log); `askuser service install` begins anew")
    })
}

/// Who is connected, and whether it works.
pub(super) fn agents(environment: &Environment) -> Vec<Finding> {
    let Ok(seen) = install::agents::look(environment) else { return Vec::new() };
    if seen.is_empty() {
        return vec![Finding::ok("agents", "none is connected; `askuser install AGENT` connects one")];
    }
    let told = |seen: &install::agents::Seen| {
        let said = seen.line();
        if let (true, Some(hint)) = (seen.works(), seen.untrusted()) {
            return Finding::warn("agents", said)
                .means("its own questions are asked in its terminal only, and not here")
                .hint(hint);
        }
        if seen.works() {
            return Finding::ok("agents", said);
        }
        Finding::warn("agents", said)
            .means("what this agent asks does not reach you")
            .hint("`askuser install AGENT` sets it up again; `askuser uninstall AGENT` disconnects it")
    };
    seen.iter().map(told).collect()
}
