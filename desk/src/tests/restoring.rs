//! Going on from an earlier point of a session (D13, P2, P20).

use std::sync::atomic::AtomicI64;
use std::sync::atomic::Ordering::Relaxed;

use askuser_core::session::{Origin, SessionStatus};

use super::*;

fn named(id: &str) -> Request {
    request(id, Terms { session: Some("conversation".into()), ..Terms::default() })
}

/// D13: the new session has the history and the name; what is open is the same ask as before.
#[tokio::test]
async fn d13_a_restore_keeps_history_name_and_open_asks() {
    let desk = desk().await;
    let first = desk.ask(&agent(), named("first")).await.unwrap().ask;
    desk.answer(&person(), first.id, pick("first", "1")).await.unwrap();
    let second = desk.ask(&agent(), named("second")).await.unwrap().ask;
    desk.save(&person(), second.id, pick("second", "2")).await.unwrap();
    let from = desk.session(&person(), "conversation").await.unwrap();
    let (waiting, id) = (desk.clone(), second.id);
    let waits = tokio::spawn(async move { waiting.wait(&agent(), id, Duration::from_mins(5)).await });

    let restored = desk.restore(&person(), &from, Point::Latest, None).await.unwrap();
    assert_eq!(restored.session.origin, Origin::Restored(from.id));
    assert_eq!(restored.session.restore_reason.as_deref(), Some("manual_recovery"));
    assert_eq!((restored.moved, restored.asked_anew), (vec![second.id], vec![]));
    let rounds: Vec<_> = restored.rounds.iter().map(|ask| (ask.id, ask.session, ask.round)).collect();
    assert_eq!(rounds, [(first.id, from.id, 1), (second.id, restored.session.id, 2)]);
    assert_eq!(restored.rounds[1].sheet().entry(&"second".into()).unwrap().picked, ["2".into()]);
    // The old one has ended, and keeps what was decided in it.
    let old = desk.session(&person(), &from.id.to_string()).await.unwrap();
    assert_eq!(old.status, SessionStatus::Completed);
    assert_eq!(desk.rounds(&person(), from.id).await.unwrap().len(), 1);

    // Whoever asks goes on in the new one: by its own name, by our old id, and once more with what is open.
    let again = desk.ask(&agent(), named("second")).await.unwrap();
    assert!(again.joined && again.ask.id == second.id);
    let by_id = Terms { session: Some(from.id.to_string()), ..Terms::default() };
    let third = desk.ask(&agent(), request("third", by_id)).await.unwrap().ask;
    assert_eq!((third.session, third.round), (restored.session.id, 3));
    // Whoever waits is told.
    desk.answer(&person(), second.id, pick("second", "1")).await.unwrap();
    assert!(matches!(waits.await.unwrap().unwrap(), Waited::Closed(_)));
    is_whole(&desk).await;
}

