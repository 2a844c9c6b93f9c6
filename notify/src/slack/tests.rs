//! An app of which the server is a script: the shapes are those of Slack's Web API and Socket Mode.

use std::sync::{Arc, Mutex};

use askuser_core::outcome::{Channel, Proof};
use axum::Router;
use axum::extract::{Path as InPath, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_tungstenite::accept_async;

use super::super::carrier::Retry;
use super::*;
use crate::tests::fake::{Stage, until};
use askuser_config::Hidden;

/// The workspace: it notes every call, and sends what is pressed over the socket.
#[derive(Clone)]
struct Workspace {
    calls: Arc<Mutex<Vec<(String, Value)>>>,
    socket: String,
    acks: Arc<Mutex<Vec<Value>>>,
    press: mpsc::UnboundedSender<Value>,
}

async fn called(
    State(space): State<Workspace>,
    InPath(method): InPath<String>,
    headers: HeaderMap,
    body: String,
) -> Response {
    let body: Value = serde_json::from_str(&body).unwrap();
    let key = headers.get("authorization").map(|key| key.to_str().unwrap().to_owned()).unwrap_or_default();
    let wanted = if method == "apps.connections.open" { "Bearer xapp-1" } else { "Bearer xoxb-1" };
    if key != wanted {
        return axum::Json(json!({"ok": false, "error": "invalid_auth"})).into_response();
    }
    space.calls.lock().unwrap().push((method.clone(), body));
    let said = match method.as_str() {
        "apps.connections.open" => json!({"ok": true, "url": space.socket}),
        "chat.postMessage" => json!({"ok": true, "channel": "D9", "ts": "1700.0001"}),
        _ => json!({"ok": true}),
    };
    axum::Json(said).into_response()
}

impl Workspace {
    async fn start() -> (String, Self) {
        let sockets = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let socket = format!("ws://{}/link?ticket=1", sockets.local_addr().unwrap());
        let (press, mut pressed) = mpsc::unbounded_channel::<Value>();
        let space = Self { calls: Arc::default(), socket, acks: Arc::default(), press };
        let acks = Arc::clone(&space.acks);
        tokio::spawn(async move {
            // The first socket is refreshed at once, as Slack does every few hours.
            for n in 0.. {
                let (stream, _) = sockets.accept().await.unwrap();
                let mut socket = accept_async(stream).await.unwrap();
                socket.send(Message::text(json!({"type": "hello"}).to_string())).await.unwrap();
                if n == 0 {
                    let bye = json!({"type": "disconnect", "reason": "refresh_requested"});
                    socket.send(Message::text(bye.to_string())).await.unwrap();
                    continue;
                }
                while let Some(envelope) = pressed.recv().await {
                    socket.send(Message::text(envelope.to_string())).await.unwrap();
                    let Some(Ok(Message::Text(ack))) = socket.next().await else { break };
                    acks.lock().unwrap().push(serde_json::from_str(&ack).unwrap());
                }
            }
        });
        let router = Router::new().route("/api/{method}", post(called)).with_state(space.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (url, space)
    }

    fn of(&self, method: &str) -> Vec<Value> {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|(name, _)| name == method).map(|(_, body)| body.clone()).collect()
    }

    fn press(&self, who: &str, value: &str) {
        let payload = json!({"type": "block_actions", "user": {"id": who}, "channel": {"id": "D9"},
            "actions": [{"action_id": "pick_1", "type": "button", "value": value}]});
        let envelope = json!({"envelope_id": format!("e-{who}"), "type": "interactive", "payload": payload,
            "accepts_response_payload": false});
        self.press.send(envelope).unwrap();
    }

    async fn note(&self, n: usize) -> Value {
        until("a note", async || self.of("chat.postEphemeral").get(n).cloned()).await
    }
}

#[tokio::test]
async fn an_app_tells_takes_the_answer_of_people_on_its_list_and_edits_its_message() {
    let (url, space) = Workspace::start().await;
    let stage = Stage::new().await;
    let text = format!(
        "notify:\n  people:\n    ann: {{content: choices, channels: {{work: {{kind: slack, bot_token: xoxb-1, app_token: xapp-1, channel: U1, people: [U1], server: \"{url}\"}}}}}}\n"
    );
    let notifier = stage.start(&text);
    let ask = stage.ask("Deploy <!channel>", &["Staging", "Production"]).await;
    let sent = until("a message", async || space.of("chat.postMessage").first().cloned()).await;
    assert_eq!(sent["channel"], "U1");
    assert_eq!(sent["text"], "claude-code · shop asks\nDeploy &lt;!channel&gt;?");
    assert_eq!(sent["blocks"][0]["text"]["type"], "plain_text", "nobody is called by an agent's text");
    let value = sent["blocks"][1]["elements"][1]["value"].as_str().unwrap().to_owned();
    space.press("U666", &value);
    assert_eq!(space.note(0).await["text"], "This is for somebody else.");
    assert!(stage.stored(ask.id).await.is_open());
    space.press("U1", &value);
    let outcome = until("an answer", async || stage.stored(ask.id).await.state.outcome().cloned()).await;
    assert_eq!((outcome.by.channel, outcome.by.proof), (Channel::Notify("work".into()), Proof::Link));
    let edit = until("an edit", async || space.of("chat.update").first().cloned()).await;
    assert_eq!((edit["channel"].as_str(), edit["ts"].as_str()), (Some("D9"), Some("1700.0001")));
    assert_eq!(edit["text"], "Answered by ann on work.");
    space.press("U1", &value.replace(" 2", " 1"));
    let refused = space.note(1).await;
    assert_eq!((refused["user"].as_str(), refused["channel"].as_str()), (Some("U1"), Some("D9")));
    assert!(refused["text"].as_str().unwrap().contains("You answered on work."));
    assert_eq!(space.acks.lock().unwrap().len(), 3, "each envelope is acknowledged");
    notifier.close().await;
}

#[tokio::test]
async fn what_an_app_is_refused_is_told() {
    let (url, _space) = Workspace::start().await;
    let part = |bot: &str, app: &str| SlackPart {
        bot_token: Hidden::new(bot),
        app_token: Hidden::new(app),
        channel: "C1".into(),
        people: vec!["U1".into()],
        server: url.clone(),
    };
    assert!(Slack::new(&part("xapp-1", "xapp-1"), Path::new("/"), Http::default(), None).is_err());
    assert!(Slack::new(&part("xoxb-1", "xoxb-1"), Path::new("/"), Http::default(), None).is_err());
    let slack = Slack::new(&part("xoxb-2", "xapp-1"), Path::new("/"), Http::default(), None).unwrap();
    let nudge =
        crate::Nudge { id: "n".into(), why: crate::Why::Test, person: "ann".into(), asks: Vec::new() };
    let letter = nudge.write(&askuser_config::PersonPart::default(), None, None);
    let trouble = slack.send(&letter).await.unwrap_err();
    assert_eq!(
        (trouble.again, trouble.why.english.as_str()),
        (Retry::Never, "the service answered invalid_auth")
    );
}
