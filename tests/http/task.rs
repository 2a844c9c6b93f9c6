//! P8 and its refusals: one question at a time.

use serde_json::{Value, json};

use crate::stage::{Reply, Stage, ask, choice, id, stage};

async fn answer(stage: &Stage, question: &str, answer: Value) -> Reply {
    let body = json!({"session_id": "s", "question_id": question, "answer": answer});
    stage.post("/api/task/answer", &stage.ann.person, body).await
}

fn questions() -> Vec<Value> {
    let mut several = choice("several");
    several["type"] = "checkbox".into();
    let text = json!({"question_id": "text", "question_text": "Why?", "type": "text"});
    let sure = json!({"question_id": "sure", "question_text": "Sure?", "type": "boolean"});
    vec![choice("one"), several, text, sure]
}

/// P8: a string, an array, a text, a boolean; the ask ends with its last visible question.
#[tokio::test(flavor = "multi_thread")]
async fn p8_questions_are_answered_one_at_a_time() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &questions())).await;
    let first = answer(&stage, "one", json!("a")).await;
    assert_eq!(first.ok(), json!({"success": true, "message": "Recorded; 3 questions are left"}));
    assert_eq!(answer(&stage, "one", json!("b")).await.code(), "400 already_answered");
    answer(&stage, "several", json!(["a", "b"])).await.ok();
    answer(&stage, "text", json!("because")).await.ok();
    assert_eq!(stage.until(&id(&asked), "showing").await["submitted"].as_array().unwrap().len(), 3);
    let body = json!({"session_id": "s", "question_id": "sure", "answer": true}).to_string();
    let bearer = format!("Bearer {}", stage.ann.person);
    let headers = [("authorization", bearer.as_str()), ("accept-language", "zh-CN,zh;q=0.9,en;q=0.8")];
    let last = stage.send("POST", "/api/task/answer", &headers, body).await;
    assert_eq!(last.ok(), json!({"success": true, "message": "答案已提交，任务继续执行"}));
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["status"], "answered");
    assert_eq!(told["outcome"]["reply"]["answers"]["sure"], true);
    // Replay.
    assert_eq!(answer(&stage, "one", json!("a")).await.code(), "400 already_answered");
}

/// P9, P10, P12: what does not fit is refused with what was expected.
#[tokio::test(flavor = "multi_thread")]
async fn p9_p10_p12_what_does_not_fit_is_refused_with_what_was_expected() {
    let stage = stage().await;
    let mut optional = choice("optional");
    optional["required"] = false.into();
    let mut all = questions();
    all[3] = optional;
    let asked = stage.ask(ask("s", &all)).await;
    let wrong = answer(&stage, "one", json!("c")).await;
    assert_eq!(wrong.code(), "400 invalid_answer");
    assert_eq!(wrong.json()["expected"]["options"], json!(["a", "b"]));
    for (question, value) in [
        ("one", json!(["a", "b"])),
        ("one", json!(7)),
        ("one", json!("x".repeat(257))),
        ("one", json!(null)),
        ("one", json!("")),
        ("several", json!([])),
        ("several", json!(["a", "zzz"])),
        ("text", json!("x".repeat(1001))),
        ("text", json!("bell \u{7}")),
        ("text", json!("")),
    ] {
        assert_eq!(
            answer(&stage, question, value.clone()).await.code(),
            "400 invalid_answer",
            "{question} {value}"
        );
    }
    assert_eq!(answer(&stage, "nothing", json!("a")).await.code(), "404 question_not_found");
    let body = |body: Value| stage.post("/api/task/answer", &stage.ann.person, body);
    let unknown = body(json!({"session_id": "none", "question_id": "one", "answer": "a"})).await;
    assert_eq!(unknown.code(), "404 session_not_found");
    assert_eq!(body(json!({"session_id": "s"})).await.code(), "400 invalid_request");
    assert_eq!(body(json!({"session_id": "s", "question_id": "one"})).await.code(), "400 invalid_answer");
    assert_eq!(body(json!([])).await.code(), "400 invalid_request");
    // An empty answer skips a question that may be left out.
    answer(&stage, "optional", json!(null)).await.ok();
    assert_eq!(stage.until(&id(&asked), "showing").await["submitted"], json!(["optional"]));
}

/// P7: a follow-up opens with its choice, and is part of the same ask.
#[tokio::test(flavor = "multi_thread")]
async fn p7_a_follow_up_opens_with_its_choice() {
    let stage = stage().await;
    let mut parent = choice("parent");
    parent["follow_up_questions"] = json!({"a": [choice("deeper")]});
    let asked = stage.ask(ask("s", &[parent])).await;
    assert_eq!(answer(&stage, "deeper", json!("a")).await.code(), "400 question_not_showing");
    answer(&stage, "parent", json!("a")).await.ok();
    answer(&stage, "deeper", json!("b")).await.ok();
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["answers"][1]["parent"], json!({"question_id": "parent", "option": "a"}));
}

/// P12: cancelling by question.
#[tokio::test(flavor = "multi_thread")]
async fn p12_a_question_is_cancelled_with_its_ask() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q"), choice("r")])).await;
    let cancel = |question: &str| {
        let body = json!({"session_id": "s", "question_id": question, "reason": "no"});
        stage.post("/api/task/cancel", &stage.ann.person, body)
    };
    assert_eq!(cancel("nothing").await.code(), "404 question_not_found");
    assert_eq!(cancel("r").await.ok()["success"], true);
    assert_eq!(cancel("q").await.code(), "409 already_closed");
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(
        (&told["outcome"]["status"], &told["outcome"]["comment"]),
        (&json!("cancelled"), &json!("no"))
    );
}
