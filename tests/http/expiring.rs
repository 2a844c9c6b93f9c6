//! A session whose time is up (D5, D7): told as ended from that moment on, whenever it is swept.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use crate::figures::Figures;
use crate::stage::{Stage, ask, choice, id, stage_configured};

async fn answered(stage: &Stage, session: &str, question: &str) -> Value {
    let asked = stage.ask(ask(session, &[choice(question)])).await;
    let path = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&path, &stage.ann.person, json!({"answers": {question: "a"}})).await.ok();
    asked
}

/// D5, P9: it was active until the next sweep, up to five minutes too long.
#[tokio::test(flavor = "multi_thread")]
async fn d5_a_session_is_over_the_moment_its_time_is_up() {
    let (stage, _rates) = stage_configured("ask_user_question: {session_timeout: 600}").await;
    let asked = answered(&stage, "mine", "q").await;
    let own = asked["session"].as_str().unwrap().to_owned();
    stage.ask(ask("open", &[choice("q")])).await;
    let status = async |name: &str| {
        let told = stage.get(&format!("/api/sessions/{name}"), &stage.ann.person).await.ok();
        told["status"].as_str().unwrap().to_owned()
    };
    stage.forward_ms.fetch_add(590_000, Ordering::SeqCst);
    assert_eq!(status("mine").await, "active");
    stage.forward_ms.fetch_add(10_001, Ordering::SeqCst);
    // Asked in before anybody has looked at it: under our id it is not there, under its name it is a new one.
    let late = stage.post("/api/asks", &stage.ann.agent, ask(&own, &[choice("late")])).await;
    assert_eq!(late.code(), "404 session_not_found");
    let listed = stage.get("/api/sessions", &stage.ann.person).await.ok();
    let of = |name: &str| {
        let sessions = listed["sessions"].as_array().unwrap();
        sessions.iter().find(|session| session["session_id"] == name).unwrap()["status"].clone()
    };
    assert_eq!((of("mine"), of("open")), (json!("timeout"), json!("active")), "{listed}");
    assert_eq!((status("mine").await, status(&own).await), ("timeout".to_owned(), "timeout".to_owned()));
    assert_eq!(status("open").await, "active", "never while an ask in it is open");
    let body = json!({"session_id": "mine", "question_id": "q", "answer": "a"});
    assert_eq!(stage.post("/api/task/answer", &stage.ann.person, body).await.code(), "404 session_not_found");
    let again = stage.ask(ask("mine", &[choice("q2")])).await;
    assert_ne!(again["session"], json!(own));
}

/// D7: expired sessions stayed in memory until others needed the room.
#[tokio::test(flavor = "multi_thread")]
async fn d7_expired_sessions_leave_memory_with_the_sweep() {
    let (stage, _rates) = stage_configured("ask_user_question: {session_timeout: 1}").await;
    for number in 0..10 {
        answered(&stage, &format!("s{number}"), "q").await;
    }
    stage.ask(ask("open", &[choice("q")])).await;
    let in_memory = async || Figures::of(&stage).await["askuser_store_memory_sessions"];
    assert!(in_memory().await > 1.5);
    stage.forward_ms.fetch_add(2000, Ordering::SeqCst);
    for _ in 0..1000 {
        if in_memory().await < 1.5 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!((in_memory().await - 1.0).abs() < 0.5, "only the one with an open ask is left");
}
