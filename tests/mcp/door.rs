//! The door of `/mcp`: a key, the right host, no foreign page.

use serde_json::{Value, json};

use crate::home::TestHome;
use crate::http;
use crate::pipe::{NEWEST, modern_meta};
use crate::web::Web;

fn list() -> Value {
    let params = json!({"_meta": modern_meta("test", json!({}))});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params})
}

fn status(home: &TestHome, key: Option<&str>, more: &[(&str, &str)]) -> u16 {
    let bearer = format!("Bearer {}", key.unwrap_or_default());
    let mut headers = vec![
        ("Accept", "application/json, text/event-stream"),
        ("Content-Type", "application/json"),
        ("MCP-Protocol-Version", NEWEST),
        ("Mcp-Method", "tools/list"),
    ];
    headers.extend(key.map(|_| ("Authorization", bearer.as_str())));
    headers.extend(more);
    let url = home.daemon().url;
    http::send(url.strip_prefix("http://").unwrap(), "POST", "/mcp", &headers, Some(&list())).unwrap().status
}

#[test]
fn an_agents_key_opens_it_and_nothing_else_does() {
    let home = TestHome::with_daemon();
    assert_eq!(status(&home, Some(&home.key("agent")), &[]), 200);
    assert_eq!(status(&home, None, &[]), 401);
    assert_eq!(status(&home, Some("askuser_agent_made_up"), &[]), 401);
    assert_eq!(status(&home, Some(&home.key("person")), &[]), 403);
    assert_eq!(status(&home, Some(&home.key("admin")), &[]), 403);
}

#[test]
fn a_foreign_host_or_page_is_refused() {
    let home = TestHome::with_daemon();
    let key = home.key("agent");
    for host in ["evil.example", "127.0.0.1.evil.example"] {
        assert_eq!(status(&home, Some(&key), &[("Host", host)]), 421, "{host}");
    }
    for origin in ["http://evil.example", "null", "https://localhost.evil.example"] {
        assert_eq!(status(&home, Some(&key), &[("Origin", origin)]), 403, "{origin}");
    }
    for origin in ["http://localhost:1234", "http://127.0.0.1:8275", "http://askuser.localhost:8275"] {
        assert_eq!(status(&home, Some(&key), &[("Origin", origin)]), 200, "{origin}");
    }
}

/// An older client's session can be ended, and is then not there.
#[test]
fn a_session_ends_when_its_client_says_so() {
    let home = TestHome::with_daemon();
    let web = Web::open(&home, "test", json!({}));
    web.request("tools/list", json!({}));
    assert!((200..300).contains(&web.end()));
    assert_eq!(web.start("tools/list", json!({})).status, 404);
}

/// Whoever comes without a key is told which one it takes and where it is; and no more than that.
#[test]
fn who_has_no_key_is_told_which_one_and_where_it_is() {
    let home = TestHome::with_daemon();
    let url = home.daemon().url;
    for key in [None, Some("Bearer askuser_agent_made_up")] {
        let headers: Vec<(&str, &str)> = key.map(|key| ("Authorization", key)).into_iter().collect();
        let answer =
            http::send(url.strip_prefix("http://").unwrap(), "POST", "/mcp", &headers, Some(&list()))
                .unwrap();
        assert_eq!(answer.status, 401);
        let said = answer.text();
        for words in ["Authorization: Bearer", "keys/agents/NAME", "keys/agent"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        let folder = home.path().display().to_string();
        assert!(!said.contains(&home.key("agent")) && !said.contains(&folder), "{said}");
    }
}

/// A number that makes no sense is said to be one.
#[test]
fn a_wrong_hold_is_refused() {
    let home = TestHome::with_daemon();
    let web = Web::modern(&home, "test", json!({})).with_query("?hold=soon");
    assert_eq!(web.start("tools/list", json!({})).status, 400);
}
