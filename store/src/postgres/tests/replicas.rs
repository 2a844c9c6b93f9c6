//! Several replicas on one database: what one does holds for all, and what one hears all hear.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use askuser_core::command::{Command, Role};
use askuser_core::decide::Refusal;
use askuser_core::id::AskId;
use askuser_core::outcome::Proof;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::server::Server;
use super::{at, server};
use crate::conformance::{Caller, START, actor, answer, asking, named, one, question, timed};
use crate::{BrowserId, Numbered, Order, Pass, SessionRef, SignedIn, Store, StoreError, User};

/// Hears everything that a replica tells.
fn ear(store: &Arc<dyn Store>) -> Arc<Mutex<Vec<Numbered>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    store.tell(Arc::new(move |facts| ear.lock().unwrap().extend_from_slice(&facts)));
    heard
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn numbers(heard: &Mutex<Vec<Numbered>>) -> Vec<u64> {
    heard.lock().unwrap().iter().map(|numbered| numbered.number).collect()
}

#[tokio::test]
async fn every_replica_hears_every_fact_once_and_in_order() {
    let address = server().corner();
    let replicas = [at(&address).await, at(&address).await, at(&address).await];
    let heard: Vec<_> = replicas.iter().map(ear).collect();
    for (idx, store) in (1..=30_u128).zip(replicas.iter().cycle()) {
        let caller = Caller::new(store);
        caller.ask(&format!("s{}", idx % 4), one(idx)).await;
        caller.person(idx, answer(idx, "a")).await;
        // Whoever has committed something has heard of it, and of all before it.
        let own = numbers(&heard[(idx as usize - 1) % 3]);
        let last = store.head().await.unwrap().number;
        assert_eq!(own, (1..=last).collect::<Vec<_>>());
    }
    let last = replicas[0].head().await.unwrap().number;
    for heard in &heard {
        until("a replica does not hear the rest", || heard.lock().unwrap().len() as u64 >= last).await;
        assert_eq!(numbers(heard), (1..=last).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_replica_whose_connections_are_cut_goes_on_and_misses_nothing() {
    let address = server().database();
    let database = address.split(['/', '?']).nth(3).unwrap().to_owned();
    let (ours, theirs) = (at(&address).await, at(&address).await);
    let heard = ear(&ours);
    for round in 1..=5_u128 {
        let caller = Caller::new(&ours);
        caller.ask("s", one(round)).await;
        server().run("postgres", &format!(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{database}'"
        )).unwrap();
        Caller::new(&theirs).person(round, answer(round, "a")).await;
        assert_eq!(caller.status(round).await, "answered");
    }
    let last = theirs.head().await.unwrap().number;
    until("facts are missing", || heard.lock().unwrap().len() as u64 >= last).await;
    assert_eq!(numbers(&heard), (1..=last).collect::<Vec<_>>());
}

/// Limits of one user hold whichever replica is asked: not one session more.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_users_limit_of_active_sessions_holds_across_replicas() {
    let address = server().corner();
    let replicas = [at(&address).await, at(&address).await, at(&address).await];
    let max = replicas[0].limits().active_sessions_max;
    let mut asking_at_once = JoinSet::new();
    for (id, store) in (1..=2 * max as u128).zip(replicas.iter().cycle()) {
        let store = Arc::clone(store);
        asking_at_once.spawn(async move {
            let command = Command::Ask(Box::new(one(id)));
            let session = named(&format!("s{id}"));
            store.commit(Order { actor: actor(Role::Agent, "ann"), session, command, now: START }).await
        });
    }
    let all = asking_at_once.join_all().await;
    let taken = all.iter().filter(|asked| asked.is_ok()).count();
    assert_eq!(taken, max);
    let refused = |asked: &&Result<_, StoreError>| {
        matches!(asked, Err(StoreError::Refused(Refusal::TooManySessions { .. })))
    };
    assert_eq!(all.iter().filter(refused).count(), max);
}

/// One name, one key and one outcome, whichever replicas they came to at the same moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_must_happen_once_happens_once_on_all_replicas_together() {
    let address = server().corner();
    let replicas = [at(&address).await, at(&address).await, at(&address).await];
    for round in 0..10_u128 {
        let mut same = JoinSet::new();
        for (id, store) in (1..=9_u128).zip(replicas.iter().cycle()) {
            let mut new = asking(round * 100 + id, vec![question(&format!("q{round}"))], timed(0));
            Arc::make_mut(&mut new.terms).idempotency_key = Some(format!("k{round}"));
            new.fingerprint = round.to_be_bytes();
            let command = Command::Ask(Box::new(new));
            let order = Order { actor: actor(Role::Agent, "ann"), session: named("s"), command, now: START };
            let store = Arc::clone(store);
            same.spawn(async move { store.commit(order).await.unwrap() });
        }
        let same = same.join_all().await;
        let ask = same[0].ask.as_ref().unwrap().id;
        assert!(same.iter().all(|asked| asked.ask.as_ref().unwrap().id == ask));
        assert_eq!(same.iter().filter(|asked| !asked.joined).count(), 1);
        let mut ending = JoinSet::new();
        for (idx, store) in replicas.iter().cycle().take(9).enumerate() {
            let (role, command) = match idx % 3 {
                0 => (Role::Person, Command::Decline { ask, reason: None }),
                1 => (Role::Agent, Command::Withdraw { ask, reason: None }),
                _ => (Role::Server, Command::Expire { ask }),
            };
            let (store, session) = (Arc::clone(store), SessionRef::OfAsk(ask));
            let order = Order { actor: actor(role, "ann"), session, command, now: START };
            ending.spawn(async move { store.commit(order).await });
        }
        let (won, lost): (Vec<_>, Vec<_>) = ending.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!((won.len(), lost.len()), (1, 8));
        let closed = |lost: &Result<_, StoreError>| {
            matches!(lost, Err(StoreError::Refused(Refusal::AlreadyClosed(_))))
        };
        assert!(lost.iter().all(closed));
    }
    assert_eq!(replicas[0].sessions(&"ann".into(), 9).await.unwrap().len(), 1);
}

/// Keys, cookies and links are good everywhere, and a link once in all.
#[tokio::test]
async fn who_may_come_in_may_come_in_everywhere() {
    let address = server().corner();
    let (one, other) = (at(&address).await, at(&address).await);
    one.add_user(User { id: "ann".into(), created_at: START, disabled_at: None }).await.unwrap();
    let pass = Pass {
        user: "ann".into(),
        expires_at: START.after(Duration::from_secs(9)),
        made_with: Proof::Terminal,
    };
    assert!(other.add_login_link([1; 32], pass.clone(), START).await.unwrap());
    let mut at_once = JoinSet::new();
    for store in [&one, &other].into_iter().cycle().take(20) {
        let store = Arc::clone(store);
        at_once.spawn(async move { store.use_login_link([1; 32], START).await.unwrap() });
    }
    assert_eq!(at_once.join_all().await.into_iter().flatten().count(), 1);
    let browser = SignedIn {
        id: BrowserId(2),
        user: "ann".into(),
        made_with: Proof::Terminal,
        name: "Firefox on Linux".into(),
        user_agent: "Mozilla/5.0".into(),
        created_at: START,
        last_seen_at: START,
        told_at: START,
        expires_at: pass.expires_at,
    };
    assert!(one.add_cookie([2; 32], browser.clone(), START).await.unwrap());
    assert_eq!(other.cookie([2; 32], START).await.unwrap(), Some(browser));
    assert!(other.disable_user(&"ann".into(), START).await.unwrap());
    assert_eq!(one.cookie([2; 32], START).await.unwrap(), None);
}

#[tokio::test]
async fn a_database_that_is_away_is_said_to_be_and_nothing_is_half_done() {
    let own = Server::start(true);
    let store = at(&own.database()).await;
    let caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    own.stop_at_once();
    let refused = caller.tries(Role::Agent, named("s"), Command::Ask(Box::new(one(2)))).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert!(matches!(store.check_writable().await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.ask(AskId(1)).await, Err(StoreError::Unavailable(_))));
    own.resume();
    let begun = Instant::now();
    while store.check_writable().await.is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it is back, and nobody sees it");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(caller.status(1).await, "showing");
    assert_eq!(store.ask(AskId(2)).await.unwrap(), None);
    caller.person(1, answer(1, "a")).await;
    caller.ask("s", one(2)).await;
    assert_eq!(store.verify(1).await.unwrap().broken, None);
}
