//! A store that fails at any single read: whoever is told something is told it right, or not at all.

use std::sync::Arc;
use std::time::Duration;

use askuser_store::Store;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::events::{Ear, Heard};
use crate::failing_store::{FailingStore, Fuse};
use crate::stage::{Stage, ask, choice, id, stage_with_store, unlimited};

/// More reads than anything here needs.
const READS_MAX: i64 = 100;

async fn stage() -> (Stage, Arc<Fuse>) {
    let fuse = Fuse::new();
    let behind = Arc::clone(&fuse);
    let wrap =
        move |inner: Arc<dyn Store>| -> Arc<dyn Store> { Arc::new(FailingStore { inner, fuse: behind }) };
    (stage_with_store(wrap, |server| server.rates = unlimited()).await, fuse)
}

/// Hears everything since the beginning; a stream that ends is resumed where it ended.
async fn hear_all(stage: &Stage, key: &str, n_events: usize) -> Vec<Heard> {
    let mut all: Vec<Heard> = Vec::new();
    for _ in 0..10 {
        let since = all.last().map_or(0, |event| event.number);
        let more = format!("connection: close\r\nlast-event-id: {since}\r\n");
        let mut ear = Ear::open(stage, "/api/events", key, &more).await;
        while all.len() < n_events {
            match ear.next().await {
                Some(event) => all.push(event),
                None => break,
            }
        }
        if all.len() == n_events {
            return all;
        }
    }
    panic!("not everything was told: {} of {n_events} events", all.len());
}

/// S1: where the store failed just then, an answer was told as answered with no answers, under its final
/// number, so that coming back never mended it.
#[tokio::test(flavor = "multi_thread")]
async fn s1_no_event_is_told_without_its_answers_because_the_store_was_away() {
    let (stage, fuse) = stage().await;
    for (session, question) in [("one", "q1"), ("one", "q2"), ("two", "q3")] {
        let asked = stage.ask(ask(session, &[choice(question)])).await;
        let path = format!("/api/asks/{}/answer", id(&asked));
        stage.post(&path, &stage.ann.person, json!({"answers": {question: "b"}})).await.ok();
    }
    let both = json!({"session_id": "three", "questions": [choice("q4")], "for": {"people": ["ann", "bob"], "quorum": 2}});
    let asked = stage.ask(both).await;
    for key in [&stage.ann.person, &stage.bob.person] {
        let path = format!("/api/asks/{}/answer", id(&asked));
        stage.post(&path, key, json!({"answers": {"q4": "a"}})).await.ok();
    }
    let n_events = |key: &str| {
        let (stage, key) = (&stage, key.to_owned());
        async move {
            let mut ear = Ear::open(stage, "/api/events?since=0", &key, "").await;
            let mut events = Vec::new();
            while events.iter().filter(|event: &&Heard| event.name == "ask_user_response").count() < 4 {
                events.push(ear.next().await.unwrap());
            }
            events
        }
    };
    for key in [stage.ann.agent.clone(), stage.ann.person.clone()] {
        let whole = n_events(&key).await;
        for event in whole.iter().filter(|event| event.name == "ask_user_response") {
            assert_eq!(event.said["answers"].as_array().unwrap().len(), 1, "{}", event.said);
        }
        let mut n_before = 0;
        loop {
            fuse.arm(n_before);
            let heard = hear_all(&stage, &key, whole.len()).await;
            assert_eq!(heard, whole, "read {n_before} failed");
            if !fuse.has_blown() {
                break;
            }
            n_before += 1;
            assert!(n_before < READS_MAX);
        }
        assert!(n_before > 4, "the asks of the events were read: {n_before}");
    }
}

/// Opens a socket and says something; returns the first message of a kind, none where it is closed before.
async fn first_text(stage: &Stage, key: &str, say: Option<Value>, wanted: &str) -> Option<Value> {
    let mut request = format!("ws://{}/api/ws?protocol=events", stage.address).into_client_request().unwrap();
    request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    request.headers_mut().insert("origin", stage.origin().parse().unwrap());
    request.headers_mut().insert("host", stage.page_host().parse().unwrap());
    let Ok((mut socket, _)) = connect_async(request).await else { return None };
    if let Some(say) = say {
        socket.send(Message::text(say.to_string())).await.unwrap();
    }
    let hearing = async {
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Text(text) = message {
                let value: Value = serde_json::from_str(&text).unwrap();
                if value["event"] == wanted {
                    return Some(value);
                }
            }
        }
        None
    };
    tokio::time::timeout(Duration::from_secs(10), hearing).await.unwrap()
}

