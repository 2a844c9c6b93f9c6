//! Three servers over one PostgreSQL, two hundred clients, and everything goes wrong: servers are killed,
//! their connections cut, the database restarted. Nobody notices more than a call to be made again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_store::postgres::{Options, Postgres};
use askuser_system::environment::Environment;
use serde_json::json;

use crate::dice::Dice;
use crate::http::Line;
use crate::postgres::Server;
use crate::record::{Known, check_store};
use crate::replicas::{Replicas, Roamer, Who};

const N_REPLICAS: usize = 3;
const N_CLIENTS: usize = 200;
/// Writes that one session may see in a minute (D11); a session here stays below.
const WRITES_MAX: usize = 60;
/// How long nothing may happen before it is over: several times the shortest deadline of an ask.
const STILL: Duration = Duration::from_secs(2);
/// How long a waiter may take to be woken on a good day, on a machine that does much else.
const WOKEN_IN: Duration = Duration::from_secs(20);

fn bad_days() -> Duration {
    let seconds = Environment::of_this_process().get("ASKUSER_CLUSTER_SECONDS").map(|s| s.parse().unwrap());
    Duration::from_secs(seconds.unwrap_or(10))
}

/// What everybody shares.
struct Scene {
    replicas: Replicas,
    stop: AtomicBool,
    listening: AtomicBool,
    asks: Mutex<Vec<Arc<Mutex<Known>>>>,
    n_calls: AtomicUsize,
    n_unknown: AtomicUsize,
    /// How long waiters took to be woken after the answer was acknowledged.
    woken: Mutex<Vec<Duration>>,
}

impl Scene {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }
}

struct End<'a>(&'a Scene);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::SeqCst);
        self.0.listening.store(false, Ordering::SeqCst);
    }
}

#[test]
fn three_servers_on_one_database_lose_nothing_whatever_dies() {
    let mut dice = Dice::of_the_day("cluster");
    let server = Server::start(true);
    let address = server.database();
    let scene = Scene {
        replicas: Replicas::start(N_REPLICAS, &address),
        stop: AtomicBool::new(false),
        listening: AtomicBool::new(true),
        asks: Mutex::default(),
        n_calls: AtomicUsize::new(0),
        n_unknown: AtomicUsize::new(0),
        woken: Mutex::default(),
    };
    let (last, heard) = thread::scope(|scope| {
        let (scene, listening) = (&scene, &scene.listening);
        // A surprise in here ends everybody else too, or the scope would wait for ever.
        let _end = End(scene);
        let listeners: Vec<_> = (0..N_REPLICAS)
            .map(|number| scope.spawn(move || listen(&scene.replicas, number, listening)))
            .collect();
        let clients: Vec<_> = (0..N_CLIENTS)
            .map(|number| {
                let roamer = Roamer::new(&scene.replicas, dice.split());
                scope.spawn(move || Client { number, n_asked: 0, scene, roamer }.run())
            })
            .collect();
        trouble(scene, &server, &address, &mut dice);
        scene.stop.store(true, Ordering::SeqCst);
        for client in clients {
            client.join().unwrap();
        }
        settle(scene, &mut dice);
        let last = last_fact(&server, &address);
        // Everybody has heard everything when the last fact has come.
        let begun = Instant::now();
        while listeners.iter().any(|listener| !listener.is_finished())
            && begun.elapsed() < Duration::from_secs(15)
            && !HEARD.iter().all(|heard| heard.load(Ordering::SeqCst) >= last)
        {
            thread::sleep(Duration::from_millis(20));
        }
        listening.store(false, Ordering::SeqCst);
        let heard = listeners.into_iter().map(|listener| listener.join().unwrap()).collect::<Vec<_>>();
        (last, heard)
    });
    let asks: Vec<Known> =
        scene.asks.lock().unwrap().iter().map(|known| known.lock().unwrap().clone()).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let numbers = runtime.block_on(async {
        let options = Options::new(DeskLimits::default(), Timestamp(0));
        check_store(&Postgres::open(&address, &options).await.unwrap(), &asks).await
    });
    assert_eq!(numbers.len(), last, "something happened after the last fact");
    for (number, heard) in heard.iter().enumerate() {
        let missing: Vec<_> = numbers.iter().filter(|number| !heard.contains_key(number)).collect();
        assert!(missing.is_empty() && heard.len() == numbers.len(), "listener {number} missed {missing:?}");
    }
    assert!(heard.iter().all(|one| *one == heard[0]), "listeners heard the same in different words");
    told(&scene, &asks, numbers.len());
}

