//! The other ways in which an ask ends: declined, withdrawn, expired; and asking anew.

use serde_json::{Value, json};

use askuser_desk::Defaults;

use crate::stage::{Stage, ask, choice, id, stage};

async fn told(stage: &Stage, ask: &Value) -> Value {
    stage.get(&format!("/api/asks/{}?wait=20", id(ask)), &stage.ann.agent).await.ok()["outcome"].clone()
}

/// P12: the person cancels with a reason, and the agent is told.
#[tokio::test(flavor = "multi_thread")]
async fn p12_a_cancel_carries_its_reason_to_the_agent() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}/cancel", id(&asked));
    let long = json!({"reason": "x".repeat(1001)});
    assert_eq!(stage.post(&path, &stage.ann.person, long).await.code(), "400 invalid_answer");
    assert_eq!(
        stage.post(&path, &stage.ann.person, json!({"reason": 7})).await.code(),
        "400 invalid_request"
    );
    stage.post(&path, &stage.ann.person, json!({"reason": "not now"})).await.ok();
    let outcome = told(&stage, &asked).await;
    assert_eq!(
        (&outcome["status"], &outcome["reason"], &outcome["comment"]),
        (&json!("cancelled"), &json!("user"), &json!("not now"))
    );
    let again = stage.post(&path, &stage.ann.person, Value::Null).await;
    assert_eq!(again.code(), "409 already_closed");
    // Whoever comes too late is told what it lost to.
    assert_eq!(again.json()["outcome"]["status"], "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_ask_is_cancelled_by_the_system() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}/withdraw", id(&asked));
    assert_eq!(
        stage.post(&format!("/api/asks/{}/ack", id(&asked)), &stage.ann.agent, Value::Null).await.code(),
        "409 still_open"
    );
    stage.post(&path, &stage.ann.agent, Value::Null).await.ok();
    let outcome = told(&stage, &asked).await;
    assert_eq!((&outcome["status"], &outcome["reason"]), (&json!("cancelled"), &json!("system")));
    assert_eq!(stage.post(&path, &stage.ann.agent, Value::Null).await.code(), "409 already_closed");
}

