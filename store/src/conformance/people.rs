//! Asks for several people, as a store keeps them: whose inbox, whose sheet, what each said, and when
//! others are shown them.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::Terms;
use askuser_core::audience::{Audience, Circle, Escalation, Group};
use askuser_core::command::{Command, Role};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, UserId};
use askuser_core::question::Question;

use super::{Caller, START, actor, answer, asking, filled, kinds, question};
use crate::{Committed, Order, People, SessionRef, Store, StoreError};

pub(crate) fn circle(people: &[&str]) -> Circle {
    Circle { people: people.iter().map(|name| (*name).into()).collect(), ..Circle::default() }
}

/// Terms of an ask for these, of whom so many must answer; others come in after so many seconds.
pub(crate) fn terms(people: Circle, quorum: u32, escalation: Option<(u64, Circle)>) -> Terms {
    let escalation = escalation.map(|(secs, to)| Escalation { after: Duration::from_secs(secs), to });
    Terms { audience: Some(Audience { circle: people, quorum, escalation }), ..Terms::default() }
}

pub(crate) async fn does(
    caller: &Caller,
    who: &str,
    ask: u128,
    command: Command,
) -> Result<Committed, StoreError> {
    let (session, now) = (SessionRef::OfAsk(AskId(ask)), caller.now);
    caller.store.commit(Order { actor: actor(Role::Person, who), session, command, now }).await
}

async fn inbox(store: &Arc<dyn Store>, who: &str) -> Vec<u128> {
    let asks = store.inbox(&who.into(), 100).await.unwrap();
    asks.iter().map(|ask| ask.id.0).collect()
}

pub(crate) async fn an_ask_is_in_the_inbox_of_those_whom_it_is_for(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let ops = Group { name: "ops".to_owned(), members: vec!["cy".into(), "bo".into()] };
    let group = Circle { groups: vec![ops], ..Circle::default() };
    let anyone = Circle { anyone: true, ..Circle::default() };
    for (id, terms) in [
        (1, Terms::default()),
        (2, terms(circle(&["bob"]), 1, None)),
        (3, terms(group, 1, None)),
        (4, terms(anyone, 1, None)),
        (5, terms(circle(&["ann", "bob"]), 2, None)),
    ] {
        caller.ask("s", asking(id, vec![question(&format!("q{id}"))], terms)).await;
    }
    assert_eq!(inbox(&store, "ann").await, [1, 4, 5]);
    assert_eq!(inbox(&store, "bob").await, [2, 4, 5]);
    // A name is no part of another name.
    assert_eq!((inbox(&store, "bo").await, inbox(&store, "cy").await), (vec![3, 4], vec![3, 4]));
    assert_eq!(inbox(&store, "b").await, [4]);
    assert_eq!(store.inbox(&"bob".into(), 2).await.unwrap().len(), 2);
    does(&caller, "bob", 2, answer(2, "a")).await.unwrap();
    assert_eq!(inbox(&store, "bob").await, [4, 5]);
    let everybody: Vec<u128> = store.open_asks(None, 100).await.unwrap().iter().map(|ask| ask.id.0).collect();
    assert_eq!(everybody, [1, 3, 4, 5]);
}

pub(crate) async fn what_each_person_said_is_kept(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let secret = Question { secret: true, ..question("q1") };
    let remark = Question { required: false, ..question("q2") };
    caller.ask("s", asking(1, vec![secret, remark], terms(circle(&["ann", "bob", "cy"]), 2, None))).await;
    for (who, choice) in [("ann", "a"), ("bob", "b")] {
        let entries = filled(&[("q1", choice), ("q2", choice)]);
        does(&caller, who, 1, Command::Save { ask: AskId(1), entries }).await.unwrap();
    }
    let stored = caller.stored(1).await;
    // Their own, and of the secret nothing.
    assert_eq!(stored.seen_by(&"ann".into()).entries, filled(&[("q2", "a")]));
    assert_eq!(stored.seen_by(&"bob".into()).entries, filled(&[("q2", "b")]));
    let heard = does(&caller, "ann", 1, answer(1, "a")).await.unwrap();
    assert_eq!(kinds(&heard), ["heard"]);
    assert_eq!(heard.ask, Some(caller.stored(1).await));
    let names: Arc<[UserId]> = ["ann", "bob", "cy"].map(UserId::from).into();
    assert_eq!(heard.facts[0].people, Some(People::Some(names)));
    let again = does(&caller, "ann", 1, answer(1, "b")).await;
    assert!(matches!(again, Err(StoreError::Refused(askuser_core::decide::Refusal::AlreadyHeard))));
    let eve = does(&caller, "eve", 1, answer(1, "b")).await;
    assert!(matches!(eve, Err(StoreError::Refused(askuser_core::decide::Refusal::AskNotFound))));
    let last = does(&caller, "cy", 1, answer(1, "a")).await.unwrap();
    assert_eq!(kinds(&last), ["heard", "closed"]);
    let ask = caller.stored(1).await;
    assert_eq!(ask.state.outcome().unwrap().voices.len(), 2);
    // What is read back is what was told, whom it is for included.
    let facts = store.facts_since(0, 100).await.unwrap();
    assert!(facts.ends_with(&last.facts), "{facts:?}");
    // Secrets are erased of what each said, too.
    assert_eq!(store.erase_secrets(AskId(1)).await.unwrap(), 3);
    let erased = caller.stored(1).await;
    let said = erased.hearing.voices.iter().chain(&erased.state.outcome().unwrap().voices);
    assert!(said.flat_map(|voice| &voice.answers.as_ref().unwrap().0).all(|answer| answer.picked.is_empty()));
    assert!(store.verify(1).await.unwrap().broken.is_none());
}