/// Returns the number of the last fact, once nothing more happens: the short deadlines of what was asked
/// at the end have passed.
fn last_fact(server: &Server, address: &str) -> usize {
    let look = || server.run(database(address), "SELECT number FROM head").unwrap().parse().unwrap();
    let (begun, mut last, mut since) = (Instant::now(), look(), Instant::now());
    while since.elapsed() < STILL {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never comes to rest");
        thread::sleep(Duration::from_millis(50));
        let now = look();
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    last
}

/// How far each listener is.
static HEARD: [AtomicUsize; N_REPLICAS] = [const { AtomicUsize::new(0) }; N_REPLICAS];

fn told(scene: &Scene, asks: &[Known], n_facts: usize) {
    let mut woken = scene.woken.lock().unwrap().clone();
    woken.sort();
    let at = |share: usize| woken.get(woken.len() * share / 100).copied().unwrap_or_default();
    let n_ended = asks.iter().filter(|known| known.ended.is_some()).count();
    println!(
        "{} calls ({} left open what came of them), {} asks, {n_ended} endings told, {n_facts} facts; {} waiters \
         woken by another server, half of them in {:?}, 99 of 100 in {:?}",
        scene.n_calls.load(Ordering::Relaxed),
        scene.n_unknown.load(Ordering::Relaxed),
        asks.len(),
        woken.len(),
        at(50),
        at(99),
    );
    assert!(n_ended >= 50 && woken.len() >= 20, "the clients did next to nothing");
}

fn database(address: &str) -> &str {
    address.split(['/', '?']).nth(3).unwrap()
}

/// Servers killed, connections cut, and once the database itself restarted.
fn trouble(scene: &Scene, server: &Server, address: &str, dice: &mut Dice) {
    let (begun, mut restarted) = (Instant::now(), false);
    while begun.elapsed() < bad_days() {
        thread::sleep(Duration::from_millis(500 + dice.below(800) as u64));
        if !restarted && begun.elapsed() > bad_days() / 2 {
            restarted = true;
            server.stop_at_once();
            away(scene);
            server.resume();
        } else if dice.once_in(3) {
            let which = ["true", "random() < 0.5", "state LIKE 'idle in transaction%'"][dice.below(3)];
            let cut = format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND {which}",
                database(address)
            );
            server.run("postgres", &cut).unwrap();
        } else {
            let number = dice.below(N_REPLICAS);
            scene.replicas.kill(number);
            // The others carry on alone for a while.
            thread::sleep(Duration::from_millis(dice.below(500) as u64));
            scene.replicas.start_again(number);
        }
    }
}

/// While the database is away every server says so, and that it lives all the same.
fn away(scene: &Scene) {
    for number in 0..N_REPLICAS {
        let mut line = Line::open(scene.replicas.address(number), &scene.replicas.agent_key).unwrap();
        let begun = Instant::now();
        loop {
            let ready = line.get("/readyz").unwrap();
            if ready.status == 503 {
                assert_eq!((ready.error(), ready.retry_after), ("unavailable", Some(1)));
                break;
            }
            // What was found a second ago still counts.
            assert!(begun.elapsed() < Duration::from_secs(5), "the database is away: {ready:?}");
            thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(line.get("/healthz").unwrap().status, 200);
        let body = Known::new("away", "~/away", None).body().clone();
        let asked = line.ask("away", &body).unwrap();
        assert_eq!((asked.status, asked.retry_after), (503, Some(1)), "{asked:?}");
    }
}

/// What nobody knows the result of is asked again: it is there once. The rest is as it was told.
fn settle(scene: &Scene, dice: &mut Dice) {
    let asks = scene.asks.lock().unwrap().clone();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..32 {
            let mut roamer = Roamer::new(&scene.replicas, dice.split());
            let (asks, next) = (&asks, &next);
            scope.spawn(move || {
                while let Some(known) = asks.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let mut known = known.lock().unwrap();
                    let (key, body) = (known.key.clone(), known.body().clone());
                    let reply = if known.id.is_none() {
                        roamer.surely(Who::Agent, |line| line.ask(&key, &body))
                    } else if roamer.dice.once_in(4) {
                        let path = known.path("");
                        roamer.surely(Who::Person, |line| line.get(&path))
                    } else {
                        continue;
                    };
                    known.learn(&reply);
                }
            });
        }
    });
}

/// Hears every event from the first, from one server after the other, each time from the last number on.
fn listen(replicas: &Replicas, number: usize, listening: &AtomicBool) -> BTreeMap<u64, String> {
    let mut heard = BTreeMap::new();
    let mut at = number;
    while listening.load(Ordering::SeqCst) {
        let last = heard.keys().next_back().copied().unwrap_or(0);
        // Whatever ends it, the next one goes on from there.
        let _ended: std::io::Result<()> = (|| {
            let mut line = Line::open(replicas.address(at), &replicas.person_key)?;
            line.soon()?;
            line.send("GET", &format!("/api/events?since={last}"), "", None)?;
            let mut name = String::new();
            let mut id = last;
            while listening.load(Ordering::SeqCst) {
                let text = line.line()?;
                if let Some(told) = text.strip_prefix("id: ") {
                    id = told.parse().unwrap();
                } else if let Some(told) = text.strip_prefix("event: ") {
                    told.clone_into(&mut name);
                } else if text.starts_with("data: ") {
                    let before = heard.keys().next_back().copied().unwrap_or(0);
                    assert!(id > before, "{id} after {before}: an event twice, or out of order");
                    heard.insert(id, name.clone());
                    HEARD[number].store(usize::try_from(id).unwrap(), Ordering::SeqCst);
                }
            }
            Ok(())
        })();
        at = (at + 1) % replicas.len();
        thread::sleep(Duration::from_millis(20));
    }
    heard
}

