//! Host and Origin (invariant 12), and the fence of invariant 6.

use askuser_api::{Method, Who, routes};
use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, filled, id, stage, stage_with, unlimited};

/// What the page has beside the table of routes, and what is nowhere.
const PAGES: [(&str, &str); 9] = [
    ("GET", "/"),
    ("GET", "/sign-in"),
    ("GET", "/login/x"),
    ("GET", "/a/x"),
    ("GET", "/sw.js"),
    ("GET", "/nowhere"),
    ("POST", "/sign-in"),
    ("POST", "/login/x"),
    ("POST", "/asks/x/answer"),
];

/// DNS rebinding: a name that is not ours gets nothing, whatever key it brings.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_host_is_refused_on_every_route() {
    let stage = stage_with(|server| {
        server.rates = unlimited();
        server.hosts = vec!["Desk.example.com".into()];
    })
    .await;
    let bearer = format!("Bearer {}", stage.ann.person);
    let with = async |host: &str, method: &str, path: &str| {
        stage.send(method, path, &[("host", host), ("authorization", &bearer)], "").await
    };
    for host in [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "169.254.169.254",
        "",
        "[::2]",
        "askuser.localhost.",
        "a@127.0.0.1",
    ] {
        let routes = routes().map(|route| (route.method.name(), filled(route.path)));
        for (method, path) in routes.chain(PAGES.map(|(method, path)| (method, path.to_owned()))) {
            let refused = with(host, method, &path).await;
            assert_eq!(refused.status, 421, "{host} {method} {path}");
            assert_eq!(refused.code(), "421 wrong_host");
        }
    }
    for host in [
        "127.0.0.1",
        "127.0.0.1:8275",
        "localhost:1",
        "LOCALHOST",
        "[::1]:8275",
        "[::1]",
        "askuser.localhost:99",
        "desk.example.com",
        "desk.example.com:443",
    ] {
        assert_eq!(with(host, "GET", "/api/inbox").await.status, 200, "{host}");
    }
    let two = stage.send("GET", "/healthz", &[("host", "127.0.0.1"), ("host", "evil.example")], "").await;
    assert_eq!(two.code(), "421 wrong_host");
    let other = stage.send("GET", "http://evil.example/healthz", &[("host", "127.0.0.1")], "").await;
    assert_eq!(other.code(), "421 wrong_host");
}

/// Cross-site requests: the cookie alone writes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_by_cookie_needs_our_own_origin() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}/answer", id(&asked));
    let body = json!({"answers": {"q": "a"}}).to_string();
    let own = stage.origin();
    for origin in wrong_origins(&stage) {
        is_of_another_site(&stage, "POST", &path, &[("cookie", &cookie)], origin.as_deref(), &body).await;
    }
    // Reading needs none: a browser lets no other page see it.
    assert_eq!(stage.send("GET", "/api/inbox", &[("cookie", &cookie)], "").await.status, 200);
    let answered = stage.send("POST", &path, &[("cookie", &cookie), ("origin", &own)], body).await.ok();
    assert_eq!(answered["outcome"]["by"], json!({"user": "ann", "channel": "web", "proof": "cookie"}));
}

/// The same on every route that changes something, and wherever a WebSocket begins.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_origin_is_refused_on_every_route_that_changes_something() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let own = stage.origin();
    let origins = wrong_origins(&stage);
    let head = stage.desk.head();
    let writes = || routes().filter(|route| route.method != Method::Get && is_open_to_a_cookie(route.who));
    assert!(writes().count() > 20, "the table is not what it was");
    let pages = PAGES.into_iter().filter(|(method, _)| *method == "POST");
    let paths = writes().map(|route| (route.method.name(), filled(route.path)));
    for (method, path) in paths.chain(pages.map(|(method, path)| (method, path.to_owned()))) {
        for origin in &origins {
            is_of_another_site(&stage, method, &path, &[("cookie", &cookie)], origin.as_deref(), "{}").await;
        }
    }
    let bearer = format!("Bearer {}", stage.ann.agent);
    let upgrade = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    // Not only by cookie: whoever opens a socket for a page could have been given a key.
    for credentials in [("cookie", cookie.as_str()), ("authorization", bearer.as_str())] {
        let headers = [&upgrade[..], &[credentials]].concat();
        for origin in &origins {
            is_of_another_site(&stage, "GET", "/api/ws", &headers, origin.as_deref(), "").await;
        }
    }
    assert_eq!(stage.desk.head(), head, "something was changed");
    // It was the origin: from our own page each of them is let in.
    for route in writes() {
        let cookie = stage.sign_in().await;
        let headers = [("cookie", cookie.as_str()), ("origin", own.as_str())];
        let reply = stage.send(route.method.name(), &filled(route.path), &headers, "{}").await;
        let named = format!("{} {}: {} {}", route.method, route.path, reply.status, reply.text);
        // Nobody is kept out by a runner that is switched off.
        assert!(![401, 403].contains(&reply.status) || reply.code() == "403 runner_off", "{named}");
    }
}

