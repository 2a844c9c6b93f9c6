//! Agents that go away while their hook waits, and Codex's question that it does not wait for: with a real
//! process and a real desk. The events are as Codex 0.169.0 and Gemini CLI 0.61.0 send them.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::ASKUSER;
use crate::home::{Program, TestHome, eventually, signal};

const LEFT: &str = "the agent no longer waits for it";

fn codex(name: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "t1", "turn_id": "1", "cwd": "/home/u/shop", "hook_event_name": name, "model": "m",
        "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "call_0",
    })
}

fn which() -> Value {
    let options = json!([{"label": "North", "description": "n"}, {"label": "South", "description": "s"}]);
    json!({"questions": [{"id": "way", "header": "Way", "question": "Which way?", "options": options}]})
}

fn gemini(home: &TestHome) -> (Value, std::path::PathBuf) {
    let notes = home.home.folder().with_file_name("chat.jsonl");
    let question = json!({"questions": [{"question": "Which way?", "header": "Way", "type": "text"}]});
    let event = json!({"session_id": "g", "cwd": "/home/u/shop", "transcript_path": notes,
        "hook_event_name": "BeforeTool", "tool_name": "ask_user", "tool_input": question});
    fs::write(&notes, "{\"type\":\"user\",\"content\":\"hello\"}\n").unwrap();
    (event, notes)
}

fn hook(home: &TestHome, agent: &str, event: &Value) -> Command {
    let path = home.home.folder().with_file_name("event");
    File::create(&path).unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let mut command = home.command(ASKUSER, &["hook", agent]);
    command.stdin(Stdio::from(File::open(path).unwrap()));
    command
}

fn start(home: &TestHome, agent: &str, event: &Value) -> Program {
    Program::start_with(&mut hook(home, agent, event))
}

