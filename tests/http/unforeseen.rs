//! A fault that nobody foresaw, met by the real server over the real store (D12).

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_store::sqlite::Options;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::figures::Figures;
use crate::stage::{Reply, Stage, ask, choice, id, stage, stage_over, unlimited};

/// Spoils what was asked in one ask, past the desk; returns what stood there.
fn spoil(stage: &Stage, ask_id: &str) -> String {
    let db = database(stage);
    let body: String =
        db.query_row("SELECT body FROM ask_body WHERE ask = ?1", [key(ask_id)], |row| row.get(0)).unwrap();
    mend(stage, ask_id, "{\"questions\": [");
    body
}

/// Puts there what is to be read of an ask.
fn mend(stage: &Stage, ask_id: &str, body: &str) {
    let db = database(stage);
    let n_changed = db.execute("UPDATE ask_body SET body = ?1 WHERE ask = ?2", (body, key(ask_id))).unwrap();
    assert_eq!(n_changed, 1);
}

fn database(stage: &Stage) -> Connection {
    Connection::open(stage.home.path().join("askuser.db")).unwrap()
}

fn key(ask_id: &str) -> [u8; 16] {
    let id: askuser_core::id::AskId = ask_id.parse().unwrap();
    id.0.to_be_bytes()
}

/// It is told as what it is, with what to do next, and nothing of our own inside.
fn is_our_fault(reply: &Reply) {
    assert_eq!(reply.code(), "500 internal_error");
    let told = reply.json();
    assert_eq!((&told["status"], &told["recovery_action"]), (&json!("error"), &json!("restart_session")));
    let message = told["message"].as_str().unwrap();
    assert!(message.contains("in the log") && message.contains("no conversation is lost"), "{message}");
    assert!(!reply.text.contains("EOF") && !reply.text.contains("ask_body"), "{}", reply.text);
}

async fn answer(stage: &Stage, asked: &Value, question: &str) -> Reply {
    let path = format!("/api/asks/{}/answer", id(asked));
    stage.post(&path, &stage.ann.person, json!({"answers": {question: "a"}})).await
}

/// D12: a request that meets a fault is told so; its session goes on, and everything else.
#[tokio::test(flavor = "multi_thread")]
async fn d12_a_row_that_cannot_be_read_ends_one_request_only() {
    let stage = stage().await;
    let first = stage.ask(ask("s", &[choice("first")])).await;
    let second = stage.ask(ask("s", &[choice("second")])).await;
    answer(&stage, &first, "first").await.ok();
    let session = format!("/api/sessions/{}", first["session"].as_str().unwrap());
    let before = stage.get(&session, &stage.ann.person).await.ok();
    let body = spoil(&stage, &id(&first));
    for _ in 0..2 {
        is_our_fault(&stage.get(&session, &stage.ann.person).await);
    }
    let zh = [("authorization", format!("Bearer {}", stage.ann.person)), ("accept-language", "zh".into())];
    let zh = zh.each_ref().map(|(name, value)| (*name, value.as_str()));
    let zh = stage.send("GET", &session, &zh, "").await;
    assert_eq!(zh.json()["message"], "内部错误，已记录到日志，对话没有丢失");
    // The session goes on: what is open in it is answered, and the next thing is asked.
    answer(&stage, &second, "second").await.ok();
    let third = stage.ask(ask("s", &[choice("third")])).await;
    assert_eq!((&third["session"], &third["round"]), (&first["session"], &json!(3)));
    assert_eq!(stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"][0]["ask_id"], third["ask_id"]);
    // So does the server.
    stage.ask(ask("other", &[choice("q")])).await;
    stage.post("/api/asks", &stage.bob.agent, ask("s", &[choice("q")])).await.ok();
    assert_eq!(stage.send("GET", "/readyz", &[], "").await.status, 200);
    let figures = Figures::of(&stage).await;
    assert!((figures["askuser_errors_total{status=\"500\"}"] - 3.0).abs() < 0.5, "{figures:?}");
    // No session is lost: with the row as it was, everything is there.
    mend(&stage, &id(&first), &body);
    let after = stage.get(&session, &stage.ann.person).await.ok();
    assert_eq!(after["dialog_history"][0], before["dialog_history"][0]);
    let answered: Vec<&Value> =
        after["dialog_history"].as_array().unwrap().iter().map(|it| &it["round"]).collect();
    assert_eq!((answered, &after["current_round"]), (vec![&json!(1), &json!(2)], &json!(3)));
    assert!(stage.desk.audit().verify().await.unwrap().facts.broken.is_none());
}

/// D12: so is one that wants to change something: nothing is changed, and those beside it go on.
#[tokio::test(flavor = "multi_thread")]
async fn d12_a_write_that_meets_a_fault_changes_nothing() {
    // Everything is read anew for every command, as after a restart.
    let options = Options { hot_sessions_max: 0, ..Options::new(DeskLimits::default(), Timestamp(0)) };
    let stage = stage_over(options, |server| server.rates = unlimited()).await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let beside = stage.ask(ask("beside", &[choice("r")])).await;
    let body = spoil(&stage, &id(&asked));
    let head = stage.desk.head();
    let path = format!("/api/asks/{}", id(&asked));
    is_our_fault(&answer(&stage, &asked, "q").await);
    is_our_fault(&stage.post(&format!("{path}/withdraw"), &stage.ann.agent, Value::Null).await);
    assert_eq!(stage.desk.head(), head);
    answer(&stage, &beside, "r").await.ok();
    mend(&stage, &id(&asked), &body);
    let answered = answer(&stage, &asked, "q").await.ok();
    assert_eq!(answered["outcome"]["answers"][0]["selected"][0]["id"], "a");
}
