//! Sessions: found by name, made once, ended, limited.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::{Terms, TimeoutPolicy, Timing};
use askuser_core::command::{Command, NewAsk, Role};
use askuser_core::id::{AskId, SessionId};
use askuser_core::session::{Origin, SessionStatus};

use super::{Caller, answer, asking, derived, entry, kinds, named, one, question};
use crate::{SessionRef, Store};

fn opening(id: u128, name: Option<&str>) -> Command {
    Command::OpenSession {
        session: SessionId(id),
        external_id: name.map(ToOwned::to_owned),
        origin: Origin::Named,
        total_rounds: Some(3),
        timing: Timing::default(),
    }
}

pub(crate) async fn a_named_session_is_made_once(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let first = caller.ask("s", one(1)).await.session.unwrap();
    let second = caller.ask("s", one(2)).await.session.unwrap();
    assert_eq!((first.id, second.round), (second.id, 2));
    assert_eq!(store.session_named(&"ann".into(), "s").await.unwrap().as_ref(), Some(&*second));
    assert_eq!(store.session_named(&"bob".into(), "s").await.unwrap(), None);
    // By our id, with and without a name; the same name again is the same session.
    let opened = caller.tries(Role::Agent, SessionRef::Id(SessionId(50)), opening(50, None)).await.unwrap();
    assert_eq!(kinds(&opened), ["session_opened"]);
    assert_eq!(store.session(SessionId(50)).await.unwrap().as_ref(), opened.session.as_deref());
    for id in [51, 52] {
        let session = SessionRef::Id(SessionId(id));
        let opened = caller.tries(Role::Agent, session, opening(id, Some("t"))).await.unwrap();
        assert_eq!(opened.session.unwrap().id, SessionId(51));
    }
    let by_name = caller.tries(Role::Agent, named("t"), opening(0, None)).await.unwrap();
    assert_eq!((by_name.session.unwrap().id, by_name.facts.len()), (SessionId(51), 0));
    let asked = caller.ask("t", one(3)).await;
    assert_eq!(asked.session.unwrap().id, SessionId(51));
    // One that goes on from another.
    let restored = Command::OpenSession {
        session: SessionId(60),
        external_id: None,
        origin: Origin::Restored(first.id),
        total_rounds: None,
        timing: Timing::default(),
    };
    caller.tries(Role::Agent, SessionRef::Id(SessionId(60)), restored).await.unwrap();
    let restored = store.session(SessionId(60)).await.unwrap().unwrap();
    assert_eq!(restored.origin, Origin::Restored(first.id));
}

/// O6: what was said when it was opened, and the open asks of it alone.
pub(crate) async fn a_session_keeps_what_holds_for_its_asks(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    let timing = Timing { timeout: Some(Duration::from_millis(90_500)), policy: Some(TimeoutPolicy::Abort) };
    let Command::OpenSession { session, external_id, origin, total_rounds, .. } = opening(50, Some("t"))
    else {
        panic!()
    };
    let opens = Command::OpenSession { session, external_id, origin, total_rounds, timing };
    caller.tries(Role::Agent, SessionRef::Id(session), opens).await.unwrap();
    assert_eq!(store.session(session).await.unwrap().unwrap().timing, timing);
    caller.ask("s", one(1)).await;
    for id in [2, 3] {
        let asked = caller.ask("t", one(id)).await.ask.unwrap();
        assert_eq!(
            (asked.deadline, asked.terms.timing()),
            (Some(caller.now.after(Duration::from_millis(90_500))), timing)
        );
        caller.later(Duration::from_secs(1));
    }
    caller.person(2, answer(2, "a")).await;
    let open: Vec<AskId> = store.open_in(session).await.unwrap().iter().map(|ask| ask.id).collect();
    assert_eq!(open, [AskId(3)]);
    assert_eq!(store.next_deadline().await.unwrap(), store.ask(AskId(3)).await.unwrap().unwrap().deadline);
    assert!(store.open_in(SessionId(999)).await.unwrap().is_empty());
}

