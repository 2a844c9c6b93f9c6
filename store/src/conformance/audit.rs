//! Audits: security events in their chain, where people acted from, what is old erased.

use std::sync::Arc;

use askuser_core::command::{Command, Role};
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;

use super::{Caller, START, answer, one};
use crate::audit::from_address;
use crate::{SecurityEvent, SessionRef, Severity, Store};

fn event(kind: &str, severity: Severity) -> SecurityEvent {
    SecurityEvent {
        number: 0,
        at: START,
        kind: kind.to_owned(),
        severity,
        details: "{\"path\":\"/x\"}".to_owned(),
    }
}

pub(crate) async fn security_events_are_numbered_and_chained(store: Arc<dyn Store>) {
    let audit = store.audit().unwrap();
    assert_eq!(audit.verify_events().await.unwrap().upto.number, 0);
    audit
        .add_events(vec![event("wrong_key", Severity::Medium), event("replay", Severity::Low)])
        .await
        .unwrap();
    audit.add_events(vec![event("wrong_origin", Severity::High)]).await.unwrap();
    let all = audit.events(0, 10).await.unwrap();
    let told: Vec<(u64, &str)> = all.iter().map(|event| (event.number, event.kind.as_str())).collect();
    assert_eq!(told, [(1, "wrong_key"), (2, "replay"), (3, "wrong_origin")]);
    assert_eq!(audit.events(1, 1).await.unwrap(), all[1..2]);
    let verified = audit.verify_events().await.unwrap();
    assert_eq!((verified.upto.number, verified.broken), (3, None));
}

pub(crate) async fn facts_say_where_people_acted_from(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let asked = from_address(Some([10, 0, 0, 1].into()), caller.ask("s", one(1))).await;
    let answered = from_address(Some([10, 0, 0, 2].into()), caller.person(1, answer(1, "a"))).await;
    caller.ask("s", one(2)).await;
    let unknown = caller.person(2, answer(2, "a")).await;
    let facts = asked.facts.iter().chain(&answered.facts).chain(&unknown.facts);
    let numbers: Vec<u64> = facts.map(|fact| fact.number).collect();
    let found = store.audit().unwrap().addresses(numbers).await.unwrap();
    assert_eq!(found, [(answered.facts[0].number, "10.0.0.2".to_owned())]);
    assert_eq!(store.verify(1).await.unwrap().broken, None);
}

pub(crate) async fn what_is_old_is_erased_and_the_chain_verifies(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    for id in 1..=4 {
        caller.ask("s", one(id)).await;
    }
    for id in 1..=3 {
        caller.now = Timestamp(START.0 + i64::try_from(id).unwrap() * 1000);
        caller.person(id, answer(id, "a")).await;
    }
    for id in [1, 2] {
        let taken = Command::Acknowledge { ask: AskId(id) };
        caller.tries(Role::Agent, SessionRef::OfAsk(AskId(id)), taken).await.unwrap();
    }
    let audit = store.audit().unwrap();
    let all = Timestamp(START.0 + 1_000_000);
    assert_eq!(audit.erasable_before(START).await.unwrap(), 0);
    assert_eq!(audit.erasable_before(all).await.unwrap(), 2);
    assert_eq!(audit.erase_before(START, 10).await.unwrap(), 0);
    assert_eq!(audit.erase_before(Timestamp(START.0 + 1500), 10).await.unwrap(), 1);
    // Nobody has fetched the third, and the fourth is open: both stay.
    assert_eq!(audit.erase_before(all, 10).await.unwrap(), 1);
    assert_eq!(audit.erase_before(all, 10).await.unwrap(), 0);
    for id in 1..=4_u128 {
        let ask = store.ask(AskId(id)).await.unwrap().unwrap();
        let text = &ask.questions.top()[0].text;
        assert_eq!(text == "(erased)", id <= 2, "{id}: {text}");
        if id <= 2 {
            let outcome = ask.state.outcome().unwrap();
            assert!(outcome.answers.0.is_empty() && outcome.by.user.is_some(), "who it was stays");
        }
    }
    let verified = store.verify(1).await.unwrap();
    assert_eq!(verified.broken, None);
    assert!(verified.n_erased >= 6, "{verified:?}");
    // The session goes on.
    caller.ask("s", one(9)).await;
    assert_eq!(store.verify(1).await.unwrap().broken, None);
}
