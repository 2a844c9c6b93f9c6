//! Real waits of 75 s, longer than most clients bear, one for each client's rule. They run where
//! `ASKUSER_LONG_WAITS` is set: all at once, so that they take as long as one.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::pipe::{Pipe, text};

const WAIT: Duration = Duration::from_secs(75);

/// A client, whether it gives a token, and whether its call is still held after 75 s.
const CLIENTS: [(&str, bool, bool); 9] = [
    ("claude-code", true, true),
    ("codex-mcp-client", true, true),
    ("opencode", true, true),
    ("opencode", false, false),
    ("gemini-cli-mcp-client", true, true),
    ("goose", true, true),
    ("qwen-code", true, true),
    ("mcp", false, true),
    ("my-typescript-app", true, false),
];

#[test]
#[expect(clippy::disallowed_methods, reason = "a flag of the test run, which no other place reads")]
fn every_clients_call_lives_through_75_seconds() {
    if std::env::var_os("ASKUSER_LONG_WAITS").is_none() {
        return;
    }
    let home = TestHome::with_daemon();
    let begun = Instant::now();
    let mut calls: Vec<(usize, Pipe, u64)> = CLIENTS
        .iter()
        .enumerate()
        .map(|(n, (client, token, _))| {
            let mut pipe = Pipe::open(&home, client);
            let meta = if *token { json!({"progressToken": n}) } else { json!({}) };
            let arguments = which(&format!("Client {n}?"));
            let id = pipe.ask(
                "tools/call",
                json!({"name": "ask_user_question", "arguments": arguments, "_meta": meta}),
            );
            (n, pipe, id)
        })
        .collect();
    let open = home.until_open(CLIENTS.len());
    // Clients with a short rule come back by themselves, with the id under which they go on.
    std::thread::sleep(WAIT.saturating_sub(begun.elapsed()));
    for (n, pipe, id) in &mut calls {
        let (client, _, held) = CLIENTS[*n];
        if held {
            assert!(pipe.is_silent_about(*id, Duration::from_millis(1)), "{client}");
            continue;
        }
        let told: Value = serde_json::from_str(text(&pipe.result(*id))).unwrap();
        assert_eq!(told["status"], "pending", "{client}");
        *id = pipe.start_call("wait_for_answer", &json!({"ask_id": told["ask_id"]}));
    }
    for ask in open {
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        home.answer(&ask, json!({ question: "Beta" }));
    }
    for (n, pipe, id) in &mut calls {
        assert!(text(&pipe.result(*id)).contains(&format!("\"Client {n}?\"=\"Beta\"")));
    }
}
