//! Two in the same microsecond: one wins, the other is told, and everybody who waits learns it.

use std::io;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::daemon::Daemon;
use crate::dice::Dice;
use crate::http::Reply;
use crate::record::Known;

/// Times the rivals, this stays below what a key may do in a minute (D11).
const N_ROUNDS: usize = 20;
const N_RIVALS: usize = 4;

fn asked(daemon: &Daemon, key: &str, timeout_ms: Option<u64>) -> Known {
    let mut known = Known::new(key, &format!("~/{key}"), timeout_ms);
    let body = known.body().clone();
    known.learn(&daemon.agent().ask(key, &body).unwrap());
    known
}

/// Sends every request at once, each over a connection that is open already.
fn at_once(daemon: &Daemon, requests: Vec<(&str, String, serde_json::Value)>) -> Vec<io::Result<Reply>> {
    let barrier = Arc::new(Barrier::new(requests.len()));
    let rivals = requests.into_iter().map(|(who, path, body)| {
        let mut line = if who == "agent" { daemon.agent() } else { daemon.person() };
        let barrier = Arc::clone(&barrier);
        thread::spawn(move || {
            barrier.wait();
            line.post(&path, &body)
        })
    });
    let rivals: Vec<_> = rivals.collect();
    rivals.into_iter().map(|rival| rival.join().unwrap()).collect()
}

#[test]
fn of_many_ends_in_the_same_microsecond_one_wins_and_all_learn_which() {
    let home = tempfile::tempdir().unwrap();
    let daemon = Daemon::start(home.path());
    for round in 0..N_ROUNDS {
        let mut known = asked(&daemon, &format!("race-{round}"), None);
        let waits = known.path("?wait=50");
        let waiters = [daemon.agent(), daemon.person()].map(|mut line| {
            let waits = waits.clone();
            thread::spawn(move || line.get(&waits).unwrap())
        });
        let mut requests: Vec<_> = (0..N_RIVALS)
            .map(|rival| {
                let body = known.try_answer(["left", "right"][rival % 2]);
                ("person", known.path("/answer"), body)
            })
            .collect();
        known.try_ending("cancelled by user");
        known.try_ending("cancelled by system");
        requests.push(("person", known.path("/cancel"), json!({})));
        requests.push(("agent", known.path("/withdraw"), json!({})));
        let replies = at_once(&daemon, requests);
        for reply in &replies {
            known.learn_attempt(reply.as_ref().unwrap());
        }
        let n_won = replies.iter().filter(|reply| reply.as_ref().unwrap().is_ok()).count();
        assert_eq!(n_won, 1, "round {round}");
        for waiter in waiters {
            known.learn(&waiter.join().unwrap());
        }
        assert!(known.ended.is_some() && known.losers_know(), "{known:?}");
    }
}

/// The answers are sent around the deadline, from a little before to a little after it.
#[test]
fn an_answer_in_the_same_millisecond_as_the_deadline_wins_or_is_told() {
    const TIMEOUT_MS: u64 = 60;
    let home = tempfile::tempdir().unwrap();
    let daemon = Daemon::start(home.path());
    let mut dice = Dice::of_the_day("racing the deadline");
    let won = Mutex::new([0_usize; 2]);
    thread::scope(|scope| {
        for round in 0..N_ROUNDS {
            let early_us = dice.below(20_000) as u64;
            let (daemon, won) = (&daemon, &won);
            scope.spawn(move || {
                let begun = Instant::now();
                let mut known = asked(daemon, &format!("deadline-{round}"), Some(TIMEOUT_MS));
                let mut line = daemon.person();
                let (path, body) = (known.path("/answer"), known.try_answer("right"));
                let aim =
                    Duration::from_millis(TIMEOUT_MS + 10).saturating_sub(Duration::from_micros(early_us));
                thread::sleep(aim.saturating_sub(begun.elapsed()));
                let reply = line.post(&path, &body).unwrap();
                known.learn_attempt(&reply);
                known.learn(&line.get(&known.path("?wait=50")).unwrap());
                assert!(known.losers_know(), "{known:?}");
                let ended = known.ended.clone().unwrap();
                assert_eq!(ended == "answered right", reply.is_ok(), "told {reply:?}, but it {ended}");
                won.lock().unwrap()[usize::from(reply.is_ok())] += 1;
            });
        }
    });
    println!("deadlines and answers won: {:?}", won.into_inner().unwrap());
}
