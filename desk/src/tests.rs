//! The desk over a real store in memory, with a clock that the tests own.

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use askuser_core::ask::State;
use askuser_core::asker::Terms;
use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::draft::{Draft, DraftChoice, DraftQuestion, Given};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::limits::{DeskLimits, Limits};
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::time::Timestamp;
use tokio::time::Instant;

use super::*;
use askuser_store::sqlite::{Options, Sqlite};

mod model;
mod any;
mod bad_days;
mod bounds;
mod coming_back;
mod past;
mod people;
mod racing;
mod restoring;
mod replicas;
#[path = "../../tests/crash/postgres.rs"]
mod postgres;

/// One for all tests of this program.
fn server() -> &'static postgres::Server {
    static SERVER: OnceLock<postgres::Server> = OnceLock::new();
    SERVER.get_or_init(|| postgres::Server::start(false))
}

fn actor(role: Role, user: &str) -> Actor {
    let by = By::new(Some(user.into()), Channel::Web, Proof::Cookie);
    Actor { role, user: user.into(), by, key: None }
}

fn agent() -> Actor {
    actor(Role::Agent, "ann")
}

fn person() -> Actor {
    actor(Role::Person, "ann")
}

/// A wall clock that a test can put forward.
fn clock(forward_ms: &Arc<AtomicI64>) -> Clock {
    let forward_ms = Arc::clone(forward_ms);
    Arc::new(move || Timestamp(askuser_system::clock::now().0 + forward_ms.load(Ordering::SeqCst)))
}

fn options() -> Options {
    Options::new(DeskLimits::default(), Timestamp(0))
}

/// A desk over an empty store: in memory, or, where these tests are built with
/// `ASKUSER_TEST_STORE=postgres`, a real PostgreSQL.
pub(crate) async fn desk() -> Desk {
    if option_env!("ASKUSER_TEST_STORE") == Some("postgres") {
        return replicas::desk_at(&server().corner()).await;
    }
    let store = Sqlite::in_memory(&options()).unwrap();
    Desk::open(Arc::new(store), clock(&Arc::default())).await.unwrap()
}

/// A desk over the database of a folder, with a clock that can be put forward: the same one again after
/// it was closed.
pub(crate) async fn desk_in(folder: &std::path::Path, forward_ms: &Arc<AtomicI64>) -> Desk {
    let limits = DeskLimits { open_max: 5000, shown_max: 5000, ..DeskLimits::default() };
    let store = Sqlite::open(&folder.join("askuser.db"), &Options::new(limits, Timestamp(0))).unwrap();
    Desk::open(Arc::new(store), clock(forward_ms)).await.unwrap()
}

fn request(id: &str, terms: Terms) -> Request {
    let choice = |label: &str| DraftChoice { label: Given::Value(label.into()), ..DraftChoice::default() };
    let question = DraftQuestion {
        id: Given::Value(id.into()),
        text: Given::Value(format!("{id}?")),
        choices: Given::Value(vec![choice("a"), choice("b")]),
        ..DraftQuestion::default()
    };
    let draft = Draft { questions: Given::Value(vec![question]), ..Draft::default() };
    Request {
        questions: draft.check(&Limits::FOREIGN).unwrap(),
        terms,
        asker_key: "test".into(),
        known_by: KnownBy::Nothing,
    }
}

fn pick(id: &str, choice: &str) -> Vec<(QuestionId, Entry)> {
    vec![(id.into(), Entry { picked: vec![choice.into()], ..Entry::default() })]
}

fn timed(millis: u64) -> Terms {
    Terms { timeout: Some(Duration::from_millis(millis)), ..Terms::default() }
}

#[tokio::test]
async fn a_waiter_is_woken_by_the_answer() {
    let desk = desk().await;
    let asked = desk.ask(&agent(), request("q", Terms::default())).await.unwrap().ask.id;
    let waiting = tokio::spawn({
        let desk = desk.clone();
        async move { desk.wait(&agent(), asked, Duration::from_hours(1)).await }
    });
    tokio::task::yield_now().await;
    desk.answer(&person(), asked, pick("q", "1")).await.unwrap();
    let Waited::Closed(ask) = waiting.await.unwrap().unwrap() else { panic!("still open") };
    assert_eq!(ask.state.outcome().unwrap().status(), "answered");
    // Whoever comes back learns it too.
    assert!(matches!(desk.wait(&agent(), ask.id, Duration::ZERO).await.unwrap(), Waited::Closed(_)));
}

