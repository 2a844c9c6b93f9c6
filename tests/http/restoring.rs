//! Going back to an earlier point of a session (D13, P2, P20), and what a question id stands for (P9).

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage};

/// One round that is answered, and one that is open.
async fn two_rounds(stage: &Stage) -> (Value, Value) {
    let first = stage.ask(ask("mine", &[choice("q1")])).await;
    let body = json!({"answers": {"q1": "b"}});
    stage.post(&format!("/api/asks/{}/answer", id(&first)), &stage.ann.person, body).await.ok();
    (first, stage.ask(ask("mine", &[choice("q2")])).await)
}

/// D13: a checkpoint is `{session_id, state, timestamp, version}` (002 9.2), one for every change.
#[tokio::test(flavor = "multi_thread")]
async fn d13_every_change_is_a_version() {
    let stage = stage().await;
    let (_, second) = two_rounds(&stage).await;
    let listed = stage.get("/api/sessions/mine/checkpoints", &stage.ann.person).await.ok();
    let versions = listed["checkpoints"].as_array().unwrap();
    let numbers: Vec<u64> = versions.iter().map(|version| version["version"].as_u64().unwrap()).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    let last = versions.last().unwrap();
    assert_eq!(last["session_id"], "mine");
    assert!(last["timestamp"].is_string());
    assert_eq!(last["state"], json!({"status": "active", "current_round": 2, "open_asks": [id(&second)]}));
}

/// D13, P2, P20: the new session has the name, the history and what is open; whoever waits is told.
#[tokio::test(flavor = "multi_thread")]
async fn d13_a_restore_keeps_history_name_and_what_is_open() {
    let stage = stage().await;
    let (first, second) = two_rounds(&stage).await;
    let old = first["session"].as_str().unwrap();
    let back = stage.post("/api/sessions/mine/restore", &stage.ann.person, json!({})).await;
    assert_eq!(back.status, 201, "{}", back.text);
    let back = back.json();
    assert_eq!((&back["restored_from"], &back["restore_reason"]), (&json!(old), &json!("manual_recovery")));
    assert_eq!((&back["moved"], &back["asked_anew"]), (&json!([id(&second)]), &json!([])));
    assert!(
        back["restored_at"].is_string() && back["checkpoint_version"].is_u64() && back["id"] != json!(old)
    );
    assert_eq!((&back["session_id"], &back["status"]), (&json!("mine"), &json!("active")));
    let history = json!([{"round": 1, "question": "q1?", "answer": "Beta", "status": "answered", "restored_from": old}]);
    assert_eq!(back["dialog_history"], history);
    assert_eq!(
        (&back["answered_questions"], &back["current_questions"]),
        (&json!({"q1": "b"}), &json!(["q2"]))
    );
    // By its name it is the new one; by our id the old one, which has ended and keeps what was decided in it.
    let by_name = stage.get("/api/sessions/mine", &stage.ann.person).await.ok();
    assert_eq!(by_name["id"], back["id"]);
    let kept = stage.get(&format!("/api/sessions/{old}"), &stage.ann.person).await.ok();
    assert_eq!((&kept["status"], &kept["answered_questions"]), (&json!("completed"), &json!({"q1": "b"})));
    // The agent goes on under its own name, and its open question is the same.
    assert_eq!(id(&stage.ask(ask("mine", &[choice("q2")])).await), id(&second));
    let body = json!({"session_id": "mine", "question_id": "q2", "answer": "a"});
    stage.post("/api/task/answer", &stage.ann.person, body).await.ok();
    let told = stage.get(&format!("/api/asks/{}", id(&second)), &stage.ann.agent).await.ok();
    assert_eq!((&told["status"], &told["session"]), (&json!("answered"), &back["id"]));
    let rounds = stage.ask(ask("mine", &[choice("q3")])).await;
    assert_eq!(rounds["round"], 3);
}

/// D13, 002 9.2: `checkpoint_version` is what is restored; what is not there is 404.
#[tokio::test(flavor = "multi_thread")]
async fn d13_a_restore_goes_back_to_the_version_that_is_named() {
    let stage = stage().await;
    let (first, second) = two_rounds(&stage).await;
    let versions = stage.get("/api/sessions/mine/checkpoints", &stage.ann.person).await.ok();
    let is_first = |version: &&Value| version["state"]["open_asks"] == json!([id(&first)]);
    let version =
        versions["checkpoints"].as_array().unwrap().iter().find(is_first).unwrap()["version"].clone();
    let restore = |body: Value| stage.post("/api/sessions/mine/restore", &stage.ann.person, body);
    for missing in
        [json!({"checkpoint_version": 0}), json!({"checkpoint_version": 999_999}), json!({"round": 9})]
    {
        assert_eq!(restore(missing).await.code(), "404 checkpoint_not_found");
    }
    for wrong in [
        json!({"checkpoint_version": "x"}),
        json!({"checkpoint_version": 1, "round": 1}),
        json!({"restore_reason": 7}),
        json!({"restore_reason": "x".repeat(1001)}),
    ] {
        assert_eq!(restore(wrong.clone()).await.status, 400, "{wrong}");
    }
    let stranger = stage.post("/api/sessions/mine/restore", &stage.bob.person, json!({})).await;
    assert_eq!(stranger.code(), "404 session_not_found");
    let agent = stage.post("/api/sessions/mine/restore", &stage.ann.agent, json!({})).await;
    assert_eq!(agent.status, 403);
    let back = restore(json!({"checkpoint_version": version, "restore_reason": "wrong turn"})).await.json();
    assert_eq!((&back["checkpoint_version"], &back["restore_reason"]), (&version, &json!("wrong turn")));
    // What was decided since is asked again; what is open comes along.
    assert_eq!((&back["moved"], back["asked_anew"].as_array().unwrap().len()), (&json!([id(&second)]), 1));
    assert_eq!((&back["current_questions"], &back["answered_questions"]), (&json!(["q1", "q2"]), &json!({})));
}

