//! `askuser hook` as agents run it: a real process, a real desk, and everything that goes wrong.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, told};
use crate::home::{Program, TestHome, below_a_file, eventually, signal};

fn event(name: &str) -> Value {
    json!({
        "session_id": "abc123", "cwd": "/home/u/shop", "hook_event_name": name, "tool_name": "AskUserQuestion",
        "tool_input": {"questions": [{"question": "Which framework?", "header": "Framework", "multiSelect": false,
            "options": [{"label": "React", "description": "usual"}, {"label": "Vue", "description": "other"}]}]},
    })
}

/// A hook of Claude Code as it runs it: with its marks, and the event on standard input.
fn hook(home: &TestHome, entrypoint: &str, args: &[&str], event: &Value) -> Command {
    let path = home
        .home
        .folder()
        .with_file_name(format!("event-{}", event["hook_event_name"].as_str().unwrap_or("x")));
    File::create(&path).unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let args = [&["hook"], args].concat();
    let mut command = home.command(ASKUSER, &args);
    command.env("CLAUDECODE", "1").env("CLAUDE_CODE_ENTRYPOINT", entrypoint);
    command.stdin(Stdio::from(File::open(path).unwrap()));
    command
}

fn start(home: &TestHome, entrypoint: &str, args: &[&str], event: &Value) -> Program {
    Program::start_with(&mut hook(home, entrypoint, args, event))
}

fn run(home: &TestHome, entrypoint: &str, args: &[&str], event: &Value) -> Output {
    hook(home, entrypoint, args, event).output().unwrap()
}

fn open(home: &TestHome) -> Value {
    eventually("an open ask", || {
        home.home.running()?;
        let asks = home.json(&["list", "--json"])["asks"].as_array().unwrap().clone();
        asks.into_iter().next()
    })
}

fn id(ask: &Value) -> String {
    ask["ask_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_question_of_the_agent_is_answered_elsewhere() {
    let home = TestHome::new();
    let mut process = start(&home, "sdk-cli", &["claude-code"], &event("PreToolUse"));
    let ask = open(&home);
    assert_eq!(ask["asker"]["agent"], "claude-code");
    home.prints(&["answer", &id(&ask), "--pick", "Vue"]);
    assert_eq!(process.ends(), 0);
    let said: Value = serde_json::from_str(&process.stdout()).unwrap();
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "allow");
    assert_eq!(said["hookSpecificOutput"]["updatedInput"]["answers"], json!({"Which framework?": "Vue"}));
}

/// The race in the terminal: the person answers in the agent's own dialog, and our card goes.
#[test]
fn answered_in_the_agents_dialog_the_card_goes_and_the_hook_says_nothing() {
    let home = TestHome::new();
    let mut process = start(&home, "cli", &["claude-code"], &event("PermissionRequest"));
    let ask = open(&home);
    let mut settled = event("PostToolUse");
    settled["tool_input"]["answers"] = json!({"Which framework?": "React"});
    settled["tool_response"] = json!({"text": "x".repeat(1_000_000)});
    let told_us = run(&home, "cli", &["claude-code"], &settled);
    assert_eq!((told_us.status.code(), told_us.stdout.as_slice()), (Some(0), &b""[..]), "{}", told(&told_us));
    assert_eq!(process.ends(), 0);
    assert_eq!(process.stdout(), "", "stepping aside is saying nothing");
    let outcome = home.json(&["show", &id(&ask), "--json"])["outcome"].clone();
    assert_eq!(outcome["comment"], "settled in the agent's own dialog");
}

#[test]
fn the_desk_killed_meanwhile_loses_nothing() {
    let home = TestHome::new();
    let mut process = start(&home, "cli", &["claude-code"], &event("PermissionRequest"));
    let ask = open(&home);
    home.kill();
    // The hook itself starts it again and joins its ask.
    home.daemon();
    home.prints(&["answer", &id(&ask), "--pick", "React"]);
    assert_eq!(process.ends(), 0);
    let said: Value = serde_json::from_str(&process.stdout()).unwrap();
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "allow");
    assert_eq!(home.json(&["list", "--all", "--json"])["asks"].as_array().unwrap().len(), 1, "asked once");
}

#[test]
fn a_run_without_a_terminal_is_put_off_and_finds_its_answer_when_it_is_resumed() {
    let home = TestHome::new();
    let mut asked = event("PreToolUse");
    asked["tool_use_id"] = json!("toolu_1");
    let args = ["claude-code", "--patience", "300ms"];
    let put_off = run(&home, "sdk-cli", &args, &asked);
    let said: Value = serde_json::from_slice(&put_off.stdout).unwrap();
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "defer", "{}", told(&put_off));
    // The end of that run takes nothing back.
    run(&home, "sdk-cli", &["claude-code"], &event("SessionEnd"));
    let ask = open(&home);
    home.prints(&["answer", &id(&ask), "--pick", "Vue"]);
    let resumed = run(&home, "sdk-cli", &args, &asked);
    let said: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!(said["hookSpecificOutput"]["updatedInput"]["answers"]["Which framework?"], "Vue");
}

