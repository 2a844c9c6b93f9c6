//! Asking, waiting, joining, in any dialect.

use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage};

fn command() -> Value {
    json!({"questions": [{
        "question": "Which authentication?", "header": "Auth", "multiSelect": false,
        "options": [{"label": "OAuth", "description": "x"}, {"label": "Keys", "description": "y"}],
    }]})
}

async fn answer(stage: &Stage, ask: &Value, value: Value) -> Value {
    let question = ask["questions"][0]["question_id"].as_str().unwrap();
    let path = format!("/api/asks/{}/answer", id(ask));
    stage.post(&path, &stage.ann.person, json!({"answers": {question: value}})).await.ok()
}

/// D4, invariant 7: whoever comes back by id is told the same, in the dialect that the ask came in.
#[tokio::test(flavor = "multi_thread")]
async fn d4_an_agent_asks_waits_and_is_told_in_its_own_dialect() {
    let stage = stage().await;
    let asked = stage.ask(command()).await;
    assert_eq!(asked["status"], "showing");
    let path = format!("/api/asks/{}", id(&asked));
    let waiting_path = format!("{path}?wait=60");
    let waiting = stage.get(&waiting_path, &stage.ann.agent);
    let answering = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        answer(&stage, &asked, json!("OAuth")).await
    };
    let (told, _) = tokio::join!(waiting, answering);
    let told = told.ok();
    assert_eq!(told["outcome"]["reply"], json!({"answers": {"Auth": "OAuth"}}));
    assert_eq!(told["outcome"]["answered_by"], "person");
    assert_eq!(told["outcome"]["by"], json!({"user": "ann", "channel": "api", "proof": "key_file"}));
    assert_eq!(stage.get(&path, &stage.ann.agent).await.ok()["outcome"], told["outcome"]);
    stage.until(&id(&asked), "processing").await;
    let acknowledged = stage.post(&format!("{path}/ack"), &stage.ann.agent, Value::Null).await.ok();
    assert_eq!(acknowledged["status"], "completed");
    // Another dialect, where the caller would rather have that.
    let pushed = stage.get(&format!("{path}?reply=full"), &stage.ann.agent).await.ok();
    assert_eq!(pushed["outcome"]["reply"]["answers"][0]["selected"][0]["label"], "OAuth");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_that_waits_answers_201_while_open_and_200_once_closed() {
    let stage = stage().await;
    let open = stage.post("/api/asks?wait=0.05", &stage.ann.agent, command()).await;
    assert_eq!((open.status, &open.json()["outcome"]), (201, &Value::Null));
    let joining = stage.post("/api/asks?wait=60", &stage.ann.agent, command());
    let open = open.json();
    let (closed, _) = tokio::join!(joining, async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        answer(&stage, &open, json!("Keys")).await
    });
    assert_eq!(closed.status, 200);
    assert_eq!(id(&closed.json()), id(&open));
    assert_eq!(closed.json()["outcome"]["reply"]["answers"]["Auth"], "Keys");
}

/// P9, invariant 7: the same idempotency key, tool call or content is the same ask.
#[tokio::test(flavor = "multi_thread")]
async fn p9_a_repeated_ask_joins_the_first_one() {
    let stage = stage().await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let keyed = |key: &'static str, question: &str| {
        let body = ask("s", &[choice(question)]).to_string();
        let headers = [("authorization", bearer.clone()), ("idempotency-key", key.to_owned())];
        let stage = &stage;
        async move {
            let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
            stage.send("POST", "/api/asks", &headers, body).await
        }
    };
    let first = keyed("k1", "q1").await.ok();
    assert_eq!(id(&keyed("k1", "q1").await.ok()), id(&first));
    stage
        .post(
            "/api/task/answer",
            &stage.ann.person,
            json!({"session_id": "s", "question_id": "q1", "answer": "a"}),
        )
        .await
        .ok();
    // By key also once it is closed: 200 with the outcome.
    let again = keyed("k1", "q1").await;
    assert_eq!((again.status, id(&again.json())), (200, id(&first)));
    assert_ne!(id(&keyed("k2", "q2").await.ok()), id(&first));
    // By content while it is open, and by tool call.
    let one = stage.ask(ask("t", &[choice("x")])).await;
    assert_eq!(id(&stage.ask(ask("t", &[choice("x")])).await), id(&one));
    let mut called = ask("u", &[choice("y")]);
    called["tool_use_id"] = "toolu_1".into();
    let one = stage.ask(called.clone()).await;
    assert_eq!(id(&stage.ask(called.clone()).await), id(&one));
    // The same name for other words is another question, and a taken question id is told first.
    called["questions"][0]["question_text"] = "y, again?".into();
    let taken = stage.post("/api/asks", &stage.ann.agent, called.clone()).await;
    assert_eq!(taken.code(), "400 duplicate_question_id");
    called["questions"][0]["question_id"] = "y2".into();
    assert_eq!(stage.post("/api/asks", &stage.ann.agent, called).await.code(), "409 conflict");
    let too_long = "k".repeat(300).leak();
    assert_eq!(keyed(too_long, "z").await.code(), "400 invalid_request");
}

