//! Power loss, as far as it can be had without pulling the plug: the files are copied while they
//! are written, and the copy is opened as after a crash.

use std::fs;
use std::sync::Mutex;

use askuser_core::command::Role;
use askuser_core::id::AskId;
use tokio::task::JoinSet;

use super::*;
use crate::conformance::{Caller, actor, answer, derived, one};

/// What was acknowledged so far: asks, and those that were answered.
type Record = Arc<Mutex<Vec<(u128, bool)>>>;

#[tokio::test]
async fn what_was_acknowledged_before_the_crash_is_there_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let store = at(&path);
    let record = Record::default();
    let mut callers = JoinSet::new();
    for caller in 0..8 {
        callers.spawn(work(Arc::clone(&store), caller, Arc::clone(&record)));
    }
    for crash in 0..20 {
        // Let some work happen; how much differs, because nothing here waits for anything.
        for _ in 0..crash * 7 {
            tokio::task::yield_now().await;
        }
        store.check_writable().await.unwrap();
        let acknowledged = record.lock().unwrap().clone();
        let copy = folder.path().join(format!("crash{crash}.db"));
        copy_as_a_crash_would(&path, &copy).await;
        let after = at(&copy);
        for (id, answered) in acknowledged {
            let ask = after.ask(AskId(id)).await.unwrap().unwrap();
            assert!(!answered || ask.state.status() == "answered");
        }
        let verified = after.verify(1).await.unwrap();
        assert_eq!((verified.broken, verified.upto), (None, after.head().await.unwrap()));
        // And it goes on.
        Caller::new(&after).ask("after", one(999_999)).await;
    }
    callers.join_all().await;
}

async fn work(store: Arc<dyn Store>, caller: u128, record: Record) {
    for round in 0..60 {
        let id = (caller + 1) * 1000 + round;
        let asks = (Role::Agent, askuser_core::command::Command::Ask(Box::new(one(id))));
        for (role, command) in [asks, (Role::Person, answer(id, "a"))] {
            let session = derived(&format!("s{caller}"));
            let order = Order { actor: actor(role, "ann"), session, command, now: START };
            store.commit(order).await.unwrap();
            record.lock().unwrap().push((id, role == Role::Person));
        }
    }
}

/// Copies the log before the database: a commit that lands in between is then in neither, as if the
/// crash had come before it. A checkpoint in between would take frames that the copy needs, so a
/// copy during which the database changed is made again.
async fn copy_as_a_crash_would(path: &Path, copy: &Path) {
    loop {
        let changed = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let before = changed(path);
        fs::copy(path.with_extension("db-wal"), copy.with_extension("db-wal")).unwrap();
        fs::copy(path, copy).unwrap();
        if changed(path) == before {
            return;
        }
        tokio::task::yield_now().await;
    }
}
