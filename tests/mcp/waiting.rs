//! Waiting longer than a client does: progress, pending, and going on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home::{TestHome, eventually, which};
use crate::pipe::{Pipe, text};
use crate::web::{self, Web};

/// A server that holds its calls for so long.
fn holding(home: &TestHome, hold: &str) -> Pipe {
    let mut pipe = Pipe::start_as(home.command(&["mcp"]).env("ASKUSER_HOLD", hold));
    pipe.initialize("claude-code", "2025-06-18", json!({}));
    pipe
}

/// D16: the configuration says it too, on an agent's pipes and over HTTP.
#[test]
fn d16_hold_of_the_configuration_says_how_long_a_call_is_held() {
    let home = TestHome::new();
    std::fs::create_dir_all(home.home.folder()).unwrap();
    std::fs::write(home.home.config(), "mcp:\n  hold: 300ms\n").unwrap();
    home.start();
    let mut pipe = Pipe::start_as(&mut home.command(&["mcp"]));
    pipe.initialize("claude-code", "2025-06-18", json!({}));
    let ask_id = pending_id(&pipe.call("ask_user_question", &which("Held?")));
    let web = Web::open(&home, "claude-code", json!({}));
    assert_eq!(pending_id(&web.call("wait_for_answer", &json!({"ask_id": ask_id}))), ask_id);
}