/// Without a session, askers behind one key are told apart by what they tell of themselves.
#[tokio::test(flavor = "multi_thread")]
async fn askers_that_share_a_key_have_sessions_of_their_own() {
    let stage = stage().await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let from = async |asker_key: &str| {
        let headers = [("authorization", bearer.as_str()), ("askuser-whence", asker_key)];
        id(&stage.send("POST", "/api/asks", &headers, command().to_string()).await.ok())
    };
    let first = from("process 1").await;
    assert_eq!(from("process 1").await, first);
    assert_ne!(from("process 2").await, first);
}

/// E1-E5, P6, O3: any dialect comes in by its marks, or by name, and goes back in the same.
#[tokio::test(flavor = "multi_thread")]
async fn e2_p6_every_dialect_goes_back_as_it_came() {
    let stage = stage().await;
    let options = json!([{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]);
    let events = json!({"agentId": "x", "metadata": {"source": "s"}, "questions": [
        {"question": "Q?", "header": "H", "options": options, "multiSelect": true}]});
    let asked = stage.ask(events).await;
    // E4: kept for the asker, never shown to the person.
    assert_eq!(asked["metadata"], json!({"source": "s"}));
    let inbox = stage.get("/api/inbox", &stage.ann.person).await;
    assert!(!inbox.text.contains("source"), "{}", inbox.text);
    answer(&stage, &asked, json!(["A", "B"])).await;
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["reply"], json!({"agentId": "x", "answers": {"question-0": "A,B"}}));

    let o = json!({"type": "ask_user", "eventId": "e1", "questions": [choice("o1")]});
    let asked = stage.ask(o).await;
    answer(&stage, &asked, json!("a")).await;
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let reply = &told["outcome"]["reply"];
    assert_eq!(
        (&reply["opCode"], &reply["status"], &reply["reason"]),
        (&json!("e1"), &json!("answered"), &json!("user"))
    );

    let named = stage
        .post(
            "/api/asks?dialect=gemini&reply=push",
            &stage.ann.agent,
            json!({"questions": [{"question": "Sure?", "header": "S", "type": "yesno"}]}),
        )
        .await
        .ok();
    answer(&stage, &named, json!(true)).await;
    let told = stage.get(&format!("/api/asks/{}", id(&named)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["reply"]["answers"]["S"], json!(true), "{told}");
}

/// D10: what a person types comes back to the agent unchanged.
#[tokio::test(flavor = "multi_thread")]
async fn d10_what_was_typed_comes_back_as_it_was_typed() {
    let stage = stage().await;
    let question = json!({"question_id": "t", "question_text": "Name?", "type": "text"});
    let asked = stage.ask(ask("s", &[question])).await;
    answer(&stage, &asked, json!("O'Brien & <T> \u{1f600}\n\ttabs")).await;
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["answers"][0]["text"], "O'Brien & <T> \u{1f600}\n\ttabs");
}

/// Invariant 13: a caller that goes away while it waits closes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_disconnects_leaves_its_ask_open() {
    let stage = stage().await;
    let asked = stage.ask(command()).await;
    let path = format!("/api/asks/{}?wait=60", id(&asked));
    for _ in 0..5 {
        let gone = tokio::time::timeout(Duration::from_millis(30), stage.get(&path, &stage.ann.agent)).await;
        assert!(gone.is_err());
    }
    let shown = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(shown["status"], "showing");
    assert_eq!(answer(&stage, &asked, json!("Keys")).await["status"], "answered");
}

/// D5, D6: five asks of a session are shown, the rest wait and move up by themselves.
#[tokio::test(flavor = "multi_thread")]
async fn d6_the_sixth_ask_waits_and_moves_up() {
    let stage = stage().await;
    let mut asked = Vec::new();
    for number in 0..6 {
        asked.push(stage.ask(ask("s", &[choice(&format!("q{number}"))])).await);
    }
    assert_eq!(asked[5]["status"], "pending");
    let early = json!({"session_id": "s", "question_id": "q5", "answer": "a"});
    assert_eq!(
        stage.post("/api/task/answer", &stage.ann.person, early).await.code(),
        "400 question_not_showing"
    );
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    assert_eq!(inbox["asks"].as_array().unwrap().len(), 6);
    answer(&stage, &asked[0], json!("a")).await;
    stage.until(&id(&asked[5]), "showing").await;
}