/// What was handed over is noted for every ask once, however often it was fetched and in whatever session.
#[tokio::test]
async fn handed_over_outcomes_are_noted_once_each() {
    let desk = desk().await;
    let mut listener = desk.listen(&agent(), None, Some(0));
    let mut handed = Vec::new();
    for (idx, session) in ["one", "two", "one", "two", "one"].into_iter().enumerate() {
        let id = format!("q{idx}");
        let terms = Terms { session: Some(session.into()), ..Terms::default() };
        let ask = desk.ask(&agent(), request(&id, terms)).await.unwrap().ask;
        handed.push(desk.answer(&person(), ask.id, pick(&id, "1")).await.unwrap());
    }
    for ask in handed.iter().chain(&handed) {
        desk.delivered(&agent(), ask.session, ask.id);
    }
    let mut noted = Vec::new();
    while noted.len() < handed.len() {
        let Update::Fact(numbered) = listener.next().await.unwrap() else { panic!("the desk is open") };
        if let Some(Fact::Delivered { ask }) = numbered.fact.as_deref() {
            noted.push(*ask);
        }
    }
    noted.sort_unstable();
    assert_eq!(noted, handed.iter().map(|ask| ask.id).collect::<Vec<_>>());
    for ask in &handed {
        assert_eq!(desk.ask_of(&agent(), ask.id).await.unwrap().state.status(), "processing");
    }
}

/// What an asker was told just now does not wait for it any more, also before that is written down.
#[tokio::test]
async fn what_was_handed_over_is_not_listed_again() {
    let desk = desk().await;
    let terms = Terms { session: Some("one".into()), ..Terms::default() };
    let ask = desk.ask(&agent(), request("q", terms)).await.unwrap().ask;
    let listed = async || {
        let asks = desk
            .asks_of_asker(&agent(), Some("one"), "", &askuser_core::asker::Asker::default())
            .await
            .unwrap();
        asks.len()
    };
    desk.answer(&person(), ask.id, pick("q", "1")).await.unwrap();
    assert_eq!(listed().await, 1);
    desk.delivered(&agent(), ask.session, ask.id);
    assert_eq!(listed().await, 0);
}

/// Who looked an answer up before its delivery was noted, and asks whether it was delivered after that, is told so:
/// else it would be handed over a second time.
#[tokio::test]
async fn what_was_being_noted_when_it_was_looked_up_was_handed_over() {
    let desk = desk().await;
    let ask = desk.ask(&agent(), request("q", Terms::default())).await.unwrap().ask;
    let ask = desk.answer(&person(), ask.id, pick("q", "1")).await.unwrap();
    desk.delivered(&agent(), ask.session, ask.id);
    let before = desk.0.deliveries.being_noted();
    while desk.0.deliveries.is_being_noted(ask.id) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(desk.was_handed_over(&agent(), &ask, &before).await.unwrap());
    assert!(!desk.was_handed_over(&agent(), &ask, &HashSet::new()).await.unwrap());
}

/// O2: no waiter hangs, and patience is not the deadline (invariant 7).
#[tokio::test]
async fn o2_patience_ends_the_wait_and_the_deadline_ends_the_ask() {
    let desk = desk().await;
    let begun = Instant::now();
    let asked = desk.ask(&agent(), request("q", timed(300))).await.unwrap().ask;
    let waited = desk.wait(&agent(), asked.id, Duration::from_millis(1)).await.unwrap();
    assert!(matches!(waited, Waited::StillOpen(_)));
    let Waited::Closed(ask) = desk.wait(&agent(), asked.id, Duration::from_hours(1)).await.unwrap() else {
        panic!("still open")
    };
    assert_eq!(ask.state.outcome().unwrap().status(), "timeout");
    assert!(begun.elapsed() >= Duration::from_millis(300), "never early");
    assert!(desk.answer(&person(), asked.id, pick("q", "1")).await.is_err());
}

#[tokio::test]
async fn an_earlier_deadline_that_comes_later_is_kept() {
    let desk = desk().await;
    let late = desk.ask(&agent(), request("late", timed(3_600_000))).await.unwrap().ask;
    let soon = desk.ask(&agent(), request("soon", timed(50))).await.unwrap().ask;
    let waited = desk.wait(&agent(), soon.id, Duration::from_secs(15)).await.unwrap();
    assert!(matches!(waited, Waited::Closed(_)));
    assert!(desk.ask_of(&agent(), late.id).await.unwrap().is_open());
}

#[tokio::test]
async fn after_a_restart_what_passed_meanwhile_is_closed_and_the_rest_is_open() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("askuser.db");
    let forward_ms = Arc::new(AtomicI64::new(0));
    let open = || Arc::new(Sqlite::open(&path, &options()).unwrap());
    let before = Desk::open(open(), clock(&forward_ms)).await.unwrap();
    let short = before.ask(&agent(), request("short", timed(60_000))).await.unwrap().ask;
    let long = before.ask(&agent(), request("long", timed(3_600_000))).await.unwrap().ask;
    before.save(&person(), long.id, pick("long", "2")).await.unwrap();
    before.close().await.unwrap();
    forward_ms.store(120_000, Ordering::SeqCst);
    let after = Desk::open(open(), clock(&forward_ms)).await.unwrap();
    assert_eq!(after.ask_of(&agent(), short.id).await.unwrap().state.status(), "timeout");
    let long = after.ask_of(&agent(), long.id).await.unwrap();
    assert_eq!(long.state, State::Showing);
    assert_eq!(long.sheet().entry(&"long".into()).unwrap().picked, ["2".into()]);
}

