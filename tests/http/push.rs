//! A browser asks to be told: only a person's browser, only for itself, only where the desk may call.

use askuser_desk::PushRule;
use serde_json::{Value, json};

use crate::stage::{Reply, Stage, stage};

/// A point on the curve, as a browser would hand it over, and a secret.
const KEY: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

fn given(endpoint: &str) -> Value {
    let keys = json!({"p256dh": KEY, "auth": AUTH});
    json!({"endpoint": endpoint, "expirationTime": null, "keys": keys, "language": "zh-CN"})
}

async fn send(stage: &Stage, cookie: &str, path: &str, body: &Value) -> Reply {
    let origin = stage.origin();
    stage.send("POST", path, &[("cookie", cookie), ("origin", &origin)], body.to_string()).await
}

async fn browsers(stage: &Stage) -> Vec<(String, String)> {
    let found = stage.desk.push_browsers(None).await.unwrap();
    found.into_iter().map(|one| (one.person.to_string(), one.endpoint)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_subscribes_and_is_forgotten_again() {
    let stage = stage().await;
    let (ann, bob) = (stage.sign_in().await, stage.sign_in_as(&stage.bob).await);
    let key = stage.send("GET", "/api/push", &[("cookie", &ann)], "").await.ok();
    assert_eq!(key["key"].as_str().unwrap().len(), 87, "65 bytes in base64url: {key}");
    let again = stage.send("GET", "/api/push", &[("cookie", &bob)], "").await.ok();
    assert_eq!(again, key, "one key for everybody");
    let address = "https://push.example.com/send/1";
    for _ in 0..2 {
        assert_eq!(send(&stage, &ann, "/api/push", &given(address)).await.status, 201);
    }
    assert_eq!(browsers(&stage).await, [("ann".to_owned(), address.to_owned())]);
    // Nobody takes a browser away from somebody else by knowing its address and nothing more.
    let endpoint = json!({ "endpoint": address });
    let not_his = send(&stage, &bob, "/api/push/forget", &endpoint).await.ok();
    assert_eq!((&not_his["forgotten"], browsers(&stage).await.len()), (&json!(false), 1));
    // Bob signs in where Ann was: the browser is his, and hers no more.
    assert_eq!(send(&stage, &bob, "/api/push", &given(address)).await.status, 201);
    assert_eq!(browsers(&stage).await, [("bob".to_owned(), address.to_owned())]);
    assert_eq!(send(&stage, &bob, "/api/push/forget", &endpoint).await.ok()["forgotten"], true);
    assert_eq!(browsers(&stage).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_subscribes_a_browser_and_no_other_page_does() {
    let stage = stage().await;
    let (cookie, body) = (stage.sign_in().await, given("https://push.example.com/1"));
    for key in [&stage.ann.agent, &stage.ann.person, &stage.ann.admin] {
        assert_eq!(stage.get("/api/push", key).await.code(), "403 forbidden");
        for path in ["/api/push", "/api/push/forget"] {
            assert_eq!(stage.post(path, key, body.clone()).await.code(), "403 forbidden", "{path}");
        }
    }
    for headers in
        [vec![("cookie", cookie.as_str())], vec![("cookie", &cookie), ("origin", "https://evil.example")]]
    {
        let sent = stage.send("POST", "/api/push", &headers, body.to_string()).await;
        assert_eq!(sent.code(), "403 forbidden");
    }
    assert_eq!(stage.send("POST", "/api/push", &[], body.to_string()).await.code(), "401 unauthorized");
    assert_eq!(browsers(&stage).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_browser_is_refused_with_what_is_wrong() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let problem = async |body: Value| {
        let sent = send(&stage, &cookie, "/api/push", &body).await;
        assert_eq!(sent.code(), "400 invalid_request");
        sent.json()["problems"][0]["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(problem(json!({})).await, "endpoint");
    for inside in [
        "http://127.0.0.1:6379/",
        "https://10.0.0.1/x",
        "https://169.254.169.254/",
        "https://desk/",
        "file:///etc/passwd",
    ] {
        assert_eq!(problem(given(inside)).await, "endpoint", "{inside}");
    }
    let with = |p256dh: &str, auth: &str| json!({"endpoint": "https://push.example.com/1", "keys": {"p256dh": p256dh, "auth": auth}});
    assert_eq!(problem(with("?", AUTH)).await, "keys.p256dh");
    assert_eq!(problem(with(AUTH, AUTH)).await, "keys.p256dh");
    assert_eq!(problem(with(KEY, KEY)).await, "keys.auth");
    assert_eq!(browsers(&stage).await, []);
    // A service in the own network, where somebody named it; nothing at all where it is switched off.
    let rule = PushRule { is_on: true, servers: vec!["http://127.0.0.1:6379".to_owned()] };
    stage.desk.configure(|settings| settings.push = rule.clone());
    assert_eq!(send(&stage, &cookie, "/api/push", &given("http://127.0.0.1:6379/")).await.status, 201);
    stage.desk.configure(|settings| settings.push = PushRule { is_on: false, ..rule });
    let off = send(&stage, &cookie, "/api/push", &given("https://push.example.com/1")).await;
    assert_eq!(off.code(), "403 forbidden");
}
