//! Every database that was ever released opens with today's program, with everything in it.
//!
//! Each is kept as SQL, so that a change to one is seen. `0001.sql` was made by the program that
//! first wrote that schema: one session with an ask of every state, a saved sheet, a key.

use askuser::store::Store;
use askuser::store::sqlite::{Options, Sqlite};
use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;

#[tokio::test]
async fn the_first_schema_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch(include_str!("0001.sql")).unwrap();
    let store = Sqlite::open(&path, &Options::new(DeskLimits::default(), Timestamp(0))).unwrap();
    let sessions = store.sessions(&"ann".into(), 10).await.unwrap();
    assert_eq!(sessions.len(), 1);
    let asks = store.asks_of(sessions[0].id, 0, 10).await.unwrap();
    let told: Vec<String> =
        asks.iter().map(|ask| format!("{} {}", ask.state.status(), ask.entries.len())).collect();
    assert_eq!(told, ["answered 0", "cancelled 0", "timeout 1", "completed 0", "showing 1"]);
    let facts = store.facts_since(0, 1000).await.unwrap();
    // One session: its thread leads through all of them.
    assert_eq!(store.facts_of(sessions[0].id, 0, 1000).await.unwrap(), facts);
    assert_eq!(facts.len() as u64, store.head().await.unwrap().number);
    assert_eq!(store.verify(1).await.unwrap().broken, None);
    assert!(store.key_by_hash([7; 32]).await.unwrap().is_some());
}