#[tokio::test]
async fn closing_tells_waiters_to_come_back_and_takes_no_new_asks() {
    let desk = desk().await;
    let asked = desk.ask(&agent(), request("q", Terms::default())).await.unwrap().ask.id;
    let waiting = tokio::spawn({
        let desk = desk.clone();
        async move { desk.wait(&agent(), asked, Duration::from_hours(1)).await }
    });
    tokio::task::yield_now().await;
    desk.close().await.unwrap();
    assert!(matches!(waiting.await.unwrap().unwrap(), Waited::StillOpen(_)));
    let refused = desk.ask(&agent(), request("r", Terms::default())).await;
    assert!(matches!(refused, Err(DeskError::Closing)));
}

/// E7, D5: a listener hears its own user's facts, all of them, once, in order, from any number on.
#[tokio::test]
async fn a_listener_misses_nothing_from_any_number_on() {
    let desk = desk().await;
    let mut live = desk.listen(&person(), None, Some(0));
    for number in 0..20 {
        let id = format!("q{number}");
        let ask = desk.ask(&agent(), request(&id, Terms::default())).await.unwrap().ask;
        let bob = desk.ask(&actor(Role::Agent, "bob"), request(&id, Terms::default())).await.unwrap().ask;
        desk.answer(&person(), ask.id, pick(&id, "1")).await.unwrap();
        assert!(desk.ask_of(&agent(), bob.id).await.is_err());
    }
    let head = desk.store().head().await.unwrap().number;
    let mut all = Vec::new();
    let n_mine = desk
        .store()
        .facts_since(0, 1000)
        .await
        .unwrap()
        .iter()
        .filter(|fact| fact.owner.as_str() == "ann")
        .count();
    while all.len() < n_mine {
        let Update::Fact(fact) = live.next().await.unwrap() else { panic!("closing") };
        all.push(fact);
    }
    assert!(all.iter().all(|fact| fact.owner.as_str() == "ann"));
    assert!(all.windows(2).all(|pair| pair[0].number < pair[1].number));
    assert_eq!(
        all.iter().filter(|fact| matches!(fact.fact.as_deref(), Some(Fact::Closed { .. }))).count(),
        20
    );
    for since in [0, 1, 7, head / 2, head - 1] {
        let mut again = desk.listen(&person(), None, Some(since));
        for expected in all.iter().filter(|fact| fact.number > since) {
            let Update::Fact(fact) = again.next().await.unwrap() else { panic!("closing") };
            assert_eq!(fact.number, expected.number);
        }
    }
}

#[tokio::test]
async fn a_repeated_ask_without_a_session_joins_the_open_one() {
    let desk = desk().await;
    let first = desk.ask(&agent(), request("q", Terms::default())).await.unwrap();
    let again = desk.ask(&agent(), request("q", Terms::default())).await.unwrap();
    assert!(!first.joined && again.joined);
    assert_eq!(first.ask.id, again.ask.id);
    let other = Request { asker_key: "another process".into(), ..request("q", Terms::default()) };
    assert!(!desk.ask(&agent(), other).await.unwrap().joined);
}

/// A link lets in once, a revoked key opens nothing, and keys are what their role says.
#[tokio::test]
async fn keys_links_and_cookies_let_in_who_they_should() {
    let desk = desk().await;
    desk.access().add_user(&"ann".into()).await.unwrap();
    let key = desk.access().make_key(KeyRole::Agent, &"ann".into(), "test").await.unwrap().unwrap();
    let caller = desk.access().by_key(key.reveal()).await.unwrap().unwrap();
    assert!(caller.agent().is_some() && caller.person().is_none());
    assert!(desk.access().by_key("askuser_agent_00").await.unwrap().is_none());
    assert_eq!(format!("{key:?}"), "Secret(…)");
    desk.access().revoke_key(caller.key.unwrap()).await.unwrap();
    assert!(desk.access().by_key(key.reveal()).await.unwrap().is_none());
    let link = desk.access().make_login_link(&person()).await.unwrap().unwrap();
    let cookie = desk.access().use_login_link(link.reveal(), "").await.unwrap().unwrap();
    assert!(desk.access().use_login_link(link.reveal(), "").await.unwrap().is_none());
    let caller = desk.access().by_cookie(cookie.reveal()).await.unwrap().unwrap();
    assert_eq!(caller.person().unwrap().by.proof, Proof::Cookie);
    assert!(caller.agent().is_none());
    desk.access().revoke_cookie(cookie.reveal()).await.unwrap();
    assert!(desk.access().by_cookie(cookie.reveal()).await.unwrap().is_none());
}
