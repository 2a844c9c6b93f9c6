//! Every key of the configuration by what it changes (D16): the server as the daemon sets it up.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askuser::daemon::configured;
use askuser_config::template::Shelf;
use askuser_config::{KEYS, Key};
use askuser_core::time::Timestamp;
use serde_json::{Value, json};

use crate::stage::{Stage, ask, choice, config, id, stage_configured};

/// Asks in a session, one question each, and returns what came back.
async fn asks(stage: &Stage, session: &str, n_asks: usize) -> Vec<Value> {
    let mut asked = Vec::new();
    for number in 0..n_asks {
        asked.push(stage.ask(ask(session, &[choice(&format!("{session}{number}"))])).await);
    }
    asked
}

fn text(id: &str) -> Value {
    json!({"question_id": id, "question_text": format!("{id}?"), "type": "text"})
}

async fn answer(stage: &Stage, asked: &Value, answers: Value) -> crate::stage::Reply {
    let path = format!("/api/asks/{}/answer", id(asked));
    stage.post(&path, &stage.ann.person, json!({ "answers": answers })).await
}

/// D16, D6: `max_concurrent_questions`; also when it changes.
#[tokio::test(flavor = "multi_thread")]
async fn d16_max_concurrent_questions_says_how_many_are_shown() {
    let (stage, _) = stage_configured("ask_user_question: {max_concurrent_questions: 2}").await;
    let asked = asks(&stage, "s", 4).await;
    let states: Vec<&str> = asked.iter().map(|ask| ask["status"].as_str().unwrap()).collect();
    assert_eq!(states, ["showing", "showing", "pending", "pending"]);
    let roomier = configured::limits(&config("ask_user_question: {max_concurrent_questions: 4}"));
    assert!(stage.desk.set_limits(roomier));
    answer(&stage, &asked[0], json!({"s0": "a"})).await.ok();
    for asked in &asked[1..] {
        stage.until(&id(asked), "showing").await;
    }
}

/// D16: `hand_over_within`: how long a known asker is told what was decided while it was away.
#[tokio::test(flavor = "multi_thread")]
async fn d16_hand_over_within_says_how_long_a_missed_answer_is_kept() {
    for (text, is_kept) in
        [("answers: {hand_over_within: 10m}", true), ("answers: {hand_over_within: 0}", false)]
    {
        let (stage, _) = stage_configured(text).await;
        let bearer = format!("Bearer {}", stage.ann.agent);
        let asks = async |asker_key: &str| {
            let headers = [("authorization", bearer.as_str()), ("askuser-whence", asker_key)];
            let body = json!({"questions": [{"question": "Deploy?", "type": "boolean"}]});
            stage.send("POST", "/api/asks", &headers, body.to_string()).await.ok()
        };
        let first = asks("a conversation").await;
        let question = first["questions"][0]["question_id"].as_str().unwrap();
        answer(&stage, &first, json!({ question: true })).await.ok();
        assert_ne!(id(&asks("another one").await), id(&first));
        let again = asks("a conversation").await;
        assert_eq!(id(&again) == id(&first), is_kept, "{again}");
        if is_kept {
            assert_eq!(again["outcome"]["status"], "answered", "{again}");
            assert_ne!(id(&asks("a conversation").await), id(&first), "it was told already");
        }
    }
}

/// D16, D5: `max_sessions_per_user`.
#[tokio::test(flavor = "multi_thread")]
async fn d16_max_sessions_per_user_says_how_many_may_be_active() {
    let (stage, _) = stage_configured("ask_user_question: {max_sessions_per_user: 2}").await;
    asks(&stage, "one", 1).await;
    asks(&stage, "two", 1).await;
    let third = stage.post("/api/asks", &stage.ann.agent, ask("three", &[choice("q")])).await;
    assert_eq!(third.code(), "429 too_many_sessions");
}

/// D16, P13, O6: `question_timeout` and `timeout_policy`, for every doorway.
#[tokio::test(flavor = "multi_thread")]
async fn d16_question_timeout_ends_what_names_no_deadline() {
    let text = "ask_user_question: {question_timeout: 50ms}";
    assert!(std::panic::catch_unwind(|| config(text)).is_err(), "less than a second is a slip");
    let (stage, _) =
        stage_configured("ask_user_question: {question_timeout: 2m}\ndesk: {timeout_policy: abort}").await;
    let asked = asks(&stage, "s", 1).await.remove(0);
    assert_eq!(stage.desk.defaults().timeout, Some(Duration::from_mins(2)));
    stage.forward_ms.store(121_000, Ordering::SeqCst);
    // The alarm rings by the other clock: another ask with an earlier deadline wakes it.
    let mut soon = ask("t", &[choice("q")]);
    soon["timeoutMs"] = 1.into();
    stage.ask(soon).await;
    stage.until(&id(&asked), "timeout").await;
    let outcome =
        stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok()["outcome"].clone();
    assert_eq!((&outcome["status"], &outcome["abort"]), (&json!("timeout"), &json!(true)));
}

