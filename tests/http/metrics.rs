//! Figures (D8, D14): every metric moves with the real server, and what `contrib/` asks for is there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::stage::{Stage, ask, choice, config, id, stage, stage_configured, stage_with, unlimited};

/// Every sample by its name and labels, as it stands in the text.
type Samples = BTreeMap<String, f64>;

async fn scrape(stage: &Stage) -> Samples {
    let reply = stage.get("/metrics", &stage.ann.admin).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let told = reply.header("content-type").unwrap();
    assert_eq!(told, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert!(reply.text.ends_with("# EOF\n"), "{}", reply.text);
    let lines = reply.text.lines().filter(|line| !line.starts_with('#'));
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').unwrap();
        (name.to_owned(), value.parse().unwrap())
    };
    lines.map(sample).collect()
}

/// Scrapes until something is so: facts are followed, not waited for.
async fn until(stage: &Stage, what: &str, is_so: impl Fn(&Samples) -> bool) -> Samples {
    for _ in 0..1000 {
        let samples = scrape(stage).await;
        if is_so(&samples) {
            return samples;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {what}: {:#?}", scrape(stage).await);
}

async fn answer(stage: &Stage, asked: &Value, answers: Value) {
    let path = format!("/api/asks/{}/answer", id(asked));
    stage.post(&path, &stage.ann.person, json!({ "answers": answers })).await.ok();
}

/// D8, D14: what the desk does is seen in the figures.
#[tokio::test(flavor = "multi_thread")]
async fn d8_d14_every_metric_moves_with_what_happens() {
    let stage = stage().await;
    let before = scrape(&stage).await;
    assert!(
        before["askuser_asks_open"].abs() < 0.5 && before["askuser_errors_total{status=\"500\"}"].abs() < 0.5
    );
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let withdrawn = stage.ask(ask("s", &[choice("r")])).await;
    let now =
        until(&stage, "two open", |now| now["askuser_asks_open"] > 1.5 && now["askuser_asks_shown"] > 1.5)
            .await;
    assert!((now["askuser_asks_total"] - 2.0).abs() < 0.5);
    // Nobody has seen them; a minute later somebody does.
    assert!(now["askuser_time_to_first_view_seconds_count"].abs() < 0.5);
    stage.forward_ms.store(60_000, Ordering::SeqCst);
    stage.get("/api/inbox", &stage.ann.person).await.ok();
    stage.get("/api/inbox", &stage.ann.person).await.ok();
    stage.forward_ms.store(90_000, Ordering::SeqCst);
    answer(&stage, &asked, json!({"q": "a"})).await;
    stage.post(&format!("/api/asks/{}/withdraw", id(&withdrawn)), &stage.ann.agent, Value::Null).await.ok();
    let now = until(&stage, "none open", |now| now["askuser_asks_open"] < 0.5).await;
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
    assert!(now.contains_key(&format!("askuser_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))));
}

/// D14: a session that ended counts with how long it was in use.
#[tokio::test(flavor = "multi_thread")]
async fn d14_a_session_that_ended_counts_with_its_duration() {
    let (stage, _) = stage_configured("ask_user_question: {session_timeout: 1}").await;
    stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": "idle"})).await.ok();
    let ended = "askuser_session_duration_seconds_count";
    until(&stage, "it has ended", |now| now[ended] > 0.5).await;
}

/// D8: who listens is counted as long as they do.
#[tokio::test(flavor = "multi_thread")]
async fn d8_listeners_are_counted_as_long_as_they_listen() {
    let stage = stage().await;
    let sse = "askuser_event_subscribers{kind=\"sse\"}";
    assert!(scrape(&stage).await[sse].abs() < 0.5);
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    let request = format!(
        "GET /api/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        stage.address, stage.ann.person
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    until(&stage, "one listens", |now| now[sse] > 0.5).await;
    drop(stream);
    // It is noticed when there is something to tell.
    for number in 0..3 {
        stage.ask(ask("s", &[choice(&format!("q{number}"))])).await;
    }
    until(&stage, "nobody listens", |now| now[sse] < 0.5).await;
}

/// D8: requests that took long, and commands that wait for the store.
#[tokio::test(flavor = "multi_thread")]
async fn d8_slow_requests_and_the_stores_queue_are_counted() {
    let stage = stage().await;
    let (slow, queue) = ("askuser_slow_operations_total", "askuser_store_queue_depth");
    assert!(scrape(&stage).await[slow].abs() < 0.5);
    // Its words come later than 200 ms after it began.
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    let request = format!(
        "POST /api/sessions HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n",
        stage.address, stage.ann.agent
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut n_rounds = 0;
    while scrape(&stage).await[slow] < 0.5 {
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
        let (samples, _) = futures_util::future::join(scrape(&stage), opening).await;
        if samples[queue] > 0.5 {
            return;
        }
    }
    panic!("nobody ever waited for the store");
}

/// D8, D11: whoever is turned away at the door is counted.
#[tokio::test(flavor = "multi_thread")]
async fn d8_connections_that_are_turned_away_are_counted() {
    let stage = stage_with(|door| {
        door.rates = unlimited();
        door.bounds.connections_max = 3;
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(TcpStream::connect(stage.address).await.unwrap());
    }
    let mut over = TcpStream::connect(stage.address).await.unwrap();
    let mut told = Vec::new();
    // It comes after the three, in order: there is no place for it.
    over.read_to_end(&mut told).await.unwrap();
    assert!(told.starts_with(b"HTTP/1.1 503 "), "{}", told.escape_ascii());
    // Whoever has a place is served.
    let request = format!(
        "GET /metrics HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        stage.address, stage.ann.admin
    );
    let mut text = String::new();
    held[0].write_all(request.as_bytes()).await.unwrap();
    held[0].read_to_string(&mut text).await.unwrap();
    assert!(text.contains("askuser_connections_turned_away_total 1\n"), "{text}");
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
    let stage = stage_with(|door| door.watch.set_collector(Some(collector))).await;
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

/// The names of the series that a text has.
fn names(text: &str) -> BTreeSet<String> {
    let mut there = BTreeSet::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        let suffixes: &[&str] = match kind {
            "counter" => &["_total"],
            "histogram" => &["_bucket", "_sum", "_count"],
            "info" => &["_info"],
            _ => &[""],
        };
        there.extend(suffixes.iter().map(|suffix| format!("{name}{suffix}")));
    }
    there
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
        let there = names(&stage.get("/metrics", &stage.ann.admin).await.text);
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
