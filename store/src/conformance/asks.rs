//! One ask's life, as a store keeps it.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::{Late, Terms};
use askuser_core::command::{Command, Role};
use askuser_core::decide::Refusal;
use askuser_core::id::{AskId, MessageId, SessionId};
use askuser_core::question::{NamedBy, Question};

use super::{
    Caller, START, actor, answer, asking, entry, filled, kinds, named, one, question, timed, waiting,
};
use crate::{Order, SessionRef, Store, StoreError};

pub(crate) async fn an_ask_is_shown_and_the_first_answer_wins(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let asked = caller.ask("s", one(1)).await;
    assert_eq!(kinds(&asked), ["session_opened", "asked", "shown"]);
    assert_eq!(asked.facts.iter().map(|fact| fact.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(!asked.joined);
    let ask = asked.ask.unwrap();
    assert_eq!(caller.stored(1).await, ask);
    assert_eq!(store.session(ask.session).await.unwrap().as_ref(), asked.session.as_deref());
    assert_eq!(store.inbox(&"ann".into(), 10).await.unwrap(), std::slice::from_ref(&ask));
    assert!(store.inbox(&"bob".into(), 10).await.unwrap().is_empty());
    let answered = caller.person(1, answer(1, "a")).await;
    assert_eq!(kinds(&answered), ["closed"]);
    assert_eq!(Some(caller.stored(1).await), answered.ask);
    assert!(store.inbox(&"ann".into(), 10).await.unwrap().is_empty());
    let late = caller.tries(Role::Person, SessionRef::OfAsk(AskId(1)), answer(1, "b")).await;
    assert!(matches!(late, Err(StoreError::Refused(Refusal::AlreadyClosed(_)))));
    assert_eq!(kinds(&caller.agent(1, Command::Deliver { asks: vec![AskId(1)] }).await), ["delivered"]);
    assert_eq!(caller.status(1).await, "processing");
    assert!(caller.agent(1, Command::Deliver { asks: vec![AskId(1)] }).await.facts.is_empty());
    assert_eq!(kinds(&caller.agent(1, Command::Acknowledge { ask: AskId(1) }).await), ["acknowledged"]);
    assert_eq!(caller.status(1).await, "completed");
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.open_asks, counts.facts, counts.sessions), (0, 6, 1));
}

pub(crate) async fn several_outcomes_are_handed_over_at_once(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    for id in 1..=4 {
        caller.ask(if id < 4 { "s" } else { "other" }, one(id)).await;
    }
    let deliver = |ids: &[u128]| Command::Deliver { asks: ids.iter().copied().map(AskId).collect() };
    for id in [1, 2, 4] {
        caller.person(id, answer(id, "a")).await;
    }
    // All or none: one is open, one is of another session.
    let of_first = || SessionRef::OfAsk(AskId(1));
    assert_eq!(caller.refused(Role::Agent, of_first(), deliver(&[1, 2, 3])).await, "the ask is still open");
    let foreign = caller.tries(Role::Agent, of_first(), deliver(&[1, 4])).await;
    assert!(matches!(foreign, Err(StoreError::Refused(Refusal::AskNotFound))));
    assert_eq!(caller.status(1).await, "answered");
    let delivered = caller.agent(1, deliver(&[1, 2])).await;
    assert_eq!(kinds(&delivered), ["delivered", "delivered"]);
    let about: Vec<_> = delivered.facts.iter().map(|fact| fact.ask).collect();
    assert_eq!(about, [Some(AskId(1)), Some(AskId(2))]);
    for (id, status) in [(1, "processing"), (2, "processing"), (4, "answered")] {
        assert_eq!(caller.status(id).await, status);
    }
    assert!(store.verify(1).await.unwrap().broken.is_none());
}

