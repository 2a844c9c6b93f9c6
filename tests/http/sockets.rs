//! The event protocol over a WebSocket: several agents at once, each response to its own.

use std::time::{Duration, Instant};

use askuser_http::Bounds;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::figures::Figures;
use crate::stage::{Stage, ask, choice, id, stage, stage_with, unlimited};

pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn try_open(stage: &Stage, query: &str, headers: &[(&'static str, String)]) -> Result<Self, Error> {
        let mut request = format!("ws://{}/api/ws{query}", stage.address).into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        request.headers_mut().insert("host", stage.page_host().parse().unwrap());
        Ok(Self(connect_async(request).await?.0))
    }

    pub(crate) async fn open(stage: &Stage, query: &str, key: &str) -> Self {
        let headers = [("authorization", format!("Bearer {key}")), ("origin", stage.origin())];
        Self::try_open(stage, query, &headers).await.unwrap()
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    pub(crate) async fn hear(&mut self) -> Value {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(10), self.0.next()).await.unwrap();
            match next.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Nothing may come for a while.
    async fn silent(&mut self) {
        let heard = tokio::time::timeout(Duration::from_millis(100), self.hear()).await;
        assert!(heard.is_err(), "{heard:?}");
    }
}

fn request(agent: &str, question: &str) -> Value {
    let options = json!([{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]);
    let question = json!({"question": question, "header": "H", "options": options});
    json!({"event": "ask:question:request", "data": {"agentId": agent, "questions": [question], "metadata": {"source": "t"}}})
}

fn response(agent: &str, ask_id: Option<&Value>, answer: &str) -> Value {
    let mut data = json!({"agentId": agent, "answers": {"question-0": answer}});
    if let Some(ask_id) = ask_id {
        data["askId"] = ask_id.clone();
    }
    json!({"event": "ask:question:response", "data": data})
}

/// E1, E2, E7: two agents and a person; each response reaches only its own agent.
#[tokio::test(flavor = "multi_thread")]
async fn e1_e7_each_response_reaches_only_its_own_agent() {
    let stage = stage().await;
    let mut person = Socket::open(&stage, "", &stage.ann.person).await;
    let mut other_surface = Socket::open(&stage, "", &stage.ann.person).await;
    let mut one = Socket::open(&stage, "", &stage.ann.agent).await;
    let mut two = Socket::open(&stage, "", &stage.ann.agent).await;
    let mut bobs = Socket::open(&stage, "", &stage.bob.person).await;
    one.say(request("one", "First?")).await;
    let first = person.hear().await;
    assert_eq!((&first["event"], &first["data"]["agentId"]), (&json!("ask:question:request"), &json!("one")));
    // The listener is a program, and gets it (E1); what it shows to its person is without it (E4).
    assert_eq!(first["data"]["metadata"], json!({"source": "t"}));
    assert_eq!(first["data"]["questions"][0]["multiSelect"], false);
    two.say(request("two", "Second?")).await;
    let second = person.hear().await;
    person.say(response("two", Some(&second["data"]["askId"]), "B")).await;
    let told = two.hear().await;
    assert_eq!(told["event"], "ask:question:response");
    assert_eq!(
        (&told["data"]["agentId"], &told["data"]["answers"]),
        (&json!("two"), &json!({"question-0": "B"}))
    );
    one.silent().await;
    // Without an id, the oldest open ask of the agent is meant.
    person.say(response("one", None, "A")).await;
    assert_eq!(one.hear().await["data"]["answers"], json!({"question-0": "A"}));
    two.silent().await;
    bobs.silent().await;
    // O2: every surface hears of every close, so that no card stays open.
    let mut closes = Vec::new();
    while closes.len() < 2 {
        let heard = other_surface.hear().await;
        if heard["event"] == "ask:question:response" {
            closes.push(heard["data"]["askId"].clone());
        }
    }
    assert_eq!(closes, [second["data"]["askId"].clone(), first["data"]["askId"].clone()]);
    stage.until(first["data"]["askId"].as_str().unwrap(), "processing").await;
}

/// E7: two open asks of one agent are told apart by `askId`, ours or the agent's own.
#[tokio::test(flavor = "multi_thread")]
async fn e7_two_asks_of_one_agent_are_told_apart() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    let mut person = Socket::open(&stage, "?protocol=events", &stage.ann.person).await;
    for (own, question) in [("mine-1", "First?"), ("mine-2", "Second?")] {
        let mut request = request("x", question);
        request["data"]["askId"] = own.into();
        agent.say(request).await;
    }
    let (_, second) = (person.hear().await, person.hear().await);
    person.say(response("x", Some(&second["data"]["askId"]), "B")).await;
    let told = agent.hear().await;
    assert_eq!(
        (&told["data"]["askId"], &told["data"]["answers"]["question-0"]),
        (&json!("mine-2"), &json!("B"))
    );
    person.hear().await;
    person.say(response("x", Some(&json!("mine-1")), "A")).await;
    assert_eq!(agent.hear().await["data"]["askId"], "mine-1");
}

/// O1, O2, O3, O9: the `ask_user` messages, with their timeout.
#[tokio::test(flavor = "multi_thread")]
async fn o1_o9_ask_user_over_a_socket() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    agent.say(json!({"type": "ask_user", "eventId": "e1", "questions": [choice("q1")]})).await;
    // A surface that comes later is told what is open.
    stage.until_open(1).await;
    let mut person = Socket::open(&stage, "", &stage.ann.person).await;
    let asked = person.hear().await;
    assert_eq!((&asked["type"], &asked["eventId"]), (&json!("ask_user"), &json!("e1")));
    person.say(json!({"type": "ask_user_response", "opCode": "e1", "answers": [{"questionId": "q1", "selectedIds": ["b"]}]})).await;
    let told = agent.hear().await;
    assert_eq!(
        (&told["type"], &told["opCode"], &told["status"], &told["reason"]),
        (&json!("ask_user_response"), &json!("e1"), &json!("answered"), &json!("user"))
    );
    assert_eq!(told["answers"][0]["selected"], json!(["Beta"]));
    assert_eq!(person.hear().await["type"], "ask_user_response");

    agent.say(json!({"type": "ask_user", "eventId": "e2", "questions": [choice("q2"), choice("q3")], "timeoutMs": 50, "cancelStatus": "cancelled"})).await;
    let told = agent.hear().await;
    assert_eq!(
        (&told["opCode"], &told["status"], &told["reason"]),
        (&json!("e2"), &json!("cancelled"), &json!("timeout"))
    );
    assert_eq!(told["answers"][1]["answered"], false);
    assert_eq!(
        (person.hear().await["type"].clone(), person.hear().await["opCode"].clone()),
        (json!("ask_user"), json!("e2"))
    );

    agent.say(json!({"type": "ask_user", "eventId": "e3", "questions": [choice("q4")]})).await;
    person.hear().await;
    person.say(json!({"type": "ask_user_response", "opCode": "e3", "status": "cancelled", "comment": "no", "answers": []})).await;
    let told = agent.hear().await;
    assert_eq!(
        (&told["status"], &told["reason"], &told["comment"]),
        (&json!("cancelled"), &json!("user"), &json!("no"))
    );
}

/// O8, invariant 6: a response of the system comes from the server alone, an answer from a person.
#[tokio::test(flavor = "multi_thread")]
async fn o8_a_forged_response_is_refused() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &[choice("q")])).await;
    let mut person = Socket::open(&stage, "", &stage.ann.person).await;
    person.hear().await;
    for (status, reason) in [
        ("timeout", "timeout"),
        ("cancelled", "system"),
        ("cancelled", "timeout"),
        ("answered", "system"),
        ("timeout", "user"),
        ("done", "user"),
    ] {
        let forged = json!({"type": "ask_user_response", "opCode": asked["ask_id"], "status": status, "reason": reason, "answers": []});
        person.say(forged).await;
        let told = person.hear().await;
        assert_eq!(
            (&told["type"], &told["error"]),
            (&json!("error"), &json!("forbidden")),
            "{status} {reason}"
        );
    }
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    agent.say(json!({"type": "ask_user_response", "opCode": asked["ask_id"], "answers": [["Alpha"]]})).await;
    assert_eq!(agent.hear().await["error"], "forbidden");
    agent.say(response("x", Some(&asked["ask_id"]), "A")).await;
    let told = agent.hear().await;
    assert_eq!((&told["event"], &told["data"]["error"]), (&json!("ask:question:error"), &json!("forbidden")));
    person.say(request("x", "May a person ask?")).await;
    assert_eq!(person.hear().await["data"]["error"], "forbidden");
    let mut bob = Socket::open(&stage, "", &stage.bob.person).await;
    bob.say(json!({"type": "ask_user_response", "opCode": asked["ask_id"], "answers": [["Alpha"]]})).await;
    assert_eq!(bob.hear().await["error"], "ask_not_found");
    let shown = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(shown["outcome"], Value::Null);
}

