//! The first second: both eras, every version, at once, and before any daemon is there.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::http::Answer;
use crate::pipe::{NEWEST, Pipe};
use crate::web::Web;

const OLDER: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[track_caller]
fn check_list(list: &Value) {
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ask_user_question", "wait_for_answer", "list_asks", "cancel_ask"]);
    let ask = &list["tools"][0];
    assert_eq!(ask["annotations"]["readOnlyHint"], true);
    assert_eq!(ask["_meta"]["anthropic/alwaysLoad"], true);
    // This would make Claude Code deny the call where nobody sits before it.
    assert!(ask["_meta"]["anthropic/requiresUserInteraction"].is_null());
}

/// P16: every version with a handshake is spoken as it was asked for, and the newest without one.
#[test]
fn p16_every_version_of_the_protocol_is_spoken() {
    let home = TestHome::new();
    for version in OLDER {
        let mut pipe = Pipe::start(&home);
        let said = pipe.initialize("test", version, json!({}));
        assert_eq!(said["protocolVersion"], version);
        assert_eq!(said["serverInfo"]["name"], "askuser");
        check_list(&pipe.request("tools/list", json!({})));
    }
    // Whoever shakes hands for the newest gets the newest that has a handshake.
    let mut pipe = Pipe::start(&home);
    assert_eq!(pipe.initialize("test", NEWEST, json!({}))["protocolVersion"], "2025-11-25");
    // Without a handshake: a look around, and straight to it.
    let mut pipe = Pipe::start(&home).modern("test", json!({}));
    let found = pipe.request("server/discover", json!({}));
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(NEWEST)) && versions.contains(&json!("2024-11-05")), "{found}");
    let list = pipe.request("tools/list", json!({}));
    assert_eq!(list["resultType"], "complete");
    check_list(&list);
    home.daemon();
}

#[test]
fn what_is_not_offered_is_not_answered_as_if_it_were() {
    let home = TestHome::new();
    let mut pipes = [Pipe::open(&home, "test"), Pipe::start(&home).modern("test", json!({}))];
    for pipe in &mut pipes {
        for (method, params) in [
            ("prompts/list", json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("prompts/get", json!({"name": "x"})),
            ("resources/read", json!({"uri": "file:///x"})),
            ("no/such", json!({})),
        ] {
            let id = pipe.ask(method, params);
            let answered = pipe.response(id);
            assert_eq!(answered["error"]["code"], -32601, "{method}: {answered}");
            let said = answered["error"]["message"].as_str().unwrap();
            assert!(said.starts_with(&format!("askuser does not offer `{method}`: ")), "{said}");
        }
    }
}

#[test]
fn both_eras_are_spoken_over_http() {
    let home = TestHome::with_daemon();
    check_list(&Web::modern(&home, "test", json!({})).request("tools/list", json!({})));
    check_list(&Web::open(&home, "test", json!({})).request("tools/list", json!({})));
}

/// Each client's model reads what is meant for it, in both eras and over both ways.
#[test]
fn only_claude_codes_model_is_told_of_its_plan_mode() {
    let home = TestHome::with_daemon();
    for (name, expected) in [("claude-code", true), ("codex-mcp-client", false)] {
        let lists = [
            Pipe::open(&home, name).request("tools/list", json!({})),
            Pipe::start(&home).modern(name, json!({})).request("tools/list", json!({})),
            Web::open(&home, name, json!({})).request("tools/list", json!({})),
            Web::modern(&home, name, json!({})).request("tools/list", json!({})),
        ];
        for list in lists {
            let text = list["tools"][0]["description"].as_str().unwrap();
            assert_eq!(text.contains("ExitPlanMode"), expected, "{name}: {text}");
        }
    }
}

/// Gemini CLI and others with a TypeScript SDK before 1.24 read every event as JSON, and hang up on one without
/// data. Those belong to 2025-11-25.
#[test]
fn no_client_of_an_older_protocol_gets_an_event_without_data() {
    let home = TestHome::with_daemon();
    // Reads an answer to its end: how many messages came, and how many events without data.
    let read = |mut answer: Answer| {
        let n_messages = std::iter::from_fn(|| answer.event()).count();
        (n_messages, answer.n_empty_events)
    };
    for version in OLDER {
        let (web, said) = Web::shake_hands(&home, "gemini-cli-mcp-client", json!({}), version);
        let listening = web.listen();
        assert_eq!(listening.status, 200);
        assert_eq!(read(said), (1, 0), "{version}");
        let asking = web.start_call("ask_user_question", &which("Old?"));
        home.pick("Alpha");
        // Whoever knows them is told at once where the stream can be taken up again.
        let n_empty = usize::from(version == "2025-11-25");
        assert_eq!(read(asking), (1, n_empty), "{version}");
        assert_eq!(read(web.start("tools/list", json!({}))), (1, n_empty), "{version}");
        assert!((200..300).contains(&web.end()));
        assert_eq!(read(listening), (0, 0), "{version}");
    }
    let newest = Web::modern(&home, "test", json!({})).start("tools/list", json!({}));
    assert_eq!(read(newest), (1, 0));
}

/// Codex offers a tool only if the handshake is answered within about a second of the start. The
/// best of some, because machines that test are busy.
#[test]
fn the_list_is_there_within_a_tenth_of_a_second_of_the_start_without_a_daemon() {
    let mut times: Vec<Duration> = (0..7)
        .map(|_| {
            let home = TestHome::new();
            let begun = Instant::now();
            let mut pipe = Pipe::start(&home);
            pipe.initialize("codex-mcp-client", "2025-06-18", json!({}));
            pipe.request("tools/list", json!({}));
            let took = begun.elapsed();
            // It is being started now; what is left half-way would be left behind.
            home.daemon();
            took
        })
        .collect();
    times.sort();
    assert!(times[0] < Duration::from_millis(100), "{times:?}");
}

#[test]
fn what_makes_no_sense_is_refused_and_the_next_request_is_served() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "test");
    for (method, params) in [
        ("tools/call", json!({"name": "rm", "arguments": {}})),
        ("no/such", json!({})),
        ("tasks/get", json!({"taskId": "x"})),
    ] {
        let id = pipe.ask(method, params);
        assert!(pipe.response(id)["error"]["code"].is_i64(), "{method}");
    }
    check_list(&pipe.request("tools/list", json!({})));
    assert!(pipe.close() < Duration::from_secs(3));
}
