//! One answer grants one thing, to the one who asked for it: two callers, every kind of name, the real program.

use serde_json::{Value, json};

use crate::asks::ASKUSER;
use crate::home::TestHome;
use crate::same_user::{key, send};

/// What Claude Code sends before it runs something; how it is named is the caller's to say.
fn wants(home: &TestHome, bearer: &str, command: &str, header: Option<&str>, call: Option<&str>) -> Value {
    let mut event = json!({
        "session_id": "abc123", "cwd": "/home/u/shop", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": command},
    });
    if let Some(call) = call {
        event["tool_use_id"] = call.into();
    }
    let mut headers = vec![("authorization", bearer), ("x-askuser-mode", "interactive")];
    headers.extend(header.map(|name| ("idempotency-key", name)));
    let path = "POST /api/hooks/claude-code?wait=0.2";
    let reply = send(home, path, &headers, &event.to_string());
    assert!(reply.status < 300, "{} {}", reply.status, reply.body);
    serde_json::from_str(&reply.body).unwrap()
}

#[test]
fn a_permission_grants_what_its_own_caller_asked_to_run_and_nothing_else() {
    for (header, call) in [(None, Some("toolu_1")), (Some("k"), None), (Some("k"), Some("toolu_1"))] {
        let home = TestHome::new();
        let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
        let one = key(&home, "agent");
        let made = json!({"role": "agent", "user": "local", "name": "another"}).to_string();
        let made = send(&home, "POST /api/keys", &[("authorization", &key(&home, "admin"))], &made);
        let made: Value = serde_json::from_str(&made.body).unwrap();
        let other = format!("Bearer {}", made["key"].as_str().unwrap());
        let asked = wants(&home, &one, "echo hello", header, call);
        let id = asked["ask_id"].as_str().unwrap();
        // The same name for something else is no card at all; the same thing from another key is another card.
        let harm = wants(&home, &one, "rm -rf /home", header, call);
        assert!(harm.get("ask_id").is_none() && !harm.to_string().contains("allow"), "{harm}");
        let twin = wants(&home, &other, "echo hello", header, call);
        assert_ne!(twin["ask_id"], id);
        let answer = format!("{ASKUSER} answer {id} --json '{{\"answers\":{{\"r1q1\":true}}}}'");
        let ran = home.terminal().run(&answer);
        assert_eq!(ran.code, 0, "{ran:?}");
        for (bearer, command) in [(&one, "rm -rf /home"), (&other, "rm -rf /home"), (&other, "echo hello")] {
            let told = wants(&home, bearer, command, header, call);
            assert!(!told.to_string().contains("allow"), "{header:?} {call:?} {command}: {told}");
        }
        let log = home.json(&["audit", "--action", "answer", "--json"]);
        let granted = log["entries"].as_array().unwrap();
        assert_eq!(granted.len(), 1, "{log}");
        assert!(
            granted[0]["details"]["questions"][0]["description"].as_str().unwrap().contains("echo hello"),
            "{log}"
        );
    }
}