pub(crate) async fn an_ended_session_gives_its_name_away(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let old = caller.ask("s", one(1)).await.session.unwrap().id;
    let end = |id| Command::EndSession { session: id };
    let in_use = caller.refused(Role::Agent, named("s"), end(old)).await;
    assert_eq!(in_use, "the session is still in use");
    caller.person(1, answer(1, "a")).await;
    let ended = caller.tries(Role::Agent, named("s"), end(SessionId(0))).await.unwrap();
    assert_eq!(ended.session.unwrap().status, SessionStatus::Completed);
    // Until somebody takes the name, it is the ended session's.
    assert_eq!(store.session_named(&"ann".into(), "s").await.unwrap().unwrap().id, old);
    let by_question = Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("a") };
    let refused = caller.refused(Role::Person, named("s"), by_question).await;
    assert_eq!(refused, "there is no such session, or it has expired");
    let SessionRef::Named { external_id, origin, .. } = named("s") else { panic!() };
    let again = SessionRef::Named { external_id, origin, fresh: SessionId(77) };
    let asked = caller.tries(Role::Agent, again, Command::Ask(Box::new(one(2)))).await.unwrap();
    assert_eq!(kinds(&asked), ["session_opened", "asked", "shown"]);
    assert_eq!(asked.session.unwrap().id, SessionId(77));
    assert_eq!(store.session_named(&"ann".into(), "s").await.unwrap().unwrap().id, SessionId(77));
    assert_eq!(caller.ask("s", one(3)).await.session.unwrap().id, SessionId(77));
    assert_eq!(store.asks_of(old, 0, 9).await.unwrap().len(), 1);
    assert_eq!(caller.agent(1, Command::Deliver { asks: vec![AskId(1)] }).await.session.unwrap().id, old);
}

pub(crate) async fn active_sessions_are_limited(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    for id in 1..=10 {
        caller.ask(&format!("s{id}"), one(id)).await;
    }
    let eleventh = || Command::Ask(Box::new(one(11)));
    let refused = caller.refused(Role::Agent, named("s11"), eleventh()).await;
    assert_eq!(refused, "10 sessions have open asks, which is the limit: answer or withdraw one first");
    // One that has an open ask may have more; derived ones do not count.
    caller.ask("s10", one(20)).await;
    caller.tries(Role::Agent, derived("d"), Command::Ask(Box::new(one(21)))).await.unwrap();
    caller.person(3, answer(3, "a")).await;
    caller.tries(Role::Agent, named("s11"), eleventh()).await.unwrap();
    assert!(caller.tries(Role::Agent, named("s3"), Command::Ask(Box::new(one(22)))).await.is_err());
}

pub(crate) async fn idle_sessions_are_found_and_ended(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    caller.ask("idle", one(1)).await;
    caller.ask("busy", one(2)).await;
    caller.person(1, answer(1, "a")).await;
    caller.later(Duration::from_hours(1));
    caller.ask("fresh", one(3)).await;
    caller.person(3, answer(3, "a")).await;
    let (idle, busy) = (caller.stored(1).await.session, caller.stored(2).await.session);
    assert_eq!(store.idle_sessions(caller.now, 10).await.unwrap(), [idle]);
    let end = |session| Command::EndSession { session };
    assert!(caller.tries(Role::Server, SessionRef::Id(busy), end(busy)).await.is_err());
    let ended = caller.tries(Role::Server, SessionRef::Id(idle), end(idle)).await.unwrap();
    // Nobody fetched the outcome in time.
    assert_eq!(kinds(&ended), ["undeliverable", "session_ended"]);
    assert_eq!(caller.status(1).await, "error");
    assert!(store.idle_sessions(caller.now, 10).await.unwrap().is_empty());
    assert_eq!(store.session(idle).await.unwrap().unwrap().status, SessionStatus::Timeout);
}

