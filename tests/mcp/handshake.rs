//! The first second: both eras, every version, at once, and before any daemon is there.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home::TestHome;
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
    let n_chars = list["tools"].to_string().chars().count();
    assert!(n_chars < 9_000, "{n_chars} characters");
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
        for method in ["prompts/list", "resources/list", "resources/templates/list"] {
            let id = pipe.ask(method, json!({}));
            let answered = pipe.response(id);
            assert_eq!(answered["error"]["code"], -32601, "{method}: {answered}");
        }
    }
}

#[test]
fn both_eras_are_spoken_over_http() {
    let home = TestHome::with_daemon();
    check_list(&Web::modern(&home, "test", json!({})).request("tools/list", json!({})));
    check_list(&Web::open(&home, "test", json!({})).request("tools/list", json!({})));
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
