//! An ask whose asker brought every answer along (E5): the answers come back, and nobody is asked or spoken for.

use serde_json::{Value, json};

use crate::sockets::Socket;
use crate::stage::stage;

fn ask() -> Value {
    let option = |label: &str| json!({"label": label, "description": "…"});
    json!({
        "questions": [
            {"question": "Which?", "header": "One", "options": [option("A"), option("B")]},
            {"question": "What else?", "header": "More", "multiSelect": true, "options": [option("C"), option("D")]},
        ],
        "answers": {"question-0": "B", "question-1": "C,D"},
    })
}

/// E5: over HTTP it is answered at once; the outcome says that the answers were brought along, and nothing is
/// kept: no ask, no session, no entry in the log.
#[tokio::test(flavor = "multi_thread")]
async fn e5_answers_that_were_all_brought_along_come_back_at_once() {
    let stage = stage().await;
    let mut body = ask();
    body["agentId"] = "a".into();
    let told = stage.post("/api/asks?wait=60", &stage.ann.agent, body).await;
    assert_eq!(told.status, 200, "{}", told.text);
    let told = told.json();
    assert_eq!((&told["ask_id"], &told["status"]), (&Value::Null, &json!("completed")));
    let outcome = &told["outcome"];
    assert_eq!(
        outcome["reply"],
        json!({"agentId": "a", "answers": {"question-0": "B", "question-1": "C,D"}})
    );
    assert_eq!(
        (&outcome["status"], &outcome["answered_by"], &outcome["reason"]),
        (&json!("answered"), &json!("collected"), &json!("system"))
    );
    assert_eq!(outcome["by"]["user"], Value::Null);
    assert_eq!(outcome["answers"][0]["collected"], true);
    assert_eq!(stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"], json!([]));
    assert_eq!(stage.get("/api/audit", &stage.ann.admin).await.ok()["entries"], json!([]));
    assert_eq!(stage.get("/api/sessions", &stage.ann.agent).await.ok()["sessions"], json!([]));
}

/// E5: what is not there is asked, and what is wrong with what was brought is told, as ever.
#[tokio::test(flavor = "multi_thread")]
async fn e5_what_was_not_brought_along_is_asked() {
    let stage = stage().await;
    let mut body = ask();
    body["answers"].as_object_mut().unwrap().remove("question-0");
    let asked = stage.ask(body).await;
    assert_eq!(asked["status"], "showing");
}

/// E5, E1: the same over a socket, in the event protocol; no person hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn e5_e1_a_socket_answers_at_once_what_was_brought_along() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    let mut data = ask();
    data["agentId"] = "a".into();
    data["askId"] = "mine".into();
    agent.say(json!({"event": "ask:question:request", "data": data})).await;
    let told = agent.hear().await;
    assert_eq!(told["event"], "ask:question:response");
    assert_eq!(told["data"]["answers"], json!({"question-0": "B", "question-1": "C,D"}));
    assert_eq!((&told["data"]["agentId"], &told["data"]["askId"]), (&json!("a"), &json!("mine")));
}
