//! Question templates over HTTP: put, listed, asked, removed; and faulty ones refused.

use std::sync::Arc;

use askuser_config::template::Shelf;
use serde_json::{Value, json};

use crate::audit::events;
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
    let stage = stage_with(|server| {
        server.rates = unlimited();
        server.templates = Some(Arc::new(Shelf::new(Vec::new(), Some(own))));
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
    assert_eq!(put.json()["owner"], "ann");
    // An admin's key is for the desk's: another one, and hers goes before it.
    let other = TEXT.replace("Deploy {{service}}", "Ship {{service}}");
    let put = stage.call("PUT", "/api/templates/deploy", admin, json!({"text": other})).await;
    assert_eq!((put.status, &put.json()["owner"]), (201, &Value::Null));
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
    let asked =
        stage.ask(json!({"template": "deploy", "vars": {"service": "shop"}, "session_id": "x"})).await;
    assert_eq!(asked["questions"][0]["question"], "Ship shop to staging?", "the desk's");
    assert_eq!(
        stage.call("DELETE", "/api/templates/deploy", person, Value::Null).await.code(),
        "403 forbidden"
    );
    assert_eq!(stage.call("DELETE", "/api/templates/deploy", admin, Value::Null).await.status, 200);
    for key in [person, admin] {
        let gone = stage.call("DELETE", "/api/templates/deploy", key, Value::Null).await;
        assert_eq!(gone.code(), "404 not_found");
    }
    let changes = events(&stage, "template_changed").await;
    let told: Vec<(bool, bool)> = changes
        .iter()
        .map(|event| (event["details"]["before"].is_string(), event["details"]["after"].is_string()))
        .collect();
    assert_eq!(told, [(false, true), (true, false)], "those of the desk, and no person's: {changes:?}");
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
    assert!(!folder.path().join("templates/ann/a.yaml").exists());
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

/// A person of the same desk overwrote and deleted what another's agents ask with.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_changes_or_reads_the_template_of_another_person() {
    let (stage, folder) = with_templates().await;
    let (ann, bob) = (&stage.ann, &stage.bob);
    let path = "/api/templates/deploy";
    let text = |question: &str| json!({"questions": [{"question_id": "w", "question": question, "type": "boolean"}]});
    stage.call("PUT", path, &ann.person, text("Ann's?")).await.ok();
    assert_eq!(stage.get("/api/templates", &bob.person).await.ok(), json!({"templates": []}));
    assert_eq!(stage.get(path, &bob.person).await.code(), "404 not_found");
    assert_eq!(stage.call("DELETE", path, &bob.person, Value::Null).await.code(), "404 not_found");
    assert_eq!(
        stage.post("/api/asks", &bob.agent, json!({"template": "deploy"})).await.code(),
        "400 invalid_question"
    );
    // What he puts there is his own.
    assert_eq!(stage.call("PUT", path, &bob.person, text("Bob was here?")).await.status, 201);
    let asked = async |key: &str, session: &str| {
        let body = json!({"template": "deploy", "session_id": session});
        stage.post("/api/asks", key, body).await.ok()["questions"][0]["question"].clone()
    };
    assert_eq!(asked(&ann.agent, "a").await, "Ann's?");
    assert_eq!(asked(&bob.agent, "b").await, "Bob was here?");
    assert_eq!(stage.call("DELETE", path, &bob.person, Value::Null).await.status, 200);
    assert_eq!(asked(&ann.agent, "c").await, "Ann's?");
    // What lay in the folder before anybody had one of their own is the desk's: everybody reads it.
    std::fs::write(folder.path().join("templates/old.yaml"), TEXT).unwrap();
    for keys in [ann, bob] {
        let shown = stage.get("/api/templates/old", &keys.person).await.ok();
        assert_eq!((&shown["owner"], &shown["text"]), (&Value::Null, &json!(TEXT)));
        let refused = stage.call("DELETE", "/api/templates/old", &keys.person, Value::Null).await;
        assert_eq!(refused.code(), "403 forbidden");
    }
    assert!(folder.path().join("templates/old.yaml").exists());
}
