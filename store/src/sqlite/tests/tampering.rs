//! The file, changed by another program.

use super::*;
use crate::conformance::served;
use crate::conformance::tampering::{
    every_change_of_a_fact_is_found, every_change_of_a_security_event_is_found,
};

/// D15: a changed byte anywhere in the facts is found, also where what they tell was erased.
#[tokio::test]
async fn d15_every_change_of_a_fact_is_found() {
    let (store, folder) = in_file();
    let file = Connection::open(folder.path().join("desk.db")).unwrap();
    let changes = [
        ("at", "at + 1"),
        ("kind", "kind || 'x'"),
        ("session", "(SELECT id FROM session WHERE id <> fact.session LIMIT 1)"),
        ("ask", "(SELECT id FROM ask WHERE id IS NOT fact.ask LIMIT 1)"),
        ("salt", "zeroblob(16)"),
        ("digest", "zeroblob(32)"),
        ("hash", "zeroblob(32)"),
        ("payload", "coalesce(payload, '') || ' '"),
    ];
    every_change_of_a_fact_is_found(store, &changes, async |sql: String| file.execute_batch(&sql).unwrap())
        .await;
}

/// D15: so it is with security events.
#[tokio::test]
async fn d15_every_change_of_a_security_event_is_found() {
    let (store, folder) = in_file();
    let file = Connection::open(folder.path().join("desk.db")).unwrap();
    every_change_of_a_security_event_is_found(store, async |sql: String| file.execute_batch(&sql).unwrap())
        .await;
}

/// Runs a statement on another connection and says how many rows it changed.
fn changed(file: &Connection, sql: &str) -> u64 {
    if sql.starts_with("UPDATE") || sql.starts_with("DELETE") || sql.starts_with("INSERT") {
        return file.execute(sql, []).unwrap() as u64;
    }
    file.execute_batch(sql).unwrap();
    0
}

/// `audit --verify` did not look at what is served: an answer changed behind the desk's back was told.
#[tokio::test]
async fn every_change_of_a_row_that_is_served_is_found() {
    let (store, folder) = in_file();
    let file = Connection::open(folder.path().join("desk.db")).unwrap();
    file.execute_batch("PRAGMA ignore_check_constraints = on").unwrap();
    let changes = [
        ("session", "(SELECT id FROM session WHERE id <> ask.session LIMIT 1)"),
        ("ended_at", "ended_at + 1"),
        ("closed", "1 - closed"),
    ];
    served::every_change_of_a_row_is_found(store, &changes, async |sql: String| changed(&file, &sql)).await;
}

#[tokio::test]
async fn every_byte_of_an_answer_counts() {
    let (store, folder) = in_file();
    let file = Connection::open(folder.path().join("desk.db")).unwrap();
    served::every_byte_of_an_answer_counts(store, async |sql: String| changed(&file, &sql)).await;
}

#[tokio::test]
async fn nothing_comes_or_goes_unseen() {
    let (store, folder) = in_file();
    let path = folder.path().join("desk.db");
    let file = Connection::open(&path).unwrap();
    served::nothing_comes_or_goes_unseen(store, async |sql: String| changed(&file, &sql)).await;
}

/// The rows of this store alone: where its facts hang together, and who names what.
#[tokio::test]
async fn a_row_without_its_facts_is_found() {
    for (spoil, expected) in [
        ("DELETE FROM ask WHERE id = (SELECT id FROM ask LIMIT 1)", "ask is missing, but fact"),
        ("UPDATE ask SET id = randomblob(16) WHERE n = 1", "ask is there, but no fact tells of it"),
        ("UPDATE fact SET before = NULL WHERE number = 7", "session is there, but no fact tells of it"),
        ("UPDATE fact SET before = before - 1 WHERE kind = 'delivered'", "belong to no session"),
        ("UPDATE session SET last_fact = 5 WHERE n = 1", "belong to no session"),
    ] {
        let (store, folder) = in_file();
        served::of_everything(&store).await;
        let file = Connection::open(folder.path().join("desk.db")).unwrap();
        assert!(changed(&file, spoil) > 0, "{spoil}");
        let found = store.audit().unwrap().verify_served().await.unwrap();
        let told: Vec<String> = found.differences.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|said| said.contains(expected)), "{spoil}: {told:?}");
    }
}

#[tokio::test]
async fn what_was_erased_stays_erased() {
    let (store, folder) = in_file();
    let file = Connection::open(folder.path().join("desk.db")).unwrap();
    served::what_was_erased_stays_erased(store, async |sql: String| changed(&file, &sql)).await;
}

/// Also without a desk: as `askuser doctor` looks at it.
#[tokio::test]
async fn a_database_that_lies_still_is_looked_over_too() {
    let (store, folder) = in_file();
    served::of_everything(&store).await;
    store.close().await.unwrap();
    let path = folder.path().join("desk.db");
    let sound = soundness(&path).unwrap();
    assert!(sound.is_sound(), "{}", sound.told());
    assert_eq!(sound.served.as_ref().unwrap().n_asks, 13);
    let file = Connection::open(&path).unwrap();
    changed(&file, "UPDATE ask SET outcome = replace(outcome, '\"cookie\"', '\"terminal\"')");
    drop(file);
    let sound = soundness(&path).unwrap();
    assert!(!sound.is_sound() && sound.told().contains("outcome differs from fact"), "{}", sound.told());
    // What somebody changed can still be copied, to be looked into.
    assert!(backup(&path, &folder.path().join("copy.db")).is_ok());
}

/// How long it takes: `cargo test --release … -- --ignored`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn a_hundred_thousand_facts_are_compared() {
    use crate::conformance::{Caller, answer, one};
    let (store, folder) = in_file();
    let tasks: Vec<_> = (0..64_u128)
        .map(|worker| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let caller = Caller::new(&store);
                for n in 0..400 {
                    let id = worker * 1000 + n + 1;
                    caller.ask(&format!("s{id}"), one(id)).await;
                    caller.person(id, answer(id, "a")).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let began = std::time::Instant::now();
    let chain = store.verify(1).await.unwrap();
    let walked = began.elapsed();
    let served = store.audit().unwrap().verify_served().await.unwrap();
    println!(
        "{} facts: chain {walked:?}, served {:?}",
        chain.n_checked,
        began.elapsed().checked_sub(walked).unwrap()
    );
    assert!(served.is_whole());
    drop(folder);
}
