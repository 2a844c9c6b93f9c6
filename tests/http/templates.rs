//! Question templates over HTTP: put, listed, asked, removed; and faulty ones refused.

use std::sync::Arc;

use askuser::template::Shelf;
use serde_json::{Value, json};

use crate::stage::{Stage, stage_with, unlimited};

const TEXT: &str = "\
description: Where to
variables: {service: , env: staging}
questions:
- {question_id: where, header: Deploy, question: 'Deploy {{service}} to {{env}}?', type: boolean}
";

async fn with_templates() -> (Stage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("templates");
    let stage = stage_with(|door| {
        door.rates = unlimited();
        door.templates = Some(Arc::new(Shelf::new(Vec::new(), Some(own))));
    })
    .await;
    (stage, folder)
}

/// P17, D9: questions are configured through the API, and counted.
#[tokio::test(flavor = "multi_thread")]
async fn p17_d9_templates_are_put_asked_counted_and_removed() {
    let (stage, _folder) = with_templates().await;
    let (agent, person, admin) = (&stage.ann.agent, &stage.ann.person, &stage.ann.admin);
    assert_eq!(stage.get("/api/templates", person).await.ok(), json!({"templates": []}));
    assert_eq!(
        stage.call("PUT", "/api/templates/deploy", agent, json!({"text": TEXT})).await.code(),
        "403 forbidden"
    );
    let put = stage.call("PUT", "/api/templates/deploy", person, json!({"text": TEXT})).await;
    assert_eq!(put.status, 201, "{}", put.text);
    assert_eq!(stage.call("PUT", "/api/templates/deploy", admin, json!({"text": TEXT})).await.status, 200);
    let ask = |vars: Value| json!({"template": "deploy", "vars": &vars, "session_id": vars["env"].to_string(), "context": "why"});
    let asked = stage.ask(ask(json!({"service": "shop"}))).await;
    assert_eq!(asked["questions"][0]["question"], "Deploy shop to staging?");
    assert_eq!(asked["context"], "why");
    let asked = stage.ask(ask(json!({"service": "shop", "env": 7}))).await;
    assert_eq!(asked["questions"][0]["question"], "Deploy shop to 7?");
    let shown = stage.get("/api/templates/deploy", person).await.ok();
    assert_eq!((&shown["text"], &shown["hits"]), (&json!(TEXT), &json!(1)));
    assert_eq!(shown["variables"][1], json!({"name": "env", "description": null, "default": "staging"}));
    // A change is seen at once.
    let as_json = json!({"questions": [{"question_id": "w", "question": "Now?", "type": "boolean"}]});
    stage.call("PUT", "/api/templates/deploy", person, as_json).await.ok();
    let asked = stage.ask(json!({"template": "deploy", "session_id": "new"})).await;
    assert_eq!(asked["questions"][0]["question"], "Now?");
    assert_eq!(stage.call("DELETE", "/api/templates/deploy", person, Value::Null).await.status, 200);
    assert_eq!(
        stage.call("DELETE", "/api/templates/deploy", person, Value::Null).await.code(),
        "404 not_found"
    );
    let gone = stage.post("/api/asks", agent, json!({"template": "deploy"})).await;
    assert_eq!(gone.code(), "400 invalid_question");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_faulty_template_or_variable_is_told_where() {
    let (stage, folder) = with_templates().await;
    let (agent, person) = (&stage.ann.agent, &stage.ann.person);
    let faulty = TEXT.replace("{{env}}", "{{evn}}");
    let refused = stage.call("PUT", "/api/templates/a", person, json!({ "text": faulty })).await;
    assert_eq!(refused.code(), "400 invalid_question");
    assert_eq!(refused.json()["problems"][0]["path"], "line 4, column 75", "{}", refused.text);
    assert!(!folder.path().join("templates/a.yaml").exists());
    for name in ["..", "a%2Fb", "a%20b", "%2e%2e%2fkeys"] {
        let path = format!("/api/templates/{name}");
        let refused = stage.call("PUT", &path, person, json!({ "text": TEXT })).await;
        assert!([400, 404, 405].contains(&refused.status), "{name}: {}", refused.text);
    }
    stage.call("PUT", "/api/templates/a", person, json!({ "text": TEXT })).await.ok();
    for (vars, path) in
        [(json!({}), "template"), (json!({"service": []}), "vars.service"), (json!(7), "vars")]
    {
        let refused = stage.post("/api/asks", agent, json!({"template": "a", "vars": vars})).await;
        assert_eq!(refused.code(), "400 invalid_question");
        assert_eq!(refused.json()["problems"][0]["path"], path, "{}", refused.text);
    }
    // What only the project knows, the desk does not look up for whoever asks.
    let text = TEXT.replace("{{env}}", "{{file:secret}}");
    stage.call("PUT", "/api/templates/a", person, json!({ "text": text })).await.ok();
    let refused = stage.post("/api/asks", agent, json!({"template": "a", "vars": {"service": "x"}})).await;
    assert!(refused.text.contains("known only in the project"), "{}", refused.text);
}
