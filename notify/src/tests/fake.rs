//! Services on loopback, faithful and in every mood, and a desk to nudge from.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::{Asker, Purpose, Terms};
use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given};
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::limits::{DeskLimits, Limits};
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::time::Timestamp;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, delete, get, post};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::broadcast;

use crate::{Notifier, Settings};
use askuser_config::{Notify, Sources};
use askuser_desk::{Desk, Request};
use askuser_store::sqlite::{Options, Sqlite};
use askuser_system::backoff::Pauses;
use askuser_system::environment::Environment;

/// A desk over the database of a folder, with a clock that can be put forward.
async fn desk_in(folder: &std::path::Path, forward_ms: &Arc<AtomicI64>) -> Desk {
    let limits = DeskLimits { open_max: 5000, shown_max: 5000, ..DeskLimits::default() };
    let store = Sqlite::open(&folder.join("askuser.db"), &Options::new(limits, Timestamp(0))).unwrap();
    let forward_ms = Arc::clone(forward_ms);
    let clock = move || Timestamp(askuser_system::clock::now().0 + forward_ms.load(Ordering::SeqCst));
    Desk::open(Arc::new(store), Arc::new(clock)).await.unwrap()
}

/// Waits until something is so.
pub(crate) async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = std::time::Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// What a service heard.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Heard {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// How a service answers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mood {
    /// As it should.
    Well,
    /// With this status, and when to come again.
    Says(u16, Option<u64>),
    /// Not at all.
    Hangs,
}

#[derive(Clone)]
pub(crate) struct Notes {
    pub(crate) heard: Arc<Mutex<Vec<Heard>>>,
    moods: Arc<Mutex<VecDeque<Mood>>>,
}

impl Notes {
    fn new(moods: &[Mood]) -> Self {
        Self { heard: Arc::default(), moods: Arc::new(Mutex::new(moods.iter().copied().collect())) }
    }

    pub(crate) fn all(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, method: &Method) -> usize {
        self.all().iter().filter(|heard| heard.method == *method).count()
    }

    /// Notes a request; answers it in the mood that is next, and well after the last.
    async fn note(&self, method: Method, uri: &Uri, headers: HeaderMap, body: &Bytes) -> Option<Response> {
        let body = String::from_utf8(body.to_vec()).unwrap();
        self.heard.lock().unwrap().push(Heard { method, path: uri.to_string(), headers, body });
        let mood = self.moods.lock().unwrap().pop_front().unwrap_or(Mood::Well);
        match mood {
            Mood::Well => None,
            Mood::Says(status, after) => {
                let mut response = StatusCode::from_u16(status).unwrap().into_response();
                if let Some(after) = after {
                    response.headers_mut().insert("retry-after", after.into());
                }
                Some(response)
            }
            Mood::Hangs => std::future::pending().await,
        }
    }
}

/// A receiver of webhooks.
pub(crate) async fn receiver(moods: &[Mood]) -> (String, Notes) {
    let notes = Notes::new(moods);
    let hear =
        async |State(notes): State<Notes>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
            notes
                .note(method, &uri, headers, &body)
                .await
                .unwrap_or_else(|| StatusCode::NO_CONTENT.into_response())
        };
    (serve(Router::new().fallback(any(hear)).with_state(notes.clone())).await, notes)
}

async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// A server that speaks TLS with a certificate that only the test's own authority vouches for.
pub(crate) async fn behind_tls() -> (String, Arc<AtomicUsize>) {
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).unwrap();
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let n_taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&n_taken);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            counted.fetch_add(1, Ordering::SeqCst);
            let _sent = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await;
            let _ended = stream.shutdown().await;
        }
    });
    (url, n_taken)
}

/// A server that sends half an answer.
pub(crate) async fn half_an_answer() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _sent = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"id\":").await;
        }
    });
    url
}

/// An ntfy server: topics with a cache, streams of JSON, messages that are deleted.
#[derive(Clone)]
pub(crate) struct NtfyServer {
    pub(crate) notes: Notes,
    cache: Arc<Mutex<Vec<Value>>>,
    live: broadcast::Sender<Value>,
    n_messages: Arc<AtomicUsize>,
}