/// D5: a session whose time is up takes nothing more, also before anybody has noted that: its id names none,
/// and its name the next one. One with an open ask lives on.
pub(crate) async fn an_idle_session_is_over_before_it_is_noted(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    let old = caller.ask("s", one(1)).await.session.unwrap().id;
    caller.ask("busy", one(2)).await;
    caller.person(1, answer(1, "a")).await;
    caller.later(Duration::from_mins(59));
    caller.ask("s", one(3)).await;
    caller.person(3, answer(3, "a")).await;
    caller.later(Duration::from_hours(1));
    let again = Command::Ask(Box::new(one(4)));
    let refused = caller.refused(Role::Agent, SessionRef::Id(old), again).await;
    assert_eq!(refused, "there is no such session, or it has expired");
    let end = Command::EndSession { session: old };
    assert_eq!(caller.refused(Role::Agent, SessionRef::Id(old), end).await, refused);
    let fresh = SessionId(777);
    let by_name = SessionRef::Named { external_id: "s".to_owned(), origin: Origin::Named, fresh };
    let new = caller.tries(Role::Agent, by_name, Command::Ask(Box::new(one(5)))).await.unwrap();
    let new = new.session.unwrap();
    assert_eq!((new.id, new.round), (fresh, 1));
    assert_eq!(store.session_named(&"ann".into(), "s").await.unwrap().unwrap().id, new.id);
    let busy = caller.ask("busy", one(6)).await;
    assert_eq!(busy.session.unwrap().round, 2);
    // Noted later, it has ended as any other.
    assert_eq!(store.idle_sessions(caller.now.after(Duration::from_millis(1)), 10).await.unwrap(), [old]);
    let ended = caller.tries(Role::Server, SessionRef::Id(old), Command::EndSession { session: old }).await;
    assert_eq!(ended.unwrap().session.unwrap().status, SessionStatus::Timeout);
    let served = store.audit().unwrap().verify_served().await.unwrap();
    assert!(served.is_whole(), "{served:?}");
}

pub(crate) async fn a_refused_ask_leaves_no_session(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let unfit = asking(1, vec![super::waiting("x", "nowhere", "a")], Terms::default());
    assert!(caller.tries(Role::Agent, named("s"), Command::Ask(Box::new(unfit))).await.is_err());
    let person = Command::Ask(Box::new(asking(2, vec![question("q")], Terms::default())));
    assert!(caller.tries(Role::Person, named("s"), person).await.is_err());
    assert_eq!(store.session_named(&"ann".into(), "s").await.unwrap(), None);
    assert_eq!(store.head().await.unwrap().number, 0);
    assert_eq!(caller.ask("s", one(3)).await.facts[0].number, 1);
}

/// Whatever a caller names things: it is found again, and nobody else pays for it.
pub(crate) async fn odd_names_are_names_too(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    for (idx, odd) in ["a\0b", "\u{1}\u{7f}", "';DROP--", "名", "%_\\", " "].into_iter().enumerate() {
        let id = 10 * (idx as u128 + 1);
        let mut new = asking(id, vec![question(odd)], Terms::default());
        Arc::make_mut(&mut new.terms).idempotency_key = Some(odd.to_owned());
        let first = caller.ask(odd, new.clone()).await;
        assert!(!first.joined);
        let again = caller.ask(odd, NewAsk { id: AskId(id + 1), ..new }).await;
        assert_eq!((again.joined, again.ask.unwrap().id), (true, AskId(id)), "{odd:?}");
        assert!(store.session_named(&"ann".into(), odd).await.unwrap().is_some(), "{odd:?}");
        let answer = Command::AnswerOne { ask: None, question: odd.into(), entry: entry("a") };
        caller.tries(Role::Person, named(odd), answer).await.unwrap();
        assert_eq!(caller.status(id).await, "answered");
    }
}
