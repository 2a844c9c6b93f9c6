//! An agent under the person's own user id, who wants to cheat: the table of `docs/security.md`, a test a row.
//!
//! Each row ends in what is left of the attempt. Where it works all the same, the row says so: under one user id
//! this is a fence, and what it keeps is a trace.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, database, told};
use crate::fence::{by, permission, security};
use crate::home::{Program, TestHome, eventually, signal};

const MARK: (&str, &str) = ("CLAUDECODE", "1");
const GRANTED: &str = r#"{"answers":{"r1q1":true}}"#;

/// What came back: the status, the head and the body.
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    fn error(&self) -> String {
        serde_json::from_str::<Value>(&self.body).unwrap()["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// Sends a request over TCP, as any program can.
pub(crate) fn send(home: &TestHome, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let url = home.daemon().url;
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let mut text = format!("{line} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "host") {
        write!(text, "host: {address}\r\n").unwrap();
    }
    for (name, value) in headers {
        write!(text, "{name}: {value}\r\n").unwrap();
    }
    write!(stream, "{text}\r\n{body}").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    Reply { status: head[9..12].parse().unwrap(), head: head.to_lowercase(), body: body.to_owned() }
}

/// A key of the data folder, as whoever has the same user id reads it.
pub(crate) fn key(home: &TestHome, name: &str) -> String {
    format!("Bearer {}", fs::read_to_string(home.home.keys().join(name)).unwrap().trim())
}

/// The page's own host, as whoever has the same user id finds it, with the port.
fn page_host(home: &TestHome) -> String {
    let name = fs::read_to_string(home.home.folder().join("askuser.page-host")).unwrap();
    let port = home.daemon().url.rsplit(':').next().unwrap().to_owned();
    format!("{}:{port}", name.trim())
}

/// Sends a form of the page; returns the cookie that it sets.
fn cookie_from(home: &TestHome, path: &str, form: &str) -> String {
    let host = page_host(home);
    let origin = format!("http://{host}");
    let headers =
        [("host", host.as_str()), ("origin", &origin), ("content-type", "application/x-www-form-urlencoded")];
    let reply = send(home, &format!("POST {path}"), &headers, form);
    assert_eq!(reply.status, 303, "{} {}", reply.head, reply.body);
    let set = reply.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// Answers as the browser that has this cookie.
fn answer_by_cookie(home: &TestHome, cookie: &str, ask: &str, body: &str) -> Reply {
    let host = page_host(home);
    let origin = format!("http://{host}");
    let headers = [("host", host.as_str()), ("origin", &origin), ("cookie", cookie)];
    send(home, &format!("POST /api/asks/{ask}/answer"), &headers, body)
}

/// Asks a plain question; returns its id, and the body that answers it.
fn plain(home: &TestHome) -> (Program, String, String) {
    let (program, id) = home.asks(&[&database()]);
    let asked = home.json(&["show", &id, "--json"]);
    let question = asked["questions"][0]["question_id"].as_str().unwrap().to_owned();
    (program, id, json!({"answers": {question: "SQLite"}}).to_string())
}

fn kinds(home: &TestHome, kind: &str) -> usize {
    security(home).iter().filter(|event| event["event_type"] == kind).count()
}

fn is_open(home: &TestHome, ask: &str) -> bool {
    home.json(&["show", ask, "--json"])["outcome"].is_null()
}

#[test]
fn a_persons_command_under_the_mark_is_refused() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    for args in [
        &["answer", &id, "--json", GRANTED][..],
        &["cancel", &id],
        &["open", "--print"],
        &["key", "create", "--role", "person"],
        &["key", "renew", "claude-code"],
        &["stop"],
        &["events", "--as", "person"],
    ] {
        let refused = home.run_with(&[MARK], args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {}", told(&refused));
    }
    assert!(is_open(&home, &id));
}

#[test]
fn as_person_is_noted_and_grants_no_permission() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let refused = home.run_with(&[MARK], &["answer", &id, "--json", GRANTED, "--as-person"]);
    assert_ne!(refused.status.code(), Some(0), "{}", told(&refused));
    assert!(is_open(&home, &id));
    let (mut asking, id) = home.asks(&[&database()]);
    let done = home.run_with(&[MARK], &["answer", &id, "--pick", "SQLite", "--as-person"]);
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    assert_eq!(asking.ends(), 0);
    assert_eq!(by(&home, &id)["proof"], "as_person");
    assert!(kinds(&home, "as_person") >= 2);
}

#[test]
fn the_mark_of_an_ancestor_is_seen_after_env_u() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let before = kinds(&home, "as_person");
    let line = format!("env -u CLAUDECODE {ASKUSER} answer {id} --json '{GRANTED}'; exit $?");
    let refused = home.command("/bin/sh", &["-c", &line]).env(MARK.0, MARK.1).output().unwrap();
    assert_ne!(refused.status.code(), Some(0), "{}", told(&refused));
    assert!(is_open(&home, &id) && kinds(&home, "as_person") > before);
}

#[test]
fn the_persons_key_over_http_is_key_file_and_grants_no_permission() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let person = key(&home, "person");
    let headers = [("authorization", person.as_str())];
    let refused = send(&home, &format!("POST /api/asks/{id}/answer"), &headers, GRANTED);
    assert_eq!((refused.status, refused.error()), (403, "forbidden".to_owned()), "{}", refused.body);
    let (_asking, id, body) = plain(&home);
    let done = send(&home, &format!("POST /api/asks/{id}/answer"), &headers, &body);
    assert_eq!(done.status, 200, "{}", done.body);
    assert_eq!(by(&home, &id)["proof"], "key_file");
}