#[track_caller]
fn pending_id(result: &Value) -> String {
    assert_eq!(result["isError"], false, "{result}");
    let told: Value = serde_json::from_str(text(result)).unwrap();
    assert_eq!(told, result["structuredContent"]);
    assert_eq!(told["status"], "pending");
    assert!(told["next"].as_str().unwrap().contains("wait_for_answer"));
    told["ask_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_held_call_comes_back_as_pending_and_waiting_goes_on() {
    let home = TestHome::with_daemon();
    let mut pipe = holding(&home, "300ms");
    let ask_id = pending_id(&pipe.call("ask_user_question", &which("Slowly?")));
    assert_eq!(pending_id(&pipe.call("wait_for_answer", &json!({"ask_id": ask_id}))), ask_id);
    // Just a look.
    let begun = Instant::now();
    assert_eq!(
        pending_id(&pipe.call("wait_for_answer", &json!({"ask_id": ask_id, "max_wait_ms": 0}))),
        ask_id
    );
    assert!(begun.elapsed() < Duration::from_millis(250));
    // The same question again is the same question.
    assert_eq!(pending_id(&pipe.call("ask_user_question", &which("Slowly?"))), ask_id);
    let id = pipe.start_call("wait_for_answer", &json!({"ask_id": ask_id}));
    home.pick("Alpha");
    assert!(text(&pipe.result(id)).contains("\"Slowly?\"=\"Alpha\""));
    // Its answer is there for whoever asks for it again.
    assert!(
        text(&pipe.call("wait_for_answer", &json!({"ask_id": ask_id}))).contains("\"Slowly?\"=\"Alpha\"")
    );
    let gone = pipe.call("wait_for_answer", &json!({"ask_id": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV"}));
    assert_eq!(gone["isError"], true);
}

#[test]
fn the_hold_over_http_stands_in_the_url() {
    let home = TestHome::with_daemon();
    for web in [Web::modern(&home, "claude-code", json!({})), Web::open(&home, "claude-code", json!({}))] {
        let web = web.with_query("?hold=0.2");
        let ask_id = pending_id(&web.call("ask_user_question", &which("Held?")));
        assert_eq!(pending_id(&web.call("wait_for_answer", &json!({"ask_id": ask_id}))), ask_id);
        let taken = web.call("cancel_ask", &json!({"ask_id": ask_id}));
        assert_eq!(taken["structuredContent"], json!({"status": "cancelled", "ask_id": ask_id}));
    }
}

/// Progress comes at once, which is also the first byte over HTTP, and then every ten seconds.
#[test]
fn progress_says_what_is_asked_how_long_and_how_to_answer() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "opencode");
    let begun = Instant::now();
    let meta = json!({"progressToken": "token-7"});
    let params = json!({"name": "ask_user_question", "arguments": which("Long?"), "_meta": meta});
    let id = pipe.ask("tools/call", params);
    let first = pipe.method("notifications/progress");
    assert!(begun.elapsed() < Duration::from_secs(3));
    let second = pipe.method("notifications/progress");
    let waited = begun.elapsed();
    assert!((9..15).contains(&waited.as_secs()), "{waited:?}");
    for (told, progress) in [(&first, 0.0), (&second, 10.0)] {
        assert_eq!(told["params"]["progressToken"], "token-7");
        assert_eq!(told["params"]["progress"], progress);
        let message = told["params"]["message"].as_str().unwrap();
        let how = "answer with `askuser inbox` or `askuser open`";
        assert_eq!(message, format!("Waiting for an answer for {progress}s: H: Long? · {how}"));
    }
    home.pick("Alpha");
    assert_eq!(pipe.result(id)["isError"], false);
}

/// A call that is cancelled gets no answer, and its question stays open for the next one.
#[test]
fn a_cancelled_call_leaves_its_question_open() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let cancelled = pipe.start_call("ask_user_question", &which("Still there?"));
    let ask = home.until_open(1).remove(0);
    let params = json!({"requestId": cancelled, "reason": "the user pressed Esc"});
    pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    assert!(pipe.is_silent_about(cancelled, Duration::from_millis(300)));
    assert_eq!(home.until_open(1)[0]["ask_id"], ask["ask_id"]);
    let token = json!({"progressToken": 1});
    let params = json!({"name": "ask_user_question", "arguments": which("Still there?"), "_meta": token});
    let again = pipe.ask("tools/call", params);
    // Progress says that it has joined.
    pipe.method("notifications/progress");
    home.pick("Beta");
    assert!(text(&pipe.result(again)).contains("\"Still there?\"=\"Beta\""));
}

/// A client that hangs up in the middle of a call closes nothing, over HTTP and over pipes; a server
/// whose input ends leaves at once.
#[test]
fn a_dropped_call_leaves_its_question_open() {
    let home = TestHome::with_daemon();
    let web = Web::modern(&home, "claude-code", json!({}));
    let answer = web.start_call("ask_user_question", &which("Dropped?"));
    drop(answer);
    let mut pipe = Pipe::open(&home, "claude-code");
    pipe.start_call("ask_user_question", &which("Closed?"));
    home.until_open(2);
    assert!(pipe.close() < Duration::from_secs(3));
    assert_eq!(home.inbox().len(), 2);
}

#[test]
fn what_was_answered_meanwhile_is_listed_and_fetched() {
    let home = TestHome::with_daemon();
    let mut pipe = holding(&home, "200ms");
    let told = |result: Value| result["structuredContent"]["asks"].as_array().unwrap().clone();
    assert!(told(pipe.call("list_asks", &json!({}))).is_empty());
    let first = pending_id(&pipe.call("ask_user_question", &which("First?")));
    home.pick("Alpha");
    let second = pending_id(&pipe.call("ask_user_question", &which("Second?")));
    // The agent is started anew, and finds both.
    pipe.kill();
    let mut pipe = holding(&home, "200ms");
    let asks = told(pipe.call("list_asks", &json!({})));
    let seen: Vec<_> =
        asks.iter().map(|ask| (ask["ask_id"].as_str().unwrap(), ask["status"].as_str().unwrap())).collect();
    assert_eq!(seen, [(first.as_str(), "answered"), (second.as_str(), "pending")]);
    assert_eq!(asks[0]["questions"], json!(["First?"]));
    assert!(text(&pipe.call("wait_for_answer", &json!({"ask_id": first}))).contains("\"First?\"=\"Alpha\""));
    // What was fetched is not listed again; what was taken back neither.
    eventually("the note that it was fetched", || {
        (told(pipe.call("list_asks", &json!({}))).len() == 1).then_some(())
    });
    pipe.call("cancel_ask", &json!({"ask_id": second}));
    assert!(home.inbox().is_empty());
    // Another agent's questions are its own.
    let mut other = Pipe::open(&home, "gemini-cli-mcp-client");
    assert!(told(other.call("list_asks", &json!({}))).is_empty());
}

/// Two calls at once wait each for their own.
#[test]
fn calls_wait_beside_one_another() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let (one, two) = (
        pipe.start_call("ask_user_question", &which("One?")),
        pipe.start_call("ask_user_question", &which("Two?")),
    );
    for ask in home.until_open(2) {
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        let label = if ask["questions"][0]["question"] == "One?" { "Alpha" } else { "Beta" };
        home.answer(&ask, json!({ question: label }));
    }
    assert!(text(&pipe.result(two)).contains("\"Two?\"=\"Beta\""));
    assert!(text(&pipe.result(one)).contains("\"One?\"=\"Alpha\""));
}

/// The daemon stops in good order while calls wait over HTTP: each is told to come back.
#[test]
fn a_daemon_that_stops_sends_waiting_calls_back() {
    let home = TestHome::with_daemon();
    let web = Web::open(&home, "claude-code", json!({}));
    let mut answer = web.start_call("ask_user_question", &which("Before closing time?"));
    let begun = Instant::now();
    assert!(home.command(&["stop"]).output().unwrap().status.success());
    pending_id(&web::result(&mut answer));
    eventually("the daemon to be gone", || (!home.home.is_held()).then_some(()));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}