/// P2: from any round; what was decided stays decided there, and an id that has gone back is free again.
#[tokio::test]
async fn d13_a_restore_to_an_earlier_round_asks_anew_what_has_ended_since() {
    let forward = Arc::new(AtomicI64::new(0));
    let store = Sqlite::in_memory(&options()).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&forward)).await.unwrap();
    let first = desk.ask(&agent(), named("first")).await.unwrap().ask;
    forward.fetch_add(10, Relaxed);
    desk.answer(&person(), first.id, pick("first", "1")).await.unwrap();
    let second = desk.ask(&agent(), named("second")).await.unwrap().ask;
    forward.fetch_add(10, Relaxed);
    desk.answer(&person(), second.id, pick("second", "1")).await.unwrap();
    let from = desk.session(&person(), "conversation").await.unwrap();
    let versions = desk.checkpoints(&from).await.unwrap();
    assert!(versions.windows(2).all(|pair| pair[0].version < pair[1].version));
    assert_eq!(versions.last().map(|last| (last.round, last.open.len())), Some((2, 0)));
    for missing in [Point::Version(0), Point::Version(9999), Point::Round(7)] {
        let refused = desk.restore(&person(), &from, missing, None).await;
        assert!(matches!(refused, Err(DeskError::Refused(Refusal::CheckpointNotFound))));
    }

    let why = Some("the other one".to_owned());
    let back = desk.restore(&person(), &from, Point::Round(2), why).await.unwrap();
    assert_eq!(back.session.restore_reason.as_deref(), Some("the other one"));
    assert_eq!((back.moved.len(), back.asked_anew.len()), (0, 1));
    let rounds: Vec<_> = back.rounds.iter().map(|ask| (ask.round, ask.is_open(), ask.reopens)).collect();
    assert_eq!(rounds, [(1, false, None), (2, true, Some(second.id))]);
    desk.answer(&person(), back.asked_anew[0], pick("second", "2")).await.unwrap();
    let kept = desk.ask_of(&person(), second.id).await.unwrap();
    assert_eq!(kept.state.outcome().unwrap().answers.0[0].picked, ["1".into()]);
    // What is behind it stays decided, also by its id.
    let taken = desk.ask(&agent(), named("first")).await;
    assert!(matches!(taken, Err(DeskError::Refused(Refusal::DuplicateQuestionId(_)))));
    // And once more, to a round of the first session.
    let again = desk.restore(&person(), &back.session, Point::Round(1), None).await.unwrap();
    assert_eq!(again.rounds.iter().map(|ask| ask.reopens).collect::<Vec<_>>(), [Some(first.id)]);
    is_whole(&desk).await;
}

/// D13, P9: what was asked after the point that one goes back to comes along, and stays known for what it is.
#[tokio::test]
async fn d13_what_came_along_is_still_there_when_one_goes_back_again() {
    let forward = Arc::new(AtomicI64::new(0));
    let store = Sqlite::in_memory(&options()).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&forward)).await.unwrap();
    let first = desk.ask(&agent(), named("first")).await.unwrap().ask;
    forward.fetch_add(10, Relaxed);
    desk.answer(&person(), first.id, pick("first", "1")).await.unwrap();
    forward.fetch_add(10, Relaxed);
    let second = desk.ask(&agent(), named("second")).await.unwrap().ask;
    forward.fetch_add(10, Relaxed);
    let from = desk.session(&person(), "conversation").await.unwrap();
    let back = desk.restore(&person(), &from, Point::Round(1), None).await.unwrap();
    assert_eq!((back.round, back.moved.as_slice()), (1, &[second.id][..]));

    let versions = desk.checkpoints(&back.session).await.unwrap();
    assert!(versions.windows(2).all(|pair| pair[0].version < pair[1].version));
    let last = versions.last().unwrap();
    assert_eq!((last.round, &last.open), (2, &vec![second.id, back.asked_anew[0]]));
    forward.fetch_add(10, Relaxed);
    desk.answer(&person(), second.id, pick("second", "1")).await.unwrap();
    forward.fetch_add(10, Relaxed);
    // By its version, and by its round.
    for point in [Point::Version(last.version), Point::Round(2)] {
        let again = desk.restore(&person(), &back.session, point, None).await.unwrap();
        let anew = desk.ask_of(&person(), again.asked_anew[0]).await.unwrap();
        assert_eq!((again.asked_anew.len(), anew.reopens), (1, Some(second.id)));
        desk.answer(&person(), anew.id, pick("second", "2")).await.unwrap();
        let taken = desk.ask(&agent(), named("second")).await;
        assert!(matches!(taken, Err(DeskError::Refused(Refusal::DuplicateQuestionId(_)))));
        forward.fetch_add(10, Relaxed);
    }
    is_whole(&desk).await;
}

