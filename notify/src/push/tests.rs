//! Web Push against a service on loopback that opens what it gets, as the browser would.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::asker::Terms;
use askuser_core::command::Role;
use askuser_core::draft::Given;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::net::TcpListener;

use askuser_words::Language;

use super::*;
use crate::tests::fake::{Mood, Stage, actor, half_an_answer, person, question, until};
use crate::{Notifier, Nudge};
use askuser_desk::{Subscription, Waited};

mod curve;
pub(crate) mod receiver;

/// A push service: it knows its browsers by number, checks who writes, and notes what each reads.
#[derive(Clone)]
struct Office {
    url: String,
    /// The key that the first message was signed with: a browser takes no other.
    sender: Arc<Mutex<Option<Vec<u8>>>>,
    read: Arc<Mutex<Vec<(u8, Value, HeaderMap)>>>,
    moods: Arc<Mutex<HashMap<u8, VecDeque<Mood>>>>,
    n_knocks: Arc<Mutex<HashMap<u8, usize>>>,
    /// Who was named as whoever runs the desk, message by message.
    contacts: Arc<Mutex<Vec<Option<Value>>>>,
}

async fn knocked(
    State(service): State<Office>,
    Path(n): Path<u8>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    *service.n_knocks.lock().entry(n).or_default() += 1;
    let mood = service.moods.lock().get_mut(&n).and_then(VecDeque::pop_front);
    match mood.unwrap_or(Mood::Well) {
        Mood::Well => {}
        Mood::Says(status, after) => {
            let mut response = StatusCode::from_u16(status).unwrap().into_response();
            if let Some(after) = after {
                response.headers_mut().insert("retry-after", after.into());
            }
            return response;
        }
        Mood::Hangs => std::future::pending().await,
    }
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let (claims, key) = receiver::vouched(&header("authorization"));
    assert_eq!(claims["aud"], service.url.as_str());
    service.contacts.lock().push(claims.get("sub").cloned());
    let known = service.sender.lock().get_or_insert(key.clone()).clone();
    assert_eq!(known, key, "the key that the browser knows");
    assert_eq!(header("content-encoding"), "aes128gcm");
    assert!(header("ttl").parse::<u64>().unwrap() > 0 && header("topic").len() == 32);
    let message = receiver::Browser::new(n).open(&body);
    let message: Value = serde_json::from_slice(&message).unwrap();
    service.read.lock().push((n, message, headers));
    StatusCode::CREATED.into_response()
}

impl Office {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            sender: Arc::default(),
            read: Arc::default(),
            moods: Arc::default(),
            n_knocks: Arc::default(),
            contacts: Arc::default(),
        };
        let router = Router::new().route("/push/{n}", post(knocked)).with_state(service.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        service
    }

    fn endpoint(&self, n: u8) -> String {
        format!("{}/push/{n}", self.url)
    }

    fn will(&self, n: u8, moods: &[Mood]) {
        self.moods.lock().insert(n, moods.iter().copied().collect());
    }

    /// What a browser has read.
    fn read(&self, n: u8) -> Vec<Value> {
        let read = self.read.lock();
        read.iter().filter(|(of, ..)| *of == n).map(|(_, message, _)| message.clone()).collect()
    }

    fn n_knocks(&self, n: u8) -> usize {
        self.n_knocks.lock().get(&n).copied().unwrap_or_default()
    }

    async fn reads(&self, n: u8, n_messages: usize) -> Value {
        let what = format!("browser {n} reads {n_messages}");
        until(&what, async || self.read(n).get(n_messages - 1).cloned()).await
    }
}

async fn subscribe_at(stage: &Stage, who: &str, endpoint: String, n: u8) {
    let browser = receiver::Browser::new(n);
    let given = Subscription {
        endpoint,
        key: browser.public(),
        auth: browser.auth.clone(),
        language: "en".to_owned(),
    };
    assert!(stage.desk.subscribe(&who.into(), given).await.unwrap());
}