pub(crate) async fn asks_end_in_every_way(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    for id in 1..=4 {
        caller
            .ask("s", asking(id, vec![question(&format!("q{id}"))], timed(10 * u64::try_from(id).unwrap())))
            .await;
    }
    assert_eq!(store.next_deadline().await.unwrap(), Some(START.after(Duration::from_secs(10))));
    caller.person(1, Command::Decline { ask: AskId(1), reason: Some("not now".into()) }).await;
    caller.agent(2, Command::Withdraw { ask: AskId(2), reason: None }).await;
    assert!(store.due(caller.now, 10).await.unwrap().is_empty());
    let expire = |id| Command::Expire { ask: AskId(id) };
    let early = caller.refused(Role::Server, SessionRef::OfAsk(AskId(3)), expire(3)).await;
    assert_eq!(early, "the deadline has not passed");
    caller.later(Duration::from_secs(40));
    assert_eq!(store.due(caller.now, 10).await.unwrap(), [AskId(3), AskId(4)]);
    assert_eq!(store.due(caller.now, 1).await.unwrap(), [AskId(3)]);
    caller.server(3, expire(3)).await;
    caller.server(4, expire(4)).await;
    assert_eq!(store.next_deadline().await.unwrap(), None);
    let mut told = Vec::new();
    for id in 1..=4 {
        let ask = caller.stored(id).await;
        let outcome = ask.state.outcome().unwrap();
        told.push(format!("{} {} {:?}", outcome.status(), outcome.reason(), outcome.comment));
    }
    assert_eq!(
        told,
        [
            "cancelled user Some(\"not now\")",
            "cancelled system None",
            "timeout timeout None",
            "timeout timeout None"
        ]
    );
}

pub(crate) async fn a_sheet_is_saved_and_comes_back(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    caller.ask("s", asking(1, vec![question("q1"), question("r1")], Terms::default())).await;
    for choice in ["a", "b"] {
        let entries = filled(&[("q1", choice)]);
        let saved = caller.person(1, Command::Save { ask: AskId(1), entries: entries.clone() }).await;
        assert_eq!(saved.ask.unwrap().entries, entries);
        assert_eq!(caller.stored(1).await.entries, entries);
    }
    let unfit = Command::Save { ask: AskId(1), entries: filled(&[("nope", "a")]) };
    let refused = caller.refused(Role::Person, SessionRef::OfAsk(AskId(1)), unfit).await;
    assert!(refused.starts_with("the answer does not fit"), "{refused}");
    assert_eq!(caller.stored(1).await.entries, filled(&[("q1", "b")]));
}

pub(crate) async fn five_are_shown_and_the_rest_move_up(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    for id in 1..=7 {
        caller.ask("s", one(id)).await;
    }
    assert_eq!((caller.status(5).await, caller.status(6).await), ("showing", "pending"));
    let freed = caller.person(2, answer(2, "a")).await;
    assert_eq!(kinds(&freed), ["closed", "shown"]);
    assert_eq!(freed.facts[1].ask, Some(AskId(6)));
    assert_eq!((caller.status(6).await, caller.status(7).await), ("showing", "pending"));
    let inbox = store.inbox(&"ann".into(), 100).await.unwrap();
    assert_eq!(inbox.iter().map(|ask| ask.id.0).collect::<Vec<_>>(), [1, 3, 4, 5, 6, 7]);
    assert_eq!(store.inbox(&"ann".into(), 2).await.unwrap().len(), 2);
}

