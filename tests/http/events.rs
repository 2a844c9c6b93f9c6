//! Server-sent events: nothing missing, nothing twice, whoever reads and however slowly.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use askuser_client::Client;
use askuser_client::home::Home;
use askuser_core::command::KeyRole;
use askuser_http::Bounds;
use askuser_system::environment::Environment;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::stage::{Stage, ask, choice, id, stage, stage_with, unlimited};

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    pub(crate) number: u64,
    pub(crate) name: String,
    pub(crate) said: Value,
}

/// A reader of events, byte by byte off the socket.
pub(crate) struct Ear {
    stream: TcpStream,
    text: String,
}

impl Ear {
    pub(crate) async fn open(stage: &Stage, path: &str, key: &str, more: &str) -> Self {
        let mut stream = TcpStream::connect(stage.address).await.unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {key}\r\n{more}\r\n",
            stage.address
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        Self { stream, text: String::new() }
    }

    /// Reads until an event is whole; none when the stream ends.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
        loop {
            let block = self.block().await?;
            if block.contains("data: ") {
                return Some(heard(&block));
            }
        }
    }

    /// Reads the next message that has no name: what `onmessage` hears.
    pub(crate) async fn unnamed(&mut self) -> Value {
        loop {
            let data = self.text.find("data: ");
            let end = data.and_then(|at| self.text[at..].find("\n\n").map(|n| at + n));
            let Some((data, end)) = data.zip(end) else {
                assert!(self.more().await, "the stream ended");
                continue;
            };
            let block = self.text.drain(..end).collect::<String>();
            assert!(!block.contains("event: "), "{block}");
            return serde_json::from_str(block[data..].lines().next().unwrap().trim_start_matches("data: "))
                .unwrap();
        }
    }

    /// Reads the number at which the stream begins: a block with an `id:` and nothing else, which
    /// every reader of events keeps without being told of an event.
    async fn begins_at(&mut self) -> u64 {
        let block = self.block().await.unwrap();
        let number = block.strip_prefix("id: ");
        number.unwrap_or_else(|| panic!("not a number alone: {block}")).parse().unwrap()
    }

    /// Reads until a block that begins with an `id:` is whole; none when the stream ends.
    async fn block(&mut self) -> Option<String> {
        loop {
            let begin = self.text.find("id: ");
            let end = begin.and_then(|at| self.text[at..].find("\n\n").map(|n| at + n));
            if let (Some(begin), Some(end)) = (begin, end) {
                let block = self.text[begin..end].to_owned();
                self.text.drain(..end);
                return Some(block);
            }
            if !self.more().await {
                return None;
            }
        }
    }

    /// Reads what comes next; false when the stream ends.
    async fn more(&mut self) -> bool {
        let mut bytes = vec![0; 1 << 20];
        match tokio::time::timeout(Duration::from_secs(10), self.stream.read(&mut bytes)).await.unwrap() {
            Ok(0) | Err(_) => return false,
            Ok(n) => self.text.push_str(&String::from_utf8_lossy(&bytes[..n])),
        }
        true
    }
}

fn heard(event: &str) -> Heard {
    let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap();
    Heard {
        number: field("id").parse().unwrap(),
        name: field("event").to_owned(),
        said: serde_json::from_str(field("data")).unwrap(),
    }
}

async fn some_history(stage: &Stage) {
    for number in 0..4 {
        let question = format!("q{number}");
        let asked = stage.ask(ask("s", &[choice(&question)])).await;
        stage.post("/api/asks", &stage.bob.agent, ask("s", &[choice(&question)])).await.ok();
        let path = format!("/api/asks/{}", id(&asked));
        stage
            .call(
                "PUT",
                &format!("{path}/sheet"),
                &stage.ann.person,
                json!({"answers": {question.as_str(): "a"}}),
            )
            .await
            .ok();
        stage
            .post(&format!("{path}/answer"), &stage.ann.person, json!({"answers": {question.as_str(): "b"}}))
            .await
            .ok();
    }
}

/// SSE resumes at every number: nothing missing, nothing twice, nobody else's (E7, D5).
#[tokio::test(flavor = "multi_thread")]
async fn e7_a_reader_resumes_at_every_number_without_a_gap() {
    let stage = stage().await;
    let mut live = Ear::open(&stage, "/api/events", &stage.ann.person, "").await;
    // The stream must be open before anything happens.
    assert_eq!(live.begins_at().await, 0);
    some_history(&stage).await;
    let head = stage.desk.head();
    let mut all = Vec::new();
    let n_closed = |all: &[Heard]| all.iter().filter(|event| event.name == "ask_user_response").count();
    while n_closed(&all) < 4 {
        all.push(live.next().await.unwrap());
    }
    let asks: Vec<&Value> =
        all.iter().filter(|event| event.name == "asked").map(|event| &event.said["ask"]["asker"]).collect();
    assert_eq!(asks.len(), 4, "only Ann's");
    for since in 0..=head {
        let last = all.iter().filter(|event| event.number > since);
        let by_header = since % 2 == 0;
        let (path, more) = if by_header {
            ("/api/events?since=999999".to_owned(), format!("last-event-id: {since}\r\n"))
        } else {
            (format!("/api/events?since={since}"), String::new())
        };
        let mut again = Ear::open(&stage, &path, &stage.ann.person, &more).await;
        for expected in last {
            assert_eq!(again.next().await.as_ref(), Some(expected), "since {since}");
        }
    }
}

