//! Every agent of a machine has a key of its own: two agents are told apart, one agent is the same however it
//! comes, and a key that was revoked is not quietly replaced.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::asks::{ASKUSER, database, features, told};
use crate::home::{Program, TestHome, eventually};

const CLAUDE: (&str, &str) = ("CLAUDECODE", "1");
const GEMINI: (&str, &str) = ("GEMINI_CLI", "1");

/// Asks as an agent's shell command does, under its mark, and waits until the desk has it; returns its id.
fn asks_as(home: &TestHome, mark: (&str, &str), ask: &str) -> (Program, String) {
    let mut command = home.command(ASKUSER, &["ask", "--where", "desk", ask]);
    let program = Program::start(command.env(mark.0, mark.1));
    let said = program.says("Waiting for an answer");
    let id = said.split_once("(ask_").unwrap().1;
    let id = format!("ask_{}", &id[..26]);
    (program, id)
}

fn key_file(home: &TestHome, agent: &str) -> String {
    let path = home.home.agent_keys().join(agent);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::read_to_string(path).unwrap()
}

/// The agents' own keys that open something, by name: their ids.
fn own_keys(home: &TestHome) -> BTreeMap<String, String> {
    let listed = home.json(&["key", "list", "--json"]);
    let keys = listed["keys"].as_array().unwrap().iter().filter(|key| key["revoked_at"].is_null());
    let text = |key: &Value, field: &str| key[field].as_str().unwrap().to_owned();
    let named = keys.map(|key| (text(key, "name"), text(key, "key_id")));
    named.filter_map(|(name, id)| Some((name.strip_suffix(" (own key)")?.to_owned(), id))).collect()
}

/// Which key asked, for each ask, as it is kept. The daemon must have stopped.
fn asked_by(home: &TestHome) -> Vec<String> {
    let database = rusqlite::Connection::open(home.home.database()).unwrap();
    let mut statement = database.prepare("SELECT body FROM ask_body ORDER BY ask").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(|row| {
        let row = row.unwrap();
        let (_, rest) = row.split_once("\"asked_by\":\"").unwrap();
        rest[..32].to_owned()
    })
    .collect()
}

#[test]
fn two_agents_of_one_machine_are_told_apart() {
    let home = TestHome::new();
    let (_claude, of_claude) = asks_as(&home, CLAUDE, &database());
    let (_gemini, of_gemini) = asks_as(&home, GEMINI, &database());
    assert_ne!(of_claude, of_gemini, "the same words of two agents are two questions");
    assert_ne!(key_file(&home, "claude-code"), key_file(&home, "gemini-cli"));
    let keys = own_keys(&home);
    assert_eq!(keys.keys().collect::<Vec<_>>(), ["claude-code", "gemini-cli"]);
    let events = home.json(&["audit", "--security", "--json"]);
    let made = events["events"].as_array().unwrap().iter().filter(|event| event["event_type"] == "key_made");
    assert_eq!(made.count(), 2, "{events}");
    home.prints(&["stop"]);
    assert_eq!(asked_by(&home), [keys["claude-code"].clone(), keys["gemini-cli"].clone()]);
}

