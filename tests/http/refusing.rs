//! Every code of the contract, every route with the wrong key, every user apart.

use askuser_api::{Who, routes};
use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, filled, id, stage};

/// The roles that may use a route.
fn allowed(who: Who) -> &'static [&'static str] {
    match who {
        Who::Anyone => &["agent", "person", "admin", "nobody"],
        Who::AnyKey => &["agent", "person", "admin"],
        Who::Agent => &["agent"],
        Who::Person => &["person"],
        Who::AgentOrPerson => &["agent", "person"],
        Who::PersonOrAdmin => &["person", "admin"],
        Who::Admin => &["admin"],
    }
}

/// D5, invariant 6: an agent's key asks, a person's answers, an admin's does neither.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_the_wrong_role_opens_no_route() {
    let stage = stage().await;
    for route in routes() {
        // These never end, or end the server.
        let allowed_is_checked_elsewhere = ["/api/events", "/api/ws", "/api/stop"].contains(&route.path);
        let keys = [("agent", &stage.ann.agent), ("person", &stage.ann.person), ("admin", &stage.ann.admin)];
        for (role, key) in keys {
            // A browser that is told, or that tells its timings, is one that is signed in: no key will do.
            let by_cookie_alone = route.path.starts_with("/api/push") || route.path == "/api/timings";
            let fits = allowed(route.who).contains(&role) && !by_cookie_alone;
            if fits && allowed_is_checked_elsewhere {
                continue;
            }
            let reply = stage.call(route.method.name(), &filled(route.path), key, Value::Null).await;
            let named =
                format!("{} {} by {role}: {} {}", route.method.name(), route.path, reply.status, reply.text);
            if fits {
                let login = route.path == "/login/{link}";
                // Nobody is kept out by a runner that is switched off.
                let let_in = || ![401, 403].contains(&reply.status) || reply.code() == "403 runner_off";
                assert!(login || let_in(), "{named}");
            } else {
                assert_eq!(reply.code(), "403 forbidden", "{named}");
            }
        }
        if route.who == Who::Anyone {
            continue;
        }
        for headers in [
            &[][..],
            &[("authorization", "Bearer askuser_agent_00")],
            &[("authorization", "Basic x")],
            &[("cookie", "askuser=cookie_00")],
        ] {
            let reply = stage.send(route.method.name(), &filled(route.path), headers, "").await;
            assert_eq!(reply.code(), "401 unauthorized", "{} {}", route.method.name(), route.path);
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
        }
    }
}

/// D5, P9: what is another user's is not there.
#[tokio::test(flavor = "multi_thread")]
async fn d5_one_users_things_are_not_there_for_another() {
    let stage = stage().await;
    let asked = stage.ask(ask("mine", &[choice("q")])).await;
    let (ask_id, session) = (id(&asked), asked["session"].as_str().unwrap().to_owned());
    let (agent, person) = (&stage.bob.agent, &stage.bob.person);
    let cases: Vec<(&str, String, &String, Value, &str)> = vec![
        ("GET", format!("/api/asks/{ask_id}"), agent, Value::Null, "404 ask_not_found"),
        ("GET", format!("/api/asks/{ask_id}?wait=5"), person, Value::Null, "404 ask_not_found"),
        ("POST", format!("/api/asks/{ask_id}/withdraw"), agent, Value::Null, "404 ask_not_found"),
        ("POST", format!("/api/asks/{ask_id}/ack"), agent, Value::Null, "404 ask_not_found"),
        (
            "POST",
            format!("/api/asks/{ask_id}/answer"),
            person,
            json!({"answers": {"q": "a"}}),
            "404 ask_not_found",
        ),
        (
            "PUT",
            format!("/api/asks/{ask_id}/sheet"),
            person,
            json!({"answers": {"q": "a"}}),
            "404 ask_not_found",
        ),
        ("POST", format!("/api/asks/{ask_id}/cancel"), person, Value::Null, "404 ask_not_found"),
        ("POST", format!("/api/asks/{ask_id}/reopen"), person, Value::Null, "404 ask_not_found"),
        (
            "POST",
            "/api/task/answer".into(),
            person,
            json!({"session_id": session, "question_id": "q", "answer": "a"}),
            "404 session_not_found",
        ),
        (
            "POST",
            "/api/task/cancel".into(),
            person,
            json!({"session_id": session, "question_id": "q"}),
            "404 session_not_found",
        ),
        ("GET", format!("/api/sessions/{session}"), agent, Value::Null, "404 session_not_found"),
        ("GET", format!("/api/sessions/{session}/messages"), person, Value::Null, "404 session_not_found"),
        ("GET", format!("/api/sessions/{session}/export"), person, Value::Null, "404 session_not_found"),
        ("GET", format!("/api/sessions/{session}/checkpoints"), person, Value::Null, "404 session_not_found"),
        ("GET", format!("/api/events?session={session}"), person, Value::Null, "404 session_not_found"),
        ("POST", "/api/asks".into(), agent, ask(&session, &[choice("q")]), "404 session_not_found"),
    ];
    for (method, path, key, body, expected) in cases {
        assert_eq!(stage.call(method, &path, key, body).await.code(), expected, "{method} {path}");
    }
    assert_eq!(stage.get("/api/inbox", person).await.ok()["asks"], json!([]));
    assert_eq!(stage.get("/api/sessions", agent).await.ok()["sessions"], json!([]));
    // The same name is another session for another user.
    let bobs = stage.post("/api/asks", agent, ask("mine", &[choice("q")])).await.ok();
    assert_ne!(bobs["session"], asked["session"]);
    let mine = stage.get(&format!("/api/asks/{ask_id}"), &stage.ann.person).await.ok();
    assert_eq!(mine["status"], "showing");
}