pub(crate) async fn others_are_shown_an_ask_when_it_is_time_and_once(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    let both = Terms {
        timeout: Some(Duration::from_secs(100)),
        ..terms(circle(&["ann"]), 1, Some((10, circle(&["bob"]))))
    };
    caller.ask("s", asking(1, vec![question("q1")], both)).await;
    assert_eq!(store.next_deadline().await.unwrap(), Some(START.after(Duration::from_secs(10))));
    assert_eq!(inbox(&store, "bob").await, [0; 0]);
    caller.later(Duration::from_secs(10));
    assert_eq!(store.due(caller.now, 10).await.unwrap(), [AskId(1)]);
    let (expire, escalate) = (Command::Expire { ask: AskId(1) }, Command::Escalate { ask: AskId(1) });
    let on_ask = || SessionRef::OfAsk(AskId(1));
    let early = caller.refused(Role::Server, on_ask(), expire.clone()).await;
    assert_eq!(early, "the deadline has not passed");
    let escalated = caller.server(1, escalate.clone()).await;
    assert_eq!(kinds(&escalated), ["escalated"]);
    assert_eq!(escalated.ask, Some(caller.stored(1).await));
    assert!(caller.tries(Role::Server, on_ask(), escalate).await.is_err());
    assert!(store.due(caller.now, 10).await.unwrap().is_empty());
    assert_eq!(inbox(&store, "bob").await, [1]);
    assert_eq!(store.next_deadline().await.unwrap(), Some(START.after(Duration::from_secs(100))));
    caller.later(Duration::from_secs(90));
    assert_eq!(store.due(caller.now, 10).await.unwrap(), [AskId(1)]);
    caller.server(1, expire).await;
    assert_eq!(inbox(&store, "bob").await, [0; 0]);
    assert_eq!(store.next_deadline().await.unwrap(), None);
}

pub(crate) async fn an_answer_is_held_and_final_at_its_time(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    let grace = Duration::from_secs(5);
    let entries = |id: u128, choice| filled(&[(&format!("q{id}"), choice)]);
    let press = |id, choice| Command::Hold { ask: AskId(id), entries: entries(id, choice), grace };
    caller
        .ask("s", asking(1, vec![question("q1")], Terms { timeout: Some(grace * 20), ..Terms::default() }))
        .await;
    let held = caller.person(1, press(1, "a")).await;
    assert_eq!(kinds(&held), ["held"]);
    assert_eq!(held.ask, Some(caller.stored(1).await), "it is on the disk with what was picked");
    assert_eq!(caller.stored(1).await.hearing.held[0].entries, filled(&[("q1", "a")]));
    assert_eq!(store.next_deadline().await.unwrap(), Some(START.after(grace)));
    // What was only held is in no fact.
    let facts = store.facts_since(0, 100).await.unwrap();
    let told = facts.iter().find_map(|fact| match fact.fact.as_deref() {
        Some(Fact::Held { held, .. }) => Some(held.clone()),
        _ => None,
    });
    assert!(told.unwrap().entries.is_empty());
    let back = caller.person(1, Command::TakeBack { ask: AskId(1) }).await;
    assert_eq!(kinds(&back), ["taken_back"]);
    assert_eq!(store.next_deadline().await.unwrap(), Some(START.after(grace * 20)));
    caller.person(1, press(1, "b")).await;
    caller.later(grace);
    assert_eq!(store.due(caller.now, 10).await.unwrap(), [AskId(1)]);
    assert_eq!(kinds(&caller.server(1, Command::Expire { ask: AskId(1) }).await), ["closed"]);
    assert_eq!(store.next_deadline().await.unwrap(), None);
    let ask = caller.stored(1).await;
    assert_eq!(ask.state.outcome().unwrap().by.user, Some("ann".into()));
    assert!(ask.hearing.held.is_empty());
    // One that lost is the draft.
    caller.ask("s", asking(2, vec![question("q2")], Terms::default())).await;
    caller.person(2, press(2, "a")).await;
    let lost = caller.agent(2, Command::Withdraw { ask: AskId(2), reason: None }).await;
    assert_eq!(kinds(&lost), ["saved", "closed"]);
    assert_eq!(caller.stored(2).await.entries, filled(&[("q2", "a")]));
    let served = store.verify(1).await.unwrap();
    assert!(served.broken.is_none());
}
