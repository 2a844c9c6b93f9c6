//! A database of an earlier schema is brought to today's, with what is in it.

use askuser_core::command::Command;
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use tokio_postgres::NoTls;

use super::{at, server};
use crate::conformance::{Caller, START, answer, one};

/// What the second schema added, taken away again.
const AS_IT_WAS: &str = "DROP TABLE security_event, security_head;
    ALTER TABLE ask DROP COLUMN ended_at, DROP COLUMN erased_at;
    DELETE FROM schema_migration WHERE version = 2";

/// D15: asks that ended before there was an audit are erased by their age, too.
#[tokio::test]
async fn d15_a_desk_from_before_the_audit_is_erased_by_age() {
    let address = server().corner();
    let store = at(&address).await;
    let mut caller = Caller::new(&store);
    for id in 1..=3 {
        caller.ask("s", one(id)).await;
    }
    for id in 1..=2 {
        caller.now = Timestamp(START.0 + i64::try_from(id).unwrap() * 1000);
        caller.person(id, answer(id, "a")).await;
        caller.agent(id, Command::Acknowledge { ask: AskId(id) }).await;
    }
    drop(caller);
    store.close().await.unwrap();
    let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(AS_IT_WAS).await.unwrap();
    let store = at(&address).await;
    let audit = store.audit().unwrap();
    assert_eq!(audit.erase_before(Timestamp(START.0 + 1500), 9).await.unwrap(), 1);
    assert_eq!(audit.erase_before(Timestamp(START.0 + 2500), 9).await.unwrap(), 1);
    assert_eq!(audit.verify_events().await.unwrap().broken, None);
    assert_eq!(store.verify(1).await.unwrap().broken, None);
}