/// E7, invariant 6: names that askers choose lead nobody to another ask than the one they see.
#[tokio::test(flavor = "multi_thread")]
async fn e7_a_name_that_an_agent_chose_never_answers_another_ask() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    let mut person = Socket::open(&stage, "", &stage.ann.person).await;
    let grave = stage.ask(ask("s", &[choice("grave")])).await;
    person.hear().await;
    // A decoy under the name of another ask.
    agent.say(json!({"type": "ask_user", "eventId": grave["ask_id"], "questions": [choice("decoy")]})).await;
    let told = agent.hear().await;
    assert_eq!((&told["type"], &told["error"]), (&json!("error"), &json!("invalid_question")), "{told}");
    // Two agents chose the same name: which one is meant must be said.
    for name in ["a", "b"] {
        let asked = json!({"type": "ask_user", "eventId": "e", "questions": [choice(name)], "asker": {"agent": name}});
        agent.say(asked).await;
        person.hear().await;
    }
    let mut answer = json!({"type": "ask_user_response", "opCode": "e", "answers": [["Beta"]]});
    person.say(answer.clone()).await;
    let told = person.hear().await;
    assert_eq!((&told["type"], &told["error"]), (&json!("error"), &json!("invalid_answer")), "{told}");
    answer["agentId"] = "b".into();
    person.say(answer).await;
    let told = agent.hear().await;
    assert_eq!((&told["opCode"], &told["answers"][0]["questionId"]), (&json!("e"), &json!("b")), "{told}");
    let shown = stage.get(&format!("/api/asks/{}", id(&grave)), &stage.ann.agent).await.ok();
    assert_eq!(shown["outcome"], Value::Null);
}

