//! Short ids: what a part of an id stands for, and what a list shows of it.

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage};

async fn meant(stage: &Stage, key: &str, query: &str) -> Value {
    stage.get(&format!("/api/ids?{query}"), key).await.ok()
}

fn ids(told: &Value) -> Vec<String> {
    told["ids"].as_array().unwrap().iter().map(|thing| thing["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beginning_or_an_end_stands_for_one_ask_among_all_that_there_ever_were() {
    let stage = stage().await;
    let first = id(&stage.ask(ask("shop", &[choice("Ship it")])).await);
    let second = id(&stage.ask(ask("shop", &[choice("Rename it")])).await);
    let body = json!({"answers": {"Ship it": "b"}});
    stage.post(&format!("/api/asks/{first}/answer"), &stage.ann.person, body).await.ok();
    let person = &stage.ann.person;
    // What is shown can be typed, also of what has ended.
    let listed = stage.get("/api/inbox?short_ids=true", person).await.ok();
    let shown = listed["asks"][0]["short_id"].as_str().unwrap().to_owned();
    assert!(second.ends_with(&shown) && shown.len() >= 4, "{listed}");
    let ended = stage.get("/api/history?short_ids=true", person).await.ok();
    let of_ended = ended["asks"][0]["short_id"].as_str().unwrap().to_owned();
    assert!(first.ends_with(&of_ended), "{ended}");
    assert_eq!(
        stage.get("/api/inbox", person).await.ok()["asks"][0].get("short_id"),
        None,
        "only who wants it"
    );
    for (part, expected) in [
        (shown.clone(), &second),
        (shown.to_lowercase(), &second),
        (format!("ask_{shown}"), &second),
        (format!("%E2%80%A6{shown}"), &second),
        (of_ended, &first),
        (second[4..].to_owned(), &second),
        (second[..second.len() - 1].to_owned(), &second),
    ] {
        let told = meant(&stage, person, &format!("kind=ask&part={part}")).await;
        assert_eq!((ids(&told), &told["more"]), (vec![expected.clone()], &json!(false)), "{part}");
    }
    let told = meant(&stage, person, &format!("part={shown}")).await;
    assert_eq!((&told["ids"][0]["open"], &told["ids"][0]["short_id"]), (&json!(true), &json!(shown)));
    assert!(told["ids"][0]["text"].as_str().unwrap().contains("Rename it"), "{told}");
    // Asked within a moment, both begin alike.
    let told = meant(&stage, person, &format!("part={}", &second[..8])).await;
    assert_eq!(ids(&told), [second.clone(), first.clone()], "the latest first");
    for nothing in [&shown[1..], "zzzz", "NQD", "should", "%1b%5B2J", ""] {
        if nothing.is_empty() || nothing.len() >= 4 {
            continue;
        }
        assert_eq!(ids(&meant(&stage, person, &format!("part={nothing}")).await), Vec::<String>::new());
    }
    let open = meant(&stage, person, "kind=ask&open=true").await;
    assert_eq!(ids(&open), std::slice::from_ref(&second));
    assert_eq!(
        ids(&meant(&stage, person, "kind=ask").await),
        [second, first],
        "what is open, then what ended"
    );
    assert_eq!(stage.get("/api/ids?kind=user", person).await.code(), "400 invalid_request");
}

/// Who may see what holds, and where nothing may be told, it is not told that there is something.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_learns_of_what_is_anothers() {
    let stage = stage().await;
    let anns = id(&stage.ask(ask("shop", &[choice("Ship it")])).await);
    let end = &anns[anns.len() - 6..];
    for query in
        [format!("part={end}"), format!("part={anns}"), format!("part={}", &anns[..8]), "kind=ask".to_owned()]
    {
        let told = meant(&stage, &stage.bob.person, &query).await;
        assert_eq!(told, json!({"kind": "ask", "ids": [], "more": false}), "{query}");
    }
    for kind in ["session", "task", "rule"] {
        let told = meant(&stage, &stage.bob.person, &format!("kind={kind}")).await;
        assert_eq!(told["ids"], json!([]), "{kind}");
    }
    // A session by the agent's own name, to whom it belongs.
    let told = meant(&stage, &stage.ann.person, "kind=session&part=shop").await;
    let session = ids(&told)[0].clone();
    assert!(
        session.starts_with("ses_") && told["ids"][0]["about"].as_str().unwrap().contains("shop"),
        "{told}"
    );
    assert_eq!(ids(&meant(&stage, &stage.bob.person, "kind=session&part=shop").await), Vec::<String>::new());
    let end = &session[session.len() - 6..];
    assert_eq!(
        ids(&meant(&stage, &stage.ann.person, &format!("kind=session&part={end}")).await),
        std::slice::from_ref(&session)
    );
    assert_eq!(
        ids(&meant(&stage, &stage.bob.person, &format!("kind=session&part={end}")).await),
        Vec::<String>::new()
    );
    // An agent is told of what it asked itself; tasks and rules are people's.
    assert_eq!(ids(&meant(&stage, &stage.ann.agent, "kind=ask&open=true").await), [anns]);
    for kind in ["task", "rule"] {
        assert_eq!(stage.get(&format!("/api/ids?kind={kind}"), &stage.ann.agent).await.status, 403, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_rules_and_keys_have_short_ids_too() {
    let stage = stage().await;
    let asked = id(&stage.ask(ask("shop", &[choice("Ship it")])).await);
    let body = json!({"answers": {"Ship it": "b"}});
    stage.post(&format!("/api/asks/{asked}/answer"), &stage.ann.person, body).await.ok();
    let sessions = stage.get("/api/sessions?short_ids=true", &stage.ann.person).await.ok();
    let session = &sessions["sessions"][0];
    assert!(session["id"].as_str().unwrap().ends_with(session["short_id"].as_str().unwrap()), "{sessions}");
    let keys = stage.get("/api/keys", &stage.ann.admin).await.ok();
    for key in keys["keys"].as_array().unwrap() {
        assert!(key["key_id"].as_str().unwrap().ends_with(key["short_id"].as_str().unwrap()), "{key}");
    }
}
