//! `askuser doctor`: the whole set-up, in plain words; what is wrong says what to do.

mod phone;

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use hyper::Method;
use serde_json::{Value, json};

use super::args::Form;
use super::connect::{self, block_on};
use super::exit::Exit;
use super::person;
use super::report::Report;
use crate::client::home::{Found, Home};
use crate::client::keys::KeyFor;
use crate::client::{Client, NewAsk, Whereabouts};
use crate::clock;
use crate::config::LISTEN;
use crate::environment::Environment;
use crate::wire::{check, time};

/// How much room there should be, and must be.
const ROOM_MB: (u64, u64) = (200, 20);
/// 2025-01-01: a clock before that was never set.
const CLOCK_MIN_MS: i64 = 1_735_689_600_000;
/// Files that a daemon has open besides its connections, generously.
const FILES_BESIDE: u64 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

/// One thing that was looked at.
#[derive(Debug)]
struct Finding {
    what: &'static str,
    verdict: Verdict,
    said: String,
    hint: Option<String>,
}

impl Finding {
    fn new(what: &'static str, verdict: Verdict, said: impl Into<String>) -> Self {
        Self { what, verdict, said: said.into(), hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Looks everything over: 0 where all is well or nearly so, 1 where something fails.
pub fn run(form: Form, environment: &Environment) -> Result<Exit, Report> {
    let client = connect::client(environment)?;
    let home = connect::home(None, environment)?;
    let mut findings =
        vec![Finding::new("version", Verdict::Ok, concat!("askuser ", env!("CARGO_PKG_VERSION")))];
    findings.extend(folder(&home));
    findings.extend(KeyFor::ALL.into_iter().filter_map(|role| key_file(&home, role)));
    findings.extend(block_on(async { Ok(daemon(&client, &home).await) })?);
    findings.extend(block_on(async { Ok(phone_findings(&client, environment).await) })?);
    findings.extend(rules_file(&home));
    findings.push(terminal(environment));
    findings.push(system_clock());
    findings.extend(room(home.folder()));
    let failed = findings.iter().any(|finding| finding.verdict == Verdict::Fail);
    let exit = if failed { Exit::Failed } else { Exit::Answered };
    super::ask::finish(&written(&findings, form), exit)
}

fn written(findings: &[Finding], form: Form) -> String {
    let word = |verdict| match verdict {
        Verdict::Ok => "ok",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
    };
    if form.json {
        let told: Vec<Value> = findings
            .iter()
            .map(|finding| {
                json!({
                    "what": finding.what, "verdict": word(finding.verdict),
                    "said": finding.said, "hint": finding.hint,
                })
            })
            .collect();
        return json!({ "findings": told }).to_string();
    }
    let mut lines = Vec::new();
    for finding in findings {
        lines.push(format!("{:<5} {:<12} {}", word(finding.verdict), finding.what, finding.said));
        lines.extend(finding.hint.as_ref().map(|hint| format!("{:<18} {hint}", "")));
    }
    lines.join("\n")
}

fn folder(home: &Home) -> Vec<Finding> {
    let path = home.folder();
    let shown = path.display();
    let Ok(metadata) = fs::metadata(path) else {
        let said = format!("{shown} is not there yet");
        return vec![
            Finding::new("data folder", Verdict::Warn, said)
                .hint("the first ask or `askuser serve` makes it"),
        ];
    };
    let mut findings = Vec::new();
    let mode = metadata.permissions().mode() & 0o777;
    findings.push(if mode.trailing_zeros() >= 6 {
        Finding::new("data folder", Verdict::Ok, format!("{shown} (mode {mode:o})"))
    } else {
        Finding::new("data folder", Verdict::Warn, format!("{shown} is open to others (mode {mode:o})"))
            .hint(format!("chmod 700 {shown}"))
    });
    let probe = path.join(format!("askuser.probe-{}", std::process::id()));
    match File::create(&probe) {
        // What was written can be removed.
        Ok(_) => drop(fs::remove_file(&probe)),
        Err(error) => findings.push(
            Finding::new("data folder", Verdict::Fail, format!("{shown} cannot be written: {error}"))
                .hint("make it writable, or set ASKUSER_HOME to another folder"),
        ),
    }
    findings
}

fn key_file(home: &Home, role: KeyFor) -> Option<Finding> {
    let path = home.keys().join(role.name());
    let what = match role {
        KeyFor::Agent => "agent key",
        KeyFor::Person => "person key",
        KeyFor::Admin => "admin key",
    };
    // Before the first start there are none, and that is well.
    if !home.database().exists() {
        return None;
    }
    let Ok(metadata) = fs::metadata(&path) else {
        let found = Finding::new(what, Verdict::Fail, format!("{} is missing", path.display()));
        return Some(found.hint("stop the daemon and start it once with `askuser serve --new-keys`"));
    };
    let mode = metadata.permissions().mode() & 0o777;
    Some(if mode.trailing_zeros() >= 6 {
        Finding::new(what, Verdict::Ok, format!("{} (mode {mode:o})", path.display()))
    } else {
        Finding::new(what, Verdict::Fail, format!("{} is open to others (mode {mode:o})", path.display()))
            .hint(format!("chmod 600 {}, and better make a new key", path.display()))
    })
}

async fn daemon(client: &Client, home: &Home) -> Vec<Finding> {
    let found = home.look();
    let nobody = match (client.whereabouts(), &found) {
        (Whereabouts::Address(url), _) => {
            vec![Finding::new("desk", Verdict::Ok, format!("{url}, as ASKUSER_URL says"))]
        }
        (_, Found::Running(running)) => {
            let said = format!("running at {} (process {})", running.url, running.pid);
            let mut findings = vec![Finding::new("daemon", Verdict::Ok, said)];
            if running.version != env!("CARGO_PKG_VERSION") {
                let said = format!("the daemon is askuser {}", running.version);
                let hint = "`askuser stop`; the next ask starts this version";
                findings.push(Finding::new("version", Verdict::Warn, said).hint(hint));
            }
            findings
        }
        (_, Found::Starting) => {
            return vec![Finding::new("daemon", Verdict::Warn, "starting").hint("look again in a moment")];
        }
        (_, Found::Crashed) => {
            let said = "not running, and the last one did not end in good order";
            let hint = format!("its log is {}; the next ask starts it anew", home.log().display());
            return vec![Finding::new("daemon", Verdict::Warn, said).hint(hint), port()];
        }
        (_, Found::Nobody) => {
            let found =
                Finding::new("daemon", Verdict::Ok, "not running; the next ask without a terminal starts it");
            return vec![found, port()];
        }
    };
    let mut findings = nobody;
    if let Err(error) = client.is_healthy().await {
        findings.push(
            Finding::new("desk", Verdict::Fail, error.to_string())
                .hint(format!("look at {}, then `askuser stop`", home.log().display())),
        );
        return findings;
    }
    let mut status = None;
    for role in KeyFor::ALL {
        match client.plain(Method::GET, "/api/status", role, None).await {
            Ok(told) => status = Some(told),
            Err(error) => {
                let said = format!("the desk does not take the {} key: {error}", role.name());
                let hint =
                    "`askuser key create` makes a new one; `askuser serve --new-keys` where the file is lost";
                findings.push(Finding::new("keys", Verdict::Fail, said).hint(hint));
            }
        }
    }
    findings.extend(status.and_then(|told| open_files(&told)));
    findings.push(test_question(client).await);
    findings
}

/// Whether a phone reaches the desk, where there is one to ask about it.
async fn phone_findings(client: &Client, environment: &Environment) -> Vec<Finding> {
    // A configuration that cannot be read is told by `askuser config`, and no daemon starts with it.
    let config = super::settings::load(environment).map(|loaded| loaded.config).unwrap_or_default();
    let status = match client.url() {
        Ok(_) => client.plain(Method::GET, "/api/status", KeyFor::Person, None).await.ok(),
        Err(_) => None,
    };
    phone::phone(&config, status.as_ref()).await
}

/// Each connection is an open file: whether the daemon may have as many as it would take.
fn open_files(status: &Value) -> Option<Finding> {
    let open_max = status.get("open_files_max")?.as_u64()?;
    let connections = status.get("connections_max")?.as_u64()?;
    let said = format!("the daemon may have {open_max} open");
    if open_max >= connections + FILES_BESIDE {
        return Some(Finding::new("open files", Verdict::Ok, said));
    }
    let said = format!("{said}: too few for {connections} connections");
    let hint =
        format!("raise the hard limit where it is started (`ulimit -Hn {}`)", connections + FILES_BESIDE);
    Some(Finding::new("open files", Verdict::Warn, said).hint(hint))
}

/// Asks a question end to end, as an agent does; the desk answers it by a rule of its own and says
/// so: nobody is spoken for.
async fn test_question(client: &Client) -> Finding {
    let begun = std::time::Instant::now();
    let fail = |said: String| {
        Finding::new("test ask", Verdict::Fail, said)
            .hint("`askuser stop`; the next ask starts the desk anew")
    };
    let new = NewAsk { questions: check::ask(), dialect: Some("full".to_owned()), ..NewAsk::default() };
    let seen = match client.ask(&new).await {
        Ok(seen) => seen,
        Err(error) => return fail(format!("the desk does not take a question: {error}")),
    };
    match client.get(KeyFor::Agent, seen.id, None, Duration::from_secs(5)).await {
        Ok(seen) => match seen.outcome {
            Some(outcome) if outcome.answered_by() == Some("rule") => {
                // It has arrived; whether that is noted changes nothing.
                let _noted = client.acknowledge(seen.id).await;
                let said = format!(
                    "asked, answered by the desk's own rule and read back in {} ms",
                    begun.elapsed().as_millis()
                );
                Finding::new("test ask", Verdict::Ok, said)
            }
            Some(outcome) => fail(format!("the test question ended as {}", outcome.status())),
            None => fail("the test question was not answered".to_owned()),
        },
        Err(error) => fail(format!("the answer does not come back: {error}")),
    }
}

fn rules_file(home: &Home) -> Option<Finding> {
    let path = home.rules();
    if !path.exists() {
        return None;
    }
    Some(match crate::daemon::rules::read(&path) {
        Ok(_) => {
            Finding::new("rules", Verdict::Ok, format!("{} answers some questions by itself", path.display()))
        }
        Err(why) => {
            Finding::new("rules", Verdict::Fail, why).hint("mend the file: until then no rule is applied")
        }
    })
}

fn port() -> Finding {
    match TcpListener::bind(LISTEN) {
        Ok(_) => Finding::new("port", Verdict::Ok, format!("{LISTEN} is free")),
        Err(error) => Finding::new("port", Verdict::Warn, format!("{LISTEN} cannot be had: {error}"))
            .hint("a daemon in the background takes another; `askuser serve --listen 127.0.0.1:0` as well"),
    }
}

fn terminal(environment: &Environment) -> Finding {
    if let Some(mark) = environment.agent_mark() {
        let said = format!("{mark} is set, so an agent runs this: questions go to the desk");
        return Finding::new("terminal", Verdict::Ok, said);
    }
    match person::terminal(environment, false) {
        Ok(Some(person::Way::Panel(_))) => {
            Finding::new("terminal", Verdict::Ok, "questions are shown as a panel here")
        }
        Ok(Some(person::Way::Lines(..))) => {
            Finding::new("terminal", Verdict::Ok, "questions are shown line by line here")
        }
        Ok(None) => Finding::new("terminal", Verdict::Ok, "there is none: questions go to the desk"),
        Err(error) => Finding::new("terminal", Verdict::Warn, error.to_string()),
    }
}

fn system_clock() -> Finding {
    let now = clock::now();
    let said = time::write(now);
    if now.0 < CLOCK_MIN_MS {
        return Finding::new("clock", Verdict::Fail, format!("it says {said}"))
            .hint("set the clock: deadlines follow it");
    }
    Finding::new("clock", Verdict::Ok, said)
}

fn room(folder: &Path) -> Option<Finding> {
    // The folder may not be there yet; what it will lie in is.
    let there = folder.ancestors().find(|folder| folder.exists())?;
    let disk = rustix::fs::statvfs(there).ok()?;
    let free_mb = disk.f_bavail.saturating_mul(disk.f_frsize) / (1024 * 1024);
    let said = format!("{free_mb} MB free");
    Some(match free_mb {
        n if n < ROOM_MB.1 => {
            Finding::new("disk", Verdict::Fail, said).hint("make room: a full disk takes no answers")
        }
        n if n < ROOM_MB.0 => Finding::new("disk", Verdict::Warn, said).hint("make room soon"),
        _ => Finding::new("disk", Verdict::Ok, said),
    })
}