async fn subscribe(stage: &Stage, service: &Office, who: &str, n: u8) {
    subscribe_at(stage, who, service.endpoint(n), n).await;
}

fn text(servers: &[&str], people: &str) -> String {
    let servers: Vec<String> = servers.iter().map(|server| format!("\"{server}\"")).collect();
    format!(
        "notify: {{push_servers: [{}], contact: \"mailto:ops@desk.example\"{people}}}\n",
        servers.join(", ")
    )
}

fn start(stage: &Stage, service: &Office, people: &str) -> Notifier {
    stage.start(&text(&[&service.url], people))
}

async fn noted(stage: &Stage, ask: &Ask) {
    until("it is noted as sent", async || {
        let rows = stage.desk.nudges().all().await.unwrap();
        rows.iter().any(|row| row.key.ask == ask.id && row.receipt.is_some()).then_some(())
    })
    .await;
}

/// Nobody is named in the configuration: who asked for it on the page is told, once, and it is taken back.
#[tokio::test]
async fn a_browser_is_told_once_and_it_is_taken_back_when_the_ask_closes() {
    let service = Office::start().await;
    let mut stage = Stage::new().await;
    let notifier = start(&stage, &service, "");
    subscribe(&stage, &service, "ann", 1).await;
    subscribe(&stage, &service, "bob", 3).await;
    let ask = stage.ask("Deploy", &["Staging", "Production"]).await;
    let told = service.reads(1, 1).await;
    let id = ask.id.to_string();
    let path = format!("/asks/{id}");
    assert_eq!(
        told,
        json!({"tag": id, "title": "claude-code · shop asks", "body": "Deploy?", "path": path, "again": false})
    );
    noted(&stage, &ask).await;
    // A browser that comes later has nothing to take back; a restart sends nothing again.
    subscribe(&stage, &service, "ann", 2).await;
    notifier.close().await;
    stage = stage.again().await;
    let notifier = start(&stage, &service, "");
    let other = stage.ask("Other", &["x", "y"]).await;
    let told = service.reads(1, 2).await;
    assert_eq!(told["tag"], other.id.to_string());
    service.reads(2, 1).await;
    noted(&stage, &other).await;
    stage.answer(&ask).await;
    let closed = service.reads(1, 3).await;
    assert_eq!((&closed["tag"], &closed["closed"]), (&json!(id), &json!(true)), "{closed}");
    assert_eq!(closed["body"], "Answered by ann in the browser.");
    stage.desk.decline(&person(), other.id, None).await.unwrap();
    assert_eq!(service.reads(1, 4).await["tag"], other.id.to_string());
    assert_eq!(service.reads(2, 2).await["closed"], true);
    notifier.close().await;
    assert_eq!((service.read(1).len(), service.read(2).len(), service.read(3).len()), (4, 2, 0));
    // While the device is off, what closes an ask takes the place of what told of it.
    let read = service.read.lock();
    let headers: Vec<_> = read.iter().filter(|(n, ..)| *n == 1).map(|(.., headers)| headers).collect();
    assert_eq!(headers[0]["topic"], headers[2]["topic"]);
    assert_ne!(headers[0]["topic"], headers[1]["topic"]);
    assert_eq!((headers[0]["urgency"] == "high", headers[2]["urgency"] == "normal"), (true, true));
}

/// 404 and 410 are a browser's end; the others of the person are told all the same.
#[tokio::test]
async fn a_browser_that_is_gone_is_forgotten() {
    let service = Office::start().await;
    let stage = Stage::new().await;
    for (n, status) in [(1, 410), (2, 404), (4, 403)] {
        service.will(n, &[Mood::Says(status, None), Mood::Says(status, None)]);
        subscribe(&stage, &service, "ann", n).await;
    }
    subscribe(&stage, &service, "ann", 3).await;
    let notifier = start(&stage, &service, "");
    stage.ask("q", &["x", "y"]).await;
    service.reads(3, 1).await;
    until("two are forgotten", async || {
        let left = stage.desk.push_browsers(None).await.unwrap();
        (left.len() == 2).then_some(())
    })
    .await;
    stage.ask("r", &["x", "y"]).await;
    service.reads(3, 2).await;
    notifier.close().await;
    assert_eq!((service.n_knocks(1), service.n_knocks(2), service.n_knocks(3)), (1, 1, 2));
    assert_eq!(service.n_knocks(4), 2, "one that is refused is knocked at once an ask, and not forgotten");
}

