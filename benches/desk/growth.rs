//! Row 5: what an ask costs when much is stored, beside what it costs when little is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::entry::Entry;
use askuser_core::outcome::{By, Channel, Proof};
use askuser_desk::{Desk, Request};
use askuser_store::Store;
use askuser_store::sqlite::Sqlite;
use askuser_system::clock;
use askuser_wire as wire;
use serde_json::Value;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::cycle::ask;
use super::server::options;
use super::table;

/// What little is.
pub(crate) const LITTLE: usize = 1_000;
/// Agents that ask at once, so that the flush is shared and the work is what is seen.
pub(crate) const N_AGENTS: usize = 64;
/// Cycles of one measurement, and how many of those there are.
const N_CYCLES: usize = 640;
const N_SAMPLES: usize = 15;

/// Fills one store, then measures in turn there and in a new one with little in it, so that whatever
/// else the machine does disturbs both alike.
pub(crate) fn stored_asks(many: usize) {
    let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (folder, full) = open().await;
        let begun = Instant::now();
        let mut n_stored = 0;
        while n_stored < many {
            n_stored = cycles(&full, n_stored, (many - n_stored).min(10_000)).await;
        }
        let filled = begun.elapsed();
        let (mut in_few, mut in_full) = (Vec::new(), Vec::new());
        for _ in 0..N_SAMPLES {
            let (_folder, few) = open().await;
            cycles(&few, 0, LITTLE).await;
            in_few.push(sample(&few, LITTLE).await);
            in_full.push(sample(&full, n_stored).await);
            n_stored += N_CYCLES;
            few.close().await.unwrap();
        }
        let (in_few, in_full) = (table::percentile(&mut in_few, 0.5), table::percentile(&mut in_full, 0.5));
        let ratio = in_full.as_secs_f64() / in_few.as_secs_f64();
        let what = format!("an ask and its answer, {many} stored, beside {LITTLE}");
        table::ratio(&what, &table::time(in_full), &table::time(in_few), ratio, "1.3x at most", ratio <= 1.3);
        let size = std::fs::metadata(folder.path().join("askuser.db")).unwrap().len();
        table::figure("bytes on disk per stored ask", &(size / n_stored as u64).to_string());
        table::figure(&format!("time to store {many}"), &format!("{:.1} s", filled.as_secs_f64()));
        full.close().await.unwrap();
    });
}

/// A desk in a folder of its own.
pub(crate) async fn open() -> (tempfile::TempDir, Desk) {
    let (folder, desk, _store) = open_with_store().await;
    (folder, desk)
}

/// A desk and the store under it.
pub(crate) async fn open_with_store() -> (tempfile::TempDir, Desk, Arc<dyn Store>) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let store = Sqlite::open(&folder.path().join("askuser.db"), &options()).unwrap();
    let store: Arc<dyn Store> = Arc::new(store);
    let desk = Desk::open(Arc::clone(&store), Arc::new(clock::now)).await.unwrap();
    (folder, desk, store)
}

/// What one cycle costs.
async fn sample(desk: &Desk, n_stored: usize) -> Duration {
    let begun = Instant::now();
    cycles(desk, n_stored, N_CYCLES).await;
    begun.elapsed() / u32::try_from(N_CYCLES).unwrap()
}

/// Lets all agents ask and be answered, together so many times.
async fn cycles(desk: &Desk, n_stored: usize, n: usize) -> usize {
    let mut asking = JoinSet::new();
    for agent in 0..N_AGENTS {
        let desk = desk.clone();
        let mine = (n_stored..n_stored + n).filter(move |it| it % N_AGENTS == agent).collect::<Vec<_>>();
        asking.spawn(async move {
            for it in mine {
                // A new session now and then, as in life.
                let name = format!("{agent}-{}", it / (N_AGENTS * 20));
                let asked = desk.ask(&actor(Role::Agent), request(&name, it)).await.unwrap().ask;
                let entry = Entry {
                    picked: vec![asked.questions.top()[0].choices[0].id.clone()],
                    ..Entry::default()
                };
                let entries = vec![(asked.questions.top()[0].id.clone(), entry)];
                desk.answer(&actor(Role::Person), asked.id, entries).await.unwrap();
            }
        });
    }
    asking.join_all().await;
    n_stored + n
}

pub(crate) fn actor(role: Role) -> Actor {
    let by = By::new(Some("local".into()), Channel::Web, Proof::Cookie);
    Actor { role, user: "local".into(), by, key: None }
}

fn request(name: &str, n: usize) -> Request {
    request_of(&serde_json::from_str(&ask(name, n)).unwrap())
}

/// An ask as the desk takes it.
pub(crate) fn request_of(value: &Value) -> Request {
    let (questions, terms) = wire::read(wire::recognise(value), value).check().unwrap();
    Request { questions, terms, asker_key: String::new(), known_by: KnownBy::Nothing }
}
