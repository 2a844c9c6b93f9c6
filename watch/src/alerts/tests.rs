//! The rules over a desk whose clock is handed in.

use std::sync::atomic::{AtomicI64, Ordering};

use super::*;
use crate::waits::Timed;
use askuser_config::{Alerts as Configured, METRICS};
use askuser_desk::Desk;
use askuser_store::sqlite::{Options, Sqlite};

async fn watch() -> (Watch, Arc<AtomicI64>) {
    let options = Options::new(askuser_core::limits::DeskLimits::default(), Timestamp(0));
    let time = Arc::new(AtomicI64::new(0));
    let handed = Arc::clone(&time);
    let clock = Arc::new(move || Timestamp(handed.load(Ordering::SeqCst)));
    let desk = Desk::open(Arc::new(Sqlite::in_memory(&options).unwrap()), clock).await.unwrap();
    let watch = Watch::new(desk);
    watch.set_alerts(Configured::default().rules, None);
    (watch, time)
}

/// D17: more than 5 % in five minutes fires once, and clears once five minutes later.
#[tokio::test]
async fn d17_the_rules_of_the_source_fire_once_and_clear_once() {
    let (watch, time) = watch().await;
    let mut told = Vec::new();
    // A quarter of an hour, second by second: from the fifth minute to the sixth every third fails.
    for second in 0..900 {
        time.store(second * 1000, Ordering::SeqCst);
        let fails = (300..360).contains(&second) && second % 3 == 0;
        watch.requested("/api/asks", if fails { 503 } else { 201 });
        watch.operated("/api/asks", &Timed { took: Duration::from_millis(2), ..Timed::default() });
        if second % 5 == 0 {
            watch.check_alerts();
        }
        let seen = watch.alert_history();
        if seen.len() > told.len() {
            told.push((second, seen[told.len()].change, seen[told.len()].rule.name.clone()));
        }
        let notices = watch.desk.settings().notices.clone();
        assert_eq!(notices.len() == 1, watch.alerts()[0].since.is_some(), "at {second}");
    }
    let expected = [Change::Fired, Change::Cleared];
    assert_eq!(told.iter().map(|(_, change, _)| *change).collect::<Vec<_>>(), expected, "{told:?}");
    assert!(told.iter().all(|(_, _, name)| name == "high_error_rate"));
    assert!((300..=360).contains(&told[0].0) && (600..=670).contains(&told[1].0), "{told:?}");
    let text = watch.exposition();
    assert!(text.contains("askuser_alerts_firing{alert=\"high_error_rate\"} 0"), "{text}");
}

/// D17: slow requests fire the other one; its message says what, since when and what to do.
#[tokio::test]
async fn d17_slow_requests_fire_and_the_message_says_what_to_do() {
    let (watch, time) = watch().await;
    time.store(1_000_000, Ordering::SeqCst);
    for _ in 0..20 {
        watch.operated("/api/inbox", &Timed { took: Duration::from_secs(2), ..Timed::default() });
    }
    watch.check_alerts();
    watch.check_alerts();
    let history = watch.alert_history();
    assert_eq!(history.len(), 1);
    let message: serde_json::Value = serde_json::from_str(&history[0].message()).unwrap();
    let expected = serde_json::json!({"type": "alert.fired", "timestamp": "1970-01-01T00:16:40.000Z", "data": {
        "alert": "slow_response_time", "action": "scale_up", "metric": "operation_time", "figure": "p95",
        "value": 2000.0, "threshold": 1000.0, "clear": 800.0, "window": 60.0, "since": "1970-01-01T00:16:40.000Z"}});
    assert_eq!(message, expected);
    // A rule that is taken away is forgotten, and with it what it said.
    watch.set_alerts(Vec::new(), None);
    watch.check_alerts();
    assert!(watch.desk.settings().notices.is_empty() && watch.alerts().is_empty());
}

#[tokio::test]
async fn every_metric_that_may_be_configured_is_there() {
    let (watch, _) = watch().await;
    assert_eq!(watch.windows.all().map(|(name, _)| name), METRICS);
}
