//! Repeated asks, and things that happen at the same moment.

use std::sync::Arc;

use askuser_core::asker::Terms;
use askuser_core::command::{Command, KnownBy, NewAsk, Role};
use askuser_core::decide::Refusal;
use askuser_core::id::{AskId, SessionId};
use askuser_core::question::{NamedBy, Question};
use askuser_core::session::Origin;
use tokio::task::JoinSet;

use super::{Caller, START, actor, answer, asking, entry, is_closed, kinds, named, one, question, timed};
use crate::{Order, SessionRef, Store, StoreError};

pub(crate) async fn a_repeated_ask_joins(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let same = |id: u128, call: Option<&str>| {
        let terms = Terms { tool_use: call.map(ToOwned::to_owned), ..Terms::default() };
        let unnamed = Question { named_by: NamedBy::Us, ..question("q1") };
        NewAsk { fingerprint: [7; 16], ..asking(id, vec![unnamed], terms) }
    };
    caller.ask("s", same(1, None)).await;
    let again = caller.ask("s", same(2, None)).await;
    assert!(again.joined && again.facts.is_empty());
    assert_eq!(again.ask, Some(caller.stored(1).await));
    assert_eq!(store.ask(AskId(2)).await.unwrap(), None);
    let entries = vec![("r1q1".into(), entry("a"))];
    caller.person(1, Command::Answer { ask: AskId(1), entries }).await;
    assert!(!caller.ask("s", same(3, Some("x"))).await.joined);
    assert!(!caller.ask("s", same(4, Some("y"))).await.joined);
    let again = caller.ask("s", same(5, Some("x"))).await;
    assert_eq!((again.joined, again.ask.unwrap().id), (true, AskId(3)));
}

/// What was decided while its asker was away is found again by the same ask, whatever its call is named now, until
/// it was handed over; in a session of ours only where the asker is known.
pub(crate) async fn what_was_missed_is_found_again(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let derived = |fresh| SessionRef::Named {
        external_id: "askuser:a".to_owned(),
        origin: Origin::Derived,
        fresh: SessionId(fresh),
    };
    let asks = |id: u128, known_by| {
        let terms = Terms { tool_use: Some(format!("call {id}")), ..Terms::default() };
        let unnamed = Question { named_by: NamedBy::Us, ..question("q1") };
        let new = NewAsk { fingerprint: [7; 16], known_by, ..asking(id, vec![unnamed], terms) };
        (derived(900 + id), Command::Ask(Box::new(new)))
    };
    let ask = async |id, known_by| {
        let (session, command) = asks(id, known_by);
        caller.tries(Role::Agent, session, command).await.unwrap()
    };
    let answered = async |id: u128| {
        let first = caller.stored(id).await.questions.top()[0].id.clone();
        caller.person(id, Command::Answer { ask: AskId(id), entries: vec![(first, entry("a"))] }).await
    };
    assert!(!ask(1, KnownBy::Place).await.joined);
    answered(1).await;
    let again = ask(2, KnownBy::Place).await;
    assert_eq!((again.joined, again.facts.len()), (true, 0));
    assert_eq!(again.ask, Some(caller.stored(1).await));
    // Nobody in particular: asked anew, and answered anew.
    assert!(!ask(3, KnownBy::Nothing).await.joined);
    answered(3).await;
    assert_eq!(ask(4, KnownBy::Place).await.ask.map(|ask| ask.id), Some(AskId(3)), "the latest");
    caller.agent(3, Command::Deliver { asks: vec![AskId(1), AskId(3)] }).await;
    assert!(!ask(5, KnownBy::Place).await.joined, "it was handed over");
}

