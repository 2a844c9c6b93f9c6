//! Facts: numbered, chained, erasable.

use std::sync::Arc;

use askuser_core::asker::Terms;
use askuser_core::command::{Command, Role};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId};
use askuser_core::question::{Kind, Question};
use tokio::task::JoinSet;

use super::{Caller, START, actor, answer, asking, derived, filled, one, question};
use crate::{Numbered, Order, SessionRef, Store};

/// Asks and answers from many at once; returns the facts as they were told.
async fn many(store: &Arc<dyn Store>, n_callers: u128, n_rounds: u128) -> Vec<Numbered> {
    let mut callers = JoinSet::new();
    for caller in 0..n_callers {
        let store = Arc::clone(store);
        callers.spawn(async move {
            let mut facts = Vec::new();
            for round in 0..n_rounds {
                let id = 1000 * (caller + 1) + round;
                let asks = (Role::Agent, Command::Ask(Box::new(one(id))));
                for (role, command) in [asks, (Role::Person, answer(id, "a"))] {
                    let session = derived(&format!("s{caller}"));
                    let order = Order { actor: actor(role, "ann"), session, command, now: START };
                    facts.extend(store.commit(order).await.unwrap().facts);
                }
            }
            facts
        });
    }
    let mut facts: Vec<Numbered> = callers.join_all().await.into_iter().flatten().collect();
    facts.sort_by_key(|fact| fact.number);
    facts
}

pub(crate) async fn facts_are_numbered_without_gaps(store: Arc<dyn Store>) {
    let told = many(&store, 20, 4).await;
    let numbers: Vec<u64> = told.iter().map(|fact| fact.number).collect();
    assert_eq!(numbers, (1..=20 + 20 * 4 * 3).collect::<Vec<u64>>());
    // What is read back is what was told, page by page.
    let mut read = Vec::new();
    loop {
        let page = store.facts_since(read.len() as u64, 7).await.unwrap();
        if page.is_empty() {
            break;
        }
        read.extend(page);
    }
    assert_eq!(read, told);
    let session = told[100].session;
    let of_session: Vec<Numbered> = told.iter().filter(|fact| fact.session == session).cloned().collect();
    assert_eq!(store.facts_of(session, 0, 1000).await.unwrap(), of_session);
    let after = of_session[3].number;
    assert_eq!(store.facts_of(session, after, 2).await.unwrap(), of_session[4..6]);
    assert_eq!(store.head().await.unwrap().number, 260);
    assert!(store.facts_since(u64::MAX, 5).await.unwrap().is_empty());
}

pub(crate) async fn the_chain_verifies(store: Arc<dyn Store>) {
    let empty = store.verify(1).await.unwrap();
    assert_eq!((empty.n_checked, empty.broken), (0, None));
    many(&store, 5, 3).await;
    let head = store.head().await.unwrap();
    let all = store.verify(1).await.unwrap();
    assert_eq!((all.upto, all.n_checked, &all.broken), (head, head.number, &None));
    assert_eq!(store.verify(0).await.unwrap(), all);
    let half = store.verify(20).await.unwrap();
    assert_eq!((half.upto, half.n_checked, half.broken), (head, head.number - 19, None));
    let beyond = store.verify(head.number + 5).await.unwrap();
    assert_eq!(beyond.broken.unwrap().to_string(), format!("fact {} is missing", head.number + 4));
}

/// Asks for a token in the session `s`, as the ask 1; returns the answer to it.
async fn ask_for_a_token(caller: &Caller) -> Entry {
    let free = askuser_core::question::FreeText {
        format: askuser_core::format::Format::Any,
        chars_min: 0,
        chars_max: 100,
        any_characters: false,
        placeholder: None,
        default: None,
    };
    let token = Question {
        secret: true,
        kind: Kind::Text,
        choices: Vec::new(),
        free: Some(free),
        ..question("token")
    };
    caller.ask("s", asking(1, vec![token, question("open")], Terms::default())).await;
    Entry { text: Some("hunter2".into()), note: Some("mine".into()), ..Entry::default() }
}

