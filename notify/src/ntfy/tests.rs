//! What an ntfy server gets, and what is made of what it says.

use super::*;
use crate::nudge::tests::offered;
use crate::tests::fake::{Mood, NtfyServer};
use askuser_config::Hidden;

fn letter() -> Letter {
    Letter {
        id: "n1".into(),
        why: Why::New,
        title: "claude-code asks".into(),
        text: "Deploy?".into(),
        choices: vec![offered("Staging"), offered("Production")],
        link: Some("https://desk.example/a/a_t".into()),
        token: Some("a_t".into()),
        asks: vec!["ask_1".into()],
    }
}

fn topic(server: &str, replies: Option<&str>, closed: WhenClosed) -> Ntfy {
    let part = NtfyPart {
        server: server.to_owned(),
        topic: Hidden::new("alerts"),
        replies: replies.map(Hidden::new),
        token: Some(Hidden::new("tk_1")),
        priority: 5,
        closed,
    };
    Ntfy::new(&part, Path::new("/"), Http::default(), None).unwrap()
}

#[tokio::test]
async fn a_message_has_buttons_that_write_to_the_reply_topic_and_our_key_is_in_none() {
    let (url, server) = NtfyServer::start(&[]).await;
    let id = topic(&url, Some("back"), WhenClosed::Delete).send(&letter()).await.unwrap();
    let heard = server.notes.all().remove(0);
    assert_eq!((heard.path.as_str(), heard.header("authorization")), ("/", "Bearer tk_1"));
    let button = |label: &str, body: &str| json!({"action": "http", "label": label, "url": format!("{url}/back"), "method": "POST", "body": body, "clear": true});
    let expected = json!({
        "topic": "alerts", "title": "claude-code asks", "message": "Deploy?", "priority": 5, "tags": ["question"],
        "click": "https://desk.example/a/a_t",
        "actions": [button("Staging", "a_t 1"), button("Production", "a_t 2")],
    });
    assert_eq!(heard.json(), expected);
    // Without a reply topic the choices are listed.
    topic(&url, None, WhenClosed::Delete).send(&letter()).await.unwrap();
    let heard = server.notes.all().remove(1).json();
    assert_eq!(
        (&heard["message"], &heard["actions"]),
        (&json!("Deploy?\n• Staging\n• Production"), &Value::Null)
    );
    // Taken back: deleted, updated, or kept.
    let ended =
        Ended { ask: "ask_1".into(), status: "answered", text: "Answered by ann in the browser.".into() };
    topic(&url, None, WhenClosed::Keep).take_back(&id, &ended).await.unwrap();
    assert_eq!(server.on("alerts").len(), 2);
    topic(&url, None, WhenClosed::Delete).take_back(&id, &ended).await.unwrap();
    assert_eq!(server.notes.all().last().unwrap().path, format!("/alerts/{id}"));
    assert_eq!(server.on("alerts").len(), 1);
    topic(&url, None, WhenClosed::Update).take_back(&id, &ended).await.unwrap();
    let heard = server.notes.all().last().unwrap().json();
    assert_eq!(
        (heard["sequence_id"].as_str(), heard["message"].as_str()),
        (Some(id.as_str()), Some("Answered by ann in the browser."))
    );
}

#[tokio::test]
async fn what_goes_wrong_is_told_and_an_old_server_keeps_its_message() {
    let moods =
        [Mood::Says(429, Some(9)), Mood::Says(403, None), Mood::Says(404, None), Mood::Says(500, None)];
    let (url, _server) = NtfyServer::start(&moods).await;
    let topic = topic(&url, None, WhenClosed::Delete);
    let ended = Ended { ask: "ask_1".into(), status: "answered", text: String::new() };
    let again = async || topic.send(&letter()).await.unwrap_err().again;
    assert_eq!(again().await, super::super::carrier::Retry::Later(Some(Duration::from_secs(9))));
    assert_eq!(again().await, super::super::carrier::Retry::Never);
    assert_eq!(topic.take_back("m0", &ended).await, Ok(()));
    assert!(topic.take_back("m0", &ended).await.is_err());
}

#[test]
fn a_topic_that_no_server_takes_is_refused_at_once() {
    for wrong in ["", "a b", "a/b", &"x".repeat(65)] {
        assert!(named(wrong.to_owned()).is_err(), "{wrong}");
    }
    assert!(named("Long-random_name9".to_owned()).is_ok());
}
