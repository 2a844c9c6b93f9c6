//! Facts become visible in the order of their numbers. A plain sequence does not give that: what it
//! does is shown here beside ours, seen by the same reader.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::command::{Command, Role};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use super::server;
use crate::conformance::{START, actor, named, one};
use crate::{Order, Store};

async fn connected(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Reads on from the last number that it has seen, as every replica does.
struct Reader {
    client: Client,
    table: &'static str,
    seen: Vec<i64>,
}

impl Reader {
    async fn new(address: &str, table: &'static str) -> Self {
        Self { client: connected(address).await, table, seen: Vec::new() }
    }

    async fn read_on(&mut self) {
        let after = self.seen.last().copied().unwrap_or(0);
        let sql = format!("SELECT number FROM {} WHERE number > $1 ORDER BY number", self.table);
        let rows = self.client.query(&sql, &[&after]).await.unwrap();
        self.seen.extend(rows.iter().map(|row| row.get::<_, i64>(0)));
    }

    /// The numbers that are there and were never seen.
    async fn missed(&self) -> Vec<i64> {
        let sql = format!("SELECT number FROM {} ORDER BY number", self.table);
        let there = self.client.query(&sql, &[]).await.unwrap();
        let there = there.iter().map(|row| row.get::<_, i64>(0));
        there.filter(|number| !self.seen.contains(number)).collect()
    }
}

#[tokio::test]
async fn a_plain_sequence_lets_a_reader_miss_what_was_committed_later() {
    let address = server().corner();
    let (mut slow, quick) = (connected(&address).await, connected(&address).await);
    quick.batch_execute("CREATE TABLE plain (number BIGSERIAL PRIMARY KEY, what TEXT)").await.unwrap();
    let mut reader = Reader::new(&address, "plain").await;
    let add = "INSERT INTO plain (what) VALUES ('it')";
    let slowly = slow.transaction().await.unwrap();
    slowly.execute(add, &[]).await.unwrap();
    quick.execute(add, &[]).await.unwrap();
    reader.read_on().await;
    slowly.commit().await.unwrap();
    reader.read_on().await;
    // The first was given its number first and was committed last: nobody who reads on ever sees it.
    assert_eq!((reader.seen.as_slice(), reader.missed().await.as_slice()), (&[2][..], &[1][..]));
}

/// Three replicas write as fast as they can; the reader looks as often as it can.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn numbers_become_visible_in_their_order_whoever_writes() {
    const N_EACH: usize = 60;
    let address = server().corner();
    let mut writing = JoinSet::new();
    for replica in 0..3_usize {
        let store = super::at(&address).await;
        for writer in 0..8 {
            let store = Arc::clone(&store);
            writing.spawn(async move {
                for n in 0..N_EACH {
                    let id = (replica * 1000 + writer * 100 + n + 1) as u128;
                    let session = named(&format!("s{replica}-{writer}"));
                    let user = format!("user{writer}");
                    asked(&store, id, &user, session).await;
                    let command = crate::conformance::answer(id, "a");
                    let session = crate::SessionRef::OfAsk(askuser_core::id::AskId(id));
                    let order = Order { actor: actor(Role::Person, &user), session, command, now: START };
                    store.commit(order).await.unwrap();
                }
            });
        }
    }
    let mut reader = Reader::new(&address, "fact").await;
    while !writing.is_empty() {
        reader.read_on().await;
        while let Some(done) = writing.try_join_next() {
            done.unwrap();
        }
        // Let the writers at it.
        tokio::time::sleep(Duration::from_micros(200)).await;
    }
    reader.read_on().await;
    assert_eq!(reader.missed().await, [0_i64; 0]);
    let n_facts = i64::try_from(reader.seen.len()).unwrap();
    assert_eq!(reader.seen, (1..=n_facts).collect::<Vec<_>>(), "no gaps, in order");
    assert!(n_facts >= 3 * 8 * 60 * 3);
    let verified = super::at(&address).await.verify(1).await.unwrap();
    assert_eq!(verified.broken, None);
}

async fn asked(store: &Arc<dyn Store>, id: u128, user: &str, session: crate::SessionRef) {
    let command = Command::Ask(Box::new(one(id)));
    let order = Order { actor: actor(Role::Agent, user), session, command, now: START };
    store.commit(order).await.unwrap();
}
