//! The database, changed by another program.

use tokio_postgres::{Client, NoTls};

use super::{at, server};
use crate::conformance::served;
use crate::conformance::tampering::{
    every_change_of_a_fact_is_found, every_change_of_a_security_event_is_found,
};

async fn another(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// D15: a changed byte anywhere in the facts is found, also where what they tell was erased.
#[tokio::test]
async fn d15_every_change_of_a_fact_is_found() {
    let address = server().corner();
    let (store, other) = (at(&address).await, another(&address).await);
    let changes = [
        ("at", "at + 1"),
        ("kind", "kind || 'x'"),
        ("session", "(SELECT id FROM session WHERE id <> fact.session LIMIT 1)"),
        ("ask", "(SELECT id FROM ask WHERE id IS DISTINCT FROM fact.ask LIMIT 1)"),
        (
            "salt",
            "set_byte(coalesce(salt, '\\x0000'), 1, (get_byte(coalesce(salt, '\\x0000'), 1) + 1) % 256)",
        ),
        ("digest", "set_byte(digest, 31, (get_byte(digest, 31) + 1) % 256)"),
        ("hash", "set_byte(hash, 0, (get_byte(hash, 0) + 1) % 256)"),
        ("payload", "coalesce(payload, '') || ' '"),
    ];
    let run = async |sql: String| other.batch_execute(&sql).await.unwrap();
    every_change_of_a_fact_is_found(store, &changes, run).await;
}

/// D15: so it is with security events.
#[tokio::test]
async fn d15_every_change_of_a_security_event_is_found() {
    let address = server().corner();
    let (store, other) = (at(&address).await, another(&address).await);
    let run = async |sql: String| other.batch_execute(&sql).await.unwrap();
    every_change_of_a_security_event_is_found(store, run).await;
}

/// Runs a statement on another connection and says how many rows it changed.
async fn changed(other: &Client, sql: &str) -> u64 {
    other.execute(sql, &[]).await.unwrap()
}

/// `audit --verify` did not look at what is served: an answer changed behind the desk's back was told.
#[tokio::test]
async fn every_change_of_a_row_that_is_served_is_found() {
    let address = server().corner();
    let (store, other) = (at(&address).await, another(&address).await);
    // What a column may hold is checked when it is written; who owns the database takes that away.
    for constraint in ["ask_standing_check"] {
        other.batch_execute(&format!("ALTER TABLE ask DROP CONSTRAINT {constraint}")).await.unwrap();
    }
    let changes = [
        ("session", "(SELECT id FROM session WHERE id <> ask.session ORDER BY id LIMIT 1)"),
        ("ended_at", "ended_at + 1"),
        ("closed", "1 - closed"),
    ];
    served::every_change_of_a_row_is_found(store, &changes, async |sql: String| changed(&other, &sql).await)
        .await;
}

#[tokio::test]
async fn every_byte_of_an_answer_counts() {
    let address = server().corner();
    let (store, other) = (at(&address).await, another(&address).await);
    served::every_byte_of_an_answer_counts(store, async |sql: String| changed(&other, &sql).await).await;
}

#[tokio::test]
async fn nothing_comes_or_goes_unseen() {
    let address = server().corner();
    let (store, other) = (at(&address).await, another(&address).await);
    served::nothing_comes_or_goes_unseen(store, async |sql: String| changed(&other, &sql).await).await;
}

#[tokio::test]
async fn what_was_erased_stays_erased() {
    let address = server().corner();
    let (store, other) = (at(&address).await, another(&address).await);
    served::what_was_erased_stays_erased(store, async |sql: String| changed(&other, &sql).await).await;
}
