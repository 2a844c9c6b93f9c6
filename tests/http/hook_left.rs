//! A hook that goes away: its connection is its lease of the ask.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::stage::{Stage, stage};

/// Asks by a hook, and lets its connection break as soon as the ask is open. Returns the ask's id.
async fn asked_and_left(stage: &Stage, mode: &str, name: &str) -> String {
    let event = json!({
        "session_id": "abc123", "cwd": "/home/u/shop", "hook_event_name": name, "tool_use_id": "toolu_1",
        "tool_name": "AskUserQuestion", "tool_input": {"questions": [{"question": "Which way?", "header": "Way",
            "multiSelect": false, "options": [{"label": "North", "description": "n"}, {"label": "South", "description": "s"}]}]},
    });
    let event = event.to_string();
    let head = format!(
        "POST /api/hooks/claude-code HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nx-askuser-mode: {mode}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        stage.address,
        stage.ann.agent,
        event.len()
    );
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    stream.write_all((head + &event).as_bytes()).await.unwrap();
    stage.until_open(1).await;
    // It waits, and hears nothing.
    let mut byte = [0];
    let waiting = tokio::time::timeout(Duration::from_millis(500), stream.read(&mut byte)).await;
    assert!(waiting.is_err(), "{waiting:?}");
    drop(stream);
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    inbox["asks"][0]["ask_id"].as_str().unwrap().to_owned()
}

/// Looks at something until it is so.
async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..60 {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    panic!("never {what}");
}

/// In a terminal nobody comes back for the answer.
#[tokio::test(flavor = "multi_thread")]
async fn an_ask_that_nobody_comes_back_for_is_taken_back() {
    let stage = stage().await;
    let ask = asked_and_left(&stage, "interactive", "PermissionRequest").await;
    let path = format!("/api/asks/{ask}");
    let outcome = until("taken back", async || {
        let told = stage.get(&path, &stage.ann.person).await.ok();
        told.get("outcome").filter(|outcome| !outcome.is_null()).cloned()
    });
    let outcome: Value = outcome.await;
    assert_eq!(outcome["comment"], "the agent no longer waits for it");
}

/// A run without a terminal may be resumed: its card stays, and says so in both languages.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_says_that_nobody_waits_right_now() {
    let stage = stage().await;
    let ask = asked_and_left(&stage, "headless", "PreToolUse").await;
    let cookie = stage.sign_in().await;
    for (language, words) in
        [("en", "Nobody is waiting for this right now"), ("zh", "目前没有智能体在等待此问题")]
    {
        let headers = [("cookie", cookie.as_str()), ("accept-language", language)];
        until("said on the page", async || {
            let page = stage.send("GET", &format!("/asks/{ask}"), &headers, "").await;
            page.text.contains(words).then_some(())
        })
        .await;
    }
    let told = stage.get(&format!("/api/asks/{ask}"), &stage.ann.person).await.ok();
    assert_eq!((&told["nobody_waits"], &told["status"]), (&json!(true), &json!("showing")));
}

async fn codex(stage: &Stage, name: &str, headers: &[(&str, &str)]) -> Value {
    let input = json!({"questions": [{"title": "Which way?", "options": ["North", "South"]}]});
    let event = json!({"session_id": "t1", "turn_id": "1", "cwd": "/home/u/shop", "hook_event_name": name,
        "tool_name": "request_user_input_async", "tool_input": input, "tool_use_id": "call_0"});
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [&[("authorization", bearer.as_str())], headers].concat();
    stage.send("POST", "/api/hooks/codex?wait=1", &headers, event.to_string()).await.ok()
}

/// A hook that dies before it has printed an answer acknowledges nothing: the end of the next turn finds it again.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_at_the_end_of_a_turn_is_told_until_it_is_acknowledged() {
    let stage = stage().await;
    assert_eq!(codex(&stage, "PreToolUse", &[]).await, json!({}));
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    let ask = inbox["asks"][0]["ask_id"].as_str().unwrap();
    let answer = json!({"answers": {"r1q1": "South"}});
    stage.post(&format!("/api/asks/{ask}/answer"), &stage.ann.person, answer).await.ok();
    let later = [("askuser-ack", "later")];
    let told = codex(&stage, "Stop", &later).await;
    assert!(told["reason"].as_str().unwrap().contains("\"Which way?\"=\"South\""), "{told}");
    assert_eq!(told["ask_ids"], json!([ask]));
    assert_eq!(codex(&stage, "Stop", &later).await, told, "it was lost on the way");
    stage.post(&format!("/api/asks/{ask}/ack"), &stage.ann.agent, json!({})).await.ok();
    assert_eq!(codex(&stage, "Stop", &later).await, json!({}));
}
