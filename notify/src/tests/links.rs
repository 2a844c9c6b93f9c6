//! Links and buttons: for one ask and one person, once; what is misused is seen by whoever looks on.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askuser_core::outcome::Proof;

use super::fake::{NtfyServer, Stage, permission, person, pick, question, until};
use askuser_desk::{LinkRefusal, Misuse, Sight};

#[tokio::test]
async fn links_are_for_one_ask_and_one_person_until_it_closes() {
    let stage = Stage::new().await;
    let ask = stage.ask("q", &["x", "y"]).await;
    let desk = &stage.desk;
    let link = desk.make_answer_link(&ask, &"ann".into(), "mail").await.unwrap().unwrap();
    let link = link.reveal();
    assert!(link.len() <= 40, "short enough for every button: {link}");
    let linked = desk.follow_link(link).await.unwrap().unwrap();
    assert_eq!((linked.ask.id, linked.actor.by.proof), (ask.id, Proof::Link));
    let refused = async |link: &str| desk.follow_link(link).await.unwrap().unwrap_err();
    assert_eq!(refused("a_x").await, LinkRefusal::Unknown);
    let not_his = desk.follow_link_of(link, &"bob".into(), "mail").await.unwrap().unwrap_err();
    let not_so = desk.follow_link_of(link, &"ann".into(), "phone").await.unwrap().unwrap_err();
    assert_eq!((not_his, not_so), (LinkRefusal::NotYours, LinkRefusal::NotYours));
    // What does not fit uses nothing up; an old one is told to be old.
    let wrong = desk.answer_by_link(link, &linked, pick("q", "zzz")).await.unwrap().unwrap_err();
    assert!(matches!(wrong, LinkRefusal::Unfit(_)), "{wrong}");
    stage.forward(Duration::from_hours(24 * 31));
    assert_eq!(refused(link).await, LinkRefusal::Expired);
    stage.forward_ms.store(0, Ordering::SeqCst);
    let other = stage.ask("r", &["x", "y"]).await;
    assert!(desk.answer_by_link(link, &linked, pick("q", "1")).await.unwrap().is_ok());
    assert!(matches!(refused(link).await, LinkRefusal::Used(Some(_))));
    assert!(stage.stored(other.id).await.is_open(), "it is for one ask");
    // One that ended elsewhere was not used; nobody but those whom it is for gets one.
    let link = desk.make_answer_link(&other, &"ann".into(), "mail").await.unwrap().unwrap();
    assert!(desk.make_answer_link(&other, &"bob".into(), "mail").await.unwrap().is_none());
    desk.decline(&person(), other.id, None).await.unwrap();
    assert!(matches!(refused(link.reveal()).await, LinkRefusal::Closed(_)));
    // A permission is granted by nobody's link (invariant 6).
    let permission = stage.ask_with(question("p", &["x", "y"]), permission()).await;
    assert!(desk.make_answer_link(&permission, &"ann".into(), "mail").await.unwrap().is_none());
}

/// A reply that was made up, is old, was taken before, or came through another's channel is refused, and
/// whoever looks on learns how, by whose channel, and nothing of the secret.
#[tokio::test]
async fn replies_that_are_forged_expired_replayed_or_of_another_are_seen() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let stage = Stage::new().await;
    let seen: Arc<Mutex<Vec<Sight>>> = Arc::default();
    let noted = Arc::clone(&seen);
    stage.desk.set_eye(Arc::new(move |sight| noted.lock().unwrap().push(sight)));
    let text = format!(
        "notify:\n  people:\n    ann: {{content: choices, channels: {{phone: {{kind: ntfy, server: \"{ntfy}\", topic: t, replies: back}}}}}}\n    bob: {{channels: {{pad: {{kind: ntfy, server: \"{ntfy}\", topic: u, replies: bobs}}}}}}\n"
    );
    let notifier = stage.start(&text);
    let ask = stage.ask("Deploy", &["Staging", "Production"]).await;
    let message = until("a message", async || server.on("t").first().cloned()).await;
    let body = message["actions"][0]["body"].as_str().unwrap().to_owned();
    let (token, _) = body.split_once(' ').unwrap();
    let misused = async |how: Misuse, whose: &str, channel: &str| {
        let expected =
            Sight::Misused { misuse: how, person: Some(whose.into()), way: format!("channel {channel}") };
        until(&format!("{how:?}"), async || seen.lock().unwrap().contains(&expected).then_some(())).await;
    };
    server.reply("back", "a_forgedforgedforgedforgedforgedfo 1");
    misused(Misuse::Forged, "ann", "phone").await;
    server.reply("bobs", &body);
    misused(Misuse::Foreign, "bob", "pad").await;
    stage.forward(Duration::from_hours(24 * 31));
    server.reply("back", &body);
    misused(Misuse::Expired, "ann", "phone").await;
    stage.forward_ms.store(0, Ordering::SeqCst);
    assert!(stage.stored(ask.id).await.is_open(), "none of them answers");
    server.reply("back", &body);
    until("an answer", async || stage.stored(ask.id).await.state.outcome().cloned()).await;
    // The same words again are those that were taken, as another replica reads them; others are not.
    server.reply("back", &body);
    server.reply("back", &format!("{token} 2"));
    misused(Misuse::Replayed, "ann", "phone").await;
    notifier.close().await;
    let seen = seen.lock().unwrap();
    let misused = seen.iter().filter(|sight| matches!(sight, Sight::Misused { .. }));
    assert_eq!(misused.count(), 4, "{seen:?}");
    assert!(!format!("{seen:?}").contains(token));
}
