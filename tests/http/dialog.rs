//! The agent's own dialog over HTTP: whose asks it answers, and when it is believed at all.

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, config, id, stage_configured};

async fn in_dialog(stage: &Stage, key: &str, ask_id: &str) -> (u16, Value) {
    let body = json!({"answers": {"q": "a"}, "client": "codex 1.2\u{7}"});
    let reply = stage.post(&format!("/api/asks/{ask_id}/dialog"), key, body).await;
    (reply.status, reply.json())
}

/// B2: what one agent asks is answered in its own dialog, and in no other agent's.
#[tokio::test(flavor = "multi_thread")]
async fn b2_a_dialog_answers_what_its_own_key_asked_and_grants_nothing() {
    let (stage, _rates) = stage_configured("mcp: {agent_dialog: true}").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    let another = stage.desk.access().make_key(askuser_desk::KeyRole::Agent, &"ann".into(), "another").await;
    let another = another.unwrap().unwrap().reveal().to_owned();
    assert_eq!(in_dialog(&stage, &another, &asked).await.0, 403, "another agent of the same person");
    assert_eq!(in_dialog(&stage, &stage.bob.agent, &asked).await.0, 404);
    assert_eq!(in_dialog(&stage, &stage.ann.person, &asked).await.0, 403, "a person has better ways");
    let (status, told) = in_dialog(&stage, &stage.ann.agent, &asked).await;
    assert_eq!(status, 200, "{told}");
    let outcome = &told["outcome"];
    assert_eq!((&outcome["answered_by"], &outcome["reason"]), (&json!("agent_dialog"), &json!("user")));
    let by = json!({"user": "ann", "channel": "agent_dialog", "proof": "agent_dialog", "program": {"path": "codex 1.2"}});
    assert_eq!(outcome["by"], by);
    let event = json!({"session_id": "abc", "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"}});
    assert_eq!(stage.post("/api/hooks/claude-code?wait=0", &stage.ann.agent, event).await.status, 202);
    let permission = stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"][0].clone();
    assert_eq!(permission["purpose"], "permission");
    let question = permission["questions"][0]["question_id"].as_str().unwrap();
    let path = format!("/api/asks/{}/dialog", id(&permission));
    let granted = stage.post(&path, &stage.ann.agent, json!({"answers": {question: true}})).await;
    assert_eq!(granted.code(), "403 forbidden");
    // A header says nothing of who answers.
    let bearer = format!("Bearer {}", stage.ann.person);
    let headers = [("authorization", bearer.as_str()), ("x-askuser-channel", "agent_dialog")];
    let open = id(&stage.ask(ask("u", &[choice("q")])).await);
    let body = json!({"answers": {"q": "a"}}).to_string();
    let told = stage.send("POST", &format!("/api/asks/{open}/answer"), &headers, body).await.ok();
    assert_ne!(told["outcome"]["by"]["proof"], "agent_dialog", "{told}");
}

/// B2: switching it on while the desk runs is a security event; switched off, nothing of it counts any more.
#[tokio::test(flavor = "multi_thread")]
async fn b2_switching_the_dialog_on_is_a_security_event() {
    let (stage, _rates) = stage_configured("").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    let n_noted = |kind: &'static str| {
        let stage = &stage;
        async move {
            let events = stage.get("/api/security", &stage.ann.admin).await.ok();
            events["events"].as_array().unwrap().iter().filter(|event| event["event_type"] == kind).count()
        }
    };
    assert_eq!(in_dialog(&stage, &stage.ann.agent, &asked).await.0, 403);
    for text in ["mcp: {agent_dialog: true}", "mcp: {agent_dialog: true}", "", "mcp: {agent_dialog: true}"] {
        askuser::daemon::configured::apply(&stage.desk, &config(text));
    }
    for (kind, expected) in [("agent_dialog_on", 2), ("forged_response", 1)] {
        let noted = async {
            while n_noted(kind).await != expected {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(10), noted).await.unwrap();
    }
    assert_eq!(in_dialog(&stage, &stage.ann.agent, &asked).await.0, 200);
}