/// O1, O2, P6: what the events carry.
#[tokio::test(flavor = "multi_thread")]
async fn o1_p6_the_events_carry_the_ask_and_every_close() {
    let stage = stage().await;
    let mut ear = Ear::open(&stage, "/api/events?since=0", &stage.ann.agent, "").await;
    let mut body = ask("s", &[choice("q")]);
    body["eventId"] = "e-7".into();
    body["timeoutMs"] = 30.into();
    let asked = stage.ask(body).await;
    let mut events = Vec::new();
    while events.last().is_none_or(|event: &Heard| event.name != "ask_user_response") {
        events.push(ear.next().await.unwrap());
    }
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["session_changed", "asked", "shown", "ask_user_response"]);
    let pushed = &events[1].said["push"][0];
    assert_eq!((&pushed["type"], &pushed["question_id"]), (&json!("ask_user_question"), &json!("q")));
    assert_eq!(pushed["question"]["question_text"], "q?");
    assert_eq!(events[1].said["ask"]["ask_id"], asked["ask_id"]);
    let close = &events[3].said;
    assert_eq!(
        (&close["status"], &close["reason"], &close["opCode"]),
        (&json!("timeout"), &json!("timeout"), &json!("e-7"))
    );
    assert_eq!((&close["ask_id"], &close["session"]), (&asked["ask_id"], &asked["session"]));
    assert_eq!(close["answers"][0]["answered"], false);
    // One session only, where one is named.
    stage.ask(ask("other", &[choice("x")])).await;
    let mut one = Ear::open(&stage, "/api/events?session=other&since=0", &stage.ann.person, "").await;
    let names = [one.next().await.unwrap().name, one.next().await.unwrap().name];
    assert_eq!(names, ["session_changed", "asked"]);
}

/// A reader that does not read is dropped; what it missed is there when it comes back.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_does_not_read_is_dropped_and_catches_up() {
    let stage = stage_with(|server| {
        server.rates = unlimited();
        server.bounds.write_time_max = Duration::from_millis(200);
    })
    .await;
    let mut deaf = Ear::open(&stage, "/api/events?since=0", &stage.ann.person, "").await;
    let text = "x".repeat(50_000);
    // More than the sockets' buffers hold on any system.
    for number in 0..300 {
        let mut question = choice(&format!("q{number}"));
        question["description"] = text.clone().into();
        stage.ask(ask(&format!("s{}", number % 10), &[question])).await;
    }
    tokio::time::sleep(Duration::from_millis(600)).await;
    let mut last = 0;
    while let Some(event) = deaf.next().await {
        assert!(event.number > last);
        last = event.number;
    }
    let head = stage.desk.head();
    assert!(last < head, "it was never dropped");
    let mut back = Ear::open(&stage, &format!("/api/events?since={last}"), &stage.ann.person, "").await;
    while last < head {
        let event = back.next().await.unwrap();
        assert!(event.number > last);
        last = event.number;
    }
}

/// A silent stream says every fifteen seconds that it lives; here sooner, and nothing else is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_stream_says_that_it_lives() {
    assert_eq!(Bounds::default().heartbeat, Duration::from_secs(15));
    let stage = stage_with(|server| server.bounds.heartbeat = Duration::from_millis(20)).await;
    let mut ear = Ear::open(&stage, "/api/events", &stage.ann.person, "").await;
    ear.begins_at().await;
    let n_comments = |text: &str| text.lines().filter(|line| line.trim_end() == ":").count();
    while n_comments(&ear.text) < 3 {
        assert!(ear.more().await, "it ended: {}", ear.text);
    }
    assert!(!ear.text.contains("data: ") && !ear.text.contains("event: "), "{}", ear.text);
    // It goes on as before once something happens.
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    while ear.next().await.unwrap().said["ask"]["ask_id"] != asked["ask_id"] {}
}

/// A stream says how it must be passed on.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_not_to_be_buffered() {
    let stage = stage().await;
    let mut ear = Ear::open(&stage, "/api/events", &stage.ann.person, "").await;
    let mut bytes = [0; 2048];
    let n = ear.stream.read(&mut bytes).await.unwrap();
    let head = String::from_utf8_lossy(&bytes[..n]).to_lowercase();
    for line in ["content-type: text/event-stream", "x-accel-buffering: no", "cache-control: no-"] {
        assert!(head.contains(line), "{head}");
    }
}