/// The event protocol has no numbers: a line that cannot tell an outcome ends, and its agent, which asks
/// again under the same name, is told the same outcome.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_tells_an_outcome_whole_or_ends() {
    let (stage, fuse) = stage().await;
    let options = json!([{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]);
    let mut n_before = 0;
    let mut n_ended = 0;
    loop {
        let name = format!("mine-{n_before}");
        let request = json!({"event": "ask:question:request", "data": {"agentId": name, "askId": name, "idempotency_key": name,
            "questions": [{"question": format!("{name}?"), "header": "H", "options": options}]}});
        let answering = async {
            stage.until_open(1).await;
            let open = stage.desk.across_users().open_asks(None, 10).await.unwrap().remove(0);
            let path = format!("/api/asks/{}/answer", open.id);
            let question = open.questions.top()[0].id.as_str().to_owned();
            fuse.arm(n_before);
            let body = json!({"answers": {question: "A"}});
            while stage.post(&path, &stage.ann.person, body.clone()).await.status != 200 {}
        };
        let wanted = "ask:question:response";
        let (first, ()) =
            tokio::join!(first_text(&stage, &stage.ann.agent, Some(request.clone()), wanted), answering);
        let blown = fuse.has_blown();
        let told = if let Some(told) = first {
            told
        } else {
            n_ended += 1;
            first_text(&stage, &stage.ann.agent, Some(request), wanted).await.unwrap()
        };
        assert_eq!(told["data"]["answers"], json!({"question-0": "A"}), "read {n_before} failed: {told}");
        if !blown {
            break;
        }
        n_before += 1;
        assert!(n_before < READS_MAX);
    }
    assert!(n_ended > 0, "one of {n_before} reads was the line's own");
    // A person's line, which is told what is open when it begins.
    stage.ask(ask("s", &[choice("open")])).await;
    let mut n_before = 0;
    loop {
        fuse.arm(n_before);
        let heard = first_text(&stage, &stage.ann.person, None, "ask:question:request").await;
        let blown = fuse.has_blown();
        assert!(heard.is_some() || blown, "what is open is told");
        if !blown {
            break;
        }
        n_before += 1;
        assert!(n_before < READS_MAX);
    }
}

/// Everything that is read over HTTP, by page, API and MCP: as it is, or a failure; never something else.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_is_told_as_it_is_or_not_at_all() {
    let (stage, fuse) = stage().await;
    let answered = stage.ask(ask("s", &[choice("q1")])).await;
    let path = format!("/api/asks/{}/answer", id(&answered));
    stage.post(&path, &stage.ann.person, json!({"answers": {"q1": "b"}})).await.ok();
    let open = stage.ask(ask("s", &[choice("q2")])).await;
    let (answered, open) = (id(&answered), id(&open));
    let session = stage.get(&format!("/api/asks/{open}"), &stage.ann.person).await.ok()["session"]
        .as_str()
        .unwrap()
        .to_owned();
    let cookie = stage.sign_in().await;
    let (agent, person) = (format!("Bearer {}", stage.ann.agent), format!("Bearer {}", stage.ann.person));
    let mut reads: Vec<(String, &str, &str)> = Vec::new();
    for path in [
        format!("/api/asks/{answered}"),
        format!("/api/asks/{open}"),
        "/api/inbox".to_owned(),
        "/api/history".to_owned(),
        "/api/history?q=q1".to_owned(),
        "/api/sessions".to_owned(),
        format!("/api/sessions/{session}"),
        format!("/api/sessions/{session}/messages"),
        format!("/api/sessions/{session}/export"),
        format!("/api/sessions/{session}/checkpoints"),
    ] {
        reads.push((path, "authorization", &person));
    }
    for path in [format!("/api/asks/{answered}"), format!("/api/sessions/{session}"), "/api/asks".to_owned()]
    {
        reads.push((path, "authorization", &agent));
    }
    for path in [
        "/".to_owned(),
        format!("/asks/{answered}"),
        format!("/asks/{open}"),
        "/sessions".to_owned(),
        format!("/sessions/{session}"),
        "/insight".to_owned(),
    ] {
        reads.push((path, "cookie", &cookie));
    }
    for (path, header, value) in reads {
        let whole = stage.send("GET", &path, &[(header, value)], "").await;
        assert_eq!(whole.status, 200, "{path}: {}", whole.text);
        let mut n_before = 0;
        loop {
            fuse.arm(n_before);
            let told = stage.send("GET", &path, &[(header, value)], "").await;
            let blown = fuse.has_blown();
            assert!(
                told.status >= 500 || timeless(&told.text) == timeless(&whole.text),
                "{path}, read {n_before} failed: {} {}\n\ninstead of\n{}",
                told.status,
                told.text,
                whole.text
            );
            assert!(blown || told.status == 200, "{path}: {} {}", told.status, told.text);
            if !blown {
                break;
            }
            n_before += 1;
            assert!(n_before < READS_MAX);
        }
    }
}

