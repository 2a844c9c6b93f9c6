//! Host and Origin (invariant 12), and the fence of invariant 6.

use serde_json::{Value, json};

use crate::stage::{ask, choice, id, stage, stage_with, unlimited};

/// DNS rebinding: a name that is not ours gets nothing, whatever key it brings.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_host_is_refused_on_every_route() {
    let stage = stage_with(|door| {
        door.rates = unlimited();
        door.hosts = vec!["Desk.example.com".into()];
    })
    .await;
    let bearer = format!("Bearer {}", stage.ann.person);
    let with = async |host: &str, path: &str| {
        stage.send("GET", path, &[("host", host), ("authorization", &bearer)], "").await.status
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
        for path in ["/api/inbox", "/healthz", "/nowhere", "/openapi.json", "/login/x"] {
            assert_eq!(with(host, path).await, 421, "{host} {path}");
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
        assert_eq!(with(host, "/api/inbox").await, 200, "{host}");
    }
    let refused = stage.send("GET", "/", &[("host", "evil.example")], "").await;
    assert_eq!(refused.code(), "421 wrong_host");
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
    let own = format!("http://{}", stage.address);
    let port = stage.address.port();
    let wrong = [
        "http://evil.example".to_owned(),
        "null".into(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("{own}.evil.example"),
        format!("ftp://{}", stage.address),
    ];
    for origin in &wrong {
        let reply = stage.send("POST", &path, &[("cookie", &cookie), ("origin", origin)], body.clone()).await;
        assert_eq!(reply.code(), "403 forbidden", "{origin}");
    }
    assert_eq!(stage.send("POST", &path, &[("cookie", &cookie)], body.clone()).await.code(), "403 forbidden");
    // Reading needs none: a browser lets no other page see it.
    assert_eq!(stage.send("GET", "/api/inbox", &[("cookie", &cookie)], "").await.status, 200);
    let answered = stage.send("POST", &path, &[("cookie", &cookie), ("origin", &own)], body).await.ok();
    assert_eq!(answered["outcome"]["by"], json!({"user": "ann", "channel": "web", "proof": "cookie"}));
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
    let own = format!("http://{}", stage.address);
    for path in ["/api/asks", "/api/keys", "/api/stop"] {
        let reply = stage.send("POST", path, &[("cookie", &cookie), ("origin", &own)], "{}").await;
        assert_eq!(reply.code(), "403 forbidden", "{path}");
    }
    assert_eq!(stage.get(&path, &stage.ann.agent).await.ok()["status"], "showing");
}
