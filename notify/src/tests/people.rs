//! Asks for several people: each is told of what waits for them, and no longer once they have spoken.

use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::Terms;
use askuser_core::audience::{Audience, Circle, Escalation};
use askuser_core::command::Role;
use hyper::Method;
use serde_json::Value;

use super::fake::{NtfyServer, Stage, actor, pick, question, until};
use super::links::refusal;
use askuser_desk::LinkRefusal;

/// Ann, Bob and Cy, each with a phone whose topic is their name.
fn phones(ntfy: &str) -> String {
    let phone = |name: &str| {
        format!("    {name}: {{channels: {{phone: {{kind: ntfy, server: \"{ntfy}\", topic: {name}}}}}}}\n")
    };
    let people: String = ["ann", "bob", "cy"].map(phone).concat();
    format!("notify:\n  url: https://desk.example\n  people:\n{people}")
}

fn circle(people: &[&str]) -> Circle {
    Circle { people: people.iter().map(|name| (*name).into()).collect(), ..Circle::default() }
}

fn of(people: &[&str], quorum: u32, escalation: Option<Escalation>) -> Terms {
    let audience = Audience { circle: circle(people), quorum, escalation };
    Terms { audience: Some(audience), ..Terms::default() }
}

/// The messages that are on Ann's, Bob's and Cy's phone.
fn on(server: &NtfyServer) -> [usize; 3] {
    ["ann", "bob", "cy"].map(|name| server.on(name).len())
}

async fn shows(server: &NtfyServer, expected: [usize; 3]) {
    until(&format!("{expected:?}"), async || (on(server) == expected).then_some(())).await;
}

/// Waits until what was sent is noted, so that it can be taken back.
async fn noted(stage: &Stage, n_nudges: usize) {
    until("notes", async || {
        let rows = stage.desk.nudges().all().await.unwrap();
        (rows.len() == n_nudges && rows.iter().all(|row| row.receipt.is_some())).then_some(())
    })
    .await;
}

/// What the link of a message opens.
fn token(message: &Value) -> String {
    let link = message["click"].as_str().unwrap();
    link.strip_prefix("https://desk.example/a/").unwrap_or_else(|| panic!("{link}")).to_owned()
}

async fn answers(stage: &Stage, ask: &Ask, name: &str) {
    stage.desk.answer(&actor(Role::Person, name), ask.id, pick("q", "1")).await.unwrap();
}

#[tokio::test]
async fn those_an_ask_is_for_are_told_and_each_is_told_no_more_once_they_have_spoken() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let mut stage = Stage::new().await;
    let text = phones(&ntfy);
    let notifier = stage.start(&text);
    let ask = stage.ask_with(question("q", &["x", "y"]), of(&["bob", "cy"], 2, None)).await;
    shows(&server, [0, 1, 1]).await;
    noted(&stage, 2).await;
    // Each has a link of their own, and what is done by it is theirs.
    let links = ["bob", "cy"].map(|name| token(&server.on(name)[0]));
    let linked = stage.desk.links().follow(&links[1]).await.unwrap();
    assert_eq!(linked.actor.user, "cy".into());
    let bobs = stage.desk.links().follow(&links[0]).await.unwrap();
    stage.desk.links().answer(&links[0], &bobs, pick("q", "1")).await.unwrap();
    shows(&server, [0, 0, 1]).await;
    assert!(stage.stored(ask.id).await.is_open(), "Cy is still to answer");
    assert_eq!(refusal(stage.desk.links().follow(&links[0]).await), LinkRefusal::Used(None));
    // A start in between tells nobody again.
    notifier.close().await;
    stage = stage.again().await;
    let notifier = stage.start(&text);
    answers(&stage, &ask, "cy").await;
    shows(&server, [0, 0, 0]).await;
    notifier.close().await;
    assert!(!stage.stored(ask.id).await.is_open());
    assert_eq!((server.notes.count(&Method::POST), server.notes.count(&Method::DELETE)), (2, 2));
    assert!(stage.desk.nudges().all().await.unwrap().is_empty(), "nobody told Ann");
}

/// Who speaks while no daemon is there to say so is told no more at its next start.
#[tokio::test]
async fn what_a_person_said_meanwhile_is_taken_back_at_the_next_start() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let mut stage = Stage::new().await;
    let text = phones(&ntfy);
    let notifier = stage.start(&text);
    let ask = stage.ask_with(question("q", &["x", "y"]), of(&["bob", "cy"], 2, None)).await;
    shows(&server, [0, 1, 1]).await;
    noted(&stage, 2).await;
    notifier.close().await;
    answers(&stage, &ask, "bob").await;
    stage = stage.again().await;
    let notifier = stage.start(&text);
    shows(&server, [0, 0, 1]).await;
    notifier.close().await;
    assert_eq!(server.notes.count(&Method::POST), 2);
}

/// Others who are shown an ask after a time are told then, once, and whoever was told stays told; it goes
/// everywhere when it closes.
#[tokio::test]
async fn an_ask_that_is_passed_on_is_told_to_the_new_people_and_taken_back_from_all() {
    let (ntfy, server) = NtfyServer::start(&[]).await;
    let stage = Stage::new().await;
    let notifier = stage.start(&phones(&ntfy));
    let escalation = Escalation { after: Duration::from_millis(700), to: circle(&["cy"]) };
    let ask = stage.ask_with(question("q", &["x", "y"]), of(&["bob"], 1, Some(escalation))).await;
    let first = until("Bob's", async || server.on("bob").first().cloned()).await;
    assert_eq!(first["title"], "claude-code · shop asks");
    let second = until("Cy's", async || server.on("cy").first().cloned()).await;
    assert_eq!(second["title"], "claude-code · shop is waiting for bob");
    assert_eq!(second["message"], "q?", "it is for him as well now");
    noted(&stage, 2).await;
    assert_eq!(on(&server), [0, 1, 1]);
    answers(&stage, &ask, "cy").await;
    shows(&server, [0, 0, 0]).await;
    notifier.close().await;
    assert_eq!((server.notes.count(&Method::POST), server.notes.count(&Method::DELETE)), (2, 2));
}