#[test]
fn a_header_that_says_terminal_changes_nothing() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let person = key(&home, "person");
    let headers = [("authorization", person.as_str()), ("x-askuser-channel", "terminal")];
    let refused = send(&home, &format!("POST /api/asks/{id}/answer"), &headers, GRANTED);
    assert_eq!((refused.status, refused.error()), (403, "forbidden".to_owned()), "{}", refused.body);
    let (_asking, id, body) = plain(&home);
    assert_eq!(send(&home, &format!("POST /api/asks/{id}/answer"), &headers, &body).status, 200);
    assert_eq!(by(&home, &id)["proof"], "key_file");
}

#[test]
fn a_terminal_that_a_program_opens_is_none() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let answer = format!("{ASKUSER} answer {id} --json '{GRANTED}'");
    let refused = home.command("/usr/bin/script", &["-qec", &answer, "/dev/null"]).output().unwrap();
    assert_ne!(refused.status.code(), Some(0), "{}", told(&refused));
    assert!(is_open(&home, &id));
}

#[test]
fn signing_in_with_the_key_file_grants_no_permission() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let secret = key(&home, "person");
    let cookie = cookie_from(&home, "/sign-in", &format!("key={}", secret.trim_start_matches("Bearer ")));
    let refused = answer_by_cookie(&home, &cookie, &id, GRANTED);
    assert_eq!((refused.status, refused.error()), (403, "forbidden".to_owned()), "{}", refused.body);
    let (_asking, id, body) = plain(&home);
    assert_eq!(answer_by_cookie(&home, &cookie, &id, &body).status, 200);
    assert_eq!(by(&home, &id)["proof"], "key_file");
    assert_eq!(kinds(&home, "signed_in"), 1);
}

#[test]
fn a_browser_signed_in_by_a_link_made_as_person_stays_as_person() {
    let home = TestHome::new();
    let (_hook, id) = permission(&home);
    let printed = home.run_with(&[MARK], &["open", "--print", "--as-person"]);
    let printed = String::from_utf8(printed.stdout).unwrap();
    let path = format!("/login/{}", printed.trim().rsplit("/login/").next().unwrap());
    let cookie = cookie_from(&home, &path, "");
    let refused = answer_by_cookie(&home, &cookie, &id, GRANTED);
    assert_eq!((refused.status, refused.error()), (403, "forbidden".to_owned()), "{}", refused.body);
    let (_asking, id, body) = plain(&home);
    assert_eq!(answer_by_cookie(&home, &cookie, &id, &body).status, 200);
    assert_eq!(by(&home, &id)["proof"], "as_person");
    assert!(kinds(&home, "as_person") >= 1);
}

#[test]
fn the_variable_of_the_dialog_does_nothing() {
    let home = TestHome::new();
    let mut command = home.command(ASKUSER, &["mcp"]);
    let mut mcp = Program::start_with(
        command.env(MARK.0, MARK.1).env("ASKUSER_AGENT_DIALOG", "on").stdin(Stdio::piped()),
    );
    let mut input = mcp.take_stdin();
    let arguments: Value = serde_json::from_str(&database()).unwrap();
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
            "capabilities": {"elicitation": {}}, "clientInfo": {"name": "claude-code", "version": "2"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "AskUserQuestion", "arguments": arguments}}),
    ] {
        writeln!(input, "{message}").unwrap();
    }
    let id = eventually("the question", || {
        home.home.running()?;
        Some(home.json(&["list", "--json"])["asks"][0]["ask_id"].as_str()?.to_owned())
    });
    // Nor is it taken where the agent tells of an answer by itself, with its own key.
    let bearer = eventually("its key", || {
        home.home.agent_keys().join("claude-code").exists().then(|| key(&home, "agents/claude-code"))
    });
    let asked = home.json(&["show", &id, "--json"]);
    let question = asked["questions"][0]["question_id"].as_str().unwrap();
    let body = json!({"answers": {question: "SQLite"}, "client": "claude-code 2"}).to_string();
    let headers = [("authorization", bearer.as_str())];
    let refused = send(&home, &format!("POST /api/asks/{id}/dialog"), &headers, &body);
    assert_eq!((refused.status, refused.error()), (403, "forbidden".to_owned()), "{}", refused.body);
    assert!(!mcp.stdout().contains("elicitation/create"), "{}", mcp.stdout());
    assert!(is_open(&home, &id) && kinds(&home, "forged_response") >= 1);
}