/// E7, O1: a request that joins an open ask has a response of its own, under its own name.
#[tokio::test(flavor = "multi_thread")]
async fn e7_a_request_that_joins_has_its_own_response() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    for event in ["first", "second"] {
        agent.say(json!({"type": "ask_user", "eventId": event, "questions": [choice("q")]})).await;
    }
    stage.until_open(1).await;
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    let path = format!("/api/asks/{}/answer", id(&inbox["asks"][0]));
    // Both are taken in before it is answered: the second is counted as it comes.
    agent.say(json!({"type": "nothing"})).await;
    assert_eq!(agent.hear().await["error"], "invalid_request");
    stage.post(&path, &stage.ann.person, json!({"answers": {"q": "a"}})).await.ok();
    let names = [agent.hear().await["opCode"].clone(), agent.hear().await["opCode"].clone()];
    assert_eq!(names, ["first", "second"]);
}

/// D11: the messages of a socket are counted as requests are.
#[tokio::test(flavor = "multi_thread")]
async fn d11_a_runaway_socket_is_slowed_down() {
    let stage = stage_with(|server| server.rates.requests = 3).await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    for number in 0..5 {
        agent.say(request("x", &format!("Question {number}?"))).await;
    }
    for _ in 0..2 {
        // It says which of them was turned down.
        let told = agent.hear().await;
        assert_eq!((&told["data"]["error"], &told["data"]["agentId"]), (&json!("rate_limited"), &json!("x")));
    }
    stage.until_open(3).await;
    let mut other = Socket::open(&stage, "", &stage.ann.agent).await;
    other.say(request("y", "Another?")).await;
    stage.until_open(4).await;
}

