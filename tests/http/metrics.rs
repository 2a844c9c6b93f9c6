//! Figures (D8, D14): every metric moves with the real server, and what `contrib/` asks for is there.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askuser_config::Alerts;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::figures::{Figures, Moved};
use crate::stage::{Stage, ask, choice, config, id, stage, stage_configured, stage_with, unlimited};

/// Scrapes until something is so: facts are followed, not waited for.
async fn until(stage: &Stage, what: &str, is_so: impl Fn(&Figures) -> bool) -> Figures {
    for _ in 0..1000 {
        let figures = Figures::of(stage).await;
        if is_so(&figures) {
            return figures;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}: {:#?}", Figures::of(stage).await);
}

async fn answer(stage: &Stage, asked: &Value, answers: Value) {
    let path = format!("/api/asks/{}/answer", id(asked));
    stage.post(&path, &stage.ann.person, json!({ "answers": answers })).await.ok();
}

/// The names under which metrics are registered, as they stand in the source.
fn registered() -> BTreeSet<String> {
    let source = std::fs::read_to_string("watch/src/metrics.rs").unwrap();
    let calls = source.split("of.register").skip(1);
    calls.map(|call| call.split('"').nth(1).unwrap().to_owned()).collect()
}

/// D8, D14: there is no metric that never moves. Whoever registers one has a story in which it does.
#[tokio::test(flavor = "multi_thread")]
async fn d8_d14_every_metric_moves_with_what_happens() {
    let stories = tokio::join!(
        asks_come_and_end(),
        a_session_ends(),
        somebody_listens(),
        the_store_is_waited_for(),
        a_browser_measures(),
        somebody_is_turned_away(),
        requests_fail(),
    );
    let (asks, session, listening, waiting, measuring, turned_away, failing) = stories;
    let all = asks.and(session).and(listening).and(waiting).and(measuring).and(turned_away).and(failing);
    let still: Vec<&String> = all.there.difference(&all.moved).collect();
    // It says which askuser this is, and that does not change while it runs.
    assert_eq!(still, ["askuser_build"], "these are there and no story moves them");
    let registered = registered();
    assert!(registered.len() > 20, "{registered:#?}");
    for name in &registered {
        let is_there = ["", "_seconds", "_bytes"]
            .iter()
            .any(|unit| all.there.contains(&format!("askuser_{name}{unit}")));
        assert!(is_there, "askuser_{name} is registered, and no story shows it");
    }
    assert_eq!(registered.len(), all.there.len(), "{:#?}", all.there);
}

/// What the desk does is seen in the figures.
async fn asks_come_and_end() -> Moved {
    let stage = stage().await;
    let before = Figures::of(&stage).await;
    assert!(
        before["askuser_asks_open"].abs() < 0.5 && before["askuser_errors_total{status=\"500\"}"].abs() < 0.5
    );
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let withdrawn = stage.ask(ask("s", &[choice("r")])).await;
    let now =
        until(&stage, "two open", |now| now["askuser_asks_open"] > 1.5 && now["askuser_asks_shown"] > 1.5)
            .await;
    assert!((now["askuser_asks_total"] - 2.0).abs() < 0.5);
    let open = Moved::between("asks-open", &before, &now);
    // Nobody has seen them; a minute later somebody does.
    assert!(now["askuser_time_to_first_view_seconds_count"].abs() < 0.5);
    stage.forward_ms.store(60_000, Ordering::SeqCst);
    stage.get("/api/inbox", &stage.ann.person).await.ok();
    stage.get("/api/inbox", &stage.ann.person).await.ok();
    stage.forward_ms.store(90_000, Ordering::SeqCst);
    answer(&stage, &asked, json!({"q": "a"})).await;
    stage.post(&format!("/api/asks/{}/withdraw", id(&withdrawn)), &stage.ann.agent, Value::Null).await.ok();
    let memory = before["askuser_memory_resident_bytes"];
    let now = until(&stage, "none open", |now| {
        let grew = (now["askuser_memory_resident_bytes"] - memory).abs() > 0.5;
        now["askuser_asks_open"] < 0.5 && grew
    })
    .await;
    let by_person = "askuser_asks_closed_total{outcome=\"answered\",channel=\"api\",answered_by=\"person\"}";
    let by_agent =
        "askuser_asks_closed_total{outcome=\"withdrawn\",channel=\"agent\",answered_by=\"nobody\"}";
    assert!((now[by_person] - 1.0).abs() < 0.5 && (now[by_agent] - 1.0).abs() < 0.5, "{now:#?}");
    assert!((now["askuser_time_to_first_view_seconds_count"] - 2.0).abs() < 0.5);
    let seen_after = now["askuser_time_to_first_view_seconds_sum"];
    assert!((120.0..140.0).contains(&seen_after), "{seen_after}");
    let took = now["askuser_question_response_time_seconds_sum"];
    assert!((90.0..110.0).contains(&took), "{took}");
    assert!(now["askuser_facts"] > 5.0 && now["askuser_store_memory_bytes"] > 1000.0);
    assert!(now["askuser_store_commit_seconds_count"] > 3.0 && now["askuser_store_batch_size_count"] > 3.0);
    assert!(now["askuser_store_memory_sessions"] > 0.5 && now["askuser_http_request_seconds_count"] > 3.0);
    assert!(now["askuser_memory_resident_bytes"] > 1e6 && now["askuser_connections"] > 0.5);
    assert!(now["askuser_http_requests_total{path=\"/api/asks\",status=\"201\"}"] > 1.5);
    assert!(now.has(&format!("askuser_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))));
    open.and(Moved::between("asks-ended", &before, &now))
}

/// A session that ended counts with how long it was in use.
async fn a_session_ends() -> Moved {
    let (stage, _) = stage_configured("ask_user_question: {session_timeout: 1}").await;
    let before = Figures::of(&stage).await;
    stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": "idle"})).await.ok();
    let ended = "askuser_session_duration_seconds_count";
    let now = until(&stage, "it has ended", |now| now[ended] > 0.5).await;
    Moved::between("session-ended", &before, &now)
}

/// Who listens is counted as long as they do, and so is their connection.
async fn somebody_listens() -> Moved {
    let stage = stage().await;
    let (sse, socket) =
        ("askuser_event_subscribers{kind=\"sse\"}", "askuser_event_subscribers{kind=\"websocket\"}");
    let before = Figures::of(&stage).await;
    assert!(before[sse].abs() < 0.5 && before[socket].abs() < 0.5);
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    let request = format!(
        "GET /api/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        stage.address, stage.ann.person
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut request = format!("ws://{}/api/ws", stage.address).into_client_request().unwrap();
    for (name, value) in [
        ("authorization", format!("Bearer {}", stage.ann.person)),
        ("origin", stage.origin()),
        ("host", stage.page_host()),
    ] {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    let (other, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let now = until(&stage, "two listen", |now| {
        now[sse] > 0.5 && now[socket] > 0.5 && now["askuser_connections"] > 2.5
    })
    .await;
    let moved = Moved::between("listening", &before, &now);
    drop((stream, other));
    // It is noticed when there is something to tell.
    for number in 0..3 {
        stage.ask(ask("s", &[choice(&format!("q{number}"))])).await;
    }
    until(&stage, "nobody listens", |now| now[sse] < 0.5 && now[socket] < 0.5).await;
    moved
}

/// Requests that took long, and commands that wait for the store.
async fn the_store_is_waited_for() -> Moved {
    let stage = stage().await;
    let (slow, queue) = ("askuser_slow_operations_total", "askuser_store_queue_depth");
    let before = Figures::of(&stage).await;
    assert!(before[slow].abs() < 0.5 && before[queue].abs() < 0.5);
    // Its words come later than 200 ms after it began.
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    let request = format!(
        "POST /api/sessions HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n",
        stage.address, stage.ann.agent
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut n_rounds = 0;
    while Figures::of(&stage).await[slow] < 0.5 {
        n_rounds += 1;
        assert!(n_rounds < 50, "a slow request was not counted");
        tokio::time::sleep(Duration::from_millis(250)).await;
        if n_rounds == 1 {
            stream.write_all(b"{}").await.unwrap();
        }
    }
    // Many at once: sooner or later one finds others before it.
    let open = |n: usize| {
        let stage = &stage;
        async move { stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": format!("s{n}")})).await }
    };
    for _ in 0..200 {
        let opening = futures_util::future::join_all((0..20).map(open));
        let (now, _) = futures_util::future::join(Figures::of(&stage), opening).await;
        if now[queue] > 0.5 {
            return Moved::between("waiting", &before, &now);
        }
    }
    panic!("nobody ever waited for the store");
}

/// D8: what a browser measured.
async fn a_browser_measures() -> Moved {
    let stage = stage().await;
    let before = Figures::of(&stage).await;
    let (cookie, origin) = (stage.sign_in().await, stage.origin());
    let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    let body = json!({"timings": [{"operation": "answer", "duration": 70}]});
    assert_eq!(stage.send("POST", "/api/timings", &headers, body.to_string()).await.status, 200);
    Moved::between("measuring", &before, &Figures::of(&stage).await)
}

/// D11: whoever is turned away is counted.
async fn somebody_is_turned_away() -> Moved {
    let stage = stage_with(|server| {
        server.rates = unlimited();
        server.bounds.connections_max = 3;
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(TcpStream::connect(stage.address).await.unwrap());
    }
    let before = over(&mut held[0], &stage).await;
    assert!(before["askuser_connections_turned_away_total"].abs() < 0.5);
    let mut one_more = TcpStream::connect(stage.address).await.unwrap();
    let mut told = Vec::new();
    // It comes after the three, in order: there is no place for it.
    one_more.read_to_end(&mut told).await.unwrap();
    assert!(told.starts_with(b"HTTP/1.1 503 "), "{}", told.escape_ascii());
    // Whoever has a place is served.
    let now = over(&mut held[0], &stage).await;
    assert!((now["askuser_connections_turned_away_total"] - 1.0).abs() < 0.5);
    Moved::between("turned-away", &before, &now)
}

/// Scrapes over a connection that is there already.
async fn over(stream: &mut TcpStream, stage: &Stage) -> Figures {
    let request = format!(
        "GET /metrics HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        stage.address, stage.ann.admin
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    while !text.ends_with("# EOF\n") {
        let mut buffer = [0; 4096];
        let n_read = stream.read(&mut buffer).await.unwrap();
        assert_ne!(n_read, 0, "it was closed after {text}");
        text.push_str(std::str::from_utf8(&buffer[..n_read]).unwrap());
    }
    Figures::read(text.split_once("\r\n\r\n").unwrap().1)
}

/// D12, D15, D17: what fails on our side, what panics, who has a wrong key, and the alert of it all.
async fn requests_fail() -> Moved {
    let mut watch = None;
    let stage = stage_with(|server| {
        server.rates = unlimited();
        let broken = axum::routing::get(async || -> String { panic!("on purpose") });
        server.page = Some(axum::Router::new().route("/", broken));
        server.watch.set_alerts(Alerts::default().rules, None);
        watch = Some(Arc::clone(&server.watch));
    })
    .await;
    let before = Figures::of(&stage).await;
    let (panics, errors) = ("askuser_panics_total", "askuser_errors_total{status=\"500\"}");
    let firing = "askuser_alerts_firing{alert=\"high_error_rate\"}";
    let wrong_key = "askuser_security_events_total{event_type=\"wrong_key\",severity=\"medium\"}";
    assert!(before[panics].abs() < 0.5 && !before.has(wrong_key));
    for _ in 0..20 {
        assert_eq!(stage.send("GET", "/", &[], "").await.status, 500);
    }
    assert_eq!(stage.get("/api/inbox", "no key of ours").await.status, 401);
    // It looks by itself every now and then; nobody waits for it here.
    watch.unwrap().check_alerts();
    let now = Figures::of(&stage).await;
    assert!((now[panics] - 20.0).abs() < 0.5 && (now[errors] - 20.0).abs() < 0.5, "{now:#?}");
    assert!((now[wrong_key] - 1.0).abs() < 0.5 && (now[firing] - 1.0).abs() < 0.5, "{now:#?}");
    Moved::between("failing", &before, &now)
}

/// D14: count, average, least, most and p95 over a window, under the source's names.
#[tokio::test(flavor = "multi_thread")]
async fn d14_the_summary_is_over_its_window() {
    let stage = stage().await;
    let empty = stage.get("/api/metrics/summary", &stage.ann.admin).await.ok();
    assert_eq!(empty["window"], 3600.0);
    assert_eq!(
        empty["metrics"]["question_response_time"],
        json!({"count": 0, "avg": null, "min": null, "max": null, "p95": null})
    );
    for (number, seconds) in [10, 20, 90].into_iter().enumerate() {
        let question = format!("q{number}");
        let asked = stage.ask(ask("s", &[choice(&question)])).await;
        stage.forward_ms.fetch_add(seconds * 1000, Ordering::SeqCst);
        answer(&stage, &asked, json!({ question: "a" })).await;
    }
    let counted = |told: &Value| told["metrics"]["question_response_time"]["count"] == 3;
    let mut told = Value::Null;
    for _ in 0..1000 {
        told = stage.get("/api/metrics/summary?window=3600", &stage.ann.admin).await.ok();
        if counted(&told) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let times = &told["metrics"]["question_response_time"];
    let near = |name: &str, expected: f64| (times[name].as_f64().unwrap() - expected).abs() < 5.0;
    assert!(near("avg", 40.0) && near("min", 10.0) && near("max", 90.0) && near("p95", 90.0), "{told}");
    let names = [
        "question_response_time",
        "session_duration",
        "concurrent_questions",
        "error_rates",
        "operation_time",
        "browser_time",
    ];
    assert_eq!(told["metrics"].as_object().unwrap().keys().collect::<Vec<_>>(), names);
    assert_eq!(told["metrics"]["concurrent_questions"]["max"], 1.0);
    assert_eq!(told["metrics"]["error_rates"]["avg"], 0.0);
    stage.forward_ms.fetch_add(3_700_000, Ordering::SeqCst);
    let later = stage.get("/api/metrics/summary?window=60", &stage.ann.admin).await.ok();
    assert_eq!(later["metrics"]["question_response_time"]["count"], 0);
    for wrong in ["0", "soon", "90000"] {
        let path = format!("/api/metrics/summary?window={wrong}");
        assert_eq!(stage.get(&path, &stage.ann.admin).await.code(), "400 invalid_request");
    }
    assert_eq!(stage.get("/metrics", &stage.ann.person).await.code(), "403 forbidden");
}

/// D14: where a collector is configured, an ask leaves a trace that belongs to the agent's own.
#[tokio::test(flavor = "multi_thread")]
async fn d14_an_ask_leaves_one_trace_for_the_collector() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let collector: String = format!("http://{}", listener.local_addr().unwrap());
    assert_eq!(
        config(&format!("traces: {{collector: '{collector}'}}")).traces.collector,
        Some(collector.clone())
    );
    let stage = stage_with(|server| server.watch.set_collector(Some(collector))).await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let headers = [("authorization", bearer.as_str()), ("traceparent", parent)];
    let asked = stage.send("POST", "/api/asks", &headers, ask("s", &[choice("q")]).to_string()).await.ok();
    answer(&stage, &asked, json!({"q": "a"})).await;
    stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let receiving = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let n_read = tokio::io::AsyncReadExt::read(&mut stream, &mut buffer).await.unwrap();
            request.extend_from_slice(&buffer[..n_read]);
            let text = String::from_utf8_lossy(&request).into_owned();
            if let Some(told) =
                text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str::<Value>(body).ok())
            {
                assert!(text.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{text}");
                return told;
            }
        }
    };
    let told = tokio::time::timeout(Duration::from_secs(30), receiving).await.unwrap();
    let spans = told["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ask", "waiting for its turn", "waiting for the person", "waking the agent"]);
    assert!(spans.iter().all(|span| span["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736"), "{told}");
    assert_eq!(spans[0]["parentSpanId"], "00f067aa0ba902b7");
    assert!(!told.to_string().contains("Alpha"), "what was answered is nobody's business there");
}

/// The dashboard and the rules ask for nothing that is not there.
#[tokio::test(flavor = "multi_thread")]
async fn d8_what_contrib_asks_for_is_there() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    answer(&stage, &asked, json!({"q": "a"})).await;
    let mut wanted = BTreeSet::new();
    for path in ["contrib/prometheus/askuser.rules.yml", "contrib/grafana/askuser.json"] {
        let text = std::fs::read_to_string(path).unwrap();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        wanted.extend(words.filter(|word| word.starts_with("askuser_")).map(str::to_owned));
    }
    assert!(wanted.len() > 15, "{wanted:#?}");
    // Facts are followed, not waited for: some are there only once the answer has been counted.
    let mut missing = wanted.clone();
    for _ in 0..1000 {
        let there = Figures::of(&stage).await.series();
        missing = wanted.difference(&there).cloned().collect();
        if missing.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(missing.is_empty(), "contrib asks for {missing:#?}, which never came");
    let dashboard: Value =
        serde_json::from_str(&std::fs::read_to_string("contrib/grafana/askuser.json").unwrap()).unwrap();
    assert!(dashboard["panels"].as_array().unwrap().len() > 8);
}
