//! The daemon: whether it is there, of which version, lets us in, and takes a question.

use std::net::TcpListener;
use std::time::Duration;

use askuser_words::Language;
use hyper::Method;
use serde_json::Value;

use super::Finding;
use super::files::own_keys as own_keys_of;
use crate::cli::configuration;
use crate::cli::told::field;
use crate::client::home::{Found, Home};
use crate::client::keys::KeyFor;
use crate::client::{Client, NewAsk, Whereabouts};
use crate::clock;
use crate::wire::check;

/// Files that a daemon has open besides its connections, generously.
const FILES_BESIDE: u64 = 100;

/// Looks at the desk; returns what it says of itself, where it does.
pub(super) async fn look(client: &Client, home: &Home, listen: &str) -> (Vec<Finding>, Option<Value>) {
    let mut findings = match whereabouts(client, home, listen) {
        Ok(there) => there,
        Err(nobody) => return (nobody, None),
    };
    if let Err(error) = client.is_healthy().await {
        findings.push(
            Finding::fail("desk", error.to_string())
                .means("questions do not get in, and nobody is told of them")
                .hint(format!("look at {}, then `askuser stop`", home.log().display())),
        );
        return (findings, None);
    }
    let mut status = None;
    for role in KeyFor::ALL {
        match client.plain(Method::GET, "/api/status", role, None).await {
            Ok(told) => status = Some(told),
            Err(error) => findings.push(
                Finding::fail("keys", format!("the server does not take the {} key: {error}", role.name()))
                    .means(format!("commands that come as {} are not let in", role.name()))
                    .hint("`askuser key create` makes a new one; `askuser serve --new-keys` where the file is lost"),
            ),
        }
    }
    findings.extend(own_keys(client, home).await);
    findings.extend(status.as_ref().and_then(version));
    findings.extend(status.as_ref().and_then(open_files));
    findings.extend(newer_config(client).await);
    findings.extend(unconfirmed_rules(client).await);
    findings.push(test_question(client).await);
    (findings, status)
}

/// Whether the configuration file is newer than what the server runs with.
async fn newer_config(client: &Client) -> Option<Finding> {
    let told = configuration::difference(client).await?;
    let notice = configuration::notice(&told, Language::English)?;
    let what = told.get("file").and_then(Value::as_str).unwrap_or("config.yaml");
    let finding = Finding::warn("config", format!("{what} differs from what askuser runs with"));
    Some(finding.means(notice.replace('\n', "; ")).hint("`askuser reload`, or `askuser stop` for a restart"))
}

/// Whether the desk takes the keys that are one agent's own.
async fn own_keys(client: &Client, home: &Home) -> Vec<Finding> {
    let mut findings = Vec::new();
    if matches!(client.whereabouts(), Whereabouts::Address(_)) {
        return findings;
    }
    for (agent, _) in own_keys_of(home) {
        let client = client.clone().by_agent(Some(&agent));
        if let Err(error) = client.plain(Method::GET, "/api/status", KeyFor::Agent, None).await {
            findings.push(
                Finding::fail("keys", error.to_string())
                    .means(format!("{agent} asks nothing until it has another key"))
                    .hint(format!("`askuser key renew {agent}`, if you want to let it in again")),
            );
        }
    }
    findings
}

/// Where the desk is; what there is to say where there is none to ask.
fn whereabouts(client: &Client, home: &Home, listen: &str) -> Result<Vec<Finding>, Vec<Finding>> {
    if let Whereabouts::Address(url) = client.whereabouts() {
        return Ok(vec![Finding::ok("desk", format!("{url}, as ASKUSER_URL says"))]);
    }
    match home.look() {
        Found::Running(running) => {
            let port = |address: &str| address.rsplit(':').next().unwrap_or_default().to_owned();
            let taken = port(listen) != "0" && port(listen) != port(&running.url);
            let instead = if taken { format!(", as {listen} was in use") } else { String::new() };
            let said = format!("running at {} (process {}){instead}", running.url, running.pid);
            let socket = running.socket.filter(|socket| socket.exists());
            let without = socket.is_none().then(|| {
                Finding::warn("socket", "there is no Unix socket for this machine's commands")
                    .means("permissions can be granted in the browser only, not in a terminal")
                    .hint(format!(
                        "{} says why; `askuser stop`, the next question starts it again",
                        home.log().display()
                    ))
            });
            Ok([Finding::ok("daemon", said)].into_iter().chain(without).collect())
        }
        Found::Starting => Err(vec![
            Finding::warn("daemon", "starting")
                .means("it does not take questions yet")
                .hint("look again in a moment"),
        ]),
        Found::Crashed => Err(vec![
            Finding::warn("daemon", "not running, and it was not stopped properly")
                .means("it was killed, or it failed; nothing that was acknowledged is lost")
                .hint(format!("its log is {}; the next question starts it again", home.log().display())),
            port(listen),
        ]),
        Found::Nobody => {
            Err(vec![Finding::ok("daemon", "not running; the next question starts it"), port(listen)])
        }
    }
}