pub(crate) async fn an_ask_waits_for_the_answer_that_it_depends_on(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let unknown = Command::Ask(Box::new(asking(9, vec![waiting("x", "q1", "a")], Terms::default())));
    let refused = caller.refused(Role::Agent, named("s"), unknown).await;
    assert!(refused.ends_with("names the question `q1`, which is not there"), "{refused}");
    caller.ask("s", one(1)).await;
    caller.ask("s", asking(2, vec![waiting("q2", "q1", "a")], Terms::default())).await;
    caller.ask("s", asking(3, vec![waiting("q3", "q1", "b")], Terms::default())).await;
    // Half of this one will be left out.
    caller.ask("s", asking(4, vec![waiting("q4", "q1", "b"), question("r4")], Terms::default())).await;
    assert_eq!((caller.status(2).await, caller.status(4).await), ("pending", "pending"));
    let answered = caller.person(1, answer(1, "a")).await;
    assert_eq!(kinds(&answered), ["closed", "closed", "settled", "shown", "shown"]);
    assert_eq!((caller.status(2).await, caller.status(3).await), ("showing", "cancelled"));
    let settled = caller.stored(4).await;
    assert!(!settled.has(&"q4".into()) && settled.has(&"r4".into()));
    // Known already: decided at once, also where only a part is left, and long after.
    let known = asking(5, vec![waiting("q5", "q1", "b"), waiting("r5", "q1", "a")], Terms::default());
    let asked = caller.ask("s", known).await;
    assert_eq!(kinds(&asked), ["asked", "settled", "shown"]);
    assert_eq!(Some(caller.stored(5).await), asked.ask);
    // The fact still tells what was asked.
    let facts = store.facts_since(0, 100).await.unwrap();
    let asked_fact = asked.facts[0].clone();
    assert!(facts.contains(&asked_fact));
    // Asked and answered again, it is the latest answer that counts.
    let again = Terms { template: Some("daily".into()), ..Terms::default() };
    caller.ask("s", asking(7, vec![question("q1")], again)).await;
    let otherwise = Command::Answer { ask: AskId(7), entries: filled(&[("q1", "b")]) };
    caller.person(7, otherwise).await;
    let latest = caller.ask("s", asking(8, vec![waiting("q8", "q1", "b")], Terms::default())).await;
    assert_eq!(latest.ask.unwrap().state.status(), "showing");
    // A question that was left out can be asked, and found, again.
    caller.ask("s", asking(6, vec![question("q4")], Terms::default())).await;
    let one = Command::AnswerOne { ask: None, question: "q4".into(), entry: entry("a") };
    assert_eq!(caller.tries(Role::Person, named("s"), one).await.unwrap().ask.unwrap().id, AskId(6));
}

pub(crate) async fn questions_are_answered_one_at_a_time(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    caller.ask("s", asking(1, vec![question("q1"), question("r1")], Terms::default())).await;
    let one = |id: &str| Command::AnswerOne { ask: None, question: id.into(), entry: entry("a") };
    let none = caller.refused(Role::Person, named("s"), one("nope")).await;
    assert_eq!(none, "there is no question `nope` in this session");
    let first = caller.tries(Role::Person, named("s"), one("q1")).await.unwrap();
    assert_eq!(kinds(&first), ["submitted"]);
    let ask = caller.stored(1).await;
    assert_eq!((ask.submitted.len(), ask.is_open()), (1, true));
    assert_eq!(first.ask, Some(ask));
    let last = caller.tries(Role::Person, named("s"), one("r1")).await.unwrap();
    assert_eq!(kinds(&last), ["submitted", "closed"]);
    assert_eq!(Some(caller.stored(1).await), last.ask);
    for round in 2..9 {
        // Many rounds later, when it is not in memory any more.
        caller.ask("s", super::one(round)).await;
        caller.person(round, answer(round, "a")).await;
    }
    let again = caller.refused(Role::Person, named("s"), one("q1")).await;
    assert_eq!(again, "the question `q1` is answered already");
    let nobody = caller.refused(Role::Person, named("elsewhere"), one("q1")).await;
    assert_eq!(nobody, "there is no such session, or it has expired");
}

pub(crate) async fn an_ended_ask_is_asked_anew(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    caller.ask("s", asking(1, vec![question("q1")], timed(60))).await;
    caller.person(1, Command::Save { ask: AskId(1), entries: filled(&[("q1", "b")]) }).await;
    caller.later(Duration::from_mins(1));
    caller.server(1, Command::Expire { ask: AskId(1) }).await;
    let anew = caller.person(1, Command::Reopen { ask: AskId(1), as_new: AskId(2) }).await;
    assert_eq!(kinds(&anew), ["reopened", "asked", "shown"]);
    let ask = caller.stored(2).await;
    assert_eq!((ask.round, ask.reopens, ask.entries.clone()), (2, Some(AskId(1)), filled(&[("q1", "b")])));
    assert_eq!(anew.ask, Some(ask));
    let twice = Command::Reopen { ask: AskId(1), as_new: AskId(3) };
    assert!(caller.tries(Role::Person, SessionRef::OfAsk(AskId(1)), twice).await.is_err());
    let one = Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("a") };
    assert_eq!(caller.tries(Role::Person, named("s"), one).await.unwrap().ask.unwrap().id, AskId(2));
}