/// 429, 5xx, silence, half an answer, nobody there: the ask goes on, and whoever was told is not told twice.
#[tokio::test]
async fn a_push_service_in_a_bad_mood_holds_up_nobody() {
    let service = Office::start().await;
    let stage = Stage::new().await;
    let half = half_an_answer().await;
    let down = "http://127.0.0.1:1";
    service.will(1, &[Mood::Says(429, Some(0)), Mood::Says(503, None)]);
    service.will(2, &[Mood::Hangs; 9]);
    for n in [1, 2, 3] {
        subscribe(&stage, &service, "ann", n).await;
    }
    let notifier = stage.start(&text(&[&service.url, &half, down], ""));
    let begun = std::time::Instant::now();
    let ask = stage.ask("q", &["x", "y"]).await;
    service.reads(3, 1).await;
    // The agent's answer waits for none of them.
    let agent = actor(Role::Agent, "ann");
    let waiting = stage.desk.wait(&agent, ask.id, Duration::from_hours(1));
    stage.answer(&ask).await;
    assert!(matches!(waiting.await.unwrap(), Waited::Closed(_)) && begun.elapsed() < Duration::from_secs(9));
    notifier.close().await;
    // One that only pauses is told when it can be, and the others have it once by then.
    stage.desk.unsubscribe(&"ann".into(), &service.endpoint(2)).await.unwrap();
    subscribe_at(&stage, "ann", format!("{half}/push/5"), 5).await;
    subscribe_at(&stage, "ann", format!("{down}/push/6"), 6).await;
    service.will(1, &[Mood::Says(429, Some(0)), Mood::Says(503, None)]);
    let (n_before, n_first) = (service.read(3).len(), service.read(1).len());
    let notifier = stage.start(&text(&[&service.url, &half, down], ""));
    let other = stage.ask("r", &["x", "y"]).await;
    service.reads(1, n_first + 1).await;
    until("it is given up for those that never answer", async || {
        let rows = stage.desk.nudges().all().await.unwrap();
        let of_it = rows.iter().find(|row| row.key.ask == other.id)?;
        (of_it.state == askuser_desk::NudgeState::Over).then_some(())
    })
    .await;
    notifier.close().await;
    assert_eq!((service.read(3).len(), service.read(1).len()), (n_before + 1, n_first + 1));
}

/// What leaves this machine is what the person lets out; secrets never, whatever stands there.
#[tokio::test]
async fn a_browser_is_told_no_more_than_the_person_lets_out() {
    let service = Office::start().await;
    let stage = Stage::new().await;
    subscribe(&stage, &service, "ann", 1).await;
    let people = |content: &str| format!(", people: {{ann: {{content: {content}, single_max: 9}}}}");
    let notifier = start(&stage, &service, &people("choices"));
    stage.ask("Deploy", &["Staging", "Production"]).await;
    assert_eq!(service.reads(1, 1).await["body"], "Deploy?\n• Staging\n• Production");
    let mut secret = question("Password", &[]);
    secret.secret = Given::Value(true);
    stage.ask_with(secret, Terms::default()).await;
    assert_eq!(service.reads(1, 2).await["body"], "");
    notifier.close().await;
    let notifier = start(&stage, &service, &people("title"));
    stage.ask("Again", &["x", "y"]).await;
    let told = service.reads(1, 3).await;
    assert_eq!((&told["body"], &told["title"]), (&json!(""), &json!("claude-code · shop asks")));
    // What is long is cut, and fits into one record.
    notifier.close().await;
    let notifier = start(&stage, &service, &people("choices"));
    let long = "\"长\u{1f980}".repeat(300);
    stage.ask(&long.chars().take(60).collect::<String>(), &[&long[..40], "b"]).await;
    let told = service.reads(1, 4).await;
    assert!(told["body"].as_str().unwrap().contains('长'), "{told}");
    notifier.close().await;
    let write = |body: &str| json!({ "body": body });
    let cut = fitted(write, &long.repeat(9));
    assert!(cut.len() <= sealing::MESSAGE_BYTES_MAX && cut.len() > 3000, "{}", cut.len());
    assert!(serde_json::from_slice::<Value>(&cut).unwrap()["body"].as_str().unwrap().ends_with('…'));
}