/// Whoever goes back twice, or to a session that was left, is asked once: the conversation has one end.
#[tokio::test]
async fn d13_nobody_is_asked_twice_however_often_one_goes_back() {
    let desk = desk().await;
    let asked = desk.ask(&agent(), named("x")).await.unwrap().ask;
    desk.answer(&person(), asked.id, pick("x", "1")).await.unwrap();
    let from = desk.session(&person(), "conversation").await.unwrap();
    let waits = desk.ask(&agent(), named("y")).await.unwrap().ask.id;
    let who = person();
    let goes_back = || desk.restore(&who, &from, Point::Round(1), None);
    let (one, two, three) = tokio::join!(goes_back(), goes_back(), goes_back());
    let anew: usize = [one, two, three].iter().map(|back| back.as_ref().unwrap().asked_anew.len()).sum();
    assert_eq!(anew, 1);
    let tip = desk.session(&person(), "conversation").await.unwrap();
    let open: Vec<_> =
        desk.rounds(&person(), tip.id).await.unwrap().into_iter().filter(|ask| ask.is_open()).collect();
    assert_eq!(open.len(), 2);
    // Where it is now nothing is asked anew, whatever was answered meanwhile; and rounds never come again.
    desk.answer(&person(), waits, pick("y", "1")).await.unwrap();
    let latest = desk.restore(&person(), &from, Point::Latest, None).await.unwrap();
    assert_eq!((latest.moved.len(), latest.asked_anew.len(), latest.session.round), (1, 0, 2));
    is_whole(&desk).await;
}

/// P9: what is asked anew in a session without the name does not go by the name of another.
#[tokio::test]
async fn d13_a_session_that_gave_its_name_away_is_restored_without_it() {
    let desk = desk().await;
    let asked = desk.ask(&agent(), named("ok")).await.unwrap().ask;
    desk.answer(&person(), asked.id, pick("ok", "1")).await.unwrap();
    desk.end_session(&agent(), asked.session).await.unwrap();
    let other = desk.ask(&agent(), named("ok")).await.unwrap().ask;
    assert_ne!(other.session, asked.session);
    let from = desk.session(&person(), &asked.session.to_string()).await.unwrap();
    let back = desk.restore(&person(), &from, Point::Round(1), None).await.unwrap();
    let anew = desk.ask_of(&person(), back.asked_anew[0]).await.unwrap();
    assert_eq!((back.session.given_name(), anew.session_name.as_deref()), (None, None));
    assert_eq!(desk.session(&person(), "conversation").await.unwrap().id, other.session);
}

/// A secret is not told again, and an earlier answer is not one to the question that is asked anew.
#[tokio::test]
async fn d13_what_is_asked_anew_begins_empty() {
    let desk = desk().await;
    let asked = desk.ask(&agent(), named("x")).await.unwrap().ask;
    desk.answer(&person(), asked.id, pick("x", "1")).await.unwrap();
    let from = desk.session(&person(), "conversation").await.unwrap();
    let back = desk.restore(&person(), &from, Point::Round(1), None).await.unwrap();
    let anew = desk.ask_of(&person(), back.asked_anew[0]).await.unwrap();
    assert!(anew.entries.is_empty() && anew.submitted.is_empty());
}

/// Whoever listens to a session hears what happens in the one that goes on from it.
#[tokio::test]
async fn d13_a_listener_goes_on_with_the_session() {
    let desk = desk().await;
    let asked = desk.ask(&agent(), named("x")).await.unwrap().ask;
    let from = desk.session(&person(), "conversation").await.unwrap();
    let mut listener = desk.listen(&agent(), Some(from.id), None);
    desk.restore(&person(), &from, Point::Latest, None).await.unwrap();
    desk.answer(&person(), asked.id, pick("x", "1")).await.unwrap();
    loop {
        let Update::Fact(told) = listener.next().await.unwrap() else { continue };
        if matches!(told.fact.as_deref(), Some(Fact::Closed { ask, .. }) if *ask == asked.id) {
            break;
        }
    }
}

/// What is served is still what its facts say.
async fn is_whole(desk: &Desk) {
    let served = desk.store().audit().unwrap().verify_served().await.unwrap();
    assert!(served.is_whole(), "{:?}", served.differences);
}