pub(crate) async fn questions_named_after_their_round_are_found(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let unnamed =
        |text: &str| vec![Question { named_by: NamedBy::Us, text: text.to_owned(), ..question("q1") }];
    let picks = |ask: u128, id: &str, choice: &str| Command::Answer {
        ask: AskId(ask),
        entries: filled(&[(id, choice)]),
    };
    let told = async |id: &str| {
        let one = Command::AnswerOne { ask: None, question: id.into(), entry: entry("a") };
        caller.refused(Role::Person, named("s"), one).await
    };
    let follows = async |ask: u128, on: &str, choice: &str| {
        let terms = Terms { parent_question: Some(on.into()), ..Terms::default() };
        let asked = caller.ask("s", asking(ask, vec![waiting(&format!("q{ask}"), on, choice)], terms)).await;
        let ask = asked.ask.unwrap();
        (ask.state.status(), ask.depth)
    };
    caller.ask("s", asking(1, unnamed("First?"), Terms::default())).await;
    caller.person(1, picks(1, "r1q1", "a")).await;
    caller.ask("s", asking(2, unnamed("Second?"), Terms::default())).await;
    caller.person(2, Command::Decline { ask: AskId(2), reason: None }).await;
    // It keeps its name, which now says another round than its own.
    caller.person(2, Command::Reopen { ask: AskId(2), as_new: AskId(3) }).await;
    assert_eq!(caller.stored(2).await.reopened_as, Some(AskId(3)));
    caller.person(3, picks(3, "r2q1", "b")).await;
    for round in 4..9 {
        caller.ask("s", one(round)).await;
        caller.person(round, answer(round, "a")).await;
    }
    assert_eq!(told("r1q1").await, "the question `r1q1` is answered already");
    assert_eq!(told("r2q1").await, "the question `r2q1` is answered already");
    assert_eq!(told("r4q1").await, "there is no question `r4q1` in this session");
    assert_eq!(told("r1q2").await, "there is no question `r1q2` in this session");
    assert_eq!(follows(20, "r1q1", "a").await, ("showing", 2));
    assert_eq!(follows(21, "r2q1", "b").await, ("showing", 2));
    // An asker may choose such a name too; the latest answer under it counts.
    caller.ask("s", asking(22, vec![question("r1q1")], Terms::default())).await;
    caller.person(22, picks(22, "r1q1", "b")).await;
    assert_eq!(follows(23, "r1q1", "b").await, ("showing", 2));
    let rounds = store.asks_of(caller.stored(1).await.session, 2, 3).await.unwrap();
    assert_eq!(rounds.iter().map(|ask| ask.round).collect::<Vec<_>>(), [3, 4, 5]);
}

pub(crate) async fn a_late_answer_is_kept(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    let terms = Terms { late: Late::Keep, ..timed(60) };
    caller.ask("s", asking(1, vec![question("q1")], terms)).await;
    caller.later(Duration::from_mins(1));
    caller.server(1, Command::Expire { ask: AskId(1) }).await;
    assert_eq!(kinds(&caller.person(1, answer(1, "a")).await), ["answered_late"]);
    let ask = caller.stored(1).await;
    assert_eq!(ask.state.status(), "timeout");
    let (answers, by) = ask.late.as_ref().unwrap();
    assert_eq!((answers.0.len(), by), (1, &actor(Role::Person, "ann").by));
    assert!(caller.tries(Role::Person, SessionRef::OfAsk(AskId(1)), answer(1, "a")).await.is_err());
}

pub(crate) async fn rounds_build_on_one_another(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let deeper = |id: u128| {
        let parent_question = (id > 1).then(|| format!("q{}", id - 1).as_str().into());
        asking(id, vec![question(&format!("q{id}"))], Terms { parent_question, ..Terms::default() })
    };
    for id in 1..=10 {
        let asked = caller.ask("s", deeper(id)).await.ask.unwrap();
        assert_eq!((asked.round, u128::from(asked.depth)), (u32::try_from(id).unwrap(), id));
        caller.person(id, answer(id, "a")).await;
    }
    let eleventh = Command::Ask(Box::new(deeper(11)));
    let refused = caller.tries(Role::Agent, named("s"), eleventh).await;
    assert!(matches!(refused, Err(StoreError::Refused(Refusal::RecursiveLimit { max: 10 }))));
    assert_eq!(caller.ask("s", one(12)).await.ask.unwrap().depth, 1);
    // A message of the chain names its ask as well; one of another session names nothing here.
    let follows = |id: u128, message: MessageId| {
        let parent_question = Some(message.to_string().as_str().into());
        asking(id, vec![question(&format!("q{id}"))], Terms { parent_question, ..Terms::default() })
    };
    caller.ask("t", one(100)).await;
    let ask = AskId(100);
    for (id, message) in [(104, MessageId::of_ask(ask)), (108, MessageId::of_outcome(ask))] {
        assert_eq!(caller.ask("t", follows(id, message)).await.ask.unwrap().depth, 2, "{message}");
        assert_eq!(caller.ask("s", follows(id + 100, message)).await.ask.unwrap().depth, 1, "{message}");
    }
}

