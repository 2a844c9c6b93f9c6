//! Two desks over one PostgreSQL are one desk: whoever waits on one is woken by the other.

use std::sync::Mutex;

use super::*;
use askuser_store::postgres::{Options, Postgres};

pub(super) async fn desk_at(address: &str) -> Desk {
    let store = Postgres::open(address, &Options::new(DeskLimits::default(), Timestamp(0))).await.unwrap();
    Desk::open(Arc::new(store), clock(&Arc::default())).await.unwrap()
}

async fn two() -> (Desk, Desk) {
    let address = server().corner();
    (desk_at(&address).await, desk_at(&address).await)
}

#[tokio::test]
async fn a_waiter_is_woken_by_an_answer_that_another_replica_took() {
    let (one, other) = two().await;
    for round in 0..5 {
        let id = format!("q{round}");
        let asked = one.ask(&agent(), request(&id, Terms::default())).await.unwrap().ask.id;
        let waiting = tokio::spawn({
            let one = one.clone();
            async move { one.wait(&agent(), asked, Duration::from_hours(1)).await }
        });
        tokio::task::yield_now().await;
        other.answer(&person(), asked, pick(&id, "1")).await.unwrap();
        let woken = tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap().unwrap().unwrap();
        assert!(matches!(woken, Waited::Closed(_)), "{woken:?}");
    }
}

/// A deadline that came in at one replica is kept by another when that one is gone, and once.
#[tokio::test]
async fn a_deadline_is_kept_by_whoever_is_there_and_once() {
    let (one, other) = two().await;
    let short = one.ask(&agent(), request("short", timed(400))).await.unwrap().ask.id;
    one.close().await.unwrap();
    let waited = other.wait(&agent(), short, Duration::from_secs(30)).await.unwrap();
    let Waited::Closed(ask) = waited else { panic!("still open") };
    assert_eq!(ask.state.outcome().unwrap().status(), "timeout");
    let facts = other.store().facts_since(0, 99).await.unwrap();
    let n_closed =
        facts.iter().filter(|fact| matches!(fact.fact.as_deref(), Some(Fact::Closed { .. }))).count();
    assert_eq!(n_closed, 1);
}

#[tokio::test]
async fn listeners_everywhere_hear_the_same_in_the_same_order() {
    let (one, other) = two().await;
    let mut listeners = [&one, &other].map(|desk| desk.listen(&person(), None, Some(0)));
    for round in 0..10 {
        let (here, there) = if round % 2 == 0 { (&one, &other) } else { (&other, &one) };
        let id = format!("q{round}");
        let asked = here.ask(&agent(), request(&id, Terms::default())).await.unwrap().ask.id;
        there.answer(&person(), asked, pick(&id, "1")).await.unwrap();
    }
    let head = one.store().head().await.unwrap().number;
    for listener in &mut listeners {
        for expected in 1..=head {
            let next = tokio::time::timeout(Duration::from_secs(20), listener.next()).await;
            let Update::Fact(fact) = next.unwrap().unwrap() else { panic!("closing") };
            assert_eq!(fact.number, expected);
        }
    }
}

/// What need not be kept reaches the others, and not whoever said it.
#[tokio::test]
async fn a_whisper_is_heard_by_the_others() {
    let (one, other) = two().await;
    let heard: [Arc<Mutex<Vec<String>>>; 2] = Default::default();
    for (desk, heard) in [&one, &other].into_iter().zip(&heard) {
        let heard = Arc::clone(heard);
        desk.replicas()
            .subscribe("test", Arc::new(move |words| heard.lock().unwrap().push(words.to_owned())));
    }
    let begun = Instant::now();
    while heard[1].lock().unwrap().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nobody heard it");
        // The bell may not hang yet: nobody may hear a whisper, so it is said again.
        one.replicas().publish("test", "你好 there");
        one.replicas().publish("unknown", "nothing");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(heard[1].lock().unwrap()[0], "你好 there");
    assert!(heard[0].lock().unwrap().is_empty());
}

/// A key that was revoked at one replica opens nothing at another after two seconds.
#[tokio::test]
async fn a_revoked_key_opens_nothing_anywhere() {
    let (one, other) = two().await;
    one.access().add_user(&"ann".into()).await.unwrap();
    let key = one.access().make_key(KeyRole::Person, &"ann".into(), "key").await.unwrap().unwrap();
    let known = other.access().by_key(key.reveal()).await.unwrap().unwrap();
    assert!(one.access().revoke_key(known.key.unwrap()).await.unwrap());
    let begun = Instant::now();
    while other.access().by_key(key.reveal()).await.unwrap().is_some() {
        assert!(begun.elapsed() < Duration::from_secs(20), "still good");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(one.access().by_key(key.reveal()).await.unwrap().is_none());
}

/// A rule that was made at one replica holds at the other at once, and holds nowhere once it was taken
/// back at either.
#[tokio::test]
async fn a_rule_that_a_person_made_holds_everywhere_and_taken_back_nowhere() {
    let (one, other) = two().await;
    for (here, there) in [(&one, &other), (&other, &one)] {
        let round = here.store().head().await.unwrap().number;
        let ask = async |desk: &Desk, session: &str| {
            let session = Some(format!("{session} {round}"));
            let asked = desk.ask(&agent(), request("q", Terms { session, ..Terms::default() })).await;
            asked.unwrap().ask
        };
        let first = ask(here, "first").await.id;
        here.answer(&person(), first, pick("q", "2")).await.unwrap();
        let rule = here.make_rule(&person(), first, None).await.unwrap();
        for (desk, session) in [(there, "there"), (here, "here")] {
            let ruled = ask(desk, session).await;
            let outcome = ruled.state.outcome().unwrap();
            assert_eq!((outcome.status(), &outcome.by.proof), ("answered", &Proof::Rule));
            assert_eq!(outcome.comment, Some(format!("rule: {}", rule.name)));
        }
        assert_eq!(there.made_rules(&person()).await.unwrap(), std::slice::from_ref(&rule));
        // Taken back where it was not made.
        there.remove_rule(&person(), &rule.id).await.unwrap();
        for (desk, session) in [(here, "here again"), (there, "there again")] {
            let asked = ask(desk, session).await;
            assert!(asked.is_open(), "{asked:?}");
            desk.answer(&person(), asked.id, pick("q", "1")).await.unwrap();
            assert!(desk.made_rules(&person()).await.unwrap().is_empty());
            assert!(matches!(desk.remove_rule(&person(), &rule.id).await, Err(NoRule::NotFound)));
        }
    }
    let audit = one.store().audit().unwrap();
    let kinds: Vec<String> = audit.events(0, 9).await.unwrap().into_iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["rule_made", "rule_removed", "rule_made", "rule_removed"]);
}
