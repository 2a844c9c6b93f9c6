//! Links, the page, the cookie; users and keys.

use serde_json::{Value, json};

use crate::stage::stage;

/// Fetching the link uses nothing up, the button does, once.
#[tokio::test(flavor = "multi_thread")]
async fn a_login_link_signs_in_once_and_by_a_post_only() {
    let stage = stage().await;
    let link = stage.post("/api/login-links", &stage.ann.person, Value::Null).await;
    assert_eq!(link.status, 201);
    let path = link.json()["url_path"].as_str().unwrap().to_owned();
    for _ in 0..3 {
        let page = stage.send("GET", &path, &[("accept-language", "zh")], "").await;
        assert!(
            page.status == 200 && page.text.contains("<form method=\"post\">") && page.text.contains("登录")
        );
        assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    }
    let own = stage.origin();
    assert_eq!(
        stage.send("POST", &path, &[("origin", "http://evil.example")], "").await.code(),
        "403 forbidden"
    );
    assert_eq!(stage.send("POST", &path, &[], "").await.code(), "403 forbidden");
    let signed_in = stage.send("POST", &path, &[("origin", &own)], "").await;
    assert_eq!((signed_in.status, signed_in.header("location")), (303, Some("/")));
    let set = signed_in.header("set-cookie").unwrap();
    for part in ["askuser=cookie_", "; HttpOnly", "; SameSite=Strict", "; Path=/"] {
        assert!(set.contains(part), "{set}");
    }
    let again = stage.send("POST", &path, &[("origin", &own)], "").await;
    assert!(again.status == 401 && again.text.contains("askuser open"));
    let cookie = set.split(';').next().unwrap();
    assert_eq!(stage.send("GET", "/api/inbox", &[("cookie", cookie)], "").await.status, 200);
    let mixed = format!("a=b; {cookie}; c=d");
    let out = stage.send("POST", "/api/sign-out", &[("cookie", &mixed), ("origin", &own)], "").await;
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(stage.send("GET", "/api/inbox", &[("cookie", cookie)], "").await.code(), "401 unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_adds_users_and_makes_and_revokes_keys() {
    let stage = stage().await;
    let admin = &stage.ann.admin;
    assert_eq!(stage.post("/api/users", admin, json!({"name": "eve"})).await.status, 201);
    for wrong in [
        json!({"name": "eve"}),
        json!({"name": ""}),
        json!({}),
        json!({"name": "a/b"}),
        json!({"name": 7}),
        json!({"name": "x".repeat(65)}),
    ] {
        assert_eq!(
            stage.post("/api/users", admin, wrong.clone()).await.code(),
            "400 invalid_request",
            "{wrong}"
        );
    }
    let names: Vec<Value> = stage.get("/api/users", admin).await.ok()["users"]
        .as_array()
        .unwrap()
        .iter()
        .map(|user| user["name"].clone())
        .collect();
    assert_eq!(names, [json!("ann"), json!("bob"), json!("eve")]);
    let made =
        stage.post("/api/keys", admin, json!({"role": "person", "user": "eve", "name": "phone"})).await.ok();
    let (key, key_id) = (made["key"].as_str().unwrap(), made["key_id"].as_str().unwrap());
    assert_eq!(stage.get("/api/inbox", key).await.status, 200);
    let listed = stage.get("/api/keys", admin).await;
    assert!(listed.text.contains(key_id) && !listed.text.contains(key));
    for wrong in [json!({"role": "king"}), json!({}), json!({"role": "agent", "user": "nobody"})] {
        assert_eq!(
            stage.post("/api/keys", admin, wrong.clone()).await.code(),
            "400 invalid_request",
            "{wrong}"
        );
    }
    let path = format!("/api/keys/{key_id}");
    stage.call("DELETE", &path, admin, Value::Null).await.ok();
    assert_eq!(stage.call("DELETE", &path, admin, Value::Null).await.code(), "404 not_found");
    assert_eq!(stage.get("/api/inbox", key).await.code(), "401 unauthorized");
    stage.post("/api/users/bob/disable", admin, Value::Null).await.ok();
    assert_eq!(stage.get("/api/inbox", &stage.bob.person).await.code(), "401 unauthorized");
    assert_eq!(stage.post("/api/users/ann/disable", admin, Value::Null).await.code(), "400 invalid_request");
    assert_eq!(stage.post("/api/users/nobody/disable", admin, Value::Null).await.code(), "404 not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_daemon_tells_how_it_is_doing() {
    let stage = stage().await;
    stage.ask(crate::stage::ask("first", &[crate::stage::choice("q")])).await;
    let status = stage.get("/api/status", &stage.ann.admin).await.ok();
    assert_eq!((&status["open_asks"], &status["stopping"]), (&json!(1), &json!(false)));
    assert_eq!(status["pid"], std::process::id());
    // How much others ask is not for everybody to see.
    for key in [&stage.bob.agent, &stage.bob.person] {
        let status = stage.get("/api/status", key).await.ok();
        let counts = ["open_asks", "tasks", "facts", "sessions"].map(|name| status.get(name));
        assert_eq!((counts, &status["stopping"]), ([None; 4], &json!(false)));
    }
    assert_eq!(stage.send("GET", "/healthz", &[], "").await.ok(), json!({"status": "ok"}));
    assert_eq!(stage.send("GET", "/readyz", &[], "").await.ok(), json!({"status": "ready"}));
    stage.ask(crate::stage::ask("s", &[crate::stage::choice("q")])).await;
    let verified = stage.get("/api/audit/verify", &stage.ann.admin).await.ok();
    assert_eq!((&verified["whole"], &verified["broken"]), (&json!(true), &Value::Null));
    assert!(verified["checked"].as_u64().unwrap() >= 3);
}
