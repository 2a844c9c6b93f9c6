//! Ask, wait, answer, woken: one after the other, and many at once.

use std::fs::File;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::line::{Line, value};
use super::server::Server;
use super::table;

const N_CYCLES: usize = 400;
/// How long many callers are watched at a time, and how often: empty requests and cycles in turn. The
/// machine is now faster and now slower by a quarter, for seconds on end: enough turns that one run says
/// what the next one says.
const WATCHED: Duration = Duration::from_secs(1);
const N_TURNS: usize = 16;
/// As long as notes of delivery are gathered at most, so that they are not written while empty requests
/// are watched.
const AFTERWARDS: Duration = Duration::from_millis(300);

/// The client's threads are its own, as those of another process are.
fn clients() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// An agent with a second connection to wait on, and its person.
struct Caller {
    name: String,
    agent: Line,
    waiter: Line,
    person: Line,
}

impl Caller {
    async fn new(server: &Server, name: String) -> Self {
        let agent = Line::open(server.address, &server.agent).await;
        let waiter = Line::open(server.address, &server.agent).await;
        let person = Line::open(server.address, &server.person).await;
        Self { name, agent, waiter, person }
    }

    /// One whole cycle: three requests, two of them durable.
    async fn cycle(&mut self, n: usize) {
        let asked = self.agent.call("POST", "/api/asks", "", &ask(&self.name, n)).await;
        let (id, question) = (value(&asked, "ask_id"), value(&asked, "question_id"));
        self.waiter.send("GET", &format!("/api/asks/{id}?wait=50"), "", "").await;
        let answer = format!(r#"{{"answers":{{"{question}":"Left"}}}}"#);
        self.person.call("POST", &format!("/api/asks/{id}/answer"), "", &answer).await;
        let woken = self.waiter.receive().await;
        assert!(woken.contains("\"answered\""), "{woken}");
    }

    async fn empty(&mut self) {
        self.agent.call("GET", "/healthz", "", "").await;
    }
}

/// An ask as agents make them; no two with the same words, which would be a repeated round.
pub(crate) fn ask(name: &str, n: usize) -> String {
    format!(
        r#"{{"questions":[{{"question":"Which way shall {name} go on after step {n}?","header":"Way",
        "options":[{{"label":"Left","description":"along the river"}},{{"label":"Right","description":"over the hill"}}],
        "multiSelect":false}}],"asker":{{"agent":"bench","project":"askuser","folder":"~/{name}"}}}}"#
    )
}

/// Row 2: a durable cycle beside two flushes of the disk and two empty round trips, each measured
/// between the cycles, so that whatever else the machine does disturbs all alike.
pub(crate) fn one_after_the_other() {
    let server = Server::start();
    let mut file = File::create(server.folder.path().join("flushed")).unwrap();
    let mut samples = [const { Vec::<Duration>::new() }; 3];
    clients().block_on(async {
        let mut caller = Caller::new(&server, "one".to_owned()).await;
        for n in 0..N_CYCLES + 20 {
            let begun = Instant::now();
            file.write_all(&[7; 4096]).unwrap();
            file.sync_data().unwrap();
            let flushed = begun.elapsed();
            let begun = Instant::now();
            caller.empty().await;
            let empty = begun.elapsed();
            let begun = Instant::now();
            caller.cycle(n).await;
            if n >= 20 {
                samples[0].push(flushed);
                samples[1].push(empty);
                samples[2].push(begun.elapsed());
            }
        }
    });
    let [flushed, empty, cycle] = &mut samples;
    let (flushed, empty) = (table::percentile(flushed, 0.5), table::percentile(empty, 0.5));
    table::figure("one flush of the disk (4 KiB appended), p50", &table::time(flushed));
    table::figure("one empty request on the same HTTP stack, p50", &table::time(empty));
    let floor = 2 * flushed + 2 * empty;
    let (p50, p99) = (table::percentile(cycle, 0.5), table::percentile(cycle, 0.99));
    let ratio = p50.as_secs_f64() / floor.as_secs_f64();
    let what = "ask → answer → woken, p50, beside 2 flushes + 2 trips";
    table::ratio(what, &table::time(p50), &table::time(floor), ratio, "2x at most", ratio <= 2.0);
    table::figure("ask → answer → woken, p99", &table::time(p99));
}

/// Row 3: cycles of three requests each, beside empty requests of as many callers.
pub(crate) fn many_at_once() {
    let server = Server::start();
    let runtime = clients();
    for n_callers in [8, 64, 512] {
        let callers = runtime.block_on(async {
            let mut callers = Vec::new();
            for number in 0..n_callers {
                callers.push(Caller::new(&server, format!("{n_callers}-{number}")).await);
            }
            callers
        });
        let (mut callers, mut n_done) = (callers, 0);
        let (mut empty, mut cycles) = (Vec::new(), Vec::new());
        for _ in 0..N_TURNS {
            let (back, rate, _) = runtime.block_on(per_second(callers, None));
            empty.push(rate);
            let (back, rate, done) = runtime.block_on(per_second(back, Some(n_done)));
            cycles.push(rate);
            thread::sleep(AFTERWARDS);
            (callers, n_done) = (back, n_done + done);
        }
        // Each turn beside its own empty requests, and the one in the middle of all.
        let turns = cycles.iter().zip(&empty).map(|(cycles, empty)| cycles * 3.0 / empty).collect();
        let (ratio, empty, cycles) = (median(turns), median(empty), median(cycles));
        let what = format!("requests of cycles, {n_callers} callers, beside empty ones");
        let target = if n_callers == 64 { "1/4 at least" } else { "(1/4)" };
        table::ratio(&what, &table::rate(cycles * 3.0), &table::rate(empty), ratio, target, ratio >= 0.25);
        table::figure(&format!("durable cycles, {n_callers} callers"), &table::rate(cycles));
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Lets everybody call as fast as they can for a while: empty requests, or cycles from this number
/// on. Returns how many there were in a second, and how many of one caller at most.
async fn per_second(callers: Vec<Caller>, cycles: Option<usize>) -> (Vec<Caller>, f64, usize) {
    let begun = Instant::now();
    let mut calling = JoinSet::new();
    for mut caller in callers {
        calling.spawn(async move {
            let mut n_done = 0_usize;
            while begun.elapsed() < WATCHED {
                match cycles {
                    Some(first) => caller.cycle(first + n_done).await,
                    None => caller.empty().await,
                }
                n_done += 1;
            }
            (caller, n_done)
        });
    }
    let (callers, n_done): (Vec<_>, Vec<_>) = calling.join_all().await.into_iter().unzip();
    let most = n_done.iter().copied().max().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "a rate")]
    let n_done = n_done.iter().sum::<usize>() as f64;
    (callers, n_done / begun.elapsed().as_secs_f64(), most)
}
