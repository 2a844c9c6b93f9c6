//! Rules that people make from their answers, over HTTP and on the page; and nobody else makes one.

use std::sync::atomic::Ordering;

use askuser::daemon::rules;
use askuser_client::home::Home;
use serde_json::json;

use crate::audit::events;
use crate::page::Person;
use crate::stage::{Stage, ask, choice, id, stage};

async fn ruled() -> Stage {
    let stage = stage().await;
    let by_hand = rules::of(&Home::new(stage.home.path()));
    stage.desk.configure(|settings| settings.rules_by_hand = Some(by_hand));
    stage
}

/// Asks in a session and answers as Ann; returns the ask's id.
async fn answered(stage: &Stage, session: &str) -> String {
    let asked = stage.ask(ask(session, &[choice("q")])).await;
    let path = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&path, &stage.ann.person, json!({"answers": {"q": "a"}})).await.ok();
    id(&asked)
}

/// Invariant 6: an agent makes no rule, neither with its key nor behind a person's word, nor does
/// somebody else.
#[tokio::test(flavor = "multi_thread")]
async fn rules_are_made_by_the_person_who_answered_and_by_nobody_else() {
    let stage = ruled().await;
    let ask_id = answered(&stage, "s").await;
    let body = json!({"ask_id": ask_id});
    for key in [&stage.ann.agent, &stage.ann.admin] {
        for (method, path) in [("POST", "/api/rules"), ("GET", "/api/rules"), ("DELETE", "/api/rules/rule_x")]
        {
            let reply = stage.call(method, path, key, body.clone()).await;
            assert_eq!(reply.status, 403, "{method} {path}");
        }
    }
    let bearer = format!("Bearer {}", stage.ann.person);
    for mark in [("x-askuser-as-person", "CLAUDECODE")] {
        let headers = [("authorization", bearer.as_str()), mark];
        let reply = stage.send("POST", "/api/rules", &headers, body.to_string()).await;
        assert_eq!(reply.code(), "403 forbidden", "{mark:?}");
    }
    assert_eq!(stage.post("/api/rules", &stage.bob.person, body.clone()).await.code(), "404 ask_not_found");
    for until in ["soon", "2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"] {
        let body = json!({"ask_id": ask_id, "until": until});
        assert_eq!(stage.post("/api/rules", &stage.ann.person, body).await.code(), "400 invalid_request");
    }
    assert_eq!(stage.get("/api/rules", &stage.ann.person).await.ok()["rules"], json!([]));
    let made = stage.post("/api/rules", &stage.ann.person, body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let rule = made.json()["rule_id"].as_str().unwrap().to_owned();
    // Bob neither sees it nor takes it away.
    assert_eq!(stage.get("/api/rules", &stage.bob.person).await.ok()["rules"], json!([]));
    let path = format!("/api/rules/{rule}");
    assert_eq!(stage.call("DELETE", &path, &stage.bob.person, json!({})).await.status, 404);
    let again = stage.ask(ask("t", &[choice("q")])).await;
    assert_eq!(again["outcome"]["answered_by"], "rule", "{again}");
    // Who made it is in the chain, and that an agent tried.
    let recorded = events(&stage, "rule_made").await;
    let [made] = recorded.as_slice() else { panic!("made once: {recorded:?}") };
    let details = &made["details"];
    assert_eq!((&details["user"], &details["rule_id"]), (&json!("ann"), &json!(rule)), "{made}");
    assert_eq!((&details["ask_id"], &details["proof"]), (&json!(ask_id), &json!("key_file")), "{made}");
    assert!(details["until_ms"].is_i64() && details["address"].is_string(), "{made}");
    assert!(!made.to_string().contains("q?"), "what is asked can be erased by age, this cannot: {made}");
    assert!(!events(&stage, "wrong_role").await.is_empty());
    // It ends by itself.
    stage.forward_ms.store(31 * 24 * 3600 * 1000, Ordering::SeqCst);
    assert_eq!(stage.ask(ask("u", &[choice("q")])).await["status"], "showing");
    assert_eq!(stage.get("/api/rules", &stage.ann.person).await.ok()["rules"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_is_made_on_the_page_and_taken_back_there() {
    let stage = ruled().await;
    let person = Person::at(&stage).await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/asks/{}", id(&asked));
    assert!(!person.get(&path).await.text.contains("/always"), "not before it is answered");
    person.send(&format!("{path}/answer"), "pick:q=a").await;
    let card = person.get(&path).await.text;
    assert!(card.contains(&format!("action=\"{path}/always\"")), "{card}");
    let made = person.send(&format!("{path}/always"), "days=90").await;
    assert_eq!((made.status, made.header("location")), (303, Some("/rules")));
    let page = person.get("/rules").await.text;
    let rule = page.split("/rules/").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert!(page.contains("q?") && rule.starts_with("rule_"), "{page}");
    assert_eq!(stage.ask(ask("t", &[choice("q")])).await["outcome"]["answered_by"], "rule");
    // What a rule answered offers none.
    person.send(&format!("/rules/{rule}/remove"), "").await;
    assert_eq!(stage.ask(ask("u", &[choice("q")])).await["status"], "showing");
    assert!(!person.get("/rules").await.text.contains(&rule));
    let removed = &events(&stage, "rule_removed").await[0]["details"];
    assert_eq!(
        (&removed["user"], &removed["rule_id"], &removed["proof"]),
        (&json!("ann"), &json!(rule), &json!("cookie"))
    );
    assert_eq!(stage.get("/api/audit/verify", &stage.ann.admin).await.ok()["whole"], true);
}
