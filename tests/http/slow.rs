//! How long operations take (D8, D17): the work of a request counts over every doorway, waiting for a person
//! does not.

use std::sync::Arc;
use std::time::Duration;

use askuser_config::Alerts;
use askuser_store::Store;
use askuser_watch::Watch;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::failing_store::{FailingStore, Fuse};
use crate::mcp_sessions;
use crate::sockets::Socket;
use crate::stage::{Stage, ask, choice, stage_with_store, unlimited};

/// A server over a store that can be slow, and who looks on.
async fn stage() -> (Stage, Arc<Fuse>, Arc<Watch>) {
    let fuse = Fuse::new();
    let behind = Arc::clone(&fuse);
    let wrap =
        move |inner: Arc<dyn Store>| -> Arc<dyn Store> { Arc::new(FailingStore { inner, fuse: behind }) };
    let mut watching = None;
    let stage = stage_with_store(wrap, |server| {
        server.rates = unlimited();
        watching = Some(Arc::clone(&server.watch));
    })
    .await;
    (stage, fuse, watching.unwrap())
}

/// The slow ones among the last hundred operations.
async fn n_slow(stage: &Stage) -> u64 {
    let status = stage.get("/api/status", &stage.ann.admin).await.ok();
    status["operations"]["slowOperations"].as_u64().unwrap_or_else(|| panic!("{status}"))
}

async fn until_slow(stage: &Stage, expected: u64) {
    for _ in 0..500 {
        if n_slow(stage).await >= expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(n_slow(stage).await, expected);
}

async fn operation_time(stage: &Stage) -> Value {
    stage.get("/api/metrics/summary", &stage.ann.admin).await.ok()["metrics"]["operation_time"].clone()
}

/// D8, D17: asks were in no figure, and so `slow_response_time` was silent whatever they took.
#[tokio::test(flavor = "multi_thread")]
async fn d17_slow_asks_are_in_the_figures_and_fire_the_alert() {
    let (stage, fuse, watch) = stage().await;
    watch.set_alerts(Alerts::default().rules, None);
    fuse.set_slow(Duration::from_millis(1200));
    let names: Vec<String> = (0..10).map(|number| format!("s{number}")).collect();
    let asking = names.iter().map(|name| stage.ask(ask(name, &[choice("q")])));
    futures_util::future::join_all(asking).await;
    let took = operation_time(&stage).await;
    assert!(took["max"].as_f64().unwrap() >= 1200.0 && took["p95"].as_f64().unwrap() >= 1200.0, "{took}");
    watch.check_alerts();
    let told = stage.get("/api/alerts", &stage.ann.admin).await.ok();
    let alert = &told["alerts"][1];
    assert_eq!((&alert["alert"], &alert["firing"]), (&json!("slow_response_time"), &json!(true)), "{told}");
    assert_eq!((&alert["threshold"], &alert["window"]), (&json!(1000.0), &json!(60.0)));
    assert_eq!(alert["action"], "scale_up");
}

/// D8: what the person takes is nobody's slowness; the work of the same request is.
#[tokio::test(flavor = "multi_thread")]
async fn d8_waiting_for_a_person_is_not_slow_and_the_work_of_the_same_request_is() {
    let (stage, fuse, _watch) = stage().await;
    let asked = stage.post("/api/asks?wait=1.5", &stage.ann.agent, ask("s", &[choice("q")])).await.ok();
    assert_eq!(asked["status"], "showing");
    let path = format!("/api/asks/{}?wait=1.5", asked["ask_id"].as_str().unwrap());
    stage.get(&path, &stage.ann.agent).await.ok();
    let took = operation_time(&stage).await;
    assert!(took["count"].as_u64().unwrap() >= 2 && took["max"].as_f64().unwrap() < 1400.0, "{took}");
    let before = n_slow(&stage).await;
    fuse.set_slow(Duration::from_millis(400));
    stage.post("/api/asks?wait=1.5", &stage.ann.agent, ask("t", &[choice("q")])).await.ok();
    until_slow(&stage, before + 1).await;
    let took = operation_time(&stage).await;
    assert!((400.0..1400.0).contains(&took["max"].as_f64().unwrap()), "{took}");
}

/// D8: the same over MCP, where the call may outlive the request that brought it, and over a socket.
#[tokio::test(flavor = "multi_thread")]
async fn d8_slow_calls_over_mcp_and_slow_messages_over_a_socket_count() {
    let (stage, fuse, _watch) = stage().await;
    let session = mcp_sessions::begin(&stage, &stage.ann.agent).await;
    let mut socket = Socket::open(&stage, "", &stage.ann.agent).await;
    fuse.set_slow(Duration::from_millis(400));
    let questions = json!([{"question": "Which?", "header": "H", "multiSelect": false,
        "options": [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]}]);
    socket
        .say(json!({"event": "ask:question:request", "data": {"agentId": "a", "questions": questions.clone()}}))
        .await;
    until_slow(&stage, 1).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask_user_question",
        "arguments": {"questions": questions}}});
    let answering = async {
        stage.until_open(2).await;
        // The person takes their time.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        fuse.set_slow(Duration::ZERO);
        let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
        for open in inbox["asks"].as_array().unwrap() {
            let question = open["questions"][0]["question_id"].as_str().unwrap().to_owned();
            let path = format!("/api/asks/{}/answer", open["ask_id"].as_str().unwrap());
            stage.post(&path, &stage.ann.person, json!({"answers": {question: "A"}})).await.ok();
        }
    };
    let (called, ()) =
        tokio::join!(mcp_sessions::post(&stage, &stage.ann.agent, Some(&session), call), answering);
    assert!(called.text.contains("has answered"), "{}", called.text);
    until_slow(&stage, 2).await;
    let took = operation_time(&stage).await;
    assert!((400.0..1500.0).contains(&took["max"].as_f64().unwrap()), "{took}");
}

/// D8: a body that comes slowly is an operation that was slow.
#[tokio::test(flavor = "multi_thread")]
async fn d8_an_ask_whose_body_comes_slowly_counts() {
    let (stage, _fuse, _watch) = stage().await;
    let body = ask("s", &[choice("q")]).to_string();
    let (first, rest) = body.split_at(10);
    let mut stream = TcpStream::connect(stage.address).await.unwrap();
    let head = format!(
        "POST /api/asks HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{first}",
        stage.address,
        stage.ann.agent,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(400)).await;
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 201"), "{reply}");
    until_slow(&stage, 1).await;
}
