//! Many commands, one flush.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use askuser_core::asker::Terms;
use askuser_core::command::{Command, Role};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::task::JoinSet;

use super::*;
use crate::conformance::{Caller, asking, derived, one, question};

/// How many commands were committed, and in how many batches.
fn batches(store: &Arc<dyn Store>) -> (u32, u32) {
    let mut registry = Registry::default();
    registry.register("batch", "Commands of one commit", store.figures().batch);
    let mut text = String::new();
    encode(&mut text, &registry).unwrap();
    let of = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(".0").parse().unwrap()
    };
    (of("batch_sum"), of("batch_count"))
}

/// Whoever comes while the last batch is told shares the next one, and its flush.
#[tokio::test]
async fn commands_that_come_together_share_a_flush() {
    const N: u32 = 200;
    let (store, _folder) = in_file();
    // The first is held up where it is told; nothing else can be committed meanwhile.
    let (telling, told) = mpsc::sync_channel(1);
    let (go_on, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    store.tell(Arc::new(move |_| {
        let _heard = telling.try_send(());
        let _released = held.lock().recv();
    }));
    let ask = |n: u32| {
        let caller = Caller::new(&store);
        async move {
            let asked = Command::Ask(Box::new(one(u128::from(n))));
            caller.tries(Role::Agent, derived(&n.to_string()), asked).await.unwrap();
        }
    };
    let mut asking = JoinSet::new();
    asking.spawn(ask(N + 1));
    tokio::task::yield_now().await;
    told.recv_timeout(Duration::from_secs(10)).unwrap();
    let (n_commands, n_batches) = batches(&store);
    assert_eq!((n_commands, n_batches), (1, 1));
    (1..=N).for_each(|n| {
        asking.spawn(ask(n));
    });
    let begun = Instant::now();
    while i64::from(N) > store.figures().queue.get() {
        assert!(begun.elapsed() < Duration::from_secs(10), "they were never handed in");
        tokio::task::yield_now().await;
    }
    drop(go_on);
    asking.join_all().await;
    let (n_commands, n_batches) = batches(&store);
    assert_eq!(n_commands, N + 1);
    assert!(n_batches * 10 < N, "{n_commands} commands took {n_batches} flushes");
    assert_eq!(store.counts().await.unwrap().open_asks, u64::from(N + 1));
}

/// The store is the timer: twenty thousand deadlines in any order, told in theirs, a piece at a time.
#[tokio::test]
async fn twenty_thousand_deadlines_come_in_their_order() {
    const N: u32 = 20_000;
    const N_PASSED: u32 = 3_000;
    const PIECE: usize = 256;
    let (store, _folder) = in_file();
    let mut caller = Caller::new(&store);
    // Each second has one; they are asked in an order that is far from it.
    for piece in (0..N).collect::<Vec<_>>().chunks(4000) {
        let mut asking_all = JoinSet::new();
        for &n in piece {
            let due_in = Duration::from_secs(u64::from((n * 7_919) % N + 1));
            let terms = Terms { timeout: Some(due_in), ..Terms::default() };
            let new = asking(u128::from(due_in.as_secs()), vec![question("q")], terms);
            let caller = Caller::new(&store);
            asking_all.spawn(async move {
                let ask = Command::Ask(Box::new(new));
                caller.tries(Role::Agent, derived(&n.to_string()), ask).await.unwrap();
            });
        }
        asking_all.join_all().await;
    }
    let at = |second: u32| START.after(Duration::from_secs(u64::from(second)));
    assert_eq!(store.next_deadline().await.unwrap(), Some(at(1)));
    assert!(store.due(START, PIECE).await.unwrap().is_empty(), "none has passed");
    caller.now = at(N_PASSED);
    let mut passed = Vec::new();
    loop {
        let due = store.due(caller.now, PIECE).await.unwrap();
        assert!(due.len() <= PIECE);
        if due.is_empty() {
            break;
        }
        let mut ending = JoinSet::new();
        for &ask in &due {
            let (store, now) = (Arc::clone(&store), caller.now);
            ending.spawn(async move {
                let caller = Caller { store, now };
                caller.server(ask.0, Command::Expire { ask }).await;
            });
        }
        ending.join_all().await;
        passed.extend(due.iter().map(|ask| ask.0));
    }
    assert_eq!(passed, (1..=u128::from(N_PASSED)).collect::<Vec<_>>());
    assert_eq!(store.next_deadline().await.unwrap(), Some(at(N_PASSED + 1)));
    assert_eq!(store.counts().await.unwrap().open_asks, u64::from(N - N_PASSED));
}

/// A list of three in a CHECK is a table to SQLite, made and dropped with every row that is written.
#[tokio::test]
async fn what_is_written_all_day_needs_no_table_for_the_time_being() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    at(&path).close().await.unwrap();
    let db = Connection::open(&path).unwrap();
    for sql in [
        "INSERT INTO ask (standing) VALUES (0)",
        "UPDATE ask SET standing = 1, state = 'closed', outcome = '{}', closed = 1 WHERE n = 1",
        "INSERT INTO ask_body (body) VALUES ('{}')",
        "INSERT INTO fact (number) VALUES (1)",
        "UPDATE session SET last_activity = 1, n_open = 0, last_fact = 1, round = 1 WHERE n = 1",
        "UPDATE head SET number = 1 WHERE id = 1",
    ] {
        let mut explained = db.prepare(&format!("EXPLAIN {sql}")).unwrap();
        let steps = explained.query_map([], |row| row.get::<_, String>(1)).unwrap();
        let steps: Vec<String> = steps.collect::<Result<_, _>>().unwrap();
        assert!(steps.len() > 5 && !steps.contains(&"OpenEphemeral".to_owned()), "{sql}: {steps:?}");
    }
}