impl NtfyServer {
    pub(crate) async fn start(moods: &[Mood]) -> (String, Self) {
        let server = Self {
            notes: Notes::new(moods),
            cache: Arc::default(),
            live: broadcast::Sender::new(100),
            n_messages: Arc::default(),
        };
        let router = Router::new()
            .route("/", post(publish))
            .route("/{topic}", post(publish_plain))
            .route("/{topic}/json", get(subscribe))
            .route("/{topic}/{id}", delete(remove))
            .with_state(server.clone());
        (serve(router).await, server)
    }

    fn add(&self, topic: &str, mut message: Value) -> Value {
        let id = format!("m{}", self.n_messages.fetch_add(1, Ordering::SeqCst));
        let fields = message.as_object_mut().unwrap();
        fields.insert("id".into(), id.into());
        fields.insert("time".into(), (askuser_system::clock::now().0 / 1000).into());
        fields.insert("event".into(), "message".into());
        fields.insert("topic".into(), topic.into());
        self.cache.lock().unwrap().push(message.clone());
        let _heard = self.live.send(message.clone());
        message
    }

    /// What is on a topic.
    pub(crate) fn on(&self, topic: &str) -> Vec<Value> {
        self.cache.lock().unwrap().iter().filter(|message| message["topic"] == topic).cloned().collect()
    }

