//! Answers by one press over HTTP: held, seen by others, taken back, final by the desk's own timer.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use crate::events::Ear;
use crate::stage::{Stage, ask, choice, config, id, stage_configured};

const ANSWER: fn() -> Value = || json!({"answers": {"q": "a"}});

async fn hold(stage: &Stage, asked: &str) -> crate::stage::Reply {
    stage.post(&format!("/api/asks/{asked}/hold"), &stage.ann.person, ANSWER()).await
}

async fn take_back(stage: &Stage, asked: &str, key: &str) -> crate::stage::Reply {
    stage.call("DELETE", &format!("/api/asks/{asked}/hold"), key, json!({})).await
}

/// `answers.undo_for`: the agent waits as long as the answer can be taken back, and no longer.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_by_one_press_is_final_when_its_time_is_up() {
    let (stage, _) = stage_configured("answers: {undo_for: 30s}").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    let held = hold(&stage, &asked).await.ok();
    assert_eq!((&held["status"], &held["outcome"]), (&json!("showing"), &Value::Null));
    let mine = &held["held"][0];
    assert_eq!(
        (&mine["user"], &mine["channel"], &mine["mine"]),
        (&json!("ann"), &json!("api"), &json!(true))
    );
    assert_eq!(mine["answers"][0]["selected"][0]["id"], "a", "{mine}");
    // Its agent is told nothing yet, not even that somebody is about to answer.
    let seen = stage.get(&format!("/api/asks/{asked}"), &stage.ann.agent).await.ok();
    assert_eq!((&seen["status"], &seen["held"]), (&json!("showing"), &Value::Null));
    stage.forward_ms.store(31_000, Ordering::SeqCst);
    let path = format!("/api/asks/{asked}?wait=20");
    let outcome = stage.get(&path, &stage.ann.agent).await.ok()["outcome"].clone();
    assert_eq!((&outcome["status"], &outcome["answered_by"]), (&json!("answered"), &json!("person")));
    assert_eq!(outcome["by"]["user"], "ann");
    assert_eq!(take_back(&stage, &asked, &stage.ann.person).await.code(), "409 already_closed");
    let verified = stage.get("/api/audit/verify", &stage.ann.admin).await.ok();
    assert_eq!(verified["whole"], true, "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slip_is_taken_back_and_answered_otherwise() {
    let (stage, _) = stage_configured("answers: {undo_for: 30s}").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    assert_eq!(take_back(&stage, &asked, &stage.ann.person).await.code(), "409 nothing_held");
    hold(&stage, &asked).await.ok();
    assert_eq!(take_back(&stage, &asked, &stage.ann.agent).await.code(), "403 forbidden");
    assert_eq!(take_back(&stage, &asked, &stage.bob.person).await.code(), "404 ask_not_found");
    let verified = stage.get("/api/audit/verify", &stage.ann.admin).await.ok();
    assert_eq!(verified["whole"], true, "{verified}");
    let open = take_back(&stage, &asked, &stage.ann.person).await.ok();
    assert_eq!((&open["status"], &open["held"]), (&json!("showing"), &Value::Null));
    stage.forward_ms.store(60_000, Ordering::SeqCst);
    // Sent on its own card it is final at once.
    let body = json!({"answers": {"q": "b"}});
    let told = stage.post(&format!("/api/asks/{asked}/answer"), &stage.ann.person, body).await.ok();
    assert_eq!(told["outcome"]["answers"][0]["selected"][0]["id"], "b", "{told}");
    assert_eq!(hold(&stage, &asked).await.code(), "409 already_closed");
}

/// `answers.undo_for: 0s` is as if there were no such thing.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_while_one_press_is_final_at_once() {
    let (stage, _) = stage_configured("answers: {undo_for: 0s}").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    assert_eq!(hold(&stage, &asked).await.ok()["outcome"]["status"], "answered");
    assert_eq!(config("").answers.undo_for, Duration::from_secs(5), "as it comes");
}

