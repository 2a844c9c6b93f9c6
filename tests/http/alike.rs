//! One answer for asks that ask the same, and what it must never answer with it.

use serde_json::{Value, json};

use crate::page::Person;
use crate::stage::{Reply, Stage, id, stage};

/// A permission that Claude Code asks for; nobody waits for it.
async fn permission(stage: &Stage) -> Value {
    let event = json!({
        "session_id": "abc", "cwd": "/home/u/shop", "permission_mode": "default",
        "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"},
    });
    let reply = stage.post("/api/hooks/claude-code?wait=0.01", &stage.ann.agent, event).await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    let ask_id = reply.json()["ask_id"].as_str().unwrap().to_owned();
    stage.get(&format!("/api/asks/{ask_id}"), &stage.ann.person).await.ok()
}

/// An ordinary ask with the very words of another.
async fn copied(stage: &Stage, of: &Value, session: &str) -> Value {
    let question = &of["questions"][0];
    let words = json!({
        "question_id": "harmless", "type": "boolean", "other": false, "header": question["header"],
        "question": question["question"], "description": question["description"],
    });
    let ask = json!({"session_id": session, "questions": [words], "context": of["context"]});
    stage.ask(ask).await
}

async fn with_cookie(person: &Person<'_>, path: &str, body: &Value) -> Reply {
    let headers = [("cookie", person.cookie.as_str()), ("origin", person.own.as_str())];
    person.stage.send("POST", path, &headers, body.to_string()).await
}

/// Invariant 6: whoever answers a question that copies a permission's words has not granted it.
#[tokio::test(flavor = "multi_thread")]
async fn an_ordinary_ask_that_copies_the_words_of_a_permission_grants_nothing() {
    let stage = stage().await;
    let person = Person::at(&stage).await;
    let permission = permission(&stage).await;
    let copy = copied(&stage, &permission, "other").await;
    assert_eq!(copy["questions"][0]["question"], permission["questions"][0]["question"]);
    let (permission_id, copy_id) = (id(&permission), id(&copy));
    let shown = person.get(&format!("/asks/{copy_id}")).await.text;
    assert!(!shown.contains("name=\"also\""), "no other is offered with it: {shown}");
    assert!(!shown.contains("p class=\"note permission\""), "it grants nothing, and does not say so");
    let shown = person.get(&format!("/asks/{permission_id}")).await.text;
    assert!(shown.contains("note permission") && !shown.contains("name=\"also\""), "{shown}");
    // Sent all the same, it is not answered: by the form, nor by the API with the page's cookie.
    let form = format!("pick:harmless=yes&also={permission_id}");
    assert_eq!(person.send(&format!("/asks/{copy_id}/answer"), &form).await.status, 303);
    let again = copied(&stage, &permission, "another").await;
    let body = json!({"ask_ids": [id(&again), permission_id], "answers": {"harmless": true}});
    let many = with_cookie(&person, "/api/asks/answer-many", &body).await.ok();
    assert_eq!(many["results"][0]["success"], true, "{many}");
    assert_eq!(many["results"][1]["error"], "invalid_answer", "{many}");
    let left = stage.get(&format!("/api/asks/{permission_id}"), &stage.ann.person).await.ok();
    assert_eq!(left["status"], "showing", "{left}");
}
