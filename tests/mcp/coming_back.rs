//! The daemon killed, the agent killed: the answer arrives all the same, and nobody is asked twice.

use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::pipe::{Pipe, text};
use crate::web::{self, Web};

/// How a client over HTTP begins.
type Opens = fn(&TestHome) -> Web;

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

/// The client gave up on its call, or was killed; the person answered meanwhile. Asking again brings that answer,
/// and when it was given; asking once more is a new question.
#[test]
fn an_answer_that_was_given_while_the_agent_was_away_is_handed_over() {
    let home = TestHome::with_daemon();
    for (text, killed) in [("Given up?", false), ("Killed?", true)] {
        let mut pipe = Pipe::open(&home, "codex-mcp-client");
        let call = |call: &str| {
            let meta = json!({"threadId": "t", "callId": call});
            json!({"name": "ask_user_question", "arguments": which(text), "_meta": meta})
        };
        let id = pipe.ask("tools/call", call("1"));
        let first = home.until_open(1).remove(0);
        if killed {
            pipe.kill();
            pipe = Pipe::open(&home, "codex-mcp-client");
        } else {
            pipe.send(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
            );
        }
        home.pick("Beta");
        let result = pipe.request("tools/call", call("2"));
        assert!(text_of_all(&result).contains(&format!("\"{text}\"=\"Beta\"")), "{result}");
        assert!(text_of_all(&result).contains("while no call was waiting"), "{result}");
        assert!(result["structuredContent"]["decided_at"].is_string(), "{result}");
        assert!(home.inbox().is_empty(), "the person was asked twice");
        // It has its answer: this is another round.
        let id = pipe.ask("tools/call", call("3"));
        assert_ne!(home.until_open(1)[0]["ask_id"], first["ask_id"]);
        home.pick("Alpha");
        assert!(text_of_all(&pipe.result(id)).contains("\"Alpha\""));
    }
}

/// The same over HTTP, where the reply is a stream: with a session and without.
#[test]
fn an_answer_that_was_missed_over_http_is_handed_over() {
    let home = TestHome::with_daemon();
    let clients: [(&str, Opens); 2] = [
        ("With a session?", |home| Web::open(home, "opencode", json!({}))),
        ("Without?", |home| Web::modern(home, "claude-code", json!({}))),
    ];
    for (text, client) in clients {
        let waiting = client(&home).start_call("ask_user_question", &which(text));
        let first = home.until_open(1).remove(0);
        drop(waiting);
        if text == "Without?" {
            home.until_alone();
        } else {
            // The session goes on without its client: a crash ends it.
            home.kill();
            home.start();
        }
        home.pick("Beta");
        let web = client(&home);
        let result = web.call("ask_user_question", &which(text));
        assert!(text_of_all(&result).contains(&format!("\"{text}\"=\"Beta\"")), "{result}");
        let again = web.start_call("ask_user_question", &which(text));
        assert_ne!(home.until_open(1)[0]["ask_id"], first["ask_id"]);
        drop(again);
        home.decline("no");
    }
}

/// Over HTTP the same question joins: from a new session, after a crash, and where nothing but a call's name tells
/// the asker from others.
#[test]
fn asking_again_over_http_joins_the_open_question() {
    let home = TestHome::with_daemon();
    let call = |name: &str| {
        let meta = json!({"claudecode/toolUseId": name, "progressToken": "p"});
        json!({"name": "ask_user_question", "arguments": which("Again?"), "_meta": meta})
    };
    let clients: [fn(&TestHome) -> Web; 2] =
        [|home| Web::open(home, "opencode", json!({})), |home| Web::modern(home, "claude-code", json!({}))];
    for client in clients {
        let mut waiting = client(&home).start("tools/call", call("1"));
        let progress = waiting.event().unwrap();
        assert_eq!(progress["method"], "notifications/progress", "{progress}");
        let first = home.until_open(1).remove(0);
        home.kill();
        drop(waiting);
        home.start();
        let mut again = client(&home).start("tools/call", call("2"));
        again.event().unwrap();
        let open = home.until_open(1);
        assert_eq!(open[0]["ask_id"], first["ask_id"]);
        home.pick("Beta");
        assert!(text(&web::result(&mut again)).contains("\"Again?\"=\"Beta\""));
    }
}

/// Two calls that both wait, with nothing to tell their askers apart, are two questions.
#[test]
fn two_calls_that_wait_with_the_same_words_are_two_questions() {
    let home = TestHome::with_daemon();
    let web = Web::modern(&home, "claude-code", json!({}));
    let call = |name: &str| {
        let meta = json!({"claudecode/toolUseId": name, "progressToken": "p"});
        json!({"name": "ask_user_question", "arguments": which("Both?"), "_meta": meta})
    };
    let mut calls = ["1", "2"].map(|name| {
        let mut answer = web.start("tools/call", call(name));
        answer.event().unwrap();
        answer
    });
    for (ask, label) in home.until_open(2).iter().zip(["Alpha", "Beta"]) {
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        home.answer(ask, json!({ question: label }));
    }
    let [one, other] = &mut calls;
    assert!(text(&web::result(one)).contains("\"Alpha\""));
    assert!(text(&web::result(other)).contains("\"Beta\""));
}