/// Runs a hook to its end, and returns what it said.
fn said(home: &TestHome, agent: &str, event: &Value) -> String {
    let output = hook(home, agent, event).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn open(home: &TestHome) -> String {
    eventually("an open ask", || {
        home.home.running()?;
        let asks = home.json(&["list", "--json"])["asks"].as_array().unwrap().clone();
        Some(asks.first()?["ask_id"].as_str().unwrap().to_owned())
    })
}

fn comment(home: &TestHome, ask: &str) -> String {
    eventually("the ask to end", || {
        home.json(&["show", ask, "--json"])["outcome"]["comment"].as_str().map(str::to_owned)
    })
}

/// Codex kills its hook when Esc is pressed: the connection is the lease.
#[test]
fn a_hook_that_is_killed_leaves_no_card_behind() {
    let home = TestHome::new();
    let process = start(&home, "codex", &codex("PreToolUse", "request_user_input", &which()));
    let ask = open(&home);
    let killed = Instant::now();
    signal(process.pid(), Signal::KILL);
    assert_eq!(comment(&home, &ask), LEFT);
    assert!(killed.elapsed() < Duration::from_secs(20), "{:?}", killed.elapsed());
}

/// Gemini CLI does not end its hook when Esc is pressed: it only writes it down.
#[test]
fn a_request_that_gemini_cancelled_frees_its_terminal_and_takes_the_card() {
    let home = TestHome::new();
    let (event, notes) = gemini(&home);
    let mut process = start(&home, "gemini", &event);
    let ask = open(&home);
    let line = "{\"id\":\"1\",\"timestamp\":\"2026-11-18T03:45:54.684Z\",\"type\":\"info\",\"content\":\"Request cancelled.\"}\n";
    OpenOptions::new().append(true).open(notes).unwrap().write_all(line.as_bytes()).unwrap();
    assert_eq!(process.ends(), 0);
    assert_eq!(process.stdout(), "", "stepping aside is saying nothing");
    assert_eq!(comment(&home, &ask), LEFT);
}

/// Many agents start their hooks by a shell, which lives on when they are killed; they read what it says.
#[test]
fn a_hook_whose_agent_was_killed_ends_and_takes_its_card() {
    let home = TestHome::new();
    let path = home.home.folder().with_file_name("event");
    for script in [
        "\"$0\" hook codex < \"$1\"; true",
        "said=$(/bin/sh -c '\"$0\" hook codex < \"$1\"; true' \"$0\" \"$1\")",
    ] {
        let mut event = codex("PreToolUse", "request_user_input", &which());
        event["tool_use_id"] = json!(script);
        fs::write(&path, event.to_string()).unwrap();
        let mut agent = home.command("/bin/sh", &["-c", script, ASKUSER]);
        let agent = Program::start_with(agent.arg(&path));
        let ask = open(&home);
        signal(agent.pid(), Signal::KILL);
        assert_eq!(comment(&home, &ask), LEFT, "{script}");
    }
}

#[test]
fn a_hook_whose_agent_was_killed_before_it_said_all_leaves_no_card() {
    let home = TestHome::new();
    let mut agent = home.command("/bin/sh", &["-c", "exec 3<&0; \"$0\" hook codex <&3; true", ASKUSER]);
    let mut agent = Program::start_with(agent.stdin(Stdio::piped()));
    let mut event = agent.take_stdin();
    // More than a pipe holds: when it is written, the hook has begun to read.
    event.write_all(&vec![b' '; 200_000]).unwrap();
    signal(agent.pid(), Signal::KILL);
    assert_eq!(agent.ends(), -1);
    event.write_all(codex("PreToolUse", "request_user_input", &which()).to_string().as_bytes()).unwrap();
    drop(event);
    let asks = || home.json(&["history", "--json"])["asks"].as_array().cloned().unwrap_or_default();
    let ended = eventually("the ask to end", || {
        home.home.running()?;
        asks().first()?["outcome"]["comment"].as_str().map(str::to_owned)
    });
    assert_eq!(ended, LEFT);
}

/// `claude -p` may be resumed: its card stays, and says that nobody waits for it right now.
#[test]
fn a_run_that_may_be_resumed_keeps_its_card_which_says_that_nobody_waits() {
    let home = TestHome::new();
    let mut event = codex("PreToolUse", "AskUserQuestion", &which());
    event["tool_input"]["questions"][0]["multiSelect"] = json!(false);
    let run = || {
        let mut command = hook(&home, "claude-code", &event);
        Program::start_with(command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ATTENDED", "0"))
    };
    let nobody_waits = |ask: &str| home.json(&["show", ask, "--json"])["nobody_waits"] == json!(true);
    let process = run();
    let ask = open(&home);
    assert!(!nobody_waits(&ask));
    signal(process.pid(), Signal::KILL);
    eventually("nobody to wait", || nobody_waits(&ask).then_some(()));
    assert!(home.prints(&["show", &ask]).contains("Nobody is waiting for this right now."));
    let listed = home.json(&["list", "--json"])["asks"][0]["nobody_waits"].clone();
    assert_eq!(listed, json!(true), "the inbox says so too");
    let mut resumed = run();
    eventually("somebody to wait", || (!nobody_waits(&ask)).then_some(()));
    home.prints(&["answer", &ask, "--pick", "South"]);
    assert_eq!(resumed.ends(), 0);
    let said: Value = serde_json::from_str(&resumed.stdout()).unwrap();
    assert_eq!(said["hookSpecificOutput"]["updatedInput"]["answers"], json!({"Which way?": "South"}));
}

/// The hook dies while no daemon is there to notice: the next one does.
#[test]
fn a_hook_that_died_with_its_daemon_is_missed_by_the_next() {
    let home = TestHome::new();
    let process = start(&home, "codex", &codex("PreToolUse", "request_user_input", &which()));
    let ask = open(&home);
    signal(process.pid(), Signal::STOP);
    signal(home.home.running().unwrap().pid, Signal::KILL);
    eventually("the lock to be free", || (!home.home.is_held()).then_some(()));
    signal(process.pid(), Signal::KILL);
    let nobody_waits = || home.json(&["show", &ask, "--json"])["nobody_waits"] == json!(true);
    assert!(!nobody_waits(), "it may come back");
    eventually("nobody to wait", || nobody_waits().then_some(()));
}

fn in_passing() -> Value {
    let input =
        json!({"questions": [{"title": "Which way?", "options": ["North", "South"]}, {"title": "Why?"}]});
    codex("PreToolUse", "request_user_input_async", &input)
}

/// In Default mode Codex shows the question itself and works on: the answer is there when its turn ends.
#[test]
fn what_codex_asks_in_passing_is_handed_over_when_its_turn_ends() {
    let home = TestHome::new();
    assert_eq!(said(&home, "codex", &codex("Stop", "", &Value::Null)), "", "nothing was asked");
    assert!(!home.home.is_held(), "and no desk was started for it");
    assert_eq!(said(&home, "codex", &in_passing()), "", "it goes on");
    let ask = open(&home);
    let nobody_waits = || home.json(&["show", &ask, "--json"])["nobody_waits"] == json!(true);
    eventually("nobody to wait", || nobody_waits().then_some(()));
    let mut stop = start(&home, "codex", &codex("Stop", "", &Value::Null));
    eventually("somebody to wait", || (!nobody_waits()).then_some(()));
    home.prints(&["answer", &ask, "--pick", "r1q1=South", "--text", "r1q2=because"]);
    assert_eq!(stop.ends(), 0);
    let told: Value = serde_json::from_str(&stop.stdout()).unwrap();
    assert_eq!(told["decision"], "block");
    let reason = told["reason"].as_str().unwrap();
    assert!(reason.contains("\"Which way?\"=\"South\"") && reason.contains("because"), "{reason}");
    assert_eq!(said(&home, "codex", &codex("Stop", "", &Value::Null)), "", "once");
    // Answered before the turn ends, it is kept until then.
    let mut again = in_passing();
    again["tool_use_id"] = json!("call_1");
    said(&home, "codex", &again);
    home.prints(&["cancel", &open(&home), "--reason", "not now"]);
    let told: Value = serde_json::from_str(&said(&home, "codex", &codex("Stop", "", &Value::Null))).unwrap();
    assert_eq!(told["reason"], "The user declined to answer: not now");
}

/// A hook that cannot say the answer has not handed it over.
#[test]
fn an_answer_that_the_hook_could_not_say_is_handed_over_at_the_next_end() {
    let home = TestHome::new();
    said(&home, "codex", &in_passing());
    home.prints(&["answer", &open(&home), "--pick", "r1q1=South", "--text", "r1q2=because"]);
    let stop = codex("Stop", "", &Value::Null);
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let lost = hook(&home, "codex", &stop).stdout(full).stderr(Stdio::null()).status().unwrap();
    assert_eq!(lost.code(), Some(1));
    assert!(said(&home, "codex", &stop).contains("South"));
    assert_eq!(said(&home, "codex", &stop), "", "once");
}

/// One of two that is answered is enough to go on with; the other is waited for at the next end.
#[test]
fn what_codex_asks_in_passing_is_handed_over_as_it_is_answered() {
    let home = TestHome::new();
    let mut ids = Vec::new();
    for title in ["Which way?", "Which day?"] {
        let input = json!({"questions": [{"title": title, "options": ["A", "B"]}]});
        let mut asked = codex("PreToolUse", "request_user_input_async", &input);
        asked["tool_use_id"] = json!(title);
        said(&home, "codex", &asked);
        let listed = home.json(&["list", "--json"])["asks"].as_array().unwrap().clone();
        let id =
            listed.iter().find(|ask| ask["questions"][0]["question"] == title).unwrap()["ask_id"].clone();
        ids.push(id.as_str().unwrap().to_owned());
    }
    for (ask, title) in ids.iter().zip(["Which way?", "Which day?"]).rev() {
        let mut stop = start(&home, "codex", &codex("Stop", "", &Value::Null));
        home.prints(&["answer", ask, "--pick", "B"]);
        assert_eq!(stop.ends(), 0);
        let told: Value = serde_json::from_str(&stop.stdout()).unwrap();
        let reason = told["reason"].as_str().unwrap();
        assert!(
            reason.starts_with(&format!("User has answered your questions: \"{title}\"=\"B\".")),
            "{reason}"
        );
        if title == "Which day?" {
            let left = || home.json(&["show", &ids[0], "--json"])["nobody_waits"] == json!(true);
            eventually("nobody to wait for the other", || left().then_some(()));
        }
    }
    assert_eq!(said(&home, "codex", &codex("Stop", "", &Value::Null)), "");
}

#[test]
fn what_codex_asks_in_passing_may_be_answered_in_its_own_terminal() {
    let home = TestHome::new();
    said(&home, "codex", &in_passing());
    let ask = open(&home);
    let mut typed = codex("UserPromptSubmit", "", &Value::Null);
    typed["prompt"] = json!("go on with the docs");
    assert_eq!(said(&home, "codex", &typed), "");
    assert_eq!(open(&home), ask, "other words are no answer");
    typed["prompt"] = json!(
        "<send_user_message_question_reply>\n[{\"answer\":\"South\",\"question\":\"Which way?\",\
         \"questionItemId\":\"[\\\"request_user_input_async\\\",\\\"call_0\\\",0]\"}]\n</send_user_message_question_reply>"
    );
    assert_eq!(said(&home, "codex", &typed), "");
    assert_eq!(comment(&home, &ask), "settled in the agent's own dialog");
    assert_eq!(said(&home, "codex", &codex("Stop", "", &Value::Null)), "", "there is nothing to hand over");
    // Esc while it waits for an answer, and the end of Codex itself.
    for ended in [false, true] {
        let mut asked = in_passing();
        asked["tool_use_id"] = json!(format!("call_{ended}"));
        said(&home, "codex", &asked);
        let ask = open(&home);
        if ended {
            said(&home, "codex", &codex("SessionEnd", "", &Value::Null));
            assert_eq!(comment(&home, &ask), "the agent's conversation has ended");
        } else {
            // One that is killed before it waits has leased nothing: then another end of a turn follows.
            let ended = (0..10).any(|_| {
                let stop = start(&home, "codex", &codex("Stop", "", &Value::Null));
                std::thread::sleep(Duration::from_millis(500));
                signal(stop.pid(), Signal::KILL);
                let killed = Instant::now();
                let is_gone = || home.json(&["show", &ask, "--json"])["outcome"]["comment"] == LEFT;
                while !is_gone() && killed.elapsed() < Duration::from_secs(5) {
                    std::thread::sleep(Duration::from_millis(100));
                }
                is_gone()
            });
            assert!(ended, "the card stands although nobody waits");
        }
    }
}