/// Whether the desk is of this version.
fn version(status: &Value) -> Option<Finding> {
    let own = env!("CARGO_PKG_VERSION");
    let theirs = field(status, "version");
    (theirs != own).then(|| {
        Finding::warn("version", format!("the running server is askuser {theirs}, this is {own}"))
            .means("what is new on one side is not known on the other")
            .hint("`askuser stop`; the next question starts this version")
    })
}

/// Whether rules for permissions wait for their person.
async fn unconfirmed_rules(client: &Client) -> Option<Finding> {
    let told = client.plain(Method::GET, "/api/rules", KeyFor::Person, None).await.ok()?;
    let rules = told.get("permissions")?.as_array()?;
    let n_waiting = rules.iter().filter(|rule| rule.get("confirmed_at").is_none_or(Value::is_null)).count();
    (n_waiting > 0).then(|| {
        let noun = if n_waiting == 1 { "rule" } else { "rules" };
        Finding::warn("rules", format!("{n_waiting} {noun} for permissions in rules.yaml not confirmed"))
            .means("they answer nothing: you are asked instead")
            .hint("if you wrote them, `askuser open`, then Rules, and confirm them; if not, find out who did")
    })
}

/// Each connection is an open file: whether the daemon may have as many as it would take.
fn open_files(status: &Value) -> Option<Finding> {
    let open_max = status.get("open_files_max")?.as_u64()?;
    let connections = status.get("connections_max")?.as_u64()?;
    let said = format!("askuser may have {open_max} open");
    if open_max >= connections + FILES_BESIDE {
        return Some(Finding::ok("open files", said));
    }
    let said = format!("{said}: too few for {connections} connections");
    let hint =
        format!("raise the hard limit where it is started (`ulimit -Hn {}`)", connections + FILES_BESIDE);
    Some(
        Finding::warn("open files", said)
            .means("when many wait at once, the next are turned away before the configured limit")
            .hint(hint),
    )
}

/// Asks a question end to end, as an agent does; the desk answers it by a rule of its own and says
/// so: nobody is spoken for.
async fn test_question(client: &Client) -> Finding {
    let begun = std::time::Instant::now();
    let fail = |said: String| {
        Finding::fail("test ask", said)
            .means("an agent that asks now gets no answer")
            .hint("`askuser stop`; the next question starts it again")
    };
    let questions = check::ask(clock::now());
    let new = NewAsk { questions, dialect: Some("full".to_owned()), ..NewAsk::default() };
    let seen = match client.ask(&new).await {
        Ok(seen) => seen,
        Err(error) => return fail(format!("askuser does not take a question: {error}")),
    };
    match client.get(KeyFor::Agent, seen.id, None, Duration::from_secs(5)).await {
        Ok(seen) => match seen.outcome {
            Some(outcome) if outcome.answered_by() == Some("rule") => {
                // It has arrived; whether that is noted changes nothing.
                let _noted = client.acknowledge(seen.id).await;
                let said = format!("asked, answered and read back in {} ms", begun.elapsed().as_millis());
                Finding::ok("test ask", said)
            }
            Some(outcome) => fail(format!("the test question ended as {}", outcome.status())),
            None => fail("the test question was not answered".to_owned()),
        },
        Err(error) => fail(format!("the answer does not come back: {error}")),
    }
}

/// Whether the configured address can be had.
fn port(listen: &str) -> Finding {
    match TcpListener::bind(listen) {
        Ok(_) => Finding::ok("port", format!("{listen} is free")),
        Err(error) => Finding::warn("port", format!("{listen} is in use: {error}"))
            .means("`askuser serve` does not start there; started by a question, askuser picks a free port")
            .hint("nothing, or set server.listen in config.yaml to a free port"),
    }
}
