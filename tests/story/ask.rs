//! `askuser ask` in several dialects, and what else the two programs print.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, database, login, run, told};
use crate::stage::Setup;

/// Answers line by line and returns the reply.
#[track_caller]
fn replied(args: &[&str], ask: &Value, lines: &str) -> Value {
    let ask = ask.to_string();
    let args: Vec<&str> =
        ["ask", "--where", "terminal"].iter().chain(args).copied().chain([ask.as_str()]).collect();
    let output = run(ASKUSER, &args, &[], lines);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(output.stdout.split_inclusive(|byte| *byte == b'\n').count(), 1, "{}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn options() -> Value {
    json!([{"label": "Alpha", "description": "a"}, {"label": "Beta", "description": "b"}])
}

#[test]
fn e2_the_event_protocol_goes_in_and_out() {
    let ask = json!({"agentId": "a1", "questions": [
        {"question": "Which?", "header": "W", "options": options(), "multiSelect": true}]});
    let reply = replied(&[], &ask, "1,2\n");
    assert_eq!(reply["answers"]["question-0"], json!("Alpha,Beta"), "{reply}");
}

#[test]
fn p6_the_push_form_goes_in_and_out() {
    let reply = replied(&[], &serde_json::from_str(&login()).unwrap(), "1\n1\nacme\n\nyes\n");
    assert_eq!(
        reply["answers"],
        json!({"auth": "oauth", "providers": ["gh"], "org": "acme", "name": null, "ship": true})
    );
}

#[test]
fn codex_and_claude_get_their_own_shapes() {
    let codex =
        json!({"questions": [{"id": "w", "header": "W", "question": "Which?", "options": options()}]});
    let reply = replied(&[], &codex, "2\n");
    assert_eq!(reply["answers"]["w"]["answers"], json!(["Beta"]), "{reply}");
    let claude = json!({"questions": [{"question": "Which?", "header": "W", "multiSelect": false, "options": [
        {"label": "Alpha", "description": "a", "preview": "A"}, {"label": "Beta", "description": "b"}]}]});
    let reply = replied(&[], &claude, "1\n");
    assert_eq!(reply["answers"]["Which?"], json!("Alpha"), "{reply}");
}

#[test]
fn a_form_is_asked_field_by_field() {
    let form = json!({"message": "Your data", "requestedSchema": {"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "title": "Name"}, "age": {"type": "integer", "minimum": 0}}}});
    let reply = replied(&[], &form, "Ann\nold\n42\n");
    assert_eq!(reply, json!({"action": "accept", "content": {"name": "Ann", "age": 42}}));
}

#[test]
fn the_dialect_of_the_reply_can_be_chosen() {
    let ask: Value = serde_json::from_str(&database()).unwrap();
    let reply = replied(&["--reply", "events"], &ask, "3\n");
    assert_eq!(reply["answers"]["question-0"], json!("SQLite"), "{reply}");
    let reply = replied(&["--dialect", "events", "--reply", "full"], &ask, "3\n");
    assert_eq!(reply["by"]["proof"], json!("stdin"), "lines of stdin prove no terminal: {reply}");
}

#[test]
fn the_full_reply_says_that_a_terminal_proves_it() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--reply").arg("full").arg(database()).start();
    stage.sees("Esc leave");
    let ended = stage.types("\r").ends();
    assert!(ended.stdout.contains("\"proof\":\"terminal\""), "{}", ended.stdout);
    assert!(ended.stdout.contains("\"answered_by\":\"person\""), "{}", ended.stdout);
}

#[test]
fn a_secret_is_never_on_the_screen() {
    let json = json!({"questions": [{"question_id": "t", "question_text": "Your token?", "type": "text", "secret": true},
        {"question_id": "n", "question_text": "Your name?", "type": "text"}]})
    .to_string();
    let mut stage = Setup::new(ASKUSER).arg("ask").arg(json.as_str()).start();
    stage.sees("type your answer");
    stage.does("hunter2", "•••••••");
    stage.does("\r", "Your name?");
    stage.does("Ann\r", "Send");
    let ended = stage.types("\r").ends();
    assert!(ended.stdout.contains("hunter2") && !ended.screen.contains("hunter2"), "{}", ended.screen);
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--plain").arg(json.as_str()).size(80, 60).start();
    stage.sees("Enter your answer: ");
    let prompts = |n: usize| move |screen: &str| screen.matches("Enter your answer: ").count() == n;
    stage.types("hunter2\r").wait("the name", prompts(2));
    assert!(stage.is_cooked(), "the next answer is shown again");
    stage.types("/back\r").wait("the token", prompts(3));
    stage.types("hunter3\r").wait("the name", prompts(4));
    let ended = stage.types("Ann\r").ends();
    assert!(ended.stdout.contains("hunter3") && !ended.screen.contains("hunter"), "{}", ended.screen);
    assert!(ended.screen.contains("Enter your answer: Ann"), "{}", ended.screen);
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--plain").arg(json).start();
    stage.sees("Enter your answer: ");
    assert_eq!(stage.types("hunt\x03").ends().code, 130);
    assert!(stage.is_cooked());
}

#[test]
fn t1_questions_come_from_a_file_or_from_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("questions.json");
    std::fs::write(&path, database()).unwrap();
    let expected = "{\"answers\":{\"Database\":\"MongoDB\"}}\n";
    let args = ["ask", "--where", "terminal", "--file", path.to_str().unwrap()];
    let output = run(ASKUSER, &args, &[], "2\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", told(&output));
    // Questions and answers cannot both come from standard input: it has ended.
    let output = run(ASKUSER, &["ask", "--where", "terminal", "-"], &[], &database());
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(6), &b""[..]), "{}", told(&output));
    let missing = run(ASKUSER, &["ask", "--file", "/nowhere/questions.json"], &[], "");
    assert_eq!((missing.status.code(), missing.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&missing));
    assert!(told(&missing).contains("/nowhere/questions.json"), "{}", told(&missing));
    let folder = run(ASKUSER, &["ask", "--file", "/"], &[], "");
    assert_eq!(folder.status.code(), Some(2), "{}", told(&folder));
    let both = run(ASKUSER, &["ask", "--file", "x", "{}"], &[], "");
    assert_eq!(both.status.code(), Some(2), "{}", told(&both));
}

