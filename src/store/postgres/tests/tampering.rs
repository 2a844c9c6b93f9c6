//! The database, changed by another program.

use tokio_postgres::{Client, NoTls};

use super::{at, server};
use crate::store::conformance::tampering::{
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
