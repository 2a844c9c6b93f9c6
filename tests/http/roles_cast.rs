//! Everybody who may come to a route, with what they have in their hands, and the things of Ann's that they
//! come for.

use askuser_core::command::{Actor, Role};
use askuser_core::id::ServerId;
use askuser_core::outcome::{By, Channel, Proof};
use askuser_desk::{Desk, KeyRole};
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::roles_table::Row;
use crate::stage::{Keys, Stage, ask, id};

/// A word that stands in everything that is Ann's: nobody else ever reads it.
pub(crate) const ANNS_WORD: &str = "pomegranate";

/// Who comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    Nobody,
    WrongKey,
    WrongCookie,
    RevokedAgent,
    RevokedPerson,
    RevokedAdmin,
    SignedOut,
    DisabledAgent,
    DisabledPerson,
    DisabledCookie,
    /// Ann's agent, the one that asked.
    Agent,
    /// Another agent of Ann's, with a key of its own.
    OtherAgent,
    BobsAgent,
    Bob,
    BobsCookie,
    Ann,
    AnnsCookie,
    /// Ann's browser, before the page of somebody else.
    FromElsewhere,
    FromNull,
    FromNowhere,
    Admin,
}

impl Caller {
    pub(crate) const ALL: [Self; 21] = [
        Self::Nobody,
        Self::WrongKey,
        Self::WrongCookie,
        Self::RevokedAgent,
        Self::RevokedPerson,
        Self::RevokedAdmin,
        Self::SignedOut,
        Self::DisabledAgent,
        Self::DisabledPerson,
        Self::DisabledCookie,
        Self::Agent,
        Self::OtherAgent,
        Self::BobsAgent,
        Self::Bob,
        Self::BobsCookie,
        Self::Ann,
        Self::AnnsCookie,
        Self::FromElsewhere,
        Self::FromNull,
        Self::FromNowhere,
        Self::Admin,
    ];

    pub(crate) fn is_foreign_page(self) -> bool {
        matches!(self, Self::FromElsewhere | Self::FromNull | Self::FromNowhere)
    }

    pub(crate) fn is_agent(self) -> bool {
        matches!(self, Self::Agent | Self::OtherAgent | Self::BobsAgent)
    }

    pub(crate) fn has_a_cookie(self) -> bool {
        matches!(self, Self::BobsCookie | Self::AnnsCookie) || self.is_foreign_page()
    }

    pub(crate) fn is_person(self) -> bool {
        matches!(self, Self::Bob | Self::Ann) || self.has_a_cookie()
    }

    pub(crate) fn is_bobs(self) -> bool {
        matches!(self, Self::BobsAgent | Self::Bob | Self::BobsCookie)
    }

    /// Whether anything that they have opens anything.
    pub(crate) fn is_known(self) -> bool {
        self.is_agent() || self.is_person() || self == Self::Admin
    }

    /// Whether they may read what is Ann's.
    pub(crate) fn may_read_anns(self) -> bool {
        !self.is_bobs() && self.is_known()
    }
}

/// What opens doors, and what once did.
pub(crate) struct Passes {
    revoked: Keys,
    disabled: Keys,
    other_agent: String,
    disabled_cookie: String,
    signed_out: String,
}

impl Passes {
    pub(crate) async fn make(stage: &Stage) -> Self {
        stage.desk.access().add_user(&"carol".into()).await.unwrap();
        let (revoked, disabled) = (keys(&stage.desk, "ann").await, keys(&stage.desk, "carol").await);
        for key in [&revoked.agent, &revoked.person, &revoked.admin] {
            let found = stage.desk.access().by_key(key).await.unwrap().unwrap();
            assert!(stage.desk.access().revoke_key(found.key.unwrap()).await.unwrap());
        }
        let (disabled_cookie, signed_out) = (stage.sign_in_as(&disabled).await, stage.sign_in().await);
        stage.desk.access().disable_user(&"carol".into()).await.unwrap();
        let secret = signed_out.split_once('=').unwrap().1;
        assert!(stage.desk.access().revoke_cookie(secret).await.unwrap());
        let other_agent = keys(&stage.desk, "ann").await.agent;
        Self { revoked, disabled, other_agent, disabled_cookie, signed_out }
    }
}

