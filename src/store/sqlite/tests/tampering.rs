//! The file, changed by another program.

use super::*;
use crate::store::conformance::tampering::{
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
        ("session", "(SELECT n FROM session WHERE n <> fact.session LIMIT 1)"),
        ("ask", "(SELECT n FROM ask WHERE n IS NOT fact.ask LIMIT 1)"),
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
