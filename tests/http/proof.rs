//! How we know that it is a person (invariant 6): found out by the desk, never claimed.

use serde_json::json;

use crate::stage::{id, stage};

/// S2: the person's key and a header granted a permission.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_with_a_header_grants_no_permission() {
    let stage = stage().await;
    let agent = format!("Bearer {}", stage.ann.agent);
    let event = json!({"session_id": "abc123", "cwd": "/p", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": "make deploy"}});
    let headers = [("authorization", agent.as_str()), ("x-askuser-mode", "interactive")];
    stage.send("POST", "/api/hooks/claude-code?wait=0.01", &headers, event.to_string()).await.ok();
    let asked = stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"][0].clone();
    assert_eq!(asked["purpose"], "permission");
    let bearer = format!("Bearer {}", stage.ann.person);
    let path = format!("/api/asks/{}/answer", id(&asked));
    let answers = json!({"answers": {"r1q1": true}}).to_string();
    for claim in ["terminal", "web", "cookie", "Terminal"] {
        let headers =
            [("authorization", bearer.as_str()), ("x-askuser-channel", claim), ("x-askuser-proof", claim)];
        let refused = stage.send("POST", &path, &headers, answers.clone()).await;
        assert_eq!(refused.code(), "403 forbidden", "{claim}");
    }
}
