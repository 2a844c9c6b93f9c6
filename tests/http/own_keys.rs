//! A key of its own for each agent of a machine: once, for itself, on this machine; anew only by an admin.

use askuser_http::Rates;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::audit::events;
use crate::stage::{Stage, stage, stage_with};

fn digest(key: &str) -> String {
    Sha256::digest(key).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

fn own(agent: &str, key: &str) -> Value {
    json!({"agent": agent, "digest": digest(key)})
}

async fn names(stage: &Stage) -> Vec<(String, bool)> {
    let listed = stage.get("/api/keys", &stage.ann.admin).await.ok();
    let own = listed["keys"].as_array().unwrap().iter().filter(|key| key["name"] != "test");
    own.map(|key| (key["name"].as_str().unwrap().to_owned(), key["revoked_at"].is_null())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_gets_a_key_of_its_own_once_and_it_is_noted() {
    let stage = stage().await;
    let shared = &stage.ann.agent;
    let made = stage.post("/api/keys/own", shared, own("claude-code", "k1")).await;
    assert_eq!((made.status, &made.json()["agent"]), (201, &json!("claude-code")), "{}", made.text);
    // Sent again it is the same key, under whichever of its names the agent comes.
    let again = stage.post("/api/keys/own", shared, own("Claude-Code", "k1")).await;
    assert_eq!((again.status, &again.json()["key_id"]), (200, &made.json()["key_id"]));
    // It opens what an agent's key opens, and nothing more.
    assert_eq!(stage.get("/api/asks", "k1").await.status, 200);
    assert_eq!(stage.get("/api/inbox", "k1").await.code(), "403 forbidden");
    // Another one is not had by asking, nor for another agent with an agent's own.
    assert_eq!(stage.post("/api/keys/own", shared, own("claude-code", "k2")).await.code(), "409 conflict");
    assert_eq!(stage.post("/api/keys/own", "k1", own("codex", "k3")).await.code(), "403 forbidden");
    assert_eq!(stage.post("/api/keys/own", shared, own("gemini", "k1")).await.code(), "409 conflict");
    for wrong in [own("nobody", "k4"), json!({"agent": "codex"}), json!({"agent": "codex", "digest": "00"})] {
        assert_eq!(stage.post("/api/keys/own", shared, wrong).await.code(), "400 invalid_request");
    }
    assert_eq!(names(&stage).await, [("claude-code (own key)".to_owned(), true)]);
    let noted = events(&stage, "key_made").await;
    assert_eq!((noted.len(), &noted[0]["details"]["user"]), (1, &json!("ann")), "{noted:?}");
    // Another user's agent of the same name is another.
    assert_eq!(stage.post("/api/keys/own", &stage.bob.agent, own("claude-code", "k5")).await.status, 201);
}

/// Deleting a file or being revoked is no way to get another key; an admin is.
#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_is_made_anew_by_an_admin_alone() {
    let stage = stage().await;
    let (shared, admin) = (&stage.ann.agent, &stage.ann.admin);
    let made = stage.post("/api/keys/own", shared, own("codex", "k1")).await.ok();
    let path = format!("/api/keys/{}", made["key_id"].as_str().unwrap());
    stage.call("DELETE", &path, admin, Value::Null).await.ok();
    assert_eq!(stage.get("/api/asks", "k1").await.code(), "401 unauthorized");
    for key in ["k1", "k2"] {
        assert_eq!(stage.post("/api/keys/own", shared, own("codex", key)).await.code(), "409 conflict");
    }
    assert_eq!(stage.call("PUT", "/api/keys/own", admin, own("codex", "k2")).await.status, 201);
    assert_eq!(stage.get("/api/asks", "k2").await.status, 200);
    assert_eq!(stage.call("PUT", "/api/keys/own", admin, own("codex", "k3")).await.status, 201);
    assert_eq!(stage.get("/api/asks", "k2").await.code(), "401 unauthorized", "the one before is revoked");
    let alive = names(&stage).await.into_iter().filter(|(_, alive)| *alive).count();
    assert_eq!(alive, 1);
}

/// A key that leaked to another machine makes none that would outlive it.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_its_own_is_had_on_this_machine_only() {
    let stage = stage_with(|server| {
        server.rates = Rates { requests: 0, failed_sign_ins: 0, ..Rates::default() };
        server.hosts = vec!["desk.example.com".into()];
    })
    .await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [("authorization", bearer.as_str()), ("host", "desk.example.com")];
    let reply = stage.send("POST", "/api/keys/own", &headers, own("codex", "k1").to_string()).await;
    assert_eq!(reply.code(), "403 forbidden");
    assert_eq!(stage.get("/api/asks", "k1").await.code(), "401 unauthorized");
}

/// Starts of one agent at the same time end with one key.
#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_get_one_key() {
    let stage = stage().await;
    let shared = &stage.ann.agent;
    let keys: Vec<String> = (0..8).map(|number| format!("k{number}")).collect();
    let calls = keys.iter().map(|key| stage.post("/api/keys/own", shared, own("goose", key)));
    let statuses: Vec<u16> =
        futures_util::future::join_all(calls).await.iter().map(|reply| reply.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(names(&stage).await.len(), 1);
}

/// A secret that was told to every agent of the person: it goes to the key that asked.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_told_to_the_agent_that_asked_and_to_no_other() {
    let stage = stage().await;
    let (shared, person) = (&stage.ann.agent, &stage.ann.person);
    stage.post("/api/keys/own", shared, own("claude-code", "k1")).await.ok();
    let question = json!({"question_id": "pw", "question_text": "Password?", "type": "text", "secret": true});
    let body = json!({"session_id": "s", "questions": [question]});
    let asked = stage.post("/api/asks", "k1", body).await.ok();
    let (ask, session) = (asked["ask_id"].as_str().unwrap(), asked["session"].as_str().unwrap());
    let answers = json!({"answers": {"pw": "pomegranate"}});
    stage.post(&format!("/api/asks/{ask}/answer"), person, answers).await.ok();
    let own = stage.get(&format!("/api/asks/{ask}"), "k1").await;
    assert!(own.text.contains("pomegranate"), "{}", own.text);
    for path in [
        format!("/api/asks/{ask}"),
        format!("/api/asks/{ask}?wait=1"),
        format!("/api/sessions/{session}"),
        "/api/sessions".to_owned(),
        "/api/asks".to_owned(),
    ] {
        let told = stage.get(&path, shared).await;
        assert!(!told.text.contains("pomegranate"), "{path}: {}", told.text);
    }
    let seen = stage.get(&format!("/api/asks/{ask}"), shared).await.ok();
    assert_eq!(seen["outcome"]["status"], "answered", "that it was answered is told: {seen}");
}