async fn keys(desk: &Desk, user: &str) -> Keys {
    let key = async |role| {
        desk.access().make_key(role, &user.into(), "test").await.unwrap().unwrap().reveal().to_owned()
    };
    Keys {
        agent: key(KeyRole::Agent).await,
        person: key(KeyRole::Person).await,
        admin: key(KeyRole::Admin).await,
    }
}

/// Things of Ann's, made anew wherever somebody was let in to them.
pub(crate) struct Things {
    ask: String,
    answered: String,
    session: String,
    task: String,
    rule: String,
    key: String,
    user: String,
    cookie: String,
    browser: String,
    bobs_cookie: String,
}

impl Things {
    pub(crate) async fn make(stage: &Stage, number: usize) -> Self {
        let asked = async |what: &str| {
            let choices =
                json!([{"id": "a", "label": "A", "preview": "<p>x</p>"}, {"id": "b", "label": "B"}]);
            let question = json!({
                "question_id": "q", "question_text": format!("{ANNS_WORD}, {what} {number}?"),
                "type": "multiple_choice", "options": choices,
            });
            stage.ask(ask(&format!("{ANNS_WORD}-{what}-{number}"), &[question])).await
        };
        let (open, done) = (asked("open").await, asked("done").await);
        let answer = format!("/api/asks/{}/answer", id(&done));
        stage.post(&answer, &stage.ann.person, json!({"answers": {"q": "a"}})).await.ok();
        let rule = stage.post("/api/rules", &stage.ann.person, json!({"ask_id": id(&done)})).await.ok();
        let by = By::new(Some("ann".into()), Channel::Web, Proof::Cookie);
        let ann = Actor { role: Role::Person, user: "ann".into(), by, key: None };
        let (agent, folder) = ("claude".to_owned(), "/srv/shop".to_owned());
        let task =
            stage.desk.start_task(&ann, ServerId(77), agent, folder, ANNS_WORD.to_owned()).await.unwrap();
        let user = format!("user{number}");
        stage.desk.access().add_user(&user.as_str().into()).await.unwrap();
        let made = stage.post("/api/keys", &stage.ann.admin, json!({"role": "agent"})).await.ok();
        let template = json!({"questions": [{"question_id": "t", "question": "Again?", "type": "boolean"}]});
        for key in [&stage.ann.person, &stage.bob.person, &stage.ann.admin] {
            stage.call("PUT", "/api/templates/shared", key, template.clone()).await.ok();
        }
        let cookie = stage.sign_in().await;
        let browsers = stage.desk.access().signed_in(&"ann".into()).await.unwrap();
        Self {
            ask: id(&open),
            answered: id(&done),
            session: text(&open, "session"),
            task: task.id.to_string(),
            rule: text(&rule, "rule_id"),
            key: text(&made, "key_id"),
            user,
            cookie,
            browser: format!("{:032x}", browsers[0].id.0),
            bobs_cookie: stage.sign_in_as(&stage.bob).await,
        }
    }

    /// Puts what there is into a path or a body.
    pub(crate) fn fill(&self, row: &Row, text: &str) -> String {
        let name = match row.path {
            path if path.starts_with("/api/users") => &self.user,
            path if path.starts_with("/api/templates") => "shared",
            path if path.starts_with("/transcripts") => ANNS_WORD,
            _ => "page.css",
        };
        let ask = if row.path.ends_with("/always") { &self.answered } else { &self.ask };
        let places = [
            ("{ask_id}", ask.as_str()),
            ("{ask}", ask),
            ("{answered_id}", &self.answered),
            ("{session_id}", &self.session),
            ("{session}", &self.session),
            ("{task_id}", &self.task),
            ("{task}", &self.task),
            ("{rule_id}", &self.rule),
            ("{rule}", &self.rule),
            ("{key_id}", &self.key),
            ("{browser_id}", &self.browser),
            ("{browser}", &self.browser),
            ("{agent}", "claude-code"),
            ("{question}", "q"),
            ("{choice}", "a"),
            ("{link}", "link_00"),
            ("{version}", "0"),
            ("{name}", name),
        ];
        places.iter().fold(text.to_owned(), |text, (place, value)| text.replace(place, value))
    }
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_else(|| panic!("no {field} in {value}")).to_owned()
}