/// D16, D5: `session_timeout`, which is looked at as often as it is long.
#[tokio::test(flavor = "multi_thread")]
async fn d16_session_timeout_ends_idle_sessions() {
    let (stage, _) = stage_configured("ask_user_question: {session_timeout: 1}").await;
    let opened = stage.post("/api/sessions", &stage.ann.agent, json!({"session_id": "idle"})).await.ok();
    assert_eq!(opened["status"], "active", "{opened}");
    for _ in 0..1000 {
        if stage.get("/api/sessions/idle", &stage.ann.agent).await.ok()["status"] == "timeout" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the session never ended");
}

/// D16, P10: `max_input_length`, in both directions.
#[tokio::test(flavor = "multi_thread")]
async fn d16_max_input_length_is_what_may_be_typed() {
    let (stage, _) = stage_configured("ask_user_question: {max_input_length: 5}").await;
    let asked = stage.ask(ask("s", &[text("q")])).await;
    let long = answer(&stage, &asked, json!({"q": "six666"})).await;
    assert!(long.code() == "400 invalid_answer" && long.text.contains('5'), "{}", long.text);
    answer(&stage, &asked, json!({"q": "five5"})).await.ok();
    let roomy = config("ask_user_question: {max_input_length: 3000}");
    stage.desk.configure(|settings| settings.defaults = configured::defaults(&roomy));
    let asked = stage.ask(ask("s", &[text("r")])).await;
    answer(&stage, &asked, json!({"r": "界".repeat(3000)})).await.ok();
}

/// D16, D10: `enable_input_validation: false` drops the content checks and no limit.
#[tokio::test(flavor = "multi_thread")]
async fn d16_enable_input_validation_drops_content_checks_only() {
    let bell = json!({"q": "ring \u{7}"});
    let (strict, _) = stage_configured("").await;
    let asked = strict.ask(ask("s", &[text("q")])).await;
    let refused = answer(&strict, &asked, bell.clone()).await;
    assert!(refused.text.contains("U+0007"), "{}", refused.text);
    let (stage, _) = stage_configured("ask_user_question: {enable_input_validation: false}").await;
    let asked = stage.ask(ask("s", &[text("q")])).await;
    assert_eq!(answer(&stage, &asked, json!({"q": "x".repeat(1001)})).await.code(), "400 invalid_answer");
    answer(&stage, &asked, bell).await.ok();
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["answers"][0]["text"], "ring \u{7}", "{told}");
}

/// D16, D9: `cache_ttl`.
#[tokio::test(flavor = "multi_thread")]
async fn d16_cache_ttl_says_how_long_templates_are_kept() {
    for (ttl, hits) in [("0", 0), ("300", 2)] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("t.yaml"), "question: Ship it?\ntype: boolean\n").unwrap();
        let shelf = Arc::new(Shelf::new(Vec::new(), Some(folder.path().to_owned())));
        let config = config(&format!("ask_user_question: {{cache_ttl: {ttl}}}"));
        shelf.keep_for(configured::templates_kept_for(&config));
        for _ in 0..3 {
            shelf.get(&folder.path().join("t.yaml")).unwrap();
        }
        assert_eq!(shelf.list()[0].hits, hits, "{ttl}");
    }
}

/// D16, D11: `rate_limit_requests` and `rate_limit_window`; also when they change.
#[tokio::test(flavor = "multi_thread")]
async fn d16_rate_limits_are_as_configured_and_may_change() {
    let (stage, rates) =
        stage_configured("ask_user_question: {rate_limit_requests: 2, rate_limit_window: 3600}").await;
    asks(&stage, "s", 2).await;
    let third = stage.post("/api/asks", &stage.ann.agent, ask("s", &[choice("q")])).await;
    assert_eq!(third.code(), "429 rate_limited");
    let wait: u64 = third.header("retry-after").unwrap().parse().unwrap();
    assert!((3500..=3600).contains(&wait), "the first leaves the window after an hour: {wait}");
    rates.send_replace(configured::rates(&config("ask_user_question: {rate_limit_requests: 0}")));
    asks(&stage, "t", 20).await;
}

/// D16, P3: `recursion_limit` and `open_asks_per_session`.
#[tokio::test(flavor = "multi_thread")]
async fn d16_limits_of_depth_and_of_open_asks_are_as_configured() {
    let (stage, _) = stage_configured("desk: {recursion_limit: 2, open_asks_per_session: 3}").await;
    asks(&stage, "s", 3).await;
    let fourth = stage.post("/api/asks", &stage.ann.agent, ask("s", &[choice("q")])).await;
    assert_eq!(fourth.code(), "429 too_many_asks");
    let mut codes = Vec::new();
    for _ in 0..3 {
        let body = json!({"session_id": "t", "questions": [{"question_text": "Again?", "type": "boolean"}]});
        let reply = stage.post("/api/asks", &stage.ann.agent, body).await;
        codes.push(reply.status);
        if reply.status == 201 {
            let path = format!("/api/asks/{}/cancel", id(&reply.json()));
            stage.post(&path, &stage.ann.person, json!({})).await.ok();
        } else {
            assert_eq!(reply.code(), "429 recursive_limit_exceeded");
        }
    }
    assert_eq!(codes, [201, 201, 429]);
}

