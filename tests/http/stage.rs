//! A desk in a folder of its own behind a server on a port of its own, and a small client.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use askuser::daemon::configured;
use askuser_config::{Config, Sources};
use askuser_core::limits::DeskLimits;
use askuser_core::outcome::Proof;
use askuser_core::time::Timestamp;
use askuser_desk::{Desk, KeyRole};
use askuser_http::{Bounds, Rates, ServerOptions, serve};
use askuser_store::Store;
use askuser_store::sqlite::{Options, Sqlite};
use askuser_web::{self as web, Page};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{HeaderMap, Request};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::promised;

/// The page's own name on this machine.
pub(crate) const PAGE_HOST: &str = "askuser-000102030405060708090a0b0c0d0e0f.localhost";

/// The keys of one user.
#[derive(Clone)]
pub(crate) struct Keys {
    pub(crate) agent: String,
    pub(crate) person: String,
    pub(crate) admin: String,
}

/// A running server.
pub(crate) struct Stage {
    pub(crate) address: SocketAddr,
    pub(crate) desk: Desk,
    pub(crate) ann: Keys,
    pub(crate) bob: Keys,
    pub(crate) stopping: CancellationToken,
    pub(crate) served: JoinHandle<std::io::Result<()>>,
    /// Puts the desk's clock forward.
    pub(crate) forward_ms: Arc<AtomicI64>,
    pub(crate) home: tempfile::TempDir,
}

/// What came back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {} {}", self.status, self.text))
    }

    /// The status and the code of a failure, as `404 ask_not_found`.
    pub(crate) fn code(&self) -> String {
        let json = self.json();
        assert_eq!(json["success"], false, "{json}");
        assert!(!json["message"].as_str().unwrap().is_empty() && json["problems"].is_array(), "{json}");
        format!("{} {}", self.status, json["error"].as_str().unwrap())
    }

    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        self.json()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

pub(crate) fn unlimited() -> Rates {
    Rates { requests: 0, failed_sign_ins: 0, ..Rates::default() }
}

/// A server without rate limits.
pub(crate) async fn stage() -> Stage {
    stage_with(|server| server.rates = unlimited()).await
}

pub(crate) async fn stage_with(set: impl FnOnce(&mut ServerOptions)) -> Stage {
    stage_over(Options::new(DeskLimits::default(), Timestamp(0)), set).await
}

/// A server as the daemon sets it up under this configuration, and the way to change it.
pub(crate) async fn stage_configured(text: &str) -> (Stage, watch::Sender<Rates>) {
    let config = config(text);
    let (rates, changed) = watch::channel(configured::rates(&config));
    let stage = stage_over(configured::store(&config, Timestamp(0)), |server| {
        configured::apply(&server.desk, &config);
        server.rates = configured::rates(&config);
        server.changed = Some(changed);
        server.bounds = Bounds { stop_time_max: Duration::from_secs(3), ..configured::bounds(&config) };
        server.mcp = configured::mcp(&config);
        server.hosts.clone_from(&config.server.hosts);
    })
    .await;
    (stage, rates)
}

/// Reads a configuration.
pub(crate) fn config(text: &str) -> Config {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.yaml");
    std::fs::write(&file, text).unwrap();
    Sources { named: Some(file), ..Sources::default() }.load().unwrap().config
}

/// A server over a store that is opened so.
pub(crate) async fn stage_over(options: Options, set: impl FnOnce(&mut ServerOptions)) -> Stage {
    stage_made(options, |store| store, set).await
}

/// A server over a store that something is put around.
pub(crate) async fn stage_with_store(
    wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
    set: impl FnOnce(&mut ServerOptions),
) -> Stage {
    stage_made(Options::new(DeskLimits::default(), Timestamp(0)), wrap, set).await
}

async fn stage_made(
    options: Options,
    wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
    set: impl FnOnce(&mut ServerOptions),
) -> Stage {
    let home = tempfile::tempdir().unwrap();
    let store = wrap(Arc::new(Sqlite::open(&home.path().join("askuser.db"), &options).unwrap()));
    let forward_ms = Arc::new(AtomicI64::new(0));
    let ahead = Arc::clone(&forward_ms);
    let clock = move || Timestamp(askuser_system::clock::now().0 + ahead.load(Ordering::SeqCst));
    let desk = Desk::open(store, Arc::new(clock)).await.unwrap();
    let (ann, bob) = (keys(&desk, "ann").await, keys(&desk, "bob").await);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut doorway = ServerOptions::new(desk.clone());
    let transcripts = Some(home.path().join("transcripts"));
    doorway.page = Some(web::router(Page { desk: desk.clone(), transcripts, runner: None, agents: None }));
    doorway.page_host = Some(PAGE_HOST.to_owned());
    doorway.bounds = Bounds { stop_time_max: Duration::from_secs(3), ..Bounds::default() };
    set(&mut doorway);
    let stopping = CancellationToken::new();
    let served = tokio::spawn(serve(listener, doorway, stopping.clone()));
    Stage { address, desk, ann, bob, stopping, served, forward_ms, home }
}