#[test]
fn an_agent_that_asks_first_goes_its_own_way_when_nobody_answers() {
    let home = TestHome::new();
    let mut codex = event("PreToolUse");
    codex["tool_name"] = json!("request_user_input");
    codex["tool_input"]["questions"][0]["id"] = json!("f");
    let given_up = run(&home, "", &["codex", "--patience", "300ms"], &codex);
    let said: Value = serde_json::from_slice(&given_up.stdout).unwrap();
    assert!(said["systemMessage"].as_str().unwrap().contains("nobody answered in time"), "{said}");
    assert_eq!(home.prints(&["list"]), "No questions are waiting.", "and its card goes with it");
}

#[test]
fn a_hook_that_cannot_reach_the_desk_says_so_and_steps_aside() {
    let home = TestHome::new();
    let nowhere = below_a_file(&home);
    let args = ["claude-code", "--data", nowhere.to_str().unwrap()];
    let failed = run(&home, "cli", &args, &event("PermissionRequest"));
    assert_eq!(failed.status.code(), Some(0), "{}", told(&failed));
    let said: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert!(said["systemMessage"].as_str().unwrap().contains("answer here instead"), "{said}");
    assert!(said.get("hookSpecificOutput").is_none(), "{said}");
    // What only tells us something starts no desk and says nothing.
    for name in ["PostToolUse", "Stop", "SessionEnd", "UserPromptSubmit", "Notification"] {
        let quiet = run(&home, "cli", &["claude-code"], &event(name));
        assert_eq!((quiet.status.code(), quiet.stdout.as_slice()), (Some(0), &b""[..]), "{name}");
    }
    assert!(!home.home.is_held(), "no desk was started");
    let garbled = home.command(ASKUSER, &["hook", "claude-code"]).output().unwrap();
    let said: Value = serde_json::from_slice(&garbled.stdout).unwrap();
    assert!(said["systemMessage"].as_str().unwrap().contains("is not JSON"), "{said}");
    assert_eq!(home.run(&["hook", "nobody"]).status.code(), Some(2));
}

/// opencode's plugin keeps standard input open: what it says there next, or its end, settles the question.
#[test]
fn opencode_says_on_its_pipe_that_a_question_is_settled() {
    let home = TestHome::new();
    let asked = json!({"type": "question.asked", "cwd": "/home/u/shop", "properties": {
        "id": "que_1", "sessionID": "ses_1", "questions": event("")["tool_input"]["questions"]}});
    let replied = json!({"type": "question.replied", "properties": {
        "requestID": "que_1", "sessionID": "ses_1", "answers": [["React"]]}});
    for (next, reason) in
        [(Some(replied), "settled in the agent's own dialog"), (None, "the agent no longer waits for it")]
    {
        let mut command = home.command(ASKUSER, &["hook", "opencode"]);
        let mut process = Program::start_with(command.stdin(Stdio::piped()));
        let mut input = process.take_stdin();
        // Another id each time: it is another question.
        let line = asked.to_string().replace("que_1", if next.is_some() { "que_1" } else { "que_2" });
        writeln!(input, "{line}").unwrap();
        let ask = open(&home);
        assert_eq!(ask["asker"]["agent"], "opencode");
        if let Some(next) = next {
            writeln!(input, "{next}").unwrap();
        }
        drop(input);
        assert_eq!(process.ends(), 0);
        assert_eq!(process.stdout(), "", "stepping aside is saying nothing");
        let outcome = home.json(&["show", &id(&ask), "--json"])["outcome"].clone();
        assert_eq!(outcome["comment"], reason);
    }
}

/// Claude Code ends the hook when its own dialog is dismissed, and sends no event then.
#[test]
fn a_hook_that_is_ended_takes_its_card_with_it() {
    let home = TestHome::new();
    let mut process = start(&home, "cli", &["claude-code"], &event("PermissionRequest"));
    let ask = open(&home);
    signal(process.pid(), Signal::TERM);
    assert_eq!(process.ends(), 0);
    assert_eq!(process.stdout(), "");
    let outcome = home.json(&["show", &id(&ask), "--json"])["outcome"].clone();
    assert_eq!(outcome["comment"], "the agent no longer waits for it");
    // A run without a terminal is resumed later, and finds its ask.
    let mut asked = event("PreToolUse");
    asked["tool_use_id"] = json!("toolu_1");
    let mut process = start(&home, "sdk-cli", &["claude-code"], &asked);
    let ask = open(&home);
    signal(process.pid(), Signal::TERM);
    process.ends();
    assert_eq!(id(&open(&home)), id(&ask), "it is still open");
}