pub(crate) async fn secrets_are_erased_and_the_chain_verifies(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let secret = ask_for_a_token(&caller).await;
    let mut entries = filled(&[("open", "a")]);
    entries.push(("token".into(), secret.clone()));
    caller.person(1, Command::Save { ask: AskId(1), entries: entries.clone() }).await;
    let still_open = store.erase_secrets(AskId(1)).await.unwrap_err();
    assert_eq!(still_open.to_string(), "the ask is still open");
    let one = Command::AnswerOne { ask: None, question: "token".into(), entry: secret };
    caller.tries(Role::Person, super::named("s"), one).await.unwrap();
    caller.person(1, Command::Answer { ask: AskId(1), entries }).await;
    caller.agent(1, Command::Deliver { asks: vec![AskId(1)] }).await;
    assert!(format!("{:?}", caller.stored(1).await).contains("hunter2"));
    assert_eq!(store.erase_secrets(AskId(1)).await.unwrap(), 2);
    assert_eq!(store.erase_secrets(AskId(1)).await.unwrap(), 0);
    let ask = caller.stored(1).await;
    assert!(!format!("{ask:?}").contains("hunter2") && !format!("{ask:?}").contains("mine"));
    let outcome = ask.state.outcome().unwrap();
    assert_eq!(outcome.answers.to(&"open".into()).unwrap().picked, ["a".into()]);
    // What is carried out next sees the erased ask, not a copy in memory.
    let acknowledged = caller.agent(1, Command::Acknowledge { ask: AskId(1) }).await;
    assert!(!format!("{acknowledged:?}").contains("hunter2"));
    let facts = store.facts_since(0, 100).await.unwrap();
    assert!(!format!("{facts:?}").contains("hunter2"));
    let erased: Vec<_> = facts.iter().filter(|fact| fact.fact.is_none()).collect();
    assert!(erased.len() == 2 && erased.iter().all(|fact| fact.ask == Some(AskId(1))));
    let verified = store.verify(1).await.unwrap();
    assert_eq!((verified.broken, verified.n_erased), (None, 2));
    let unknown = store.erase_secrets(AskId(9)).await.unwrap_err();
    assert_eq!(unknown.to_string(), "there is no such ask");
}

/// What was said of a secret before its ask moved to another session is in the facts of the first.
pub(crate) async fn secrets_that_moved_are_erased_wherever_they_were_told(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    let secret = ask_for_a_token(&caller).await;
    let one = Command::AnswerOne { ask: None, question: "token".into(), entry: secret.clone() };
    caller.tries(Role::Person, super::named("s"), one).await.unwrap();
    let (session, from) = (SessionId(900), caller.stored(1).await.session);
    let restore = Command::Restore { session, from, to: None, asks: Vec::new(), reason: "moved".into() };
    caller.tries(Role::Person, SessionRef::Id(session), restore).await.unwrap();
    assert_eq!(caller.stored(1).await.session, session);
    let mut entries = filled(&[("open", "a")]);
    entries.push(("token".into(), secret));
    caller.person(1, Command::Answer { ask: AskId(1), entries }).await;
    caller.agent(1, Command::Deliver { asks: vec![AskId(1)] }).await;
    assert_eq!(store.erase_secrets(AskId(1)).await.unwrap(), 2);
    let facts = store.facts_since(0, 100).await.unwrap();
    assert!(!format!("{facts:?}").contains("hunter2"), "{facts:?}");
    assert_eq!(store.verify(1).await.unwrap().broken, None);
}

pub(crate) async fn a_saved_sheet_is_no_fact(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    let entries = filled(&[("q1", "b")]);
    let saved = caller.person(1, Command::Save { ask: AskId(1), entries: entries.clone() }).await;
    assert!(
        matches!(saved.facts[0].fact.as_deref(), Some(Fact::Saved { entries: told, .. }) if *told == entries)
    );
    let read = store.facts_since(saved.facts[0].number - 1, 1).await.unwrap();
    assert!(matches!(read[0].fact.as_deref(), Some(Fact::Saved { entries, .. }) if entries.is_empty()));
    // Neither is what a reopened ask takes over.
    caller.person(1, Command::Decline { ask: AskId(1), reason: None }).await;
    let session = SessionRef::OfAsk(AskId(1));
    let anew = Command::Reopen { ask: AskId(1), as_new: AskId(2) };
    let anew = caller.tries(Role::Person, session, anew).await.unwrap();
    let read = store.facts_since(anew.facts[0].number, 1).await.unwrap();
    assert!(matches!(read[0].fact.as_deref(), Some(Fact::Asked(ask)) if ask.entries.is_empty()));
    assert_eq!(caller.stored(2).await.entries, entries);
}