async fn keys(desk: &Desk, user: &str) -> Keys {
    desk.access().add_user(&user.into()).await.unwrap();
    let key = async |role| {
        desk.access().make_key(role, &user.into(), "test").await.unwrap().unwrap().reveal().to_owned()
    };
    Keys {
        agent: key(KeyRole::Agent).await,
        person: key(KeyRole::Person).await,
        admin: key(KeyRole::Admin).await,
    }
}

impl Stage {
    /// Sends a request with these headers, on a connection of its own.
    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Reply {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        let driving = tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path);
        let has = |wanted: &str| headers.iter().any(|(name, _)| *name == wanted);
        if !has("host") {
            // What a browser sends, and whatever is no route of the API, goes to the page's own name.
            let is_page = !["/api/", "/mcp", "/metrics", "/healthz", "/readyz", "/openapi.json", "http:"]
                .iter()
                .any(|start| path.starts_with(start));
            let by_browser = is_page || has("cookie") || has("origin");
            let own = if by_browser { self.page_host() } else { self.address.to_string() };
            request = request.header("host", own);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = sender.send_request(request.body(Full::new(body.into())).unwrap()).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        drop(sender);
        driving.abort();
        let reply = Reply { status, headers, text: String::from_utf8(bytes.to_vec()).unwrap() };
        if reply.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            promised::check(method, path, status, &serde_json::from_str(&reply.text).unwrap());
        }
        reply
    }

    /// Sends JSON with a key; `Null` is no body.
    pub(crate) async fn call(&self, method: &str, path: &str, key: &str, body: Value) -> Reply {
        let bearer = format!("Bearer {key}");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, path, &[("authorization", &bearer)], body).await
    }

    pub(crate) async fn get(&self, path: &str, key: &str) -> Reply {
        self.call("GET", path, key, Value::Null).await
    }

    pub(crate) async fn post(&self, path: &str, key: &str, body: Value) -> Reply {
        self.call("POST", path, key, body).await
    }

    /// Asks as Ann's agent; returns the ask.
    pub(crate) async fn ask(&self, body: Value) -> Value {
        self.post("/api/asks", &self.ann.agent, body).await.ok()
    }

    /// The page's own name, with the port.
    pub(crate) fn page_host(&self) -> String {
        format!("{PAGE_HOST}:{}", self.address.port())
    }

    /// Where our own page is from.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.page_host())
    }

    /// Signs Ann in by a link and returns the page's cookie, as it is sent.
    pub(crate) async fn sign_in(&self) -> String {
        self.sign_in_as(&self.ann).await
    }

    /// Signs somebody in at their terminal; returns their cookie.
    pub(crate) async fn sign_in_as(&self, keys: &Keys) -> String {
        let path = self.login_link(keys, Proof::Terminal).await;
        let origin = self.origin();
        let reply = self.send("POST", &path, &[("origin", &origin)], "").await;
        assert_eq!(reply.status, 303, "{}", reply.text);
        let set = reply.header("set-cookie").unwrap();
        set.split(';').next().unwrap().to_owned()
    }

    /// The path of a login link that somebody made so.
    pub(crate) async fn login_link(&self, keys: &Keys, made_with: Proof) -> String {
        let caller = self.desk.access().by_key(&keys.person).await.unwrap().unwrap();
        let mut person = caller.person().unwrap();
        person.by.proof = made_with;
        let link = self.desk.access().make_login_link(&person).await.unwrap().unwrap();
        format!("/login/{}", link.reveal())
    }

    /// Waits until this many of Ann's asks are open.
    pub(crate) async fn until_open(&self, n_open: usize) {
        // Looks past the server: every look through it would count towards the rate limit.
        for _ in 0..5000 {
            let open = self.desk.across_users().open_asks(None, 100).await.unwrap();
            if open.iter().filter(|ask| ask.owner.as_str() == "ann").count() == n_open {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        panic!("never were {n_open} asks open");
    }

    /// Waits until Ann's ask has this status.
    pub(crate) async fn until(&self, ask_id: &str, status: &str) -> Value {
        for _ in 0..2000 {
            let ask = self.get(&format!("/api/asks/{ask_id}"), &self.ann.person).await.ok();
            if ask["status"] == status {
                return ask;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{ask_id} never became {status}");
    }
}

/// A question with two options, in the push form.
pub(crate) fn choice(id: &str) -> Value {
    json!({
        "question_id": id, "question_text": format!("{id}?"), "type": "multiple_choice",
        "options": [{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta"}],
    })
}

/// An ask in a session, in the push form.
pub(crate) fn ask(session: &str, questions: &[Value]) -> Value {
    json!({"session_id": session, "questions": questions})
}

pub(crate) fn id(ask: &Value) -> String {
    ask["ask_id"].as_str().unwrap().to_owned()
}

/// The path of a route, with something in each of its places.
pub(crate) fn filled(path: &str) -> String {
    let Some((before, rest)) = path.split_once('{') else { return path.to_owned() };
    let (name, after) = rest.split_once('}').unwrap();
    let value = match name {
        "ask_id" => "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "session_id" => "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        _ => "00ff",
    };
    format!("{before}{value}{after}")
}