pub(crate) async fn a_key_joins_at_any_time_and_in_any_session(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let keyed = |id: u128, key: &str| {
        let terms = Terms { idempotency_key: Some(key.to_owned()), ..Terms::default() };
        let fingerprint = [u8::try_from(key.len()).unwrap(); 16];
        NewAsk { fingerprint, ..asking(id, vec![question(&format!("q {key}"))], terms) }
    };
    caller.ask("s", keyed(1, "k")).await;
    assert_eq!(caller.ask("s", keyed(2, "k")).await.ask.unwrap().id, AskId(1));
    let entries = vec![("q k".into(), entry("a"))];
    caller.person(1, Command::Answer { ask: AskId(1), entries }).await;
    // In a session that would have to be made first: it is not made.
    let joined = caller.ask("elsewhere", keyed(3, "k")).await;
    assert_eq!((joined.joined, joined.facts.len()), (true, 0));
    assert_eq!(joined.ask, Some(caller.stored(1).await));
    assert_eq!(joined.session.unwrap().external_id.as_deref(), Some("s"));
    assert_eq!(store.session_named(&"ann".into(), "elsewhere").await.unwrap(), None);
    assert!(!caller.ask("s", keyed(4, "other")).await.joined);
    // Under the key of another question nothing is asked, in no session.
    for session in ["s", "elsewhere"] {
        let terms = keyed(9, "k").terms;
        let other = NewAsk { fingerprint: [99; 16], terms, ..keyed(9, "other words") };
        let (session, command) = (named(session), Command::Ask(Box::new(other)));
        let order = Order { actor: actor(Role::Agent, "ann"), session, command, now: START };
        let refused = store.commit(order).await;
        assert!(matches!(refused, Err(StoreError::Refused(Refusal::Conflict { ask: AskId(1), .. }))));
    }
    assert_eq!(store.session_named(&"ann".into(), "elsewhere").await.unwrap(), None);
    // Another user's key is another key.
    let command = Command::Ask(Box::new(keyed(5, "k")));
    let order = Order { actor: actor(Role::Agent, "bob"), session: named("b"), command, now: START };
    assert!(!store.commit(order).await.unwrap().joined);
    // Asked anew: the key means the latest.
    caller.ask("s", keyed(6, "third")).await;
    caller.person(6, Command::Decline { ask: AskId(6), reason: None }).await;
    caller.person(6, Command::Reopen { ask: AskId(6), as_new: AskId(7) }).await;
    assert_eq!(caller.ask("s", keyed(8, "third")).await.ask.unwrap().id, AskId(7));
}

pub(crate) async fn of_two_at_once_one_wins(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    // The same key twenty times at once is one ask, and the session is made once.
    let mut asking_at_once = JoinSet::new();
    for id in 1..=20 {
        let terms = Terms { idempotency_key: Some("k".to_owned()), ..Terms::default() };
        let new = NewAsk { fingerprint: [9; 16], ..asking(id, vec![question("q")], terms) };
        let (store, command) = (Arc::clone(&store), Command::Ask(Box::new(new)));
        let order = Order { actor: actor(Role::Agent, "ann"), session: named("s"), command, now: START };
        asking_at_once.spawn(async move { store.commit(order).await.unwrap() });
    }
    let all = asking_at_once.join_all().await;
    let first: Vec<_> = all.iter().filter(|committed| !committed.joined).collect();
    assert_eq!((all.len(), first.len()), (20, 1));
    assert!(all.iter().all(|committed| committed.ask == first[0].ask));
    assert_eq!(store.sessions(&"ann".into(), 9).await.unwrap().len(), 1);
    // Two people answer the last two questions at once: neither is lost, and the ask ends.
    let ask = caller.ask("s", asking(30, vec![question("l"), question("r")], Terms::default())).await;
    assert_eq!(kinds(&ask), ["asked", "shown"]);
    let mut answering = JoinSet::new();
    for id in ["l", "r"] {
        let store = Arc::clone(&store);
        let command = Command::AnswerOne { ask: None, question: id.into(), entry: entry("a") };
        let order = Order { actor: actor(Role::Person, "ann"), session: named("s"), command, now: START };
        answering.spawn(async move { store.commit(order).await.unwrap() });
    }
    let facts = answering.join_all().await.iter().map(|committed| committed.facts.len()).sum::<usize>();
    assert_eq!(facts, 3);
    assert_eq!(caller.status(30).await, "answered");
    caller.ask("s", one(31)).await;
}

pub(crate) async fn any_ending_at_the_same_moment_is_the_only_one(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    for id in 1..=30 {
        caller.ask("s", asking(id, vec![question(&format!("q{id}"))], timed(0))).await;
        let endings = [
            (Role::Person, answer(id, "a")),
            (Role::Person, Command::Decline { ask: AskId(id), reason: None }),
            (Role::Agent, Command::Withdraw { ask: AskId(id), reason: None }),
            (Role::Server, Command::Expire { ask: AskId(id) }),
        ];
        let mut all = JoinSet::new();
        for idx in 0..endings.len() {
            // A different one is handed in first each time.
            let (role, command) = endings[(idx + usize::try_from(id).unwrap()) % endings.len()].clone();
            let session = SessionRef::OfAsk(AskId(id));
            let order = Order { actor: actor(role, "ann"), session, command, now: caller.now };
            let store = Arc::clone(&store);
            all.spawn(async move { store.commit(order).await });
        }
        let (won, lost): (Vec<_>, Vec<_>) = all.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!((won.len(), lost.len()), (1, 3));
        let outcome = caller.stored(id).await.state.outcome().unwrap().clone();
        for refused in lost {
            match refused.unwrap_err() {
                StoreError::Refused(Refusal::AlreadyClosed(told)) => assert_eq!(*told, outcome),
                other => panic!("{other}"),
            }
        }
        caller.later(std::time::Duration::from_millis(1));
    }
    let facts = store.facts_since(0, 1000).await.unwrap();
    let n_closed = facts.iter().filter(|fact| fact.fact.as_deref().is_some_and(is_closed)).count();
    assert_eq!(n_closed, 30);
}
