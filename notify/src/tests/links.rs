//! Links and buttons: for one ask and one person, once; what is misused is seen by whoever looks on.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use askuser_core::outcome::Proof;

use super::fake::{NtfyServer, Stage, permission, person, pick, question, until};
use askuser_desk::{LinkError, LinkRefusal, Misuse, Observed, Observer};

/// Why a link was refused; that it was is what is asked.
pub(super) fn refusal<T: std::fmt::Debug>(followed: Result<T, LinkError>) -> LinkRefusal {
    match followed {
        Err(LinkError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn links_are_for_one_ask_and_one_person_until_it_closes() {
    let stage = Stage::new().await;
    let ask = stage.ask("q", &["x", "y"]).await;
    let desk = &stage.desk;
    let link = desk.links().make(&ask, &"ann".into(), "mail").await.unwrap().unwrap();
    let link = link.reveal();
    assert!(link.len() <= 40, "short enough for every button: {link}");
    let linked = desk.links().follow(link).await.unwrap();
    assert_eq!((linked.ask.id, linked.actor.by.proof), (ask.id, Proof::Link));
    let refused = async |link: &str| refusal(desk.links().follow(link).await);
    assert_eq!(refused("a_x").await, LinkRefusal::Unknown);
    let not_his = refusal(desk.links().follow_of(link, &"bob".into(), "mail").await);
    let not_so = refusal(desk.links().follow_of(link, &"ann".into(), "phone").await);
    assert_eq!((not_his, not_so), (LinkRefusal::NotYours, LinkRefusal::NotYours));
    // What does not fit uses nothing up; an old one is told to be old.
    let wrong = refusal(desk.links().answer(link, &linked, pick("q", "zzz")).await);
    assert!(matches!(wrong, LinkRefusal::Unfit(_)), "{wrong}");
    stage.forward(Duration::from_hours(24 * 31));
    assert_eq!(refused(link).await, LinkRefusal::Expired);
    stage.forward_ms.store(0, Ordering::SeqCst);
    let other = stage.ask("r", &["x", "y"]).await;
    assert!(desk.links().answer(link, &linked, pick("q", "1")).await.is_ok());
    assert!(matches!(refused(link).await, LinkRefusal::Used(Some(_))));
    assert!(stage.stored(other.id).await.is_open(), "it is for one ask");
    // One that ended elsewhere was not used; nobody but those whom it is for gets one.
    let link = desk.links().make(&other, &"ann".into(), "mail").await.unwrap().unwrap();
    assert!(desk.links().make(&other, &"bob".into(), "mail").await.unwrap().is_none());
    desk.decline(&person(), other.id, None).await.unwrap();
    assert!(matches!(refused(link.reveal()).await, LinkRefusal::Closed(_)));
    // A permission is granted by nobody's link (invariant 6).
    let permission = stage.ask_with(question("p", &["x", "y"]), permission()).await;
    assert!(desk.links().make(&permission, &"ann".into(), "mail").await.unwrap().is_none());
}

/// A reply that was made up, is old, was taken before, or came through another's channel is refused, and
/// whoever looks on learns how, by whose channel, and nothing of the secret.
#[tokio::test]
async fn replies_that_are_forged_expired_replayed_or_of_another_are_seen() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let stage = Stage::new().await;
    let seen: Arc<Mutex<Vec<Observed>>> = Arc::default();
    let noted = Arc::clone(&seen);
    let observer: Observer = Arc::new(move |observed| noted.lock().unwrap().push(observed));
    stage.desk.configure(|settings| settings.observer = Some(observer));
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
            Observed::Misused { misuse: how, person: Some(whose.into()), way: format!("channel {channel}") };
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
    let misused = seen.iter().filter(|seen| matches!(seen, Observed::Misused { .. }));
    assert_eq!(misused.count(), 4, "{seen:?}");
    assert!(!format!("{seen:?}").contains(token));
}
