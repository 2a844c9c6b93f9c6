//! Sessions, their rounds, their messages and versions.

use askuser_core::fact::Fact;
use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage};

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn two_rounds(stage: &Stage) -> String {
    let opened =
        stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": "mine", "total_rounds": 3})).await;
    assert_eq!(opened.status, 201);
    for question in ["q1", "q2"] {
        let asked = stage.ask(ask("mine", &[choice(question)])).await;
        let body = json!({"answers": {question: "b"}});
        stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, body).await.ok();
    }
    stage.ask(ask("mine", &[choice("q3")])).await;
    opened.json()["id"].as_str().unwrap().to_owned()
}

/// P11, D5: a session with its rounds, by our id and by the agent's own.
#[tokio::test(flavor = "multi_thread")]
async fn p11_a_session_tells_its_rounds() {
    let stage = stage().await;
    let id = two_rounds(&stage).await;
    for name in [id.as_str(), "mine"] {
        let session = stage.get(&format!("/api/sessions/{name}"), &stage.ann.person).await.ok();
        assert_eq!((&session["id"], &session["session_id"]), (&json!(id), &json!("mine")));
        assert_eq!(
            (&session["status"], &session["current_round"], &session["total_rounds"]),
            (&json!("active"), &json!(3), &json!(3))
        );
        assert_eq!(session["current_questions"], json!(["q3"]));
        assert_eq!(session["answered_questions"], json!({"q1": "b", "q2": "b"}));
        let history = &session["dialog_history"];
        assert_eq!(
            history[0],
            json!({"round": 1, "question": "q1?", "answer": "Beta", "status": "answered"})
        );
        assert!(session["created_at"].is_string() && session["last_activity"].is_string());
    }
    let list = stage.get("/api/sessions", &stage.ann.agent).await.ok();
    assert_eq!(list["sessions"][0]["session_id"], "mine");
    // Opening it again finds it.
    let again = stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": "mine"})).await.ok();
    assert_eq!(again["id"], id.as_str());
    for wrong in [json!({"session_id": 7}), json!({"session_id": ""}), json!({"total_rounds": 0})] {
        assert_eq!(stage.post("/api/sessions", &stage.ann.agent, wrong).await.code(), "400 invalid_request");
    }
}

/// D5, P9: whoever may ask in a session may end it, once nothing in it is open; then it is not there to be
/// answered in.
#[tokio::test(flavor = "multi_thread")]
async fn d5_p9_a_session_is_ended_and_then_takes_no_answer() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let end = |key| stage.post("/api/sessions/s/end", key, json!({}));
    assert_eq!(end(&stage.bob.agent).await.code(), "404 session_not_found");
    let early = end(&stage.ann.agent).await;
    assert_eq!(early.code(), "409 session_in_use");
    let body = || json!({"session_id": "s", "question_id": "q", "answer": "a"});
    stage.post("/api/task/answer", &stage.ann.person, body()).await.ok();
    assert_eq!(
        stage.post("/api/task/answer", &stage.ann.person, body()).await.code(),
        "400 already_answered"
    );
    let ended = end(&stage.ann.agent).await.ok();
    assert_eq!((&ended["status"], &ended["id"]), (&json!("completed"), &asked["session"]));
    for route in ["/api/task/answer", "/api/task/cancel"] {
        let late = stage.post(route, &stage.ann.person, body()).await;
        assert_eq!(late.code(), "404 session_not_found", "{route}");
    }
    assert_eq!(end(&stage.ann.person).await.code(), "404 session_not_found");
    // Its name is free.
    let anew = stage.ask(ask("s", &[choice("q")])).await;
    assert_ne!(anew["session"], asked["session"]);
}