/// D16, D7: `memory_mb` and `sessions_in_memory` are what the store is opened with; that it keeps to
/// them is its own test.
#[test]
fn d16_memory_is_bounded_as_configured() {
    let options = configured::store(&config("desk: {memory_mb: 3, sessions_in_memory: 7}"), Timestamp(0));
    assert_eq!((options.hot_bytes_max, options.hot_sessions_max), (3 * 1024 * 1024, 7));
}

/// D16, D15: `retention` is how long the log of decisions tells what was said.
#[tokio::test(flavor = "multi_thread")]
async fn d16_retention_is_how_long_what_was_said_is_kept() {
    let kept = config("audit: {retention: 1h}").audit.retention.unwrap();
    let (stage, _) = stage_configured("").await;
    let asked = asks(&stage, "s", 1).await.remove(0);
    answer(&stage, &asked, json!({"s0": "a"})).await.ok();
    stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    stage.until(&id(&asked), "processing").await;
    assert_eq!(askuser_watch::audit::erase_older(&stage.desk, kept).await.unwrap(), 0);
    stage.forward_ms.store(3_700_000, Ordering::SeqCst);
    assert_eq!(askuser_watch::audit::erase_older(&stage.desk, kept).await.unwrap(), 1);
}

/// A connection that is served and stays open. Earlier ones that are closing may count for a moment:
/// then it is one too many, and tries again.
fn served(address: SocketAddr) -> TcpStream {
    loop {
        let mut line = TcpStream::connect(address).unwrap();
        line.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut start = [0; 12];
        let sent = write!(line, "GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n");
        if sent.is_ok() && line.read_exact(&mut start).is_ok() && start.ends_with(b" 200") {
            return line;
        }
    }
}

/// D16: `hosts`, `connections` and `failed_sign_ins`.
#[tokio::test(flavor = "multi_thread")]
async fn d16_the_server_is_reached_as_configured() {
    let (stage, _) =
        stage_configured("server: {hosts: [ask.example.com], connections: 3, failed_sign_ins: 2}").await;
    let named = async |host: &str| stage.send("GET", "/healthz", &[("host", host)], "").await;
    assert_eq!(named("ask.example.com").await.status, 200);
    assert_eq!(named("other.example.com").await.code(), "421 wrong_host");
    let mut codes = Vec::new();
    for number in 0..3 {
        codes.push(stage.get("/api/inbox", &format!("askuser_person_{number}")).await.status);
    }
    assert_eq!(codes, [401, 401, 429]);
    let address = stage.address;
    let read = tokio::task::spawn_blocking(move || {
        let held: Vec<TcpStream> = (0..3).map(|_| served(address)).collect();
        let mut one_more = TcpStream::connect(address).unwrap();
        one_more.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut said = String::new();
        (one_more.read_to_string(&mut said).map(|_| said), held)
    });
    let (said, held) = read.await.unwrap();
    let said = said.unwrap();
    assert!(said.starts_with("HTTP/1.1 503 ") && said.contains("\r\nretry-after: 1\r\n"), "{said}");
    let (before, body) = said.split_once("\r\n\r\n").unwrap();
    assert!(before.contains(&format!("content-length: {}", body.len())), "{said}");
    assert_eq!(serde_json::from_str::<Value>(body).unwrap()["error"], "unavailable");
    drop(held);
}

/// D16: no key without a test of its effect. Those of the programs are in the stories.
#[test]
fn d16_every_key_has_a_test_that_shows_its_effect() {
    let stories = concat!(
        include_str!("configuring.rs"),
        include_str!("../runner/home.rs"),
        include_str!("../runner/odd.rs"),
        include_str!("../runner/safety.rs"),
        include_str!("../runner/fixed.rs"),
        include_str!("metrics.rs"),
        include_str!("holding.rs"),
        include_str!("mcp_sessions.rs"),
        include_str!("../story/desk_config.rs"),
        include_str!("../story/phone.rs"),
        include_str!("../story/phone_doctor.rs"),
        include_str!("../mcp/waiting.rs"),
        include_str!("../mcp/dialog.rs"),
        include_str!("../runner/replicas.rs")
    );
    let set = |name: &str| stories.contains(&format!("{name}: ")) || stories.contains(&format!(".{name}="));
    let missing: Vec<String> = KEYS.iter().filter(|key| !set(key.name)).map(Key::full_name).collect();
    assert!(missing.is_empty(), "no test sets these: {missing:?}");
}