/// Leaves out what changes with every look: how long ago, and what is made up for one page.
fn timeless(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// O8, D15: whoever answers for somebody whom they are not is refused, and noted, over every doorway.
#[tokio::test(flavor = "multi_thread")]
async fn o8_a_forged_response_is_a_security_event_over_every_doorway() {
    let (stage, _fuse) = stage().await;
    let asked = id(&stage.ask(ask("s", &[choice("q")])).await);
    let bearer = format!("Bearer {}", stage.ann.agent);
    let own = stage.origin();
    let socket = |key: &str, response: Value| {
        let (stage, key) = (&stage, key.to_owned());
        async move { first_text(stage, &key, Some(response), "ask:question:error").await.unwrap() }
    };
    let answer = json!({"agentId": "a", "askId": asked, "answers": {"q": "a"}});
    let system = json!({"agentId": "a", "askId": asked, "status": "cancelled", "reason": "system"});
    let forged = async |number: usize| match number {
        0 => {
            let path = format!("/api/asks/{asked}/answer");
            let body = json!({"answers": {"q": "a"}});
            assert_eq!(stage.post(&path, &stage.ann.agent, body).await.status, 403);
            path
        }
        1 => {
            let response = json!({"event": "ask:question:response", "data": answer});
            socket(&stage.ann.agent, response).await;
            "/api/ws".to_owned()
        }
        2 => {
            let response = json!({"event": "ask:question:response", "data": system});
            socket(&stage.ann.person, response).await;
            "/api/ws".to_owned()
        }
        _ => {
            let path = format!("/asks/{asked}/answer");
            let headers = [("authorization", bearer.as_str()), ("origin", own.as_str())];
            assert_eq!(stage.send("POST", &path, &headers, "q=a").await.status, 401);
            path
        }
    };
    for number in 0..4 {
        let path = forged(number).await;
        let noted = async {
            loop {
                let events = stage.get("/api/security", &stage.ann.admin).await.ok();
                let events: Vec<Value> = events["events"].as_array().unwrap().clone();
                let forged: Vec<&Value> =
                    events.iter().filter(|event| event["event_type"] == "forged_response").collect();
                if forged.len() == number + 1 {
                    return forged[number].clone();
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let event = tokio::time::timeout(Duration::from_secs(10), noted).await.unwrap();
        assert_eq!(
            (&event["severity"], &event["details"]["path"]),
            (&json!("high"), &json!(path)),
            "{event}"
        );
        assert_eq!(event["details"]["user"], "ann");
    }
    let stands = stage.get(&format!("/api/asks/{asked}"), &stage.ann.person).await.ok();
    assert_eq!(stands["status"], "showing", "nobody has answered it: {stands}");
}

/// A disk that takes no asks any more may still take something small: that is not ready.
#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_cannot_take_an_ask_is_not_ready() {
    let (stage, fuse) = stage().await;
    assert_eq!(stage.send("GET", "/readyz", &[], "").await.status, 200);
    fuse.set_full(true);
    let refused = stage.post("/api/asks", &stage.ann.agent, ask("s", &[choice("q")])).await;
    assert_eq!(refused.code(), "503 unavailable");
    let ready = stage.send("GET", "/readyz", &[], "").await;
    assert_eq!(
        (ready.code(), ready.json()["message"] == refused.json()["message"]),
        ("503 unavailable".to_owned(), true)
    );
    fuse.set_full(false);
    stage.ask(ask("s", &[choice("q")])).await;
    assert_eq!(stage.send("GET", "/readyz", &[], "").await.status, 200);
}