/// An agent that is known by its conversation asks once, also where an older call of its own still waits unheard: its
/// process was killed, and the session that it had goes on without it.
#[test]
fn a_known_agent_that_was_killed_over_http_joins_its_question() {
    let home = TestHome::with_daemon();
    let call = |name: &str| {
        let meta = json!({"claudecode/sessionId": "s1", "claudecode/toolUseId": name, "progressToken": "p"});
        json!({"name": "ask_user_question", "arguments": which("Killed?"), "_meta": meta})
    };
    let mut waiting = Web::open(&home, "codex-mcp-client", json!({})).start("tools/call", call("1"));
    waiting.event().unwrap();
    let first = home.until_open(1).remove(0);
    drop(waiting);
    let mut again = Web::open(&home, "codex-mcp-client", json!({})).start("tools/call", call("2"));
    again.event().unwrap();
    assert_eq!(home.until_open(1)[0]["ask_id"], first["ask_id"]);
    home.pick("Beta");
    assert!(text(&web::result(&mut again)).contains("\"Killed?\"=\"Beta\""));
}

/// A client goes on using the session that it was given, and does not know that the daemon was killed.
#[test]
fn an_mcp_session_is_known_again_after_a_restart() {
    let home = TestHome::with_daemon();
    let web = Web::open(&home, "qwen-code", json!({}));
    home.kill();
    home.start();
    let web = web.at(&home);
    let mut waiting = web.start_call("ask_user_question", &which("Still there?"));
    assert_eq!(home.until_open(1)[0]["asker"]["agent"], "qwen-code");
    home.pick("Beta");
    assert!(text(&web::result(&mut waiting)).contains("\"Still there?\"=\"Beta\""));
    // One that was ended is not, and what was never a session is none.
    assert!(web.end() < 300);
    assert_eq!(web.post(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).status, 404);
    for id in ["../../config.yaml", "7f1f3a30-0000-4000-8000-000000000000"] {
        let nobody = web.with_session(id);
        assert_eq!(nobody.post(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).status, 404);
    }
}

/// A client comes back for the stream of a call that was lost with the daemon, as Codex does every second: the call is
/// made again there, joins its question, and is answered under its own id.
#[test]
fn the_stream_of_a_call_is_taken_up_again_after_a_restart() {
    let home = TestHome::with_daemon();
    let web = Web::open(&home, "codex-mcp-client", json!({}));
    let waiting = web.start_call("ask_user_question", &which("Taken up?"));
    let ask = home.until_open(1).remove(0);
    home.kill();
    home.start();
    let web = web.at(&home);
    let mut again = web.resume(waiting.last_event_id.as_deref().unwrap());
    assert_eq!(again.event().unwrap()["method"], "notifications/progress");
    assert_eq!(home.until_open(1)[0]["ask_id"], ask["ask_id"]);
    home.pick("Beta");
    let answer = again.event().unwrap();
    assert_eq!(answer["id"], 1, "{answer}");
    assert!(text(&answer["result"]).contains("\"Taken up?\"=\"Beta\""));
    // What was answered is not made again.
    home.kill();
    home.start();
    let mut nothing = web.at(&home).resume(again.last_event_id.as_deref().unwrap());
    assert_eq!(nothing.event(), None);
    assert!(home.inbox().is_empty());
}

/// The request by which a session is known again breaks off, and its stream is taken up: what is told there is told.
#[test]
fn an_answer_on_a_stream_that_was_taken_up_again_is_told_once() {
    let home = TestHome::with_daemon();
    let web = Web::open(&home, "codex-mcp-client", json!({}));
    home.kill();
    home.start();
    let web = web.at(&home);
    let waiting = web.start_call("ask_user_question", &which("Once?"));
    let ask = home.until_open(1).remove(0);
    let last = waiting.last_event_id.clone().unwrap();
    drop(waiting);
    let mut again = web.resume(&last);
    home.pick("Beta");
    assert!(text(&web::result(&mut again)).contains("\"Once?\"=\"Beta\""));
    let _next = web.start_call("ask_user_question", &which("Once?"));
    assert_ne!(home.until_open(1)[0]["ask_id"], ask["ask_id"]);
}

/// What is kept of calls over HTTP that are not answered.
fn calls_kept(home: &TestHome) -> usize {
    let files = std::fs::read_dir(home.home.folder().join("mcp-sessions")).unwrap();
    files.filter(|file| file.as_ref().unwrap().path().extension().is_some()).count()
}

/// A call that was cancelled gets no reply: it is not kept for one, also where the last daemon had it.
#[test]
fn a_call_that_was_cancelled_is_not_made_again() {
    let home = TestHome::with_daemon();
    for restarted in [false, true] {
        let mut web = Web::open(&home, "codex-mcp-client", json!({}));
        let waiting = web.start_call("ask_user_question", &which("Cancelled?"));
        assert_eq!(calls_kept(&home), 1);
        if restarted {
            home.kill();
            home.start();
            web = web.at(&home);
        }
        let cancelled =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        assert_eq!(web.post(&cancelled).status, 202);
        assert_eq!(calls_kept(&home), 0);
        if restarted {
            let mut nothing = web.resume(waiting.last_event_id.as_deref().unwrap());
            assert_eq!(nothing.event(), None);
        }
    }
}

/// Everything that a result says to the model.
fn text_of_all(result: &Value) -> String {
    let content = result["content"].as_array().unwrap();
    content.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}
