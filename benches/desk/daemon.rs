//! Rows 4 and 6: the real daemon, what it weighs idle, with a hundred thousand open asks, and with
//! ten thousand callers that wait.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::cycle::ask;
use super::line::{Line, value};
use super::server::Server;
use super::table;
use crate::program;

const N_OPEN: usize = 100_000;
const N_WAITING: usize = 10_000;
/// Asks of one session: below what a key and session may ask in a minute (D11).
const IN_SESSION: usize = 50;
const N_LINES: usize = 64;

/// Weighs the daemon.
pub(crate) fn weigh() {
    let size = fs::metadata(program("askuser")).unwrap().len();
    table::ratio(
        "the program",
        &table::mib(size),
        &table::mib(24 << 20),
        part(size, 24 << 20),
        "24 MiB at most",
        size <= 24 << 20,
    );
    let daemon = Server::process();
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        Line::open(daemon.address, &daemon.agent).await.call("GET", "/healthz", "", "").await;
    });
    let idle = daemon.resident();
    table::ratio(
        "memory of an idle daemon",
        &table::mib(idle),
        &table::mib(30 << 20),
        part(idle, 30 << 20),
        "30 MiB at most",
        idle <= 30 << 20,
    );
    let begun = Instant::now();
    runtime.block_on(open_asks(&daemon));
    let took = begun.elapsed();
    let full = daemon.resident();
    let each = (full.saturating_sub(idle)) / N_OPEN as u64;
    table::ratio(
        &format!("memory per open ask, {N_OPEN} open"),
        &format!("{each} B"),
        "4096 B",
        part(each, 4096),
        "4 KiB at most",
        each <= 4096,
    );
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let rate = N_OPEN as f64 / took.as_secs_f64();
    table::figure(&format!("asks taken in, {N_LINES} callers"), &table::rate(rate));
    runtime.block_on(waiting(&daemon));
}

#[expect(clippy::cast_precision_loss, reason = "a ratio")]
fn part(of: u64, whole: u64) -> f64 {
    of as f64 / whole as f64
}

async fn open_asks(daemon: &Server) {
    let next = Arc::new(AtomicUsize::new(0));
    let mut asking = JoinSet::new();
    for _ in 0..N_LINES {
        let mut line = Line::open(daemon.address, &daemon.agent).await;
        let next = Arc::clone(&next);
        asking.spawn(async move {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= N_OPEN {
                    return;
                }
                let asker_key = format!("Askuser-Whence: {}\r\n", n / IN_SESSION);
                line.call("POST", "/api/asks", &asker_key, &ask(&format!("s{}", n / IN_SESSION), n)).await;
            }
        });
    }
    asking.join_all().await;
}

/// Ten thousand connections that wait, each for an ask of its own; then one is answered.
async fn waiting(daemon: &Server) {
    let limit = getrlimit(Resource::Nofile);
    // As many as the system lets us have: without that there is nothing to measure.
    let _raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let n_waiting = N_WAITING.min(usize::try_from(allowed.saturating_sub(200)).unwrap_or(N_WAITING));
    let before = daemon.resident();
    let mut lines = Vec::with_capacity(n_waiting);
    for n in 0..n_waiting {
        let mut line = Line::open(daemon.address, &daemon.agent).await;
        let asker_key = format!("Askuser-Whence: waits-{n}\r\n");
        line.send("POST", "/api/asks?wait=600", &asker_key, &ask(&format!("waits-{n}"), n)).await;
        lines.push(line);
    }
    let last = format!("waits-{}", n_waiting - 1);
    let body = ask(&last, n_waiting - 1);
    let mut agent = Line::open(daemon.address, &daemon.agent).await;
    // Asked again it joins; this also tells that all before it were taken in.
    let asked = agent.call("POST", "/api/asks", &format!("Askuser-Whence: {last}\r\n"), &body).await;
    let (id, question) = (value(&asked, "ask_id"), value(&asked, "question_id"));
    let after = daemon.resident();
    let mut person = Line::open(daemon.address, &daemon.person).await;
    let answer = format!(r#"{{"answers":{{"{question}":"Left"}}}}"#);
    let begun = Instant::now();
    person.call("POST", &format!("/api/asks/{id}/answer"), "", &answer).await;
    let woken = lines.pop().unwrap().receive().await;
    let took = begun.elapsed();
    assert!(woken.contains("\"answered\""));
    let each = after.saturating_sub(before) / n_waiting as u64;
    let what = format!("{n_waiting} waiting connections, memory of each and its ask");
    table::ratio(
        &what,
        &format!("{each} B"),
        "10000 of them",
        part(n_waiting as u64, 10_000),
        "10,000 at once",
        n_waiting >= 10_000,
    );
    table::figure("one of them answered and woken", &table::time(took));
}