fn timed(id: &str, more: &Value) -> Value {
    let mut body = ask(id, &[choice(id)]);
    body["timeoutMs"] = 60.into();
    body["questions"][0]["options"][1]["default"] = true.into();
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

/// O1, O2, O3, O9, P13: a deadline ends the ask by its policy, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn o2_o3_each_policy_ends_the_ask_at_its_deadline() {
    let stage = stage().await;
    let cancel = stage.ask(timed("cancel", &json!({"timeoutPolicy": "return_cancel"}))).await;
    let outcome = told(&stage, &cancel).await;
    assert_eq!(
        (&outcome["status"], &outcome["reason"], &outcome["answered_by"]),
        (&json!("timeout"), &json!("timeout"), &Value::Null)
    );
    // O9: what was not answered says so.
    assert_eq!(outcome["answers"][0]["skipped"], true);

    let named = stage.ask(timed("named", &json!({"onTimeout": "cancel", "cancelStatus": "cancelled"}))).await;
    let outcome = told(&stage, &named).await;
    assert_eq!((&outcome["status"], &outcome["reason"]), (&json!("cancelled"), &json!("timeout")));

    let default = stage.ask(timed("default", &json!({"timeoutPolicy": "use_default"}))).await;
    let outcome = told(&stage, &default).await;
    assert_eq!(
        (&outcome["status"], &outcome["reason"], &outcome["answered_by"]),
        (&json!("answered"), &json!("timeout"), &json!("default"))
    );
    assert_eq!(outcome["answers"][0]["selected"][0]["id"], "b");

    let abort = stage.ask(timed("abort", &json!({"timeoutPolicy": "abort_task"}))).await;
    let outcome = told(&stage, &abort).await;
    assert_eq!((&outcome["status"], &outcome["abort"]), (&json!("timeout"), &json!(true)));
    // O4, without the runner: a message of the system says that the task is to stop.
    let path = format!("/api/sessions/{}/messages", abort["session"].as_str().unwrap());
    let messages = stage.get(&path, &stage.ann.person).await.ok();
    let of_abort: Vec<&Value> = messages["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["ask_id"] == abort["ask_id"])
        .collect();
    let kinds: Vec<&Value> = of_abort.iter().map(|message| &message["type"]).collect();
    assert_eq!(kinds, ["assistant", "user", "system"]);
    assert_eq!(of_abort[2]["subtype"], "ask_user_timeout");
    assert_eq!(of_abort[2]["parentUuid"], of_abort[1]["uuid"]);
    let stops = messages["messages"].as_array().unwrap().iter().filter(|message| message["type"] == "system");
    assert_eq!(stops.count(), 1, "only where the asker wants it");
    let late = json!({"answers": {"abort": "a"}});
    let late = stage.post(&format!("/api/asks/{}/answer", id(&abort)), &stage.ann.person, late).await;
    assert_eq!(late.code(), "409 already_closed");
}

/// P13, O6: a configured timeout holds for asks that name none.
#[tokio::test(flavor = "multi_thread")]
async fn p13_a_configured_timeout_holds_where_the_ask_names_none() {
    let stage = stage().await;
    let defaults = Defaults {
        timeout: Some(std::time::Duration::from_millis(50)),
        policy: askuser_core::asker::TimeoutPolicy::parse("abort"),
        ..Defaults::default()
    };
    stage.desk.configure(|settings| settings.defaults = defaults);
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let outcome = told(&stage, &asked).await;
    assert_eq!((&outcome["status"], &outcome["abort"]), (&json!("timeout"), &json!(true)));
}

/// O3, O6: what was said when the session was opened holds for asks that say nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn o6_a_sessions_timeout_holds_where_the_ask_names_none() {
    let stage = stage().await;
    let defaults = Defaults { timeout: Some(std::time::Duration::from_hours(1)), ..Defaults::default() };
    stage.desk.configure(|settings| settings.defaults = defaults);
    let session = json!({"session_id": "s", "timeoutMs": 50, "timeoutPolicy": "abort_task"});
    let opened = stage.post("/api/sessions", &stage.ann.agent, session).await.ok();
    assert_eq!((&opened["timeoutMs"], &opened["timeoutPolicy"]), (&json!(50), &json!("abort")));
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let outcome = told(&stage, &asked).await;
    assert_eq!((&outcome["status"], &outcome["abort"]), (&json!("timeout"), &json!(true)));
    let mut own = ask("s", &[choice("r")]);
    own["timeoutMs"] = 7_200_000.into();
    let asked = stage.ask(own).await;
    let (from, to) = (&asked["created_at"], &asked["deadline_at"]);
    assert!(asked["outcome"].is_null() && to.as_str() > from.as_str(), "{asked}");
    for wrong in [json!({"timeoutMs": 0}), json!({"timeoutMs": "1s"}), json!({"timeoutPolicy": "explode"})] {
        let refused = stage.post("/api/sessions", &stage.ann.agent, wrong).await;
        assert_eq!(refused.code(), "400 invalid_request");
        assert!(refused.text.contains("timeout"), "{}", refused.text);
    }
}