async fn refused(stage: &Stage, body: Value, expected: &str) -> Value {
    let reply = stage.post("/api/asks", &stage.ann.agent, body.clone()).await;
    assert_eq!(reply.code(), expected, "{body}");
    reply.json()
}

/// P9: the codes of asking, each with every fault and its place.
#[tokio::test(flavor = "multi_thread")]
async fn p9_what_cannot_be_asked_is_refused_with_every_fault() {
    let stage = stage().await;
    let mut bare = choice("q");
    bare["options"] = json!([]);
    let told = refused(&stage, ask("s", &[bare]), "400 invalid_question").await;
    assert_eq!(told["problems"][0]["path"], "questions[0].options");
    let mut twice = choice("q");
    twice["options"][1]["id"] = "a".into();
    refused(&stage, ask("s", &[twice]), "400 invalid_question").await;
    refused(&stage, ask("s", &[choice("q"), choice("q")]), "400 invalid_question").await;
    refused(&stage, json!({"questions": "no"}), "400 invalid_question").await;
    refused(&stage, json!([]), "400 invalid_question").await;
    let two = json!({"questions": [{"question": 7}, {"question": "x"}], "timeoutMs": -1});
    let told = refused(&stage, two, "400 invalid_question").await;
    assert!(told["problems"].as_array().unwrap().len() >= 3, "{told}");
    let large = json!({"questions": [{"question": "x".repeat(70_000), "options": [{"label": "a"}]}]});
    refused(&stage, large, "400 invalid_question").await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let broken = stage.send("POST", "/api/asks", &[("authorization", &bearer)], "{\"questions\": [").await;
    assert_eq!(broken.code(), "400 invalid_question");
    assert!(broken.json()["problems"][0]["message"].as_str().unwrap().starts_with("is not JSON"));
    for query in ["dialect=esperanto", "reply=esperanto"] {
        let reply =
            stage.post(&format!("/api/asks?{query}"), &stage.ann.agent, ask("s", &[choice("q")])).await;
        assert_eq!(reply.code(), "400 invalid_question");
    }
    for wait in ["wait=x", "wait=-1", "wait=NaN", "wait=1e300"] {
        let reply =
            stage.post(&format!("/api/asks?{wait}"), &stage.ann.agent, ask("s", &[choice("q")])).await;
        assert_eq!(reply.code(), "400 invalid_request", "{wait}");
    }
    stage.ask(ask("s", &[choice("taken")])).await;
    let mut other = choice("taken");
    other["question_text"] = "Something else?".into();
    refused(&stage, ask("s", &[other]), "400 duplicate_question_id").await;
    refused(&stage, ask("ses_01ARZ3NDEKTSV4RRFFQ69G5FAV", &[choice("q")]), "404 session_not_found").await;
}

/// P3, D5: the limits, each with a way out.
#[tokio::test(flavor = "multi_thread")]
async fn p3_d5_limits_are_told_with_a_way_out() {
    let stage = stage().await;
    for round in 0..11 {
        let question = json!({"question": "Again?", "options": [{"label": "a"}, {"label": "b"}]});
        let body = json!({"session_id": "deep", "questions": [question]});
        if round == 10 {
            let told = refused(&stage, body, "429 recursive_limit_exceeded").await;
            assert!(told["message"].as_str().unwrap().contains("ask something new"));
            break;
        }
        let asked = stage.ask(body).await;
        let question = asked["questions"][0]["question_id"].as_str().unwrap();
        let answers = json!({"answers": {question: "a"}});
        stage.post(&format!("/api/asks/{}/answer", id(&asked)), &stage.ann.person, answers).await.ok();
    }
    for number in 0..10 {
        stage.ask(ask(&format!("busy {number}"), &[choice("q")])).await;
    }
    refused(&stage, ask("one more", &[choice("q")]), "429 too_many_sessions").await;
}

/// D12: unknown routes and methods fail in the same shape.
#[tokio::test(flavor = "multi_thread")]
async fn d12_what_leads_nowhere_fails_in_the_same_shape() {
    let stage = stage().await;
    assert_eq!(stage.get("/nowhere", &stage.ann.agent).await.code(), "404 not_found");
    assert_eq!(stage.get("/api/asks/../../etc/passwd", &stage.ann.agent).await.code(), "404 not_found");
    assert_eq!(
        stage.call("DELETE", "/api/asks", &stage.ann.agent, Value::Null).await.code(),
        "405 method_not_allowed"
    );
    assert_eq!(stage.get("/api/asks/not-an-id", &stage.ann.agent).await.code(), "404 ask_not_found");
    assert_eq!(stage.get("/api/events?since=x", &stage.ann.agent).await.code(), "400 invalid_request");
    let zh = stage.send("GET", "/nowhere", &[("accept-language", "zh")], "").await;
    assert_eq!(zh.json()["message"], "此处没有内容");
    assert_eq!(zh.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(zh.header("cache-control"), Some("no-store"));
}

/// A language for every failure: the problems too.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_speaks_the_callers_language() {
    let stage = stage().await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [("authorization", bearer.as_str()), ("accept-language", "zh-CN")];
    let reply = stage.send("POST", "/api/asks", &headers, "{\"questions\": [{}]}").await.json();
    assert_eq!(reply["message"], "问题不符合要求");
    assert!(
        reply["problems"].as_array().unwrap().iter().any(|problem| problem["message"] == "缺失"),
        "{reply}"
    );
}
