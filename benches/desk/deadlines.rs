//! Row 7: the store is the timer. What it costs to know what is due, with many deadlines, beside few.

use std::time::{Duration, Instant};

use askuser_core::command::Role;
use askuser_core::time::Timestamp;
use askuser_desk::Desk;
use askuser_store::Store;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use super::growth::{LITTLE, N_AGENTS, actor, open_with_store, request_of};
use super::table;

/// Asks that are ended at once, as the desk's timer does.
const PIECE: usize = 256;
const N_SAMPLES: usize = 201;

/// Fills one store with open asks that have a deadline and one with a few, then asks both in turn.
pub(crate) fn timer(many: usize) {
    let runtime = Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (_full_folder, full, full_store) = open_with_store().await;
        let (_few_folder, few, few_store) = open_with_store().await;
        let begun = Instant::now();
        fill(&full, many).await;
        let filled = begun.elapsed();
        fill(&few, LITTLE).await;
        let (now, last) = (few.now(), Timestamp(i64::MAX));
        let next = async |store: &dyn Store| assert!(store.next_deadline().await.unwrap() > Some(now));
        let none = async |store: &dyn Store| assert_eq!(store.due(now, PIECE).await.unwrap().len(), 0);
        let piece = async |store: &dyn Store| assert_eq!(store.due(last, PIECE).await.unwrap().len(), PIECE);
        row("the next deadline", many, sample(&*full_store, &*few_store, next).await, 2.0);
        row("what is due, where nothing is", many, sample(&*full_store, &*few_store, none).await, 2.0);
        // Their rows lie all over a large file.
        row(
            &format!("what is due, {PIECE} at once"),
            many,
            sample(&*full_store, &*few_store, piece).await,
            4.0,
        );
        table::figure(&format!("time to store {many} deadlines"), &format!("{:.1} s", filled.as_secs_f64()));
        full.close().await.unwrap();
        few.close().await.unwrap();
    });
}

fn row(what: &str, many: usize, (mut full, mut few): (Vec<Duration>, Vec<Duration>), most: f64) {
    let (full, few) = (table::percentile(&mut full, 0.5), table::percentile(&mut few, 0.5));
    let ratio = full.as_secs_f64() / few.as_secs_f64();
    let what = format!("{what}, of {many}, beside {LITTLE}");
    let target = format!("{most}x at most");
    table::ratio(&what, &table::time(full), &table::time(few), ratio, &target, ratio <= most);
}

/// Measures in turn, so that whatever else the machine does disturbs both alike.
async fn sample(
    full: &dyn Store,
    few: &dyn Store,
    look: impl AsyncFn(&dyn Store),
) -> (Vec<Duration>, Vec<Duration>) {
    let (mut in_full, mut in_few) = (Vec::new(), Vec::new());
    for _ in 0..N_SAMPLES {
        for (store, times) in [(full, &mut in_full), (few, &mut in_few)] {
            let begun = Instant::now();
            look(store).await;
            times.push(begun.elapsed());
        }
    }
    (in_full, in_few)
}

/// Lets agents ask so many times; nobody answers, and no deadline is near.
async fn fill(desk: &Desk, n: usize) {
    let mut asking = JoinSet::new();
    for agent in 0..N_AGENTS {
        let desk = desk.clone();
        asking.spawn(async move {
            for it in (agent..n).step_by(N_AGENTS) {
                // Scattered over a day from tomorrow on, as no order of asking is.
                let timeout_ms = 86_400_000 + it.wrapping_mul(7_919) % n * 86_400 / n * 1000 + it % 1000;
                // A conversation each: they do not count, and are not counted.
                let asker = json!({"agent": "bench", "folder": format!("~/{it}")});
                let question = json!({"question": "Which one?", "header": "Pick", "multiSelect": false,
                    "options": [{"label": "left", "description": "l"}, {"label": "right", "description": "r"}]});
                let ask = json!({"questions": [question], "timeoutMs": timeout_ms, "asker": asker});
                desk.ask(&actor(Role::Agent), request_of(&ask)).await.unwrap();
            }
        });
    }
    asking.join_all().await;
}
