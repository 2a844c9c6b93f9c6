//! The log of decisions and security events (D15, P20), over HTTP with the real server.

use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, id, stage, stage_with, unlimited};

async fn log(stage: &Stage, query: &str) -> Vec<Value> {
    let told = stage.get(&format!("/api/audit?limit=1000&{query}"), &stage.ann.admin).await.ok();
    assert!(told["next"].is_null(), "{told}");
    told["entries"].as_array().unwrap().clone()
}

/// An answered, a declined, a withdrawn and a timed-out ask; the first with a secret and a context.
async fn decisions(stage: &Stage) -> Value {
    let token = json!({"question_id": "token", "question_text": "Token?", "type": "text", "secret": true});
    let mut first = ask("s", &[choice("q"), token]);
    first["context"] = "src/main.rs says =1".into();
    first["asker"] = json!({"agent": "claude-code", "project": "shop"});
    let first = stage.ask(first).await;
    let path = format!("/api/asks/{}/answer", id(&first));
    let answers = json!({"answers": {"q": "a", "token": "hunter2"}, "notes": {"q": "because"}});
    stage.post(&path, &stage.ann.person, answers).await.ok();
    let declined = stage.ask(ask("s", &[choice("r")])).await;
    let path = format!("/api/asks/{}/cancel", id(&declined));
    stage.post(&path, &stage.ann.person, json!({"reason": "not now"})).await.ok();
    let withdrawn = stage.ask(ask("s", &[choice("t")])).await;
    stage.post(&format!("/api/asks/{}/withdraw", id(&withdrawn)), &stage.ann.agent, Value::Null).await.ok();
    let mut late = ask("s", &[choice("u")]);
    late["timeoutMs"] = 20.into();
    let late = stage.ask(late).await;
    stage.until(&id(&late), "timeout").await;
    first
}

/// D15, P20: shown, answered, cancelled, timed out; with who, which channel, which address, how long,
/// and the context that the agent gave.
#[tokio::test(flavor = "multi_thread")]
async fn d15_p20_every_decision_is_in_the_log_with_who_and_whence() {
    let stage = stage().await;
    let first = decisions(&stage).await;
    let entries = log(&stage, "").await;
    let actions: Vec<&str> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    let expected = [
        "ask", "show", "answer", "ask", "show", "cancel", "ask", "show", "withdraw", "ask", "show", "timeout",
    ];
    assert_eq!(actions, expected);
    let answer = &entries[2];
    // 002 10.2: these, and everything else in `details`.
    let names: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(names, ["timestamp", "session_id", "user_id", "action", "details", "ip_address"]);
    assert_eq!((&answer["session_id"], &answer["details"]["session"]), (&json!("s"), &first["session"]));
    assert_eq!((&answer["user_id"], &answer["ip_address"]), (&json!("ann"), &json!("127.0.0.1")));
    assert!(answer["timestamp"].as_str().unwrap().ends_with('Z'));
    let details = &answer["details"];
    let said = [
        ("channel", "api"),
        ("proof", "key_file"),
        ("agent", "claude-code"),
        ("project", "shop"),
        ("answered_by", "person"),
        ("owner", "ann"),
        ("context", "src/main.rs says =1"),
    ];
    for (name, value) in said {
        assert_eq!(details[name], value, "{answer}");
    }
    assert_eq!((&details["ask_id"], &details["round"]), (&first["ask_id"], &json!(1)));
    assert!(details["wait_ms"].as_u64().is_some());
    assert_eq!(details["questions"][0]["answer"], "Alpha");
    assert_eq!(details["questions"][0]["note"], "because");
    // A secret is a reference, wherever it is read.
    let reference = format!("secret:{}/token", id(&first));
    assert_eq!(details["questions"][1]["answer"], reference);
    assert_eq!(
        (&entries[5]["details"]["comment"], &entries[5]["ip_address"]),
        (&json!("not now"), &json!("127.0.0.1"))
    );
    assert_eq!(entries[11]["user_id"], Value::Null);
    for form in ["json", "jsonl", "csv", "md"] {
        let text = stage.get(&format!("/api/audit?form={form}"), &stage.ann.admin).await.text;
        assert!(!text.contains("hunter2") && text.contains("Alpha"), "{text}");
    }
    assert!(!stage.get("/metrics", &stage.ann.admin).await.text.contains("hunter2"));
}

