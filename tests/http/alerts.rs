//! Alerts (D17) over HTTP and on the page; the rules themselves are tested where the clock is handed in.

use askuser_config::Alerts;
use serde_json::{Value, json};

use crate::stage::{stage, stage_with, unlimited};

/// D17: what fires is on the page and in the API, and a webhook that cannot be reached is in the list.
#[tokio::test(flavor = "multi_thread")]
async fn d17_an_alert_is_shown_on_the_page_and_in_the_api() {
    let mut watching = None;
    let stage = stage_with(|server| {
        server.rates = unlimited();
        watching = Some(std::sync::Arc::clone(&server.watch));
    })
    .await;
    let watch = watching.unwrap();
    watch.set_alerts(Alerts::default().rules, None);
    let told = stage.get("/api/alerts", &stage.ann.admin).await.ok();
    assert_eq!(told["alerts"][0]["alert"], "high_error_rate");
    assert_eq!(
        (&told["alerts"][0]["firing"], &told["alerts"][0]["action"]),
        (&json!(false), &json!("notify_admin"))
    );
    assert_eq!(told["alerts"][1]["window"], 60.0);
    let cookie = stage.sign_in().await;
    let page = async || stage.send("GET", "/", &[("cookie", &cookie)], "").await.text;
    assert!(!page().await.contains("needs attention: high_error_rate"));
    for _ in 0..50 {
        watch.requested("/api/asks", 503);
    }
    watch.check_alerts();
    let told = stage.get("/api/alerts", &stage.ann.admin).await.ok();
    assert_eq!(told["alerts"][0]["firing"], true, "{told}");
    assert_eq!(
        (&told["history"][0]["change"], told["history"].as_array().unwrap().len()),
        (&json!("fired"), 1)
    );
    assert_eq!(told["undelivered"], json!([]));
    assert!(page().await.contains("askuser needs attention: high_error_rate, since"));
    // Whoever is not signed in learns nothing.
    assert!(!stage.send("GET", "/", &[], "").await.text.contains("high_error_rate"));
}

/// D17: alerts are for whoever looks after the desk.
#[tokio::test(flavor = "multi_thread")]
async fn d17_only_an_admin_reads_alerts() {
    let stage = stage().await;
    for key in [&stage.ann.agent, &stage.ann.person] {
        assert_eq!(stage.get("/api/alerts", key).await.code(), "403 forbidden");
    }
    assert_eq!(stage.call("GET", "/api/alerts", "", Value::Null).await.status, 401);
}
