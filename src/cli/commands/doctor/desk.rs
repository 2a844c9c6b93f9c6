//! The daemon: whether it is there, of which version, lets us in, and takes a question.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use askuser_words::commands::{Files, Running};
use askuser_words::{Both, Language, both};
use serde_json::Value;

use super::files::own_keys as own_keys_of;
use super::{Finding, Verdict};
use crate::cli::commands::reload;
use crate::cli::fields::field;
use askuser_api::operating::ShowStatus;
use askuser_api::rules::ListRules;
use askuser_client::home::{Home, ServerState};
use askuser_client::{Client, Location, NewAsk};
use askuser_core::command::KeyRole;
use askuser_system::clock;
use askuser_wire::check;

/// Files that a daemon has open besides its connections, generously.
const FILES_BESIDE: u64 = 100;

/// Looks at the desk; returns what it says of itself, where it does.
pub(super) async fn look(client: &Client, home: &Home, listen: &str) -> (Vec<Finding>, Option<Value>) {
    let mut findings = match location(client, home, listen) {
        Ok(there) => there,
        Err(nobody) => return (nobody, None),
    };
    if let Err(error) = client.is_healthy().await {
        findings.push(
            Finding::fail("desk", |language| error.said(language))
                .means(Running::ill_means)
                .hint(|said: Running| said.ill_hint(home.log().display())),
        );
        return (findings, None);
    }
    let mut status = None;
    for role in KeyRole::ALL {
        match client.call::<ShowStatus>(role).told().await {
            Ok(told) => status = Some(told),
            Err(error) => findings.push(
                Finding::fail("keys", |language| {
                    Running(language).key_refused(role.name(), error.said(language))
                })
                .means(|said: Files| said.key_missing_means(role.name()))
                .hint(Running::key_refused_hint),
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
    let told = reload::difference(client).await?;
    let notice = |language| reload::notice(&told, language).map(|notice| notice.replace('\n', "; "));
    notice(Language::English)?;
    let what = told.get("file").and_then(Value::as_str).unwrap_or("config.yaml");
    let finding = Finding::warn("config", |said: Running| said.newer_config(what));
    Some(finding.means(|language| notice(language).unwrap_or_default()).hint(Running::newer_config_hint))
}

/// Whether the desk takes the keys that are one agent's own.
async fn own_keys(client: &Client, home: &Home) -> Vec<Finding> {
    let mut findings = Vec::new();
    if matches!(client.location(), Location::Address(_)) {
        return findings;
    }
    for (agent, _) in own_keys_of(home) {
        let client = client.clone().by_agent(Some(&agent));
        if let Err(error) = client.call::<ShowStatus>(KeyRole::Agent).send().await {
            findings.push(
                Finding::fail("keys", |language| error.said(language))
                    .means(|said: Running| said.own_key_means(&agent))
                    .hint(|said: Running| said.own_key_hint(&agent)),
            );
        }
    }
    findings
}

/// Where the desk is; what there is to say where there is none to ask.
fn location(client: &Client, home: &Home, listen: &str) -> Result<Vec<Finding>, Vec<Finding>> {
    if let Location::Address(url) = client.location() {
        return Ok(vec![Finding::ok("desk", |said: Running| said.at_url(url))]);
    }
    match home.look() {
        ServerState::Running(running) => {
            let port = |address: &str| address.rsplit(':').next().unwrap_or_default().to_owned();
            let taken = port(listen) != "0" && port(listen) != port(&running.url);
            let found = Finding::ok("daemon", |said: Running| {
                if taken {
                    said.instead(&running.url, running.pid, listen)
                } else {
                    said.running(&running.url, running.pid)
                }
            });
            let socket = running.socket.filter(|socket| socket.exists());
            let without = socket.is_none().then(|| {
                Finding::warn("socket", Running::no_socket)
                    .means(Running::no_socket_means)
                    .hint(|said: Running| said.no_socket_hint(home.log().display()))
            });
            Ok([found].into_iter().chain(without).collect())
        }
        ServerState::Starting => Err(vec![
            Finding::warn("daemon", Running::starting)
                .means(Running::starting_means)
                .hint(Running::starting_hint),
        ]),
        ServerState::Crashed => Err(vec![
            Finding::warn("daemon", Running::crashed)
                .means(Running::crashed_means)
                .hint(|said: Running| said.crashed_hint(home.log().display())),
            port(listen),
        ]),
        ServerState::Nobody => Err(vec![Finding::ok("daemon", Running::nobody), port(listen)]),
    }
}

/// Whether the desk is of this version.
fn version(status: &Value) -> Option<Finding> {
    let own = env!("CARGO_PKG_VERSION");
    let theirs = field(status, "version");
    (theirs != own).then(|| {
        Finding::warn("version", |said: Running| said.other_version(&theirs, own))
            .means(Running::other_version_means)
            .hint(Running::restart_hint)
    })
}

/// Whether rules for permissions wait for their person.
async fn unconfirmed_rules(client: &Client) -> Option<Finding> {
    let rules = client.call::<ListRules>(KeyRole::Person).send().await.ok()?.permissions;
    let n_waiting = rules.iter().filter(|rule| rule.confirmed_at.is_none()).count();
    (n_waiting > 0).then(|| {
        Finding::warn("rules", |said: Running| said.unconfirmed(n_waiting))
            .means(Running::unconfirmed_means)
            .hint(Running::unconfirmed_hint)
    })
}

/// Each connection is an open file: whether the daemon may have as many as it would take.
fn open_files(status: &Value) -> Option<Finding> {
    let open_max = status.get("open_files_max")?.as_u64()?;
    let connections = status.get("connections_max")?.as_u64()?;
    if open_max >= connections + FILES_BESIDE {
        return Some(Finding::ok("open files", |said: Running| said.open_files(open_max)));
    }
    Some(
        Finding::warn("open files", |said: Running| said.few_open_files(open_max, connections))
            .means(Running::few_open_files_means)
            .hint(|said: Running| said.few_open_files_hint(connections + FILES_BESIDE)),
    )
}

/// Asks a question end to end, as an agent does; the desk answers it by a rule of its own and says
/// so: nobody is spoken for.
async fn test_question(client: &Client) -> Finding {
    let begun = std::time::Instant::now();
    match tested(client).await {
        Ok(()) => Finding::ok("test ask", |said: Running| said.test_ok(begun.elapsed().as_millis())),
        Err(said) => {
            Finding::new("test ask", Verdict::Fail, said).means(Running::test_means).hint(Running::test_hint)
        }
    }
}

async fn tested(client: &Client) -> Result<(), Both> {
    let questions = check::ask(clock::now());
    let new = NewAsk { questions, dialect: Some("full".to_owned()), ..NewAsk::default() };
    let seen = client
        .ask(&new)
        .await
        .map_err(|error| both(|language| Running(language).test_refused(error.said(language))))?;
    let seen = client
        .get(KeyRole::Agent, seen.id, None, Duration::from_secs(5))
        .await
        .map_err(|error| both(|language| Running(language).test_lost(error.said(language))))?;
    match seen.outcome {
        Some(outcome) if outcome.answered_by() == Some("rule") => {
            // It has arrived; whether that is noted changes nothing.
            let _noted = client.acknowledge(seen.id).await;
            Ok(())
        }
        Some(outcome) => {
            Err(both(|language: Language| Running(language).test_ended(language.ending(&outcome))))
        }
        None => Err(both(Running::test_unanswered)),
    }
}

/// Whether the configured address can be had.
fn port(listen: &str) -> Finding {
    let said = match TcpListener::bind(listen) {
        Ok(_) => return Finding::ok("port", |said: Running| said.port_free(listen)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            both(|said: Running| said.port_taken(listen))
        }
        Err(error) => both(|said: Running| said.port_refused(listen, &error)),
    };
    Finding::new("port", Verdict::Warn, said).means(Running::port_means).hint(Running::port_hint)
}