    /// Presses a button of a message: what the phone does.
    pub(crate) fn press(&self, message: &Value, place: usize) {
        let action = &message["actions"][place];
        let topic = action["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        self.reply(&topic, action["body"].as_str().unwrap());
    }

    pub(crate) fn reply(&self, topic: &str, text: &str) {
        self.add(topic, json!({"message": text}));
    }
}

async fn publish(State(server): State<NtfyServer>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(response) = server.notes.note(Method::POST, &uri, headers, &body).await {
        return response;
    }
    let message: Value = serde_json::from_slice(&body).unwrap();
    let topic = message["topic"].as_str().unwrap().to_owned();
    axum::Json(server.add(&topic, message)).into_response()
}

async fn publish_plain(
    State(server): State<NtfyServer>,
    Path(topic): Path<String>,
    body: String,
) -> Response {
    axum::Json(server.add(&topic, json!({"message": body}))).into_response()
}

async fn remove(
    State(server): State<NtfyServer>,
    Path((topic, id)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if let Some(response) = server.notes.note(Method::DELETE, &uri, headers, &Bytes::new()).await {
        return response;
    }
    server
        .cache
        .lock()
        .unwrap()
        .retain(|message| message["topic"] != topic.as_str() || message["id"] != id.as_str());
    axum::Json(json!({"event": "message_delete", "id": id})).into_response()
}

async fn subscribe(
    State(server): State<NtfyServer>,
    Path(topic): Path<String>,
    Query(query): Query<std::collections::HashMap<String, String>>,
) -> Response {
    let live = server.live.subscribe();
    let mut cached: Vec<Value> = server.on(&topic);
    if let Some(at) = cached
        .iter()
        .position(|message| Some(message["id"].as_str().unwrap()) == query.get("since").map(String::as_str))
    {
        cached.drain(..=at);
    }
    let first = std::iter::once(json!({"event": "open", "topic": topic})).chain(cached);
    let first: VecDeque<Value> = first.collect();
    let stream = futures_util::stream::unfold((first, live, topic), async |(mut first, mut live, topic)| {
        loop {
            let next = match first.pop_front() {
                Some(next) => next,
                None => live.recv().await.ok()?,
            };
            if next["topic"] == topic.as_str() {
                let sent = Ok::<_, std::io::Error>(format!("{next}\n"));
                return Some((sent, (first, live, topic)));
            }
        }
    });
    Body::from_stream(stream).into_response()
}

/// A desk whose clock can be put forward, with Ann, Bob and Cy.
pub(crate) struct Stage {
    pub(crate) desk: Desk,
    pub(crate) forward_ms: Arc<AtomicI64>,
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) fn config(text: &str) -> Notify {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.yaml");
    std::fs::write(&file, text).unwrap();
    Sources { named: Some(file), ..Sources::default() }.load().unwrap().config.notify
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::on(tempfile::tempdir().unwrap(), Duration::ZERO).await
    }

    /// A desk over the database of a folder: the same one again after it was closed.
    async fn on(folder: tempfile::TempDir, ahead: Duration) -> Self {
        let forward_ms = Arc::new(AtomicI64::new(i64::try_from(ahead.as_millis()).unwrap()));
        let desk = desk_in(folder.path(), &forward_ms).await;
        for name in ["ann", "bob", "cy"] {
            let _again = desk.access().add_user(&name.into()).await.unwrap();
        }
        Self { desk, forward_ms, folder }
    }

    /// Closes the desk and opens it again.
    pub(crate) async fn again(self) -> Self {
        self.again_after(Duration::ZERO).await
    }

    /// The same so much later.
    pub(crate) async fn again_after(self, ahead: Duration) -> Self {
        self.desk.close().await.unwrap();
        let Self { desk, folder, .. } = self;
        drop(desk);
        Self::on(folder, ahead).await
    }

    pub(crate) fn settings(&self, text: &str) -> Settings {
        const QUICK: [Duration; 4] = [Duration::from_millis(20); 4];
        let environment = Environment::of(&[("PATH", "/usr/local/bin:/usr/bin:/bin")]);
        let pauses = Pauses::new(&QUICK);
        let look_every = Duration::from_millis(20);
        Settings {
            pauses,
            look_every,
            ..Settings::new(config(text), self.folder.path().to_owned(), environment)
        }
    }

    pub(crate) fn start(&self, text: &str) -> Notifier {
        Notifier::start(&self.desk, self.settings(text))
    }

    pub(crate) fn forward(&self, by: Duration) {
        self.forward_ms.fetch_add(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Ann's agent asks one question with these choices.
    pub(crate) async fn ask(&self, id: &str, choices: &[&str]) -> Arc<Ask> {
        self.ask_with(question(id, choices), Terms::default()).await
    }

    pub(crate) async fn ask_with(&self, question: DraftQuestion, terms: Terms) -> Arc<Ask> {
        let draft = Draft { questions: Given::Value(vec![question]), ..Draft::default() };
        let asker = Asker { agent: Some("claude-code".into()), project: Some("shop".into()), folder: None };
        let terms = Terms { asker, ..terms };
        let request = Request {
            questions: draft.check(&Limits::FOREIGN).unwrap(),
            terms,
            asker_key: "test".into(),
            known_by: KnownBy::Nothing,
        };
        self.desk.ask(&actor(Role::Agent, "ann"), request).await.unwrap().ask
    }

    pub(crate) async fn answer(&self, ask: &Ask) {
        let question = ask.questions.top()[0].clone();
        let entry = Entry { picked: vec![question.choices[0].id.clone()], ..Entry::default() };
        let answered = self.desk.answer(&person(), ask.id, vec![(question.id, entry)]).await;
        answered.unwrap();
    }

    pub(crate) async fn stored(&self, ask: AskId) -> Arc<Ask> {
        self.desk.across_users().ask(ask).await.unwrap().unwrap()
    }
}

pub(crate) fn question(id: &str, choices: &[&str]) -> DraftQuestion {
    let choice =
        |label: &&str| DraftChoice { label: Given::Value((*label).into()), ..DraftChoice::default() };
    DraftQuestion {
        id: Given::Value(id.into()),
        text: Given::Value(format!("{id}?")),
        choices: if choices.is_empty() {
            Given::default()
        } else {
            Given::Value(choices.iter().map(choice).collect())
        },
        kind: if choices.is_empty() { Given::Value(DraftKind::Text) } else { Given::default() },
        ..DraftQuestion::default()
    }
}

pub(crate) fn actor(role: Role, user: &str) -> Actor {
    let by = By::new(Some(user.into()), Channel::Web, Proof::Cookie);
    Actor { role, user: user.into(), by, key: None }
}

pub(crate) fn person() -> Actor {
    actor(Role::Person, "ann")
}

pub(crate) fn permission() -> Terms {
    Terms { purpose: Purpose::Permission, ..Terms::default() }
}

pub(crate) fn pick(question: &str, choice: &str) -> Vec<(QuestionId, Entry)> {
    vec![(question.into(), Entry { picked: vec![choice.into()], ..Entry::default() })]
}