#[test]
fn a_rule_for_permissions_in_rules_yaml_waits_to_be_confirmed_and_is_told() {
    let home = TestHome::new();
    home.wakes();
    let rule = "{name: go on, match: {header: Permission}, permission: true, answer: true}";
    fs::write(home.home.rules(), format!("otherwise: ask\nrules:\n- {rule}\n")).unwrap();
    let (mut hook, id) = permission(&home);
    assert!(is_open(&home, &id) && hook.is_running());
    assert_eq!(kinds(&home, "file_changed"), 1, "{:?}", security(&home));
}

#[test]
fn a_changed_configuration_is_told() {
    let home = TestHome::new();
    let daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    let before = kinds(&home, "file_changed");
    fs::write(home.home.config(), "log: {level: info}\n").unwrap();
    signal(daemon.pid(), Signal::HUP);
    daemon.says("The settings were reloaded");
    assert_eq!(kinds(&home, "file_changed"), before + 1, "{:?}", security(&home));
}

#[test]
fn an_answer_that_was_changed_in_the_database_is_named_by_verify() {
    let home = TestHome::new();
    let (mut asking, id) = home.asks(&[&database()]);
    home.prints(&["answer", &id, "--pick", "SQLite"]);
    assert_eq!(asking.ends(), 0);
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
    home.prints(&["stop"]);
    let database = rusqlite::Connection::open(home.home.database()).unwrap();
    let change =
        "UPDATE ask SET outcome = replace(replace(outcome, 'key_file', 'cookie'), 'as_person', 'cookie')";
    assert_eq!(database.execute(change, []).unwrap(), 1);
    drop(database);
    let output = home.run(&["audit", "--verify"]);
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    assert!(told(&output).contains(&id), "{}", told(&output));
}

/// What a browser then sends is tried in Chromium, `tests/browser/ports.test.mjs`.
#[test]
fn a_server_on_another_port_is_sent_nothing_that_signs_in() {
    let home = TestHome::new();
    let (_asking, id) = home.asks(&[&database()]);
    let printed = home.run(&["open", "--print"]);
    let printed = String::from_utf8(printed.stdout).unwrap();
    let path = format!("/login/{}", printed.trim().rsplit("/login/").next().unwrap());
    let cookie = cookie_from(&home, &path, "");
    let port = home.daemon().url.rsplit(':').next().unwrap().to_owned();
    for shared in ["127.0.0.1", "localhost", "askuser.localhost", "[::1]"] {
        let (host, origin) = (format!("{shared}:{port}"), format!("http://{shared}:{port}"));
        let headers = [("host", host.as_str()), ("origin", &origin), ("cookie", &cookie)];
        for line in ["GET /api/inbox".to_owned(), format!("POST /api/asks/{id}/answer"), "GET /".to_owned()] {
            let reply = send(&home, &line, &headers, "");
            assert!(
                [401, 403, 421].contains(&reply.status),
                "{shared} {line}: {} {}",
                reply.status,
                reply.body
            );
            assert!(!reply.head.contains("set-cookie: askuser") && !reply.body.contains(&page_host(&home)));
        }
    }
    assert!(is_open(&home, &id));
}

#[test]
fn another_agents_question_is_withdrawn_only_with_that_agents_key() {
    let home = TestHome::new();
    let mut command = home.command(ASKUSER, &["ask", "--where", "desk", &database()]);
    let asking = Program::start(command.env(MARK.0, MARK.1));
    let said = asking.says("(ask_");
    let id = format!("ask_{}", &said.split_once("(ask_").unwrap().1[..26]);
    let shared = key(&home, "agent");
    let path = format!("POST /api/asks/{id}/withdraw");
    let refused = send(&home, &path, &[("authorization", &shared)], "");
    assert_eq!((refused.status, refused.error()), (403, "forbidden".to_owned()), "{}", refused.body);
    // Under one user id its file can be read: a fence.
    let own = key(&home, "agents/claude-code");
    assert_eq!(send(&home, &path, &[("authorization", &own)], "").status, 200);
}