/// A number from another desk, or from before a backup was put back: hears from now on.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_from_the_future_hears_from_now_on() {
    let stage = stage().await;
    some_history(&stage).await;
    let mut ear = Ear::open(&stage, "/api/events?since=999999", &stage.ann.person, "").await;
    // It is told where it really begins, and from there on misses nothing.
    let head = stage.desk.head();
    assert_eq!(ear.begins_at().await, head);
    stage.ask(ask("future", &[choice("f")])).await;
    assert_eq!(ear.next().await.unwrap().number, head + 1);
}

/// A stream that is cut before its first event is taken up where it began: nothing is missing (E7).
#[tokio::test(flavor = "multi_thread")]
async fn e7_a_reader_that_is_cut_off_before_its_first_event_misses_nothing() {
    let stage = stage().await;
    some_history(&stage).await;
    let relay = Relay::to(stage.address).await;
    let url = format!("http://{}", relay.address);
    let environment = Environment::of(&[("ASKUSER_URL", &url), ("ASKUSER_AGENT_KEY", &stage.ann.agent)]);
    let client = Client::new(&environment, Home::new(std::path::Path::new("/nowhere")));
    let mut events = client.events(KeyRole::Agent, None);
    events.connect().await.unwrap();
    relay.cut();
    let asked = stage.ask(ask("while away", &[choice("missed")])).await;
    let told = tokio::time::timeout(Duration::from_secs(10), async {
        loop {
            let event = events.next().await.unwrap();
            if event.name == "asked" {
                return event.carries;
            }
        }
    });
    assert_eq!(told.await.expect("the fact was missed")["ask"]["ask_id"], asked["ask_id"]);
}

/// Passes connections on, and can cut them all.
struct Relay {
    address: std::net::SocketAddr,
    passing: Arc<Mutex<Vec<AbortHandle>>>,
}

impl Relay {
    async fn to(server: std::net::SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let passing: Arc<Mutex<Vec<AbortHandle>>> = Arc::default();
        let taken = Arc::clone(&passing);
        tokio::spawn(async move {
            while let Ok((mut from, _)) = listener.accept().await {
                let passing = tokio::spawn(async move {
                    let mut to = TcpStream::connect(server).await.unwrap();
                    let _ended = tokio::io::copy_bidirectional(&mut from, &mut to).await;
                });
                taken.lock().unwrap().push(passing.abort_handle());
            }
        });
        Self { address, passing }
    }

    fn cut(&self) {
        for passing in self.passing.lock().unwrap().drain(..) {
            passing.abort();
        }
    }
}

/// Whoever asks for what is erased is told once that there was something, and goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_listener_that_asks_for_what_is_erased_is_told_to_read_anew() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let answer = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&answer, &stage.ann.person, json!({"answers": {"q": "a"}})).await.ok();
    stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    stage.until(&id(&asked), "processing").await;
    stage.forward_ms.store(3_700_000, std::sync::atomic::Ordering::SeqCst);
    let kept = Duration::from_hours(1);
    assert_eq!(askuser_watch::audit::erase_older(&stage.desk, kept).await.unwrap(), 1);
    stage.ask(ask("t", &[choice("r")])).await;
    let mut ear = Ear::open(&stage, "/api/events?since=0", &stage.ann.person, "").await;
    let mut names = Vec::new();
    while names.last().is_none_or(|name| name != "shown") {
        let heard = ear.next().await.unwrap();
        if heard.name == "resync" {
            assert_eq!(heard.said["session"], asked["session"]);
        }
        names.push(heard.name);
    }
    assert_eq!(names.iter().filter(|name| *name == "resync").count(), 1, "{names:?}");
    assert!(names.ends_with(&["asked".to_owned(), "shown".to_owned()]), "{names:?}");
}

/// P13: the asker is told under which id its ask goes on.
#[tokio::test(flavor = "multi_thread")]
async fn p13_the_asker_hears_the_id_of_what_is_asked_anew() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let path = format!("/api/asks/{}", id(&asked));
    stage.post(&format!("{path}/cancel"), &stage.ann.person, json!({})).await.ok();
    let mut ear = Ear::open(&stage, "/api/events?since=0", &stage.ann.agent, "").await;
    let anew = stage.post(&format!("{path}/reopen"), &stage.ann.person, Value::Null).await.ok();
    let told = loop {
        let heard = ear.next().await.unwrap();
        if heard.said["new_ask_id"].is_string() {
            break heard;
        }
    };
    assert_eq!(told.name, "session_changed");
    assert_eq!((&told.said["new_ask_id"], &told.said["ask_id"]), (&anew["ask_id"], &asked["ask_id"]));
    // Whoever comes back by the old one finds the new one there.
    assert_eq!(stage.get(&path, &stage.ann.agent).await.ok()["reopened_as"], anew["ask_id"]);
}