/// Whoever is first wins: the agent that takes its ask back, or another surface of the same person.
#[tokio::test(flavor = "multi_thread")]
async fn a_held_answer_that_lost_is_the_draft() {
    let (stage, _) = stage_configured("answers: {undo_for: 30s}").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    hold(&stage, &asked).await.ok();
    stage.post(&format!("/api/asks/{asked}/cancel"), &stage.ann.person, json!({})).await.ok();
    let again = stage.post(&format!("/api/asks/{asked}/reopen"), &stage.ann.person, json!({})).await;
    assert_eq!(again.json()["sheet"]["answers"]["q"]["selected"], json!(["a"]), "{}", again.text);
}

/// The deadline inside the while: it was answered in time.
#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_makes_it_final_and_the_ask_says_what_would_have_happened() {
    let (stage, _) = stage_configured("answers: {undo_for: 30s}").await;
    let mut body = ask("s", &[choice("q")]);
    body["timeoutMs"] = json!(10_000);
    body["timeoutPolicy"] = json!("abort");
    let asked = id(&stage.ask(body).await);
    let held = hold(&stage, &asked).await.ok();
    assert_eq!((&held["held"][0]["until"], &held["at_deadline"]), (&held["deadline_at"], &json!("stops")));
    stage.forward_ms.store(10_000, Ordering::SeqCst);
    let path = format!("/api/asks/{asked}?wait=20");
    let outcome = stage.get(&path, &stage.ann.agent).await.ok()["outcome"].clone();
    assert_eq!(outcome["status"], "answered");
}

/// People hear that somebody is about to answer, and agents do not.
#[tokio::test(flavor = "multi_thread")]
async fn that_somebody_is_about_to_answer_is_told_to_people() {
    let (stage, _) = stage_configured("answers: {undo_for: 30s}").await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    hold(&stage, &asked).await.ok();
    take_back(&stage, &asked, &stage.ann.person).await.ok();
    stage.post(&format!("/api/asks/{asked}/answer"), &stage.ann.person, ANSWER()).await.ok();
    let mut told = Vec::new();
    for key in [&stage.ann.person, &stage.ann.agent] {
        let mut ear = Ear::open(&stage, "/api/events?since=0", key, "").await;
        let mut names = Vec::new();
        while names.last().map(String::as_str) != Some("ask_user_response") {
            let heard = ear.next().await.unwrap();
            if heard.name == "held" {
                assert_eq!((&heard.said["user"], &heard.said["ask_id"]), (&json!("ann"), &json!(asked)));
                assert!(heard.said["answers"].is_null());
            }
            names.push(heard.name);
        }
        told.push(names);
    }
    let is_of_hold = |name: &&String| ["held", "taken_back"].contains(&name.as_str());
    assert_eq!(told[0].iter().filter(is_of_hold).count(), 2, "{told:?}");
    assert_eq!(told[1].iter().filter(is_of_hold).count(), 0, "{told:?}");
}

/// S4: what is urgent comes first, and a deadline says what happens then.
#[tokio::test(flavor = "multi_thread")]
async fn s4_the_urgent_come_first_and_say_what_will_happen() {
    let (stage, _) = stage_configured("").await;
    let first = id(&stage.ask(ask("one", &[choice("q")])).await);
    let mut marked = choice("q");
    marked["options"][1]["default"] = json!(true);
    let mut urgent = ask("two", &[marked]);
    urgent["timeoutMs"] = json!(95_000);
    urgent["timeoutPolicy"] = json!("default");
    let urgent = id(&stage.ask(urgent).await);
    let mut later = ask("three", &[choice("q")]);
    later["timeoutMs"] = json!(600_000);
    let later = id(&stage.ask(later).await);
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    let listed: Vec<String> = inbox["asks"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(listed, [urgent, first, later]);
    let told =
        |at: usize| (inbox["asks"][at]["at_deadline"].clone(), inbox["asks"][at]["default_answers"].clone());
    assert_eq!(told(0).0, "default");
    assert_eq!(told(0).1[0]["selected"][0]["id"], "b", "{inbox}");
    assert_eq!(told(1), (Value::Null, Value::Null));
    assert_eq!(told(2), (json!("unanswered"), Value::Null));
}