/// P6: a question alone, in the push form, is asked over a socket as over HTTP; what an example left out is named.
#[tokio::test(flavor = "multi_thread")]
async fn p6_a_bare_question_is_asked_over_a_socket() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    agent.say(json!({"question_id": "ok", "question_text": "Bare?", "type": "boolean"})).await;
    stage.until_open(1).await;
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    let path = format!("/api/asks/{}/answer", id(&inbox["asks"][0]));
    stage.post(&path, &stage.ann.person, json!({"answers": {"ok": true}})).await.ok();
    assert_eq!(agent.hear().await["answers"], json!({"ok": true}));
    let example = r#"{"name": "ask_user_question", "input": {"questions": [...]}}"#;
    agent.0.send(Message::text(example)).await.unwrap();
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [("authorization", bearer.as_str())];
    for refused in [agent.hear().await, stage.send("POST", "/api/asks", &headers, example).await.json()] {
        let message = refused["problems"][0]["message"].as_str();
        assert!(message.is_some_and(|message| message.contains("`...` is a placeholder")), "{refused}");
    }
}

/// A message that makes no sense is told so, and the socket lives on.
#[tokio::test(flavor = "multi_thread")]
async fn nonsense_on_a_socket_breaks_nothing() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    for nonsense in ["", "{", "[]", "null", "{\"event\":7}", "{\"type\":\"ask\"}"] {
        agent.0.send(Message::text(nonsense)).await.unwrap();
        assert_eq!(agent.hear().await["error"], "invalid_request", "{nonsense}");
    }
    agent.say(json!({"event": "ask:question:request"})).await;
    assert_eq!(agent.hear().await["data"]["error"], "invalid_question");
    // E3: the limits of the protocol hold.
    let mut long = request("x", "Q?");
    long["data"]["questions"][0]["header"] = "longer than twelve".into();
    agent.say(long).await;
    let told = agent.hear().await;
    assert_eq!(told["data"]["problems"][0]["path"], "questions[0].header");
    let _closed = agent.0.send(Message::text("x".repeat(300_000))).await;
    assert!(matches!(agent.0.next().await, None | Some(Err(_) | Ok(Message::Close(_)))));
    assert_eq!(stage.send("GET", "/healthz", &[], "").await.status, 200);
}