#[test]
fn the_demo_plays_the_person_where_there_is_none() {
    let begun = Instant::now();
    let output = run(ASKUSER, &["demo"], &[], "");
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let story = String::from_utf8_lossy(&output.stdout);
    assert!(story.contains("plays you too, from a script"), "{story}");
    for round in ["Round 1/3", "Round 2/3", "Round 3/3"] {
        assert!(story.contains(round), "{story}");
    }
    // With an agent's mark, too, and even on a terminal.
    let mut stage = Setup::new(ASKUSER).arg("demo").var("CLAUDECODE", "1").start();
    assert_eq!(stage.ends().code, 0);
}

#[test]
fn p14_the_demo_asks_three_rounds_on_a_terminal() {
    let mut stage = Setup::new(ASKUSER).arg("demo").size(90, 40).start();
    stage.sees("Round 1/3");
    stage.does("2\r", "Round 2/3");
    let ended = stage.types("\x03").ends();
    assert_eq!(ended.code, 130, "{}", ended.screen);
    assert!(stage.is_cooked() && !stage.is_disturbed());
}

#[test]
fn t12_help_of_the_command_is_the_manual() {
    let output = run(COMMAND, &["--help"], &[], "");
    let manual = include_str!("../../ask/src/manual.md");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), manual.trim_end());
    assert_eq!(output.status.code(), Some(0));
    let version = run(COMMAND, &["--version"], &[], "");
    assert_eq!(
        String::from_utf8_lossy(&version.stdout),
        concat!("AskUserQuestion ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn help_version_and_completions_go_to_stdout() {
    for (args, said) in [
        (vec!["--help"], "Usage: askuser"),
        (vec!["ask", "--help"], "--on-timeout"),
        (vec!["--version"], concat!("askuser ", env!("CARGO_PKG_VERSION"))),
        (vec!["completions", "bash"], "_clap_complete_askuser"),
        (vec!["completions", "zsh"], "#compdef askuser"),
        (vec!["completions", "fish"], "--command askuser"),
    ] {
        let output = run(ASKUSER, &args, &[], "");
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(0), &b""[..]),
            "{}",
            told(&output)
        );
        assert!(String::from_utf8_lossy(&output.stdout).contains(said), "{}", told(&output));
    }
    for args in [vec!["ask"], vec!["frobnicate"], vec!["completions", "cmd"]] {
        let output = run(ASKUSER, &args, &[], "");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{}",
            told(&output)
        );
    }
}
