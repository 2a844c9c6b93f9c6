//! The daemon killed, the agent killed: the answer arrives all the same, and nobody is asked twice.

use serde_json::json;

use crate::home::{TestHome, which};
use crate::pipe::{Pipe, text};

/// The daemon is killed while a call waits, and started anew on another port.
#[test]
fn a_waiting_call_survives_its_daemon() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let id = pipe.start_call("ask_user_question", &which("Through a crash?"));
    let ask = home.until_open(1).remove(0);
    home.kill();
    home.start();
    assert_eq!(home.until_open(1)[0]["ask_id"], ask["ask_id"]);
    home.pick("Beta");
    assert!(text(&pipe.result(id)).contains("\"Through a crash?\"=\"Beta\""));
}

/// Nobody else starts it again: the server does, after a while.
#[test]
fn a_waiting_call_starts_a_daemon_that_crashed() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let id = pipe.start_call("ask_user_question", &which("Alone?"));
    home.until_open(1);
    let before = home.daemon().pid;
    home.kill();
    // `daemon` waits until there is one.
    assert_ne!(home.daemon().pid, before);
    home.pick("Alpha");
    assert!(text(&pipe.result(id)).contains("\"Alone?\"=\"Alpha\""));
}

#[test]
fn a_daemon_that_is_gone_between_two_calls_is_started_for_the_next() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let id = pipe.start_call("ask_user_question", &which("Before?"));
    home.pick("Alpha");
    pipe.result(id);
    home.kill();
    let id = pipe.start_call("ask_user_question", &which("After?"));
    home.pick("Beta");
    assert!(text(&pipe.result(id)).contains("\"After?\"=\"Beta\""));
}

/// The agent is killed and started anew: asking again joins the open question, whatever its new
/// call is named, and also where it comes back with its own name for the conversation.
#[test]
fn an_agent_that_was_killed_joins_its_question_by_asking_again() {
    let home = TestHome::with_daemon();
    for (client, meta, new_meta) in [
        (
            "claude-code",
            json!({"claudecode/toolUseId": "toolu_1"}),
            json!({"claudecode/toolUseId": "toolu_2"}),
        ),
        (
            "codex-mcp-client",
            json!({"threadId": "t", "callId": "1"}),
            json!({"threadId": "t", "callId": "2"}),
        ),
    ] {
        let params = |meta| json!({"name": "ask_user_question", "arguments": which("Again?"), "_meta": meta});
        let mut pipe = Pipe::open(&home, client);
        pipe.ask("tools/call", params(meta));
        let ask = home.until_open(1).remove(0);
        pipe.kill();
        let mut pipe = Pipe::open(&home, client);
        let id = pipe.ask("tools/call", params(new_meta));
        // Something else is asked behind it, so that both are known to have arrived.
        pipe.start_call("ask_user_question", &which("Something else?"));
        let open = home.until_open(2);
        assert_eq!(open[0]["ask_id"], ask["ask_id"]);
        for ask in open {
            let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
            home.answer(&ask, json!({ question: "Beta" }));
        }
        assert!(text(&pipe.result(id)).contains("\"Again?\"=\"Beta\""));
    }
}

/// Agents in two folders are two agents: neither gets the other's answer.
#[test]
fn the_same_question_from_another_folder_is_another_question() {
    let home = TestHome::with_daemon();
    let mut ids = Vec::new();
    for name in ["shop", "bank"] {
        let folder = home.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        let mut pipe = Pipe::start_as(home.command(&["mcp"]).current_dir(&folder));
        pipe.initialize("claude-code", "2025-06-18", json!({}));
        let id = pipe.start_call("ask_user_question", &which("Deploy?"));
        ids.push((name, pipe, id));
    }
    for ask in home.until_open(2) {
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        let label = if ask["asker"]["project"] == "shop" { "Alpha" } else { "Beta" };
        home.answer(&ask, json!({ question: label }));
    }
    for (name, mut pipe, id) in ids {
        let expected = if name == "shop" { "Alpha" } else { "Beta" };
        assert!(text(&pipe.result(id)).contains(expected), "{name}");
    }
}