/// P9, 003 4.4 and 4.5: in a session that the caller named an id is one question's for good.
#[tokio::test(flavor = "multi_thread")]
async fn p9_a_question_id_has_one_life_in_a_session() {
    let stage = stage().await;
    let (_, second) = two_rounds(&stage).await;
    let send = |body: Value| stage.post("/api/asks", &stage.ann.agent, body);
    let mut other = choice("q1");
    other["question_text"] = "Something else?".into();
    for again in [ask("mine", &[choice("q1")]), ask("mine", &[other.clone()])] {
        let refused = send(again).await;
        assert_eq!(refused.code(), "400 duplicate_question_id");
        assert!(refused.text.contains("give the question a new id"), "{}", refused.text);
    }
    let again = json!({"session_id": "mine", "question_id": "q1", "answer": "a"});
    assert_eq!(
        stage.post("/api/task/answer", &stage.ann.person, again.clone()).await.code(),
        "400 already_answered"
    );
    // While it is open the same content is the same question.
    assert_eq!(id(&send(ask("mine", &[choice("q2")])).await.json()), id(&second));
    // What timed out or was cancelled, and is taken up again, is the same life.
    stage.post(&format!("/api/asks/{}/cancel", id(&second)), &stage.ann.person, json!({})).await.ok();
    assert_eq!(send(ask("mine", &[choice("q2")])).await.code(), "400 duplicate_question_id");
    let reopened =
        stage.post(&format!("/api/asks/{}/reopen", id(&second)), &stage.ann.person, json!({})).await;
    assert_eq!(reopened.json()["questions"][0]["question_id"], "q2", "{}", reopened.text);
    // Also after a restore.
    stage.post("/api/sessions/mine/restore", &stage.ann.person, json!({})).await;
    assert_eq!(send(ask("mine", &[other.clone()])).await.code(), "400 duplicate_question_id");
    assert_eq!(stage.post("/api/task/answer", &stage.ann.person, again).await.code(), "400 already_answered");
    // In another session, and in one that we make, it is another question.
    assert_eq!(send(ask("yours", &[choice("q1")])).await.status, 201);
    for _day in 0..3 {
        let asked = send(json!({"questions": [choice("deploy")]})).await;
        assert_eq!(asked.status, 201, "{}", asked.text);
        let path = format!("/api/asks/{}/answer", id(&asked.json()));
        stage.post(&path, &stage.ann.person, json!({"answers": {"deploy": "a"}})).await.ok();
    }
}

/// P9: nobody answers by an id that two open questions have.
#[tokio::test(flavor = "multi_thread")]
async fn p9_an_id_that_two_open_questions_have_is_told_apart_by_the_ask() {
    let stage = stage().await;
    let mut other = choice("deploy");
    other["question_text"] = "To production?".into();
    let first = stage.ask(json!({"questions": [choice("deploy")]})).await;
    let second = stage.ask(json!({"questions": [other]})).await;
    assert_eq!(first["session"], second["session"]);
    for route in ["answer", "cancel"] {
        let body = json!({"session_id": first["session"], "question_id": "deploy", "answer": "a"});
        let refused = stage.post(&format!("/api/task/{route}"), &stage.ann.person, body).await;
        assert_eq!(refused.code(), "400 duplicate_question_id", "{}", refused.text);
    }
    let body = json!({"answers": {"deploy": "a"}});
    stage.post(&format!("/api/asks/{}/answer", id(&second)), &stage.ann.person, body).await.ok();
    let told = stage.get(&format!("/api/asks/{}", id(&first)), &stage.ann.agent).await.ok();
    assert_eq!(told["status"], "showing");
}

/// D13: whoever knows an unnamed session by our id answers in the one that goes on from it.
#[tokio::test(flavor = "multi_thread")]
async fn d13_a_question_is_answered_by_the_id_of_the_session_that_was_left() {
    let stage = stage().await;
    let asked = stage.ask(json!({"questions": [choice("deploy")]})).await;
    let old = asked["session_id"].as_str().unwrap();
    let path = format!("/api/sessions/{old}/restore");
    assert_eq!(stage.post(&path, &stage.ann.person, json!({})).await.status, 201);
    let body = json!({"session_id": old, "question_id": "deploy", "answer": "a"});
    stage.post("/api/task/answer", &stage.ann.person, body).await.ok();
    assert_eq!(
        stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok()["status"],
        "answered"
    );
}

/// P9, 003 2.8: a question that was cancelled is not said to have been answered.
#[tokio::test(flavor = "multi_thread")]
async fn p9_a_question_that_nobody_answered_is_not_said_to_be_answered() {
    let stage = stage().await;
    let asked = stage.ask(ask("mine", &[choice("k")])).await;
    stage.post(&format!("/api/asks/{}/cancel", id(&asked)), &stage.ann.person, json!({})).await.ok();
    for route in ["answer", "cancel"] {
        let body = json!({"session_id": "mine", "question_id": "k", "answer": "a"});
        let refused = stage.post(&format!("/api/task/{route}"), &stage.ann.person, body).await;
        assert_eq!(refused.code(), "409 already_closed", "{}", refused.text);
    }
}
