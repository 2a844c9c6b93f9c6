//! Ten times what is allowed, for a while (D7, D11): memory stays under its bound, what is too much is
//! refused at once, and whoever behaves is served.
//!
//! `ASKUSER_OVERLOAD_SECONDS` says for how long (4).

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::daemon::Daemon;
use crate::http::Line;

/// Small limits, so that ten times as much is quickly there.
const CONFIG: &str = "\
ask_user_question: {max_sessions_per_user: 400, rate_limit_requests: 100, rate_limit_window: 60}
desk: {memory_mb: 8, sessions_in_memory: 200, open_asks_per_session: 20}
server: {connections: 100}
";
/// What the process may take in all, sessions, connections, caches and program: a release build takes
/// less than half of it.
const RESIDENT_MAX: u64 = 256 * 1024 * 1024;
/// The slowest of a hundred calls of whoever behaves, on a machine that does nothing else.
const P99_MAX: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Tally {
    taken: AtomicUsize,
    refused: AtomicUsize,
    cut: AtomicUsize,
    other: AtomicUsize,
}

fn ask(session: &str, n: usize, padding: usize) -> Value {
    json!({"session_id": session, "context": "x".repeat(padding),
        "questions": [{"question_id": format!("q{n}"), "question_text": format!("Which {n}?"), "type": "boolean"}]})
}

/// One that asks without end: in few sessions, in ever new ones, or with large contexts.
fn runaway(address: SocketAddr, key: &str, number: usize, over: &AtomicBool, tally: &Tally) {
    let mut n = 0;
    while !over.load(Ordering::Relaxed) {
        let Ok(mut line) = Line::open(address, key) else { continue };
        while !over.load(Ordering::Relaxed) {
            n += 1;
            let body = match number % 3 {
                0 => ask("busy", number * 1_000_000 + n, 10),
                1 => ask(&format!("new-{number}-{}", n / 15), n, 10),
                _ => ask(&format!("large-{number}-{}", n / 15), n, 50_000),
            };
            match line.post("/api/asks", &body) {
                Ok(reply) if reply.is_ok() => tally.taken.fetch_add(1, Ordering::Relaxed),
                Ok(reply) if matches!(reply.status, 429 | 503) => {
                    tally.refused.fetch_add(1, Ordering::Relaxed)
                }
                Ok(reply) => {
                    println!("unexpected: {reply:?}");
                    tally.other.fetch_add(1, Ordering::Relaxed)
                }
                Err(_) => {
                    tally.cut.fetch_add(1, Ordering::Relaxed);
                    break;
                }
            };
        }
    }
}

/// Connections that are opened and left, ten times as many as there may be.
fn idlers(address: SocketAddr, over: &AtomicBool) -> (usize, usize) {
    let (mut n_told, mut n_cut) = (0, 0);
    while !over.load(Ordering::Relaxed) {
        let all: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(address).ok()).collect();
        for mut stream in all {
            stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
            let mut said = [0; 64];
            match stream.read(&mut said) {
                Ok(n_read) if said[..n_read].starts_with(b"HTTP/1.1 503 ") => n_told += 1,
                Ok(_) => n_cut += 1,
                Err(_) => {}
            }
        }
    }
    (n_told, n_cut)
}

/// A line each for the agent and the person of another user: limits are each user's own.
fn of_another_user(daemon: &Daemon, home: &Path) -> [Line; 2] {
    let key = std::fs::read_to_string(home.join("keys/admin")).unwrap();
    let mut admin = Line::open(daemon.address, key.trim()).unwrap();
    assert!(admin.post("/api/users", &json!({"name": "calm"})).unwrap().is_ok());
    ["agent", "person"].map(|role| {
        let made = admin.post("/api/keys", &json!({"role": role, "user": "calm"})).unwrap();
        Line::open(daemon.address, made.body["key"].as_str().unwrap()).unwrap()
    })
}

/// One that behaves: asks, is answered, and does it again; returns how long each call took.
fn well_behaved([mut agent, mut person]: [Line; 2], over: &AtomicBool) -> Vec<Duration> {
    let mut took = Vec::new();
    let mut n = 0;
    while !over.load(Ordering::Relaxed) {
        n += 1;
        let begun = Instant::now();
        let session = format!("calm-{}", n / 40);
        let asked = agent.post("/api/asks", &ask(&session, n, 100)).unwrap();
        assert_eq!(asked.status, 201, "{asked:?}");
        let path = format!("/api/asks/{}/answer", asked.body["ask_id"].as_str().unwrap());
        let answered = person.post(&path, &json!({"answers": {format!("q{n}"): true}})).unwrap();
        assert_eq!(answered.status, 200, "{answered:?}");
        took.push(begun.elapsed());
        thread::sleep(Duration::from_millis(20));
    }
    took
}

/// The most memory that the process ever had.
fn peak(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

/// D7, D11, D12: too much is refused, nothing grows, and whoever behaves is served.
#[test]
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "how long this runs is said from outside")]
fn d7_d11_ten_times_the_limits_are_refused_and_memory_stays_bounded() {
    let seconds =
        std::env::var("ASKUSER_OVERLOAD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4);
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("config.yaml"), CONFIG).unwrap();
    let mut daemon = Daemon::start(home.path());
    let before = peak(daemon.pid());
    let (over, tally) = (Arc::new(AtomicBool::new(false)), Arc::new(Tally::default()));
    // Whoever behaves has come first: their connections are theirs.
    let lines = of_another_user(&daemon, home.path());
    let mut took = thread::scope(|scope| {
        let calm = scope.spawn(|| well_behaved(lines, &over));
        thread::sleep(Duration::from_millis(200));
        for number in 0..12 {
            let (address, key, over, tally) = (daemon.address, daemon.agent.as_str(), &over, &tally);
            scope.spawn(move || runaway(address, key, number, over, tally));
        }
        let idling = scope.spawn(|| idlers(daemon.address, &over));
        thread::sleep(Duration::from_secs(seconds));
        over.store(true, Ordering::Relaxed);
        let (n_told, n_cut) = idling.join().unwrap();
        assert!(n_told > 0, "a connection too many is told so: {n_told}, {n_cut} cut");
        calm.join().unwrap()
    });
    assert!(daemon.is_alive());
    took.sort_unstable();
    let place = (took.len() * 99).div_ceil(100) - 1;
    let after = peak(daemon.pid());
    let count = |number: &AtomicUsize| number.load(Ordering::Relaxed);
    println!(
        "overload for {seconds} s: {} taken, {} refused, {} cut; served {} cycles, median {:?}, p99 {:?}; memory {} → {} MiB",
        count(&tally.taken),
        count(&tally.refused),
        count(&tally.cut),
        took.len(),
        took[took.len() / 2],
        took[place],
        before >> 20,
        after >> 20,
    );
    assert_eq!(count(&tally.other), 0, "what is too much is 429 or 503, and nothing else");
    assert!(count(&tally.refused) > 0);
    assert!(after < RESIDENT_MAX, "{} MiB", after >> 20);
    assert!(took[place] < P99_MAX, "{:?}", took[place]);
    // And it goes on as if nothing had been.
    let mut line = daemon.agent();
    let status = line.get("/api/status").unwrap();
    assert_eq!(status.status, 200, "{status:?}");
    let _unused = line.send("GET", "/healthz", "", None).and_then(|()| std::io::stdout().flush());
}