/// P2, P4, P5: the chain of messages, as JSON and as lines.
#[tokio::test(flavor = "multi_thread")]
async fn p4_p5_a_session_is_a_chain_of_messages() {
    let stage = stage().await;
    two_rounds(&stage).await;
    let messages = stage.get("/api/sessions/mine/messages", &stage.ann.person).await.ok();
    let messages = messages["messages"].as_array().unwrap().clone();
    assert_eq!(messages.len(), 5);
    assert_eq!(messages[0]["parentUuid"], Value::Null);
    for pair in messages.windows(2) {
        assert_eq!(pair[1]["parentUuid"], pair[0]["uuid"]);
    }
    let (call, result) = (&messages[0]["message"]["content"][0], &messages[1]["message"]["content"][0]);
    assert_eq!((&call["type"], &result["type"]), (&json!("tool_use"), &json!("tool_result")));
    assert_eq!(call["id"], result["tool_use_id"]);
    assert_eq!(
        result["content"],
        "User has answered your questions: \"q1?\"=\"Beta\". You can now continue with the user's answers in mind."
    );
    assert_eq!(messages[1]["toolUseResult"]["answers"]["q1?"], "Beta");
    let export = stage.get("/api/sessions/mine/export?format=jsonl", &stage.ann.person).await;
    assert_eq!(export.header("content-type"), Some("application/x-ndjson; charset=utf-8"));
    let lines: Vec<Value> = export.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, messages);
    assert_eq!(
        stage.get("/api/sessions/mine/export?format=pdf", &stage.ann.person).await.code(),
        "400 invalid_request"
    );
}

/// A secret is kept out of history.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_in_secret_is_not_in_the_history() {
    let stage = stage().await;
    let question = json!({"question_id": "t", "question_text": "Password?", "type": "text", "secret": true});
    let asked = stage.ask(ask("mine", &[question])).await;
    let body = json!({"answers": {"t": "hunter2"}});
    stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, body).await.ok();
    for path in ["/api/sessions/mine", "/api/sessions/mine/messages", "/api/sessions/mine/export"] {
        assert!(!stage.get(path, &stage.ann.person).await.text.contains("hunter2"), "{path}");
    }
    let path = format!("/api/asks/{}", id(&asked));
    assert!(!stage.get(&path, &stage.ann.person).await.text.contains("hunter2"));
    let told = stage.get(&path, &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["answers"][0]["text"], "hunter2");
}

/// P20, invariant 6: who was asked what and why, who answered, when, through what, and how we know;
/// in the ask and in the fact.
#[tokio::test(flavor = "multi_thread")]
async fn p20_every_question_is_a_decision_that_can_be_traced() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let (bearer, own) = (format!("Bearer {}", stage.ann.person), stage.origin());
    let key = ("authorization", bearer.as_str());
    let terminal = ("x-askuser-channel", "terminal");
    let insists = ("x-askuser-as-person", "CLAUDECODE");
    let ways: [(Headers<'_>, &str, &str); 5] = [
        (&[("cookie", &cookie), ("origin", &own)], "web", "cookie"),
        (&[key], "api", "key_file"),
        // Through what they act they may say; how we know them is ours to find out.
        (&[key, terminal], "terminal", "key_file"),
        (&[key, insists], "api", "as_person"),
        // Where an agent's mark is set there is no terminal, whatever is said.
        (&[key, terminal, insists], "api", "as_person"),
    ];
    for (number, (headers, channel, proof)) in ways.into_iter().enumerate() {
        let question = format!("q{number}");
        let mut body = ask("traced", &[choice(&question)]);
        body["context"] = "src/login.rs has two ways in".into();
        body["asker"] = json!({"agent": "claude-code", "project": "shop", "folder": "~/shop"});
        let asked = stage.ask(body).await;
        let answers = json!({"answers": {question: "b"}}).to_string();
        stage.send("POST", &format!("/api/asks/{}/answer", id(&asked)), headers, answers).await.ok();
        let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.person).await.ok();
        assert_eq!(told["context"], "src/login.rs has two ways in");
        assert_eq!((&told["asker"]["project"], &told["round"]), (&json!("shop"), &json!(number + 1)));
        let outcome = &told["outcome"];
        assert_eq!(outcome["by"], json!({"user": "ann", "channel": channel, "proof": proof}));
        assert!(told["created_at"].as_str() <= outcome["closed_at"].as_str());
        let ask_id = id(&asked).parse().unwrap();
        let facts = stage.desk.audit().facts_since(0, 1000).await.unwrap();
        let closed = facts.iter().filter(|fact| fact.ask == Some(ask_id)).find_map(|fact| {
            match fact.fact.as_deref() {
                Some(Fact::Closed { outcome, .. }) => Some(outcome.by.clone()),
                _ => None,
            }
        });
        let by = closed.unwrap();
        assert_eq!((by.channel.name(), by.proof.name()), (channel, proof), "in the fact too");
    }
    assert!(stage.desk.audit().verify().await.unwrap().facts.broken.is_none());
}