/// By its shell, its hook and its MCP server an agent comes with the same key.
#[test]
fn an_agent_is_the_same_however_it_comes() {
    let home = TestHome::new();
    let (_asking, _) = asks_as(&home, CLAUDE, &database());
    let event = json!({
        "session_id": "abc", "cwd": "/home/u/shop", "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion", "tool_input": serde_json::from_str::<Value>(&features()).unwrap(),
    });
    let path = home.path().join("event.json");
    std::fs::write(&path, event.to_string()).unwrap();
    let mut hook = home.command(ASKUSER, &["hook", "claude-code"]);
    hook.env("CLAUDE_CODE_ENTRYPOINT", "sdk-cli").stdin(Stdio::from(std::fs::File::open(path).unwrap()));
    let _hook = Program::start_with(&mut hook);
    let n_open = |n: usize| {
        eventually("the asks to be open", || {
            let asks = home.json(&["list", "--json"]);
            (asks["asks"].as_array()?.len() == n).then_some(())
        });
    };
    n_open(2);
    let mut mcp = Program::start_with(home.command(ASKUSER, &["mcp"]).stdin(Stdio::piped()));
    let mut input = mcp.take_stdin();
    let question = json!({"question": "Which colour?", "header": "Colour", "multiSelect": false,
        "options": [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
            "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "2"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "AskUserQuestion", "arguments": {"questions": [question]}}}),
    ] {
        writeln!(input, "{message}").unwrap();
    }
    n_open(3);
    let keys = own_keys(&home);
    assert_eq!(keys.len(), 1, "{keys:?}");
    home.prints(&["stop"]);
    assert_eq!(asked_by(&home), [(); 3].map(|()| keys["claude-code"].clone()));
}

#[test]
fn starts_at_once_end_with_one_key_and_nobody_waits_for_it() {
    let home = TestHome::new();
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    let asking = [(); 6].map(|()| {
        Program::start(
            home.command(ASKUSER, &["ask", "--where", "desk", &database()]).env(CLAUDE.0, CLAUDE.1),
        )
    });
    for program in &asking {
        let said = || Some(program.stderr()).filter(|said| said.contains('\n'));
        let said = eventually("word of it", said);
        assert!(said.contains("Waiting for an answer"), "{said}");
    }
    assert_eq!(own_keys(&home).len(), 1);
    let files: Vec<_> =
        std::fs::read_dir(home.home.agent_keys()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["claude-code"], "nothing half is left");
}

/// Whoever revoked a key meant it: the agent is told so, and neither asking again nor deleting the file gets it
/// another. A person gives it one.
#[test]
fn a_revoked_key_is_said_in_words_and_not_replaced() {
    let home = TestHome::new();
    let (_asking, _) = asks_as(&home, CLAUDE, &database());
    let before = key_file(&home, "claude-code");
    home.prints(&["key", "revoke", &own_keys(&home)["claude-code"]]);
    let refused = home.run_with(&[CLAUDE], &["ask", "--where", "desk", &features()]);
    assert_eq!(refused.status.code(), Some(1), "{}", told(&refused));
    for part in ["does not accept the key in", "keys/agents/claude-code", "askuser key renew claude-code"] {
        assert!(told(&refused).contains(part), "{part}: {}", told(&refused));
    }
    assert_eq!(key_file(&home, "claude-code"), before);
    let doctor = home.run(&["doctor"]);
    assert!(told(&doctor).contains("does not accept the key in"), "{}", told(&doctor));
    // Without the file it is an agent without a key of its own, and stays one.
    std::fs::remove_file(home.home.agent_keys().join("claude-code")).unwrap();
    let (_asking, _) = asks_as(&home, CLAUDE, &features());
    assert!(own_keys(&home).is_empty() && !home.home.agent_keys().join("claude-code").exists());
    let by_agent = home.run_with(&[CLAUDE], &["key", "renew", "claude-code"]);
    assert_eq!(by_agent.status.code(), Some(2), "it is a person's command: {}", told(&by_agent));
    home.prints(&["key", "renew", "claude-code"]);
    assert_ne!(key_file(&home, "claude-code"), before);
    let (_asking, _) = asks_as(&home, CLAUDE, &database());
    assert_eq!(own_keys(&home).len(), 1);
}

/// The key that all agents shared goes on working: for a shell without a mark, and for whoever was given a key.
#[test]
fn the_shared_key_and_a_given_one_go_on_working() {
    let home = TestHome::new();
    let (_asking, _) = home.asks(&[&database()]);
    assert!(!home.home.agent_keys().exists());
    let shared = std::fs::read_to_string(home.home.keys().join("agent")).unwrap();
    let given = Program::start(
        home.command(ASKUSER, &["ask", "--where", "desk", &features()])
            .env(CLAUDE.0, CLAUDE.1)
            .env("ASKUSER_AGENT_KEY", shared.trim()),
    );
    given.says("Waiting for an answer");
    assert!(own_keys(&home).is_empty());
    assert!(home.prints(&["doctor"]).contains("shared by agents without a key of their own"));
}

/// `install` gives the agent its key where askuser runs.
#[test]
fn install_gives_the_agent_its_key() {
    let home = TestHome::new();
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    home.prints(&["install", "gemini"]);
    assert_eq!(own_keys(&home).keys().collect::<Vec<_>>(), ["gemini-cli"]);
    let key = key_file(&home, "gemini-cli");
    home.prints(&["uninstall", "gemini"]);
    assert_eq!(key_file(&home, "gemini-cli"), key, "its open questions stay its own");
}
