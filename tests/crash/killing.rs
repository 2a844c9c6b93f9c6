//! `kill -9` between any two steps, again and again, against a record of every acknowledged word.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_store::sqlite::{Options, Sqlite};
use askuser_system::environment::Environment;

use crate::daemon::Daemon;
use crate::dice::Dice;
use crate::load::{Asks, Client, Progress};
use crate::record::{Known, check_store};

const N_CLIENTS: usize = 6;
/// Calls that begin before a kill, at most.
const CALLS_MAX: usize = 400;
/// Asks of earlier lives that are looked at again after a restart, besides those of the last.
const N_OLDER: usize = 50;
/// Waiters that come back after a restart.
const N_WAITERS: usize = 8;

fn kills() -> usize {
    Environment::of_this_process().get("ASKUSER_CRASH_KILLS").map_or(10, |kills| kills.parse().unwrap())
}

#[test]
fn nothing_acknowledged_is_lost_to_kill_9() {
    let mut dice = Dice::of_the_day("killing");
    let home = tempfile::tempdir().unwrap();
    let asks = Asks::default();
    let n_answered = Arc::new(AtomicUsize::new(0));
    let (mut since, mut n_sheets) = (0, 0);
    for life in 0..=kills() {
        let daemon = Daemon::start(home.path());
        n_sheets += check(&daemon, &asks, since, &mut dice);
        since = asks.lock().unwrap().len();
        let progress = Arc::new(Progress::default());
        let clients = (0..N_CLIENTS).map(|number| {
            let client = Client {
                name: format!("life-{life}-client-{number}"),
                address: daemon.address,
                agent_key: daemon.agent.clone(),
                person_key: daemon.person.clone(),
                asks: Arc::clone(&asks),
                since,
                dice: dice.split(),
                progress: Arc::clone(&progress),
                n_answered: Arc::clone(&n_answered),
            };
            thread::spawn(move || client.run())
        });
        let clients: Vec<_> = clients.collect();
        progress.wait_for(1 + dice.below(CALLS_MAX));
        daemon.kill();
        for client in clients {
            client.join().unwrap();
        }
    }
    let asks = asks.lock().unwrap();
    let asks: Vec<Known> = asks.iter().map(|known| known.lock().unwrap().clone()).collect();
    let options = Options::new(DeskLimits::default(), Timestamp(0));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = Sqlite::open(&home.path().join("askuser.db"), &options).unwrap();
    runtime.block_on(check_store(&store, &asks));
    let n_ended = asks.iter().filter(|known| known.ended.is_some()).count();
    println!(
        "{} kills, {} asks, {} answers acknowledged, {n_ended} endings told, {n_sheets} saved sheets found again",
        kills(),
        asks.len(),
        n_answered.load(Ordering::Relaxed)
    );
    assert!(kills() < 5 || n_answered.load(Ordering::Relaxed) > 0, "the clients did nothing");
    assert!(kills() < 10 || n_sheets > 0, "no saved sheet was left to compare");
}

/// After a restart: everything of the last life, and some of those before, is as it was told. Returns how
/// many saved sheets were there to be compared.
fn check(daemon: &Daemon, asks: &Asks, since: usize, dice: &mut Dice) -> usize {
    let mut n_sheets = 0;
    let asks: Vec<Arc<Mutex<Known>>> = asks.lock().unwrap().clone();
    let (mut agent, mut person) = (daemon.agent(), daemon.person());
    let older = (0..N_OLDER.min(since)).map(|_| dice.below(since)).collect::<Vec<_>>();
    for place in older.into_iter().chain(since..asks.len()) {
        let mut known = asks[place].lock().unwrap();
        if known.id.is_none() {
            // Nobody knows whether it was taken in: asked again, it is there once.
            let body = known.body().clone();
            let reply = agent.ask(&known.key, &body).unwrap();
            known.learn(&reply);
            continue;
        }
        let line = if dice.once_in(8) { &mut agent } else { &mut person };
        let reply = line.get(&known.path("")).unwrap();
        known.learn(&reply);
        n_sheets += usize::from(known.learn_sheet(&reply));
    }
    come_back(daemon, &asks[since..]);
    n_sheets
}

/// Waiters that come back to what is still open learn how it ends.
fn come_back(daemon: &Daemon, asks: &[Arc<Mutex<Known>>]) {
    let shows = |known: &&Arc<Mutex<Known>>| known.lock().unwrap().ended.is_none();
    let open: Vec<&Arc<Mutex<Known>>> = asks.iter().filter(shows).take(N_WAITERS).collect();
    thread::scope(|scope| {
        let waiting = open.iter().map(|known| {
            let path = known.lock().unwrap().path("?wait=50");
            let mut line = daemon.agent();
            scope.spawn(move || line.get(&path).unwrap())
        });
        let waiting: Vec<_> = waiting.collect();
        let (mut agent, mut person) = (daemon.agent(), daemon.person());
        for known in &open {
            let (path, body) = {
                let mut known = known.lock().unwrap();
                (known.path("/answer"), known.try_answer("left"))
            };
            let mut reply = person.post(&path, &body).unwrap();
            known.lock().unwrap().learn_attempt(&reply);
            if reply.error() == "question_not_showing" {
                known.lock().unwrap().try_ending("cancelled by system");
                let path = known.lock().unwrap().path("/withdraw");
                reply = agent.post(&path, &serde_json::json!({})).unwrap();
                known.lock().unwrap().learn_attempt(&reply);
            }
        }
        for (known, waiter) in open.iter().zip(waiting) {
            let told = waiter.join().unwrap();
            assert!(!told.body["outcome"].is_null(), "a waiter was not woken: {told:?}");
            known.lock().unwrap().learn(&told);
        }
    });
}