pub(crate) async fn what_belongs_to_another_is_not_there(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let session = caller.ask("s", one(1)).await.session.unwrap().id;
    caller.ask("t", one(2)).await;
    let bob = |session: SessionRef, command: Command, role: Role| {
        store.commit(Order { actor: actor(role, "bob"), session, command, now: START })
    };
    let refused = bob(SessionRef::OfAsk(AskId(1)), answer(1, "a"), Role::Person).await.unwrap_err();
    assert_eq!(refused.to_string(), "there is no such ask");
    let ask = Command::Ask(Box::new(one(3)));
    let refused = bob(SessionRef::Id(session), ask, Role::Agent).await.unwrap_err();
    assert_eq!(refused.to_string(), "there is no such session, or it has expired");
    // A name is its owner's: the same one means another session.
    let own = bob(named("s2"), Command::Ask(Box::new(one(4))), Role::Agent).await.unwrap();
    assert_eq!(own.session.unwrap().owner, "bob".into());
    // An ask of another session is not there, even for its owner.
    let elsewhere = caller.refused(Role::Person, SessionRef::Id(session), answer(2, "a")).await;
    assert_eq!(elsewhere, "there is no such ask");
    let unknown = SessionRef::OfAsk(AskId(99));
    assert_eq!(caller.refused(Role::Person, unknown, answer(99, "a")).await, "there is no such ask");
    let nowhere = SessionRef::Id(SessionId(99));
    let refused = caller.refused(Role::Agent, nowhere, Command::Ask(Box::new(one(5)))).await;
    assert_eq!(refused, "there is no such session, or it has expired");
    assert_eq!(store.ask(AskId(99)).await.unwrap(), None);
    assert_eq!(store.session(SessionId(99)).await.unwrap(), None);
}

pub(crate) async fn lists_come_in_their_order(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    for id in 1..=6 {
        caller.ask(["s", "t"][usize::from(id % 2 == 0)], one(id)).await;
    }
    let bob = Order {
        actor: actor(Role::Agent, "bob"),
        session: named("b"),
        command: Command::Ask(Box::new(one(7))),
        now: START,
    };
    store.commit(bob).await.unwrap();
    caller.person(3, answer(3, "a")).await;
    let session = caller.stored(1).await.session;
    let ids = |asks: Vec<Arc<askuser_core::ask::Ask>>| asks.iter().map(|ask| ask.id.0).collect::<Vec<_>>();
    assert_eq!(ids(store.asks_of(session, 0, 10).await.unwrap()), [1, 3, 5]);
    assert_eq!(ids(store.asks_of(session, 1, 1).await.unwrap()), [3]);
    assert_eq!(ids(store.inbox(&"ann".into(), 10).await.unwrap()), [1, 2, 4, 5, 6]);
    // Every open ask once, page by page, although one ends between two pages.
    let (mut open, mut after) = (Vec::new(), None);
    loop {
        let page = ids(store.open_asks(after, 2).await.unwrap());
        let Some(last) = page.last() else { break };
        after = Some(AskId(*last));
        open.extend(page);
        if open.len() == 2 {
            caller.person(2, answer(2, "a")).await;
        }
    }
    assert_eq!(open, [1, 2, 4, 5, 6, 7]);
    let names = |sessions: Vec<askuser_core::session::Session>| {
        sessions.into_iter().filter_map(|session| session.external_id).collect::<Vec<_>>()
    };
    assert_eq!(names(store.sessions(&"ann".into(), 10).await.unwrap()), ["t", "s"]);
    assert_eq!(names(store.sessions(&"ann".into(), 1).await.unwrap()), ["t"]);
}