/// Sockets from other sites: every one needs our own Origin, by key or by cookie.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_from_another_site_is_refused() {
    let stage = stage().await;
    let cookie = stage.sign_in().await;
    let bearer = format!("Bearer {}", stage.ann.agent);
    let own = stage.origin();
    let status = async |headers: &[(&'static str, String)]| match Socket::try_open(&stage, "", headers).await
    {
        Ok(_) => 101,
        Err(Error::Http(response)) => response.status().as_u16(),
        Err(other) => panic!("{other}"),
    };
    for credentials in [("cookie", cookie.clone()), ("authorization", bearer.clone())] {
        assert_eq!(status(std::slice::from_ref(&credentials)).await, 403);
        assert_eq!(status(&[credentials.clone(), ("origin", "http://evil.example".into())]).await, 403);
        assert_eq!(status(&[credentials.clone(), ("origin", own.clone())]).await, 101);
    }
    assert_eq!(status(&[("origin", own.clone())]).await, 401);
    let admin = ("authorization", format!("Bearer {}", stage.ann.admin));
    assert_eq!(status(&[admin, ("origin", own.clone())]).await, 403);
    let plain = stage.send("GET", "/api/ws", &[("authorization", &bearer), ("origin", &own)], "").await;
    assert_eq!(plain.code(), "400 invalid_request");
    let esperanto =
        Socket::try_open(&stage, "?protocol=esperanto", &[("authorization", bearer), ("origin", own)]).await;
    assert!(matches!(esperanto.err(), Some(Error::Http(response)) if response.status() == 400));
    // Also the socket that needs no key and tells what anybody may know.
    let upgrade = [("connection", "Upgrade"), ("upgrade", "websocket"), ("sec-websocket-version", "13")];
    for origin in [None, Some("http://evil.example")] {
        let from = origin.map(|origin| ("origin", origin));
        let headers: Vec<(&str, &str)> = upgrade.into_iter().chain(from).collect();
        assert_eq!(stage.send("GET", "/api/reach", &headers, "").await.code(), "403 forbidden", "{origin:?}");
    }
}

/// A socket is told to come back when the desk closes.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_ends_when_the_desk_closes() {
    let mut stage = stage().await;
    let mut person = Socket::open(&stage, "", &stage.ann.person).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    stage.stopping.cancel();
    let last = tokio::time::timeout(Duration::from_secs(2), person.0.next()).await.unwrap();
    assert!(matches!(last, Some(Ok(Message::Close(Some(frame)))) if u16::from(frame.code) == 1012));
    tokio::time::timeout(Duration::from_secs(2), &mut stage.served).await.unwrap().unwrap().unwrap();
}

/// A socket whose other end never reads is dropped, and holds up nobody meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_does_not_read_is_dropped() {
    assert_eq!(Bounds::default().message_time_max, Duration::from_secs(10));
    let stage = stage_with(|server| {
        server.rates = unlimited();
        server.bounds.message_time_max = Duration::from_millis(200);
        // It must not be this that ends it.
        server.bounds.write_time_max = Duration::from_mins(10);
    })
    .await;
    let deaf = Socket::open(&stage, "", &stage.ann.person).await;
    let listens = async || Figures::of(&stage).await["askuser_event_subscribers{kind=\"websocket\"}"];
    assert!(listens().await > 0.5, "it was never there");
    // At last more than the sockets' buffers hold on any system; each ask is taken in at once. Of one
    // session only five would be shown.
    let mut question = choice("q");
    question["description"] = "x".repeat(50_000).into();
    for number in 0..300 {
        let asker = json!({"agent": "a", "folder": format!("~/{number}")});
        stage.ask(json!({"questions": [question], "asker": asker})).await;
    }
    let begun = Instant::now();
    while listens().await > 0.5 {
        assert!(begun.elapsed() < Duration::from_secs(10), "it is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut other = Socket::open(&stage, "", &stage.ann.person).await;
    assert_eq!(other.hear().await["type"], "ask_user");
    drop(deaf);
}

/// A connection does not outlive the key that it came in with: nothing that it says is heard.
#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_key_ends_its_open_sockets() {
    let stage = stage().await;
    let made =
        stage.post("/api/keys", &stage.ann.admin, json!({"role": "agent", "name": "laptop"})).await.json();
    let mut socket = Socket::open(&stage, "", made["key"].as_str().unwrap()).await;
    let path = format!("/api/keys/{}", made["key_id"].as_str().unwrap());
    stage.call("DELETE", &path, &stage.ann.admin, Value::Null).await.ok();
    socket.say(request("a", "Still there?")).await;
    let next = tokio::time::timeout(Duration::from_secs(10), socket.0.next()).await.unwrap();
    assert!(matches!(next, None | Some(Err(_) | Ok(Message::Close(_)))), "{next:?}");
    assert_eq!(stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"], json!([]));
}