/// A browser names where the desk is to call: not into this machine, unless somebody said so.
#[tokio::test]
async fn nothing_inside_is_called_for_a_browser() {
    let service = Office::start().await;
    let stage = Stage::new().await;
    subscribe(&stage, &service, "ann", 1).await;
    let notify = crate::tests::fake::config("notify: {}");
    let replies = Replies {
        desk: stage.desk.clone(),
        person: "ann".into(),
        channel: "browser".to_owned(),
        language: Language::English,
    };
    let push = Push::new(&notify, Http::default(), stage.desk.clock(), Some(replies.clone())).unwrap();
    let nudge = Nudge { id: "n".into(), why: Why::Test, person: "ann".into(), asks: Vec::new() };
    let letter = nudge.write(&askuser_config::PersonPart::default(), None, None);
    let trouble = push.send(&letter).await.unwrap_err();
    assert_eq!((trouble.again, service.n_knocks(1)), (Retry::Never, 0), "{trouble}");
    // Once it is named, it is.
    stage.desk.configure(|settings| {
        settings.push = askuser_desk::PushRule { is_on: true, servers: vec![service.url.clone()] }
    });
    let receipt = push.send(&letter).await;
    assert!(receipt.unwrap().starts_with("n ") && service.n_knocks(1) == 1);
    let off = crate::tests::fake::config("notify: {web_push: false}");
    assert!(Push::new(&off, Http::default(), stage.desk.clock(), Some(replies)).is_err());
    assert!(Push::new(&notify, Http::default(), stage.desk.clock(), None).is_err());
}

/// Whoever runs the desk is named as they said, or by the desk's address; nobody is made up.
#[tokio::test]
async fn a_push_service_is_told_who_runs_the_desk_where_somebody_said_so() {
    let service = Office::start().await;
    let stage = Stage::new().await;
    subscribe(&stage, &service, "ann", 1).await;
    stage.desk.configure(|settings| {
        settings.push = askuser_desk::PushRule { is_on: true, servers: vec![service.url.clone()] }
    });
    let replies = Replies {
        desk: stage.desk.clone(),
        person: "ann".into(),
        channel: "browser".to_owned(),
        language: Language::English,
    };
    for text in [
        "notify: {}",
        "notify: {url: \"http://desk.lan:7777\"}",
        "notify: {url: \"https://desk.example\"}",
        "notify: {url: \"https://desk.example\", contact: \"mailto:ops@desk.example\"}",
    ] {
        let notify = crate::tests::fake::config(text);
        let push = Push::new(&notify, Http::default(), stage.desk.clock(), Some(replies.clone())).unwrap();
        let nudge = Nudge { id: text.into(), why: Why::Test, person: "ann".into(), asks: Vec::new() };
        push.send(&nudge.write(&askuser_config::PersonPart::default(), None, None)).await.unwrap();
    }
    let named = ["https://desk.example", "mailto:ops@desk.example"].map(|contact| Some(json!(contact)));
    let contacts = service.contacts.lock().clone();
    assert_eq!(contacts, [&[None, None], named.as_slice()].concat());
}