/// Whether a person who is signed in on the page may use it.
fn is_open_to_a_cookie(who: Who) -> bool {
    match who {
        Who::Anyone | Who::AnyKey | Who::Person | Who::AgentOrPerson | Who::PersonOrAdmin => true,
        Who::Agent | Who::Admin => false,
    }
}

/// Origins that are not ours, and none at all.
fn wrong_origins(stage: &Stage) -> Vec<Option<String>> {
    let own = stage.origin();
    let port = stage.address.port();
    let wrong = [
        "http://evil.example".to_owned(),
        "null".into(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("{own}.evil.example"),
        format!("ftp://{}", stage.address),
    ];
    wrong.into_iter().map(Some).chain([None]).collect()
}

/// Sends a request from another site, which is refused for that and nothing else.
async fn is_of_another_site(
    stage: &Stage,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    origin: Option<&str>,
    body: &str,
) {
    let from = origin.map(|origin| ("origin", origin));
    let headers: Vec<(&str, &str)> = headers.iter().copied().chain(from).collect();
    let reply = stage.send(method, path, &headers, body.to_owned()).await;
    assert_eq!(reply.code(), "403 forbidden", "{method} {path} {origin:?}");
    assert!(reply.text.contains("Origin"), "{method} {path} {origin:?}: {}", reply.text);
}

/// Invariant 6: no way in lets an agent answer, and a cookie is never an agent or an admin.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_cannot_answer_itself() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}", id(&asked));
    let answers = json!({"answers": {"q": "a"}});
    for (method, path, body) in [
        ("POST", format!("{path}/answer"), answers.clone()),
        ("PUT", format!("{path}/sheet"), answers.clone()),
        ("POST", format!("{path}/cancel"), Value::Null),
        ("POST", "/api/asks/answer-many".into(), json!({"ask_ids": [id(&asked)], "answers": {"q": "a"}})),
        ("POST", "/api/task/answer".into(), json!({"session_id": "s", "question_id": "q", "answer": "a"})),
        ("POST", "/api/login-links".into(), Value::Null),
        ("POST", "/api/keys".into(), json!({"role": "person"})),
    ] {
        assert_eq!(stage.call(method, &path, &stage.ann.agent, body).await.code(), "403 forbidden", "{path}");
    }
    let cookie = stage.sign_in().await;
    let own = stage.origin();
    for path in ["/api/asks", "/api/keys", "/api/stop"] {
        let reply = stage.send("POST", path, &[("cookie", &cookie), ("origin", &own)], "{}").await;
        assert_eq!(reply.code(), "403 forbidden", "{path}");
    }
    assert_eq!(stage.get(&path, &stage.ann.agent).await.ok()["status"], "showing");
}

/// Invariant 6: an agent that knows how a permission will be asked, and asks the same as a plain question
/// before, has prepared nothing: neither its words nor its key lead one to the other.
#[tokio::test(flavor = "multi_thread")]
async fn a_permission_joins_no_question_that_was_prepared_for_it() {
    let stage = stage().await;
    let event = json!({
        "session_id": "abc", "cwd": "/home/u/shop", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": "rm -rf /"},
    });
    let bearer = format!("Bearer {}", stage.ann.agent);
    let hook = async |key: &str| {
        let headers =
            [("authorization", bearer.as_str()), ("x-askuser-mode", "interactive"), ("idempotency-key", key)];
        stage.send("POST", "/api/hooks/claude-code?wait=0", &headers, event.to_string()).await
    };
    let prepared = json!({
        "asker": {"agent": "claude-code", "folder": "/home/u/shop"}, "idempotency_key": "known",
        "questions": [{"question_id": "p", "header": "Permission", "type": "boolean", "other": false,
            "question_text": "Allow claude-code to use `Bash`?",
            "description": format!("{:#}", event["tool_input"])}],
    });
    let asker_key = [("authorization", bearer.as_str()), ("askuser-whence", "hook abc")];
    let prepared = stage.send("POST", "/api/asks", &asker_key, prepared.to_string()).await.ok();
    // By its key it is refused, and the agent's own dialog asks; by its words it is another ask.
    let steps_aside = async |when: &str| {
        let told = hook("known").await.ok();
        assert!(!told.to_string().contains("\"allow\""), "{when}: {told}");
    };
    steps_aside("while it is open").await;
    let pending = hook("another").await;
    assert_eq!((pending.status, &pending.json()["status"]), (202, &json!("pending")));
    let asks = stage.get("/api/inbox", &stage.ann.person).await.ok();
    let purposes: Vec<&Value> = asks["asks"].as_array().unwrap().iter().map(|ask| &ask["purpose"]).collect();
    assert_eq!(purposes, [&Value::Null, &json!("permission")]);
    let answer = format!("/api/asks/{}/answer", id(&prepared));
    stage.post(&answer, &stage.ann.person, json!({"answers": {"p": true}})).await.ok();
    steps_aside("once it is answered").await;
}