/// An agent and a person in one, each call to another server.
struct Client<'a> {
    number: usize,
    n_asked: usize,
    scene: &'a Scene,
    roamer: Roamer<'a>,
}

impl Client<'_> {
    fn run(mut self) {
        while self.scene.goes_on() {
            self.scene.n_calls.fetch_add(1, Ordering::Relaxed);
            let done = match self.roamer.dice.below(8) {
                0 | 1 => self.cycle(),
                2 | 3 => self.ask().map(|_| ()),
                4 => self.look(),
                _ => self.end(),
            };
            if done.is_err() {
                self.scene.n_unknown.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(200));
            }
            // Two hundred who never pause would only measure the machine.
            thread::sleep(Duration::from_millis(self.roamer.dice.below(200) as u64));
        }
    }

    fn ask(&mut self) -> std::io::Result<Arc<Mutex<Known>>> {
        let key = format!("client-{}-{}", self.number, self.n_asked);
        let folder = format!("~/{}/{}", self.number, self.n_asked / WRITES_MAX);
        self.n_asked += 1;
        let timeout_ms = [None, None, None, Some(300), Some(600_000)][self.roamer.dice.below(5)];
        let known = Arc::new(Mutex::new(Known::new(&key, &folder, timeout_ms)));
        self.scene.asks.lock().unwrap().push(Arc::clone(&known));
        let body = known.lock().unwrap().body().clone();
        let at = self.roamer.pick();
        let reply = self.roamer.call(at, Who::Agent, |line| line.ask(&key, &body))?;
        known.lock().unwrap().learn(&reply);
        Ok(known)
    }

    /// Asks one server, waits on another, answers on a third.
    fn cycle(&mut self) -> std::io::Result<()> {
        let known = self.ask()?;
        let at = self.roamer.pick();
        let mut waiting = self.roamer.line(at, Who::Agent)?;
        waiting.send("GET", &known.lock().unwrap().path("?wait=55"), "", None)?;
        let (path, body) = {
            let mut known = known.lock().unwrap();
            (known.path("/answer"), known.try_answer("left"))
        };
        let to = self.roamer.pick();
        let answered = self.roamer.call(to, Who::Person, |line| line.post(&path, &body))?;
        let begun = Instant::now();
        known.lock().unwrap().learn_attempt(&answered);
        if answered.error() == "question_not_showing" || answered.error() == "rate_limited" {
            return Ok(());
        }
        // It has ended: whoever waits anywhere is told, unless their server is killed.
        let told = waiting.receive()?;
        if told.status != 503 {
            assert!(!told.body["outcome"].is_null(), "not woken: {told:?}");
            assert!(begun.elapsed() < WOKEN_IN, "woken after {:?}", begun.elapsed());
            known.lock().unwrap().learn(&told);
            if at != to {
                self.scene.woken.lock().unwrap().push(begun.elapsed());
            }
        }
        self.roamer.keep(at, Who::Agent, waiting);
        Ok(())
    }

    /// One of the asks that a server has acknowledged.
    fn pick(&mut self) -> Option<Arc<Mutex<Known>>> {
        let asks = self.scene.asks.lock().unwrap();
        let known = Arc::clone(asks.get(self.roamer.dice.below(asks.len().max(1)))?);
        drop(asks);
        let acknowledged = known.lock().unwrap().id.is_some();
        acknowledged.then_some(known)
    }

    fn look(&mut self) -> std::io::Result<()> {
        let Some(known) = self.pick() else { return Ok(()) };
        let (had_ended, path) = {
            let known = known.lock().unwrap();
            (known.ended.is_some(), known.path(["", "?wait=0.02"][self.roamer.dice.below(2)]))
        };
        let at = self.roamer.pick();
        let reply = self.roamer.call(at, Who::Agent, |line| line.get(&path))?;
        if reply.status != 429 {
            known.lock().unwrap().learn_since(&reply, had_ended);
        }
        Ok(())
    }

    fn end(&mut self) -> std::io::Result<()> {
        let Some(known) = self.pick() else { return Ok(()) };
        let (who, path, body) = {
            let mut known = known.lock().unwrap();
            match self.roamer.dice.below(5) {
                0 => {
                    known.try_ending("cancelled by system");
                    (Who::Agent, known.path("/withdraw"), json!({}))
                }
                1 => {
                    known.try_ending("cancelled by user");
                    (Who::Person, known.path("/cancel"), json!({}))
                }
                _ => (Who::Person, known.path("/answer"), known.try_answer("right")),
            }
        };
        let at = self.roamer.pick();
        let reply = self.roamer.call(at, who, |line| line.post(&path, &body))?;
        known.lock().unwrap().learn_attempt(&reply);
        Ok(())
    }
}
