//! What ended, page by page: found by words, by session, and nobody else's.

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage};

/// Asks in a session and answers; returns the ask.
async fn answered(stage: &Stage, session: &str, question: &str, note: &str) -> Value {
    let asked = stage.ask(ask(session, &[choice(question)])).await;
    let body = json!({"answers": {question: "b"}, "notes": {question: note}});
    stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, body).await.ok();
    asked
}

async fn history(stage: &Stage, query: &str) -> (Vec<String>, Value) {
    let page = stage.get(&format!("/api/history{query}"), &stage.ann.person).await.ok();
    let asks = page["asks"].as_array().unwrap().iter().map(id).collect();
    (asks, page["next"].clone())
}

/// P15: the history of all sessions, the newest first, searched by what can be read in it.
#[tokio::test(flavor = "multi_thread")]
async fn p15_what_ended_is_found_by_session_and_by_words() {
    let stage = stage().await;
    let mut ids = Vec::new();
    for (session, question, note) in
        [("one", "q1", "Für später"), ("one", "q2", "数据库"), ("two", "q3", "plain")]
    {
        ids.push(id(&answered(&stage, session, question, note).await));
        stage.forward_ms.fetch_add(1000, std::sync::atomic::Ordering::SeqCst);
    }
    stage.ask(ask("two", &[choice("open")])).await;
    let newest_first = vec![ids[2].clone(), ids[1].clone(), ids[0].clone()];
    assert_eq!(history(&stage, "").await, (newest_first, Value::Null), "what is open is not there");
    assert_eq!(history(&stage, "?session=one").await.0, [ids[1].clone(), ids[0].clone()]);
    assert_eq!(history(&stage, "?q=F%C3%9CR+sp%C3%A4ter").await.0, [ids[0].clone()]);
    assert_eq!(history(&stage, "?q=%E6%95%B0%E6%8D%AE").await.0, [ids[1].clone()]);
    assert_eq!(history(&stage, "?q=plain+sp%C3%A4ter").await.0, Vec::<String>::new());
    assert_eq!(history(&stage, &format!("?after={}", ids[1])).await.0, [ids[0].clone()]);
    let page = stage.get("/api/history?q=plain", &stage.ann.person).await.ok();
    assert_eq!(page["asks"][0]["outcome"]["answers"][0]["note"], "plain");
    // Nobody else's, and not for an agent.
    assert_eq!(stage.get("/api/history", &stage.bob.person).await.ok()["asks"], json!([]));
    assert_eq!(stage.get("/api/history?session=one", &stage.bob.person).await.status, 404);
    assert_eq!(stage.get(&format!("/api/history?after={}", ids[0]), &stage.bob.person).await.status, 404);
    assert_eq!(stage.get("/api/history", &stage.ann.agent).await.status, 403);
    assert_eq!(stage.get("/api/history?after=x", &stage.ann.person).await.code(), "400 invalid_request");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_history_comes_in_pages_and_none_is_missed_or_told_twice() {
    let stage = stage().await;
    let mut all = Vec::new();
    for n in 0..120 {
        let session = format!("s{}", n % 7);
        all.push(id(&answered(&stage, &session, &format!("q{n}"), "n").await));
    }
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let (page, next) = history(&stage, &after).await;
        assert!(page.len() <= 50);
        found.extend(page);
        match next.as_str() {
            Some(last) => after = format!("?after={last}"),
            None => break,
        }
    }
    found.sort();
    all.sort();
    assert_eq!(found, all);
}

/// What was answered to a secret question is neither told nor found.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_neither_told_nor_found() {
    let stage = stage().await;
    let token = json!({"question_id": "q", "question": "Token?", "type": "text", "secret": true});
    let asked = stage.ask(ask("s", &[token])).await;
    let body = json!({"answers": {"q": "hunter2"}});
    stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, body).await.ok();
    let told = stage.get("/api/history?q=token", &stage.ann.person).await;
    assert!(!told.text.contains("hunter2") && told.text.contains("Token?"), "{}", told.text);
    assert_eq!(history(&stage, "?q=hunter2").await.0, Vec::<String>::new());
}
