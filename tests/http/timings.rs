//! How long things took in a browser reaches the figures, apart from our own (002 7.1).

use serde_json::{Value, json};

use crate::figures::Figures;
use crate::stage::{Reply, Stage, stage};

async fn tell(stage: &Stage, cookie: &str, timings: Value) -> Reply {
    let headers =
        [("cookie", cookie), ("origin", &stage.origin())].map(|(name, text)| (name, text.to_owned()));
    let headers = headers.each_ref().map(|(name, text)| (*name, text.as_str()));
    // As a beacon sends it: no type of its own.
    stage.send("POST", "/api/timings", &headers, json!({ "timings": timings }).to_string()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_timings_of_a_browser_are_figures_of_their_own() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let timing = |operation: &str, ms: f64| json!({"operation": operation, "duration": ms});
    let list = json!([timing("answer", 90.0), timing("answer", 350.5), timing("load", 10.0)]);
    assert_eq!(tell(&stage, &cookie, list).await.ok(), json!({"noted": 3}));
    let status = stage.get("/api/status", &stage.ann.admin).await.ok();
    let told = &status["browser_operations"];
    assert_eq!((&told["count"], &told["slowOperations"]), (&json!(3), &json!(1)), "{status}");
    assert!((told["avgResponseTime"].as_f64().unwrap() - 150.166).abs() < 0.01, "{status}");
    assert!((told["p95ResponseTime"].as_f64().unwrap() - 350.5).abs() < 0.01, "{status}");
    assert_eq!(status["operations"]["slowOperations"], 0, "ours are ours: {status}");
    let summary = stage.get("/api/metrics/summary", &stage.ann.admin).await.ok();
    let told = &summary["metrics"]["browser_time"];
    assert_eq!((&told["count"], &told["max"]), (&json!(3), &json!(350.5)), "{summary}");
    let figures = Figures::of(&stage).await;
    let counted = figures["askuser_browser_operation_seconds_count{operation=\"answer\"}"];
    assert!((counted - 2.0).abs() < f64::EPSILON, "{counted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn d8_what_is_no_timing_of_the_page_is_refused_and_none_of_it_counts() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let good = json!({"operation": "answer", "duration": 5});
    for wrong in [
        json!([good, {"operation": "rm -rf", "duration": 5}]),
        json!([{"operation": "answer"}]),
        json!([{"operation": "answer", "duration": -1}]),
        json!([{"operation": "answer", "duration": 60001}]),
        json!([{"operation": "answer", "duration": "5"}]),
        json!([5]),
        json!("many"),
        Value::Array(vec![good.clone(); 101]),
    ] {
        assert_eq!(tell(&stage, &cookie, wrong.clone()).await.code(), "400 invalid_request", "{wrong}");
    }
    let status = stage.get("/api/status", &stage.ann.admin).await.ok();
    assert_eq!(status["browser_operations"]["count"], 0, "{status}");
    // No key measures a browser, and no other page does.
    for key in [&stage.ann.agent, &stage.ann.person, &stage.ann.admin] {
        let body = json!({"timings": [good]});
        assert_eq!(stage.post("/api/timings", key, body).await.code(), "403 forbidden");
    }
    let headers = [("cookie", cookie.as_str()), ("origin", "https://elsewhere.example.com")];
    let body = json!({"timings": [good]}).to_string();
    assert_eq!(stage.send("POST", "/api/timings", &headers, body).await.status, 403);
}