/// P13: a timed-out ask is asked anew with what was filled in; the asker is told the new id.
#[tokio::test(flavor = "multi_thread")]
async fn p13_a_timed_out_ask_is_taken_up_again_with_its_sheet() {
    let stage = stage().await;
    let mut body = ask("s", &[choice("q"), choice("r")]);
    // Long enough that a slow machine saves the new one before its own deadline.
    body["timeoutMs"] = 1_000.into();
    let asked = stage.ask(body).await;
    let path = format!("/api/asks/{}", id(&asked));
    let saved = stage
        .call(
            "PUT",
            &format!("{path}/sheet"),
            &stage.ann.person,
            json!({"answers": {"q": "b"}, "notes": {"q": "n"}}),
        )
        .await
        .ok();
    assert_eq!(saved["sheet"]["answers"]["q"]["selected"], json!(["b"]));
    assert_eq!(
        stage.post(&format!("{path}/reopen"), &stage.ann.person, Value::Null).await.code(),
        "409 not_reopenable"
    );
    // O9: what was saved before the deadline is told, the rest is skipped.
    let outcome = told(&stage, &asked).await;
    assert_eq!(outcome["answers"][0]["selected"][0]["id"], "b");
    assert_eq!(
        (&outcome["answers"][0]["skipped"], &outcome["answers"][1]["skipped"]),
        (&json!(false), &json!(true))
    );
    let anew = stage.post(&format!("{path}/reopen"), &stage.ann.person, Value::Null).await;
    assert_eq!(anew.status, 201);
    let anew = anew.json();
    assert_eq!((&anew["reopens"], &anew["status"]), (&asked["ask_id"], &json!("showing")));
    assert_eq!(anew["sheet"]["notes"]["q"], "n");
    assert_ne!(id(&anew), id(&asked));
    // The sheet goes back as it came: saved and then answered.
    let sheet = anew["sheet"].clone();
    stage.call("PUT", &format!("/api/asks/{}/sheet", id(&anew)), &stage.ann.person, sheet).await.ok();
}

/// P15: the same answer for several alike asks, wherever their questions stand.
#[tokio::test(flavor = "multi_thread")]
async fn p15_alike_asks_are_answered_in_one_go() {
    let stage = stage().await;
    let alike = |session: &str| {
        json!({"session_id": session, "questions": [{
        "question": "Deploy?", "header": "D", "multiSelect": false,
        "options": [{"label": "Now", "description": ""}, {"label": "Later", "description": ""}]}]})
    };
    let (one, two) = (stage.ask(alike("s1")).await, stage.ask(alike("s2")).await);
    let other = stage.ask(ask("s3", &[choice("else")])).await;
    let bobs = stage.post("/api/asks", &stage.bob.agent, alike("s4")).await.ok();
    let question = one["questions"][0]["question_id"].as_str().unwrap();
    let body = json!({
        "ask_ids": [one["ask_id"], two["ask_id"], other["ask_id"], bobs["ask_id"]],
        "answers": {question: "Later"},
    });
    let results = stage.post("/api/asks/answer-many", &stage.ann.person, body).await.ok()["results"].clone();
    assert_eq!((&results[0]["success"], &results[1]["success"]), (&json!(true), &json!(true)));
    assert_eq!(results[2]["error"], "invalid_answer");
    assert_eq!(results[3]["error"], "ask_not_found");
    for asked in [&one, &two] {
        assert_eq!(told(&stage, asked).await["answers"][0]["selected"][0]["label"], "Later");
    }
    for wrong in [json!({}), json!({"ask_ids": []}), json!({"ask_ids": vec![one["ask_id"].clone(); 101]})] {
        assert_eq!(
            stage.post("/api/asks/answer-many", &stage.ann.person, wrong).await.code(),
            "400 invalid_request"
        );
    }
}

/// A secret that came too late is its asker's and nobody else's.
#[tokio::test(flavor = "multi_thread")]
async fn a_late_secret_is_told_to_its_asker_alone() {
    let stage = stage().await;
    let mut body =
        ask("s", &[json!({"question_id": "q", "question": "Token?", "type": "text", "secret": true})]);
    body["late"] = json!("keep");
    body["timeoutMs"] = json!(1000);
    let path = format!("/api/asks/{}", id(&stage.ask(body).await));
    stage.forward_ms.store(60_000, std::sync::atomic::Ordering::SeqCst);
    stage.until(path.rsplit('/').next().unwrap(), "timeout").await;
    stage.post(&format!("{path}/answer"), &stage.ann.person, json!({"answers": {"q": "hunter2"}})).await.ok();
    assert!(stage.get(&path, &stage.ann.agent).await.text.contains("hunter2"));
    let told = stage.get(&path, &stage.ann.person).await;
    assert!(told.ok()["late_answer"].is_object() && !told.text.contains("hunter2"), "{}", told.text);
}