/// The host under which a browser sees the page.
fn page_host(stage: &Stage) -> String {
    stage.page_host()
}

pub(crate) fn headers(
    stage: &Stage,
    passes: &Passes,
    things: &Things,
    row: &Row,
    caller: Caller,
) -> Vec<(&'static str, String)> {
    let key = |key: &str| vec![("authorization", format!("Bearer {key}"))];
    let cookie = |cookie: &str| vec![("cookie", cookie.to_owned())];
    let mut headers = match caller {
        Caller::Nobody => Vec::new(),
        Caller::WrongKey => key("askuser_person_00"),
        Caller::WrongCookie => cookie("askuser=cookie_00"),
        Caller::RevokedAgent => key(&passes.revoked.agent),
        Caller::RevokedPerson => key(&passes.revoked.person),
        Caller::RevokedAdmin => key(&passes.revoked.admin),
        Caller::SignedOut => cookie(&passes.signed_out),
        Caller::DisabledAgent => key(&passes.disabled.agent),
        Caller::DisabledPerson => key(&passes.disabled.person),
        Caller::DisabledCookie => cookie(&passes.disabled_cookie),
        Caller::Agent => key(&stage.ann.agent),
        Caller::OtherAgent => key(&passes.other_agent),
        Caller::BobsAgent => key(&stage.bob.agent),
        Caller::Bob => key(&stage.bob.person),
        Caller::BobsCookie => cookie(&things.bobs_cookie),
        Caller::Ann => key(&stage.ann.person),
        Caller::AnnsCookie | Caller::FromElsewhere | Caller::FromNull | Caller::FromNowhere => {
            cookie(&things.cookie)
        }
        Caller::Admin => key(&stage.ann.admin),
    };
    // Agents come by the names that they know.
    let by_key = headers.iter().any(|(name, _)| *name == "authorization");
    let near = ["/mcp", "/api/keys/own"].contains(&row.path);
    let host = if near && by_key { stage.address.to_string() } else { page_host(stage) };
    let origin = match caller {
        Caller::FromElsewhere => Some("http://evil.example".to_owned()),
        Caller::FromNull => Some("null".to_owned()),
        Caller::FromNowhere => None,
        _ => Some(format!("http://{host}")),
    };
    headers.extend(origin.map(|origin| ("origin", origin)));
    headers.push(("host", host));
    if row.path == "/api/ws" {
        headers.push(("connection", "upgrade".to_owned()));
        headers.push(("upgrade", "websocket".to_owned()));
        headers.push(("sec-websocket-version", "13".to_owned()));
        headers.push(("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==".to_owned()));
    }
    if row.path == "/mcp" {
        headers.push(("content-type", "application/json".to_owned()));
        headers.push(("accept", "application/json, text/event-stream".to_owned()));
    }
    headers
}

/// Sends a request; of an answer that never ends only its head is read.
pub(crate) async fn send(
    stage: &Stage,
    method: &str,
    path: &str,
    headers: &[(&str, String)],
    body: String,
) -> (u16, String) {
    let stream = TcpStream::connect(stage.address).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let driving = tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let response = sender.send_request(request.body(Full::new(Bytes::from(body))).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let endless = status == 101 || kind.starts_with("text/event-stream");
    let bytes = if endless { Bytes::new() } else { response.into_body().collect().await.unwrap().to_bytes() };
    driving.abort();
    (status, String::from_utf8_lossy(&bytes).into_owned())
}