/// D15: the log is searched by text, session, agent, person, action and time, page by page.
#[tokio::test(flavor = "multi_thread")]
async fn d15_the_log_is_searched() {
    let stage = stage().await;
    decisions(&stage).await;
    stage.post("/api/asks", &stage.bob.agent, ask("b", &[choice("bobs")])).await.ok();
    let count = async |query: &str| log(&stage, query).await.len();
    let session = log(&stage, "").await[0]["details"]["session"].as_str().unwrap().to_owned();
    assert_eq!((count(&format!("session={session}")).await, count("session=s").await), (12, 12));
    assert_eq!((count("user=bob").await, count("user=ann").await, count("user=eve").await), (2, 12, 0));
    assert_eq!((count("agent=claude-code").await, count("agent=codex").await), (3, 0));
    assert_eq!(
        (count("action=timeout").await, count("text=NOT%20NOW").await, count("text=hunter2").await),
        (1, 1, 0)
    );
    assert_eq!((count("text=main.rs").await, count("since=2999-01-01").await), (3, 0));
    assert_eq!((count("until=2999-01-01T00:00:00Z").await, count("until=1999-01-01").await), (14, 0));
    let mut after = 0;
    let mut seen = Vec::new();
    loop {
        let page = stage.get(&format!("/api/audit?limit=5&after={after}"), &stage.ann.admin).await.ok();
        seen.extend(
            page["entries"]
                .as_array()
                .unwrap()
                .iter()
                .map(|entry| entry["details"]["number"].as_u64().unwrap()),
        );
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    let all: Vec<u64> =
        log(&stage, "").await.iter().map(|entry| entry["details"]["number"].as_u64().unwrap()).collect();
    assert_eq!(seen, all);
    for wrong in ["since=soon", "limit=0", "limit=1001", "form=pdf", "after=x"] {
        assert_eq!(
            stage.get(&format!("/api/audit?{wrong}"), &stage.ann.admin).await.code(),
            "400 invalid_request"
        );
    }
    for path in ["/api/audit", "/api/security"] {
        assert_eq!(stage.get(path, &stage.ann.person).await.code(), "403 forbidden");
    }
}

/// D15: exports as JSON Lines, CSV and decision records.
#[tokio::test(flavor = "multi_thread")]
async fn d15_the_log_leaves_as_lines_as_a_table_and_as_records() {
    let stage = stage().await;
    decisions(&stage).await;
    let export = async |form: &str| {
        stage.get(&format!("/api/audit?form={form}&action=answer"), &stage.ann.admin).await
    };
    let lines = export("jsonl").await;
    assert_eq!(lines.header("content-type"), Some("application/x-ndjson; charset=utf-8"));
    assert_eq!(lines.text.lines().count(), 1);
    assert_eq!(serde_json::from_str::<Value>(&lines.text).unwrap()["action"], "answer");
    let table = export("csv").await.text;
    let mut rows = table.split("\r\n");
    assert!(
        rows.next()
            .unwrap()
            .starts_with("timestamp,session_id,user_id,action,ip_address,number,session,ask_id,round,owner")
    );
    let row = rows.next().unwrap();
    assert!(
        row.contains(",answer,") && row.contains(",Alpha | secret:ask_") && row.contains(",127.0.0.1,"),
        "{row}"
    );
    let record = export("md").await.text;
    assert!(record.starts_with("# Decisions\n\n## answer: q?\n"), "{record}");
    assert!(
        record.contains("- decided by: ann (api, key\\_file, 127.0.0.1)\n- answered by: person\n"),
        "{record}"
    );
    assert!(
        record.contains("- asked by: claude-code for shop\n")
            && record.contains("- **q?** Alpha\n  (because)\n"),
        "{record}"
    );
}

pub(crate) async fn events(stage: &Stage, kind: &str) -> Vec<Value> {
    // They are kept in the background.
    for _ in 0..500 {
        let told = stage.get("/api/security?limit=1000", &stage.ann.admin).await.ok();
        let all = told["events"].as_array().unwrap();
        let found: Vec<Value> = all.iter().filter(|event| event["event_type"] == kind).cloned().collect();
        if !found.is_empty() {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no event {kind}");
}

/// D15: whoever has a page and a terminal before them may press twice; a key alone that answers again is a replay.
#[tokio::test(flavor = "multi_thread")]
async fn d15_a_late_press_of_a_person_is_no_replay() {
    let stage = stage_with(|server| server.rates = unlimited()).await;
    let path = format!("/api/asks/{}/answer", id(&stage.ask(ask("s", &[choice("q")])).await));
    let answers = json!({"answers": {"q": "a"}});
    let (cookie, origin) = (stage.sign_in().await, stage.origin());
    let own = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    assert_eq!(stage.send("POST", &path, &own, answers.to_string()).await.status, 200);
    assert_eq!(stage.send("POST", &path, &own, answers.to_string()).await.status, 409);
    assert_eq!(stage.post(&path, &stage.ann.person, answers).await.status, 409);
    let noted = events(&stage, "replay").await;
    assert_eq!(noted.len(), 1, "only that of the key: {noted:?}");
}

/// D15: wrong key, wrong origin, wrong host, replay, forged response, rate limit, another's session:
/// each with its severity, counted, and in a chain.
#[tokio::test(flavor = "multi_thread")]
async fn d15_security_events_are_kept_with_their_severity() {
    let stage = stage_with(|server| server.rates = unlimited()).await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}", id(&asked));
    let answers = json!({"answers": {"q": "a"}});
    assert_eq!(stage.get("/api/inbox", "askuser_person_guess").await.status, 401);
    stage.send("GET", "/healthz", &[("host", "evil.example")], "").await;
    assert_eq!(stage.post(&format!("{path}/answer"), &stage.ann.agent, answers.clone()).await.status, 403);
    assert_eq!(stage.get("/api/users", &stage.ann.person).await.status, 403);
    assert_eq!(stage.get(&path, &stage.bob.person).await.status, 404);
    let cookie = stage.sign_in().await;
    let evil = [("cookie", cookie.as_str()), ("origin", "http://evil.example")];
    assert_eq!(stage.send("POST", &format!("{path}/answer"), &evil, answers.to_string()).await.status, 403);
    stage.post(&format!("{path}/answer"), &stage.ann.person, answers.clone()).await.ok();
    assert_eq!(stage.post(&format!("{path}/answer"), &stage.ann.person, answers).await.status, 409);
    let expected = [
        ("wrong_key", "medium"),
        ("wrong_host", "medium"),
        ("forged_response", "high"),
        ("wrong_role", "medium"),
        ("other_user", "medium"),
        ("wrong_origin", "high"),
        ("replay", "low"),
        ("signed_in", "low"),
    ];
    for (kind, severity) in expected {
        let found = events(&stage, kind).await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(
            (&found[0]["severity"], &found[0]["details"]["address"]),
            (&json!(severity), &json!("127.0.0.1"))
        );
    }
    let other = events(&stage, "other_user").await;
    let names: Vec<&String> = other[0].as_object().unwrap().keys().collect();
    assert_eq!(names, ["event_type", "severity", "details", "timestamp"]);
    assert_eq!((&other[0]["details"]["path"], &other[0]["details"]["user"]), (&json!(path), &json!("bob")));
    let forged = &events(&stage, "forged_response").await[0]["details"];
    assert_eq!(
        (&forged["user"], &forged["role"], &forged["path"]),
        (&json!("ann"), &json!("agent"), &json!(format!("{path}/answer")))
    );
    let figures = stage.get("/metrics", &stage.ann.admin).await.text;
    assert!(
        figures.contains("askuser_security_events_total{event_type=\"wrong_origin\",severity=\"high\"} 1"),
        "{figures}"
    );
    let verified = stage.get("/api/audit/verify", &stage.ann.admin).await.ok();
    assert_eq!(
        (&verified["whole"], &verified["security"]["events"]),
        (&json!(true), &json!(8)),
        "{verified}"
    );
    // No key, no link and no answer stands in any of them.
    let all = stage.get("/api/security?limit=1000", &stage.ann.admin).await.text;
    assert!(!all.contains("askuser_person") && !all.contains(&cookie), "{all}");
}

/// D15, D11: too many requests are an event too, and a flood of them is not.
#[tokio::test(flavor = "multi_thread")]
async fn d15_a_rate_limit_is_an_event_and_a_flood_fills_nothing() {
    let stage = stage_with(|server| server.rates.requests = 1).await;
    for number in 0..150 {
        stage.post("/api/asks", &stage.ann.agent, ask("s", &[choice(&format!("q{number}"))])).await;
    }
    let found = events(&stage, "rate_limit").await;
    assert!(!found.is_empty() && found.len() <= 60, "{}", found.len());
    assert_eq!(found[0]["severity"], "low");
}

/// D15: what is old is erased, also where people acted from; who and when stays, and the chain
/// verifies.
#[tokio::test(flavor = "multi_thread")]
async fn d15_what_is_erased_is_gone_and_the_chain_verifies() {
    let stage = stage().await;
    let first = decisions(&stage).await;
    // The asker has been told: only then may it go.
    stage.get(&format!("/api/asks/{}", id(&first)), &stage.ann.agent).await.ok();
    stage.until(&id(&first), "processing").await;
    let open = stage.ask(ask("open", &[choice("o")])).await;
    let purge = async |seconds: u64| {
        stage.post("/api/purge", &stage.ann.admin, json!({"older_than": seconds})).await.ok()["erased"]
            .clone()
    };
    assert_eq!(purge(3600).await, 0, "nothing is an hour old");
    stage.forward_ms.store(7_200_000, std::sync::atomic::Ordering::SeqCst);
    let would = stage.get("/api/purge?older_than=3600", &stage.ann.admin).await.ok();
    assert_eq!(would, json!({"would_erase": 1}), "and nothing is erased by looking");
    assert_eq!(purge(3600).await, 1);
    assert_eq!(purge(3600).await, 0);
    let told = stage.get(&format!("/api/asks/{}", id(&first)), &stage.ann.person).await.ok();
    assert_eq!(told["questions"][0]["question"], "(erased)", "{told}");
    assert_eq!(
        (&told["outcome"]["by"]["user"], &told["outcome"]["status"]),
        (&json!("ann"), &json!("answered"))
    );
    for path in ["/api/audit?limit=1000", "/api/sessions/s", "/api/sessions/s/messages"] {
        let key = if path.contains("audit") { &stage.ann.admin } else { &stage.ann.person };
        let text = stage.get(path, key).await.text;
        assert!(
            !text.contains("hunter2") && !text.contains("main.rs") && !text.contains("because"),
            "{path}: {text}"
        );
    }
    let verified = stage.get("/api/audit/verify", &stage.ann.admin).await.ok();
    assert_eq!(verified["whole"], true, "{verified}");
    assert!(verified["erased"].as_u64().unwrap() >= 3, "{verified}");
    // What is open is nobody's to erase.
    assert_eq!(
        stage.get(&format!("/api/asks/{}", id(&open)), &stage.ann.person).await.ok()["questions"][0]["question"],
        "o?"
    );
}
