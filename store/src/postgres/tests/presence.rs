//! Servers that share a database: who is there, by the database's clock, and whose tasks are left.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::command::Role;
use askuser_core::id::ServerId;
use askuser_core::task::TaskMove;

use super::{at, server};
use crate::conformance::Caller;
use crate::conformance::tasks::{carried, moved, runs, start};
use crate::{Present, Store};

/// The tasks of the suite are this one's.
const OWNER: u128 = 5;
const LOOKER: u128 = 6;

fn present(server: u128, start: u128) -> Present {
    Present { server: ServerId(server), start, patience: Duration::from_mins(1) }
}

/// A database with two servers, of which one runs a task and has another waiting.
struct Scene {
    store: Arc<dyn Store>,
    schema: String,
}

impl Scene {
    async fn new() -> Self {
        let address = server().corner();
        let schema = address.rsplit("%3D").next().unwrap().to_owned();
        let store = at(&address).await;
        let caller = Caller::new(&store);
        carried(&caller, Role::Person, 1, start(1)).await;
        carried(&caller, Role::Person, 2, start(2)).await;
        moved(&caller, 1, runs()).await;
        for server in [OWNER, LOOKER] {
            store.arrive(present(server, 1)).await.unwrap();
        }
        Self { store, schema }
    }

    /// What is noted of a server, as if it had been noted so long before.
    fn age(&self, server_id: u128, column: &str, by: &str) {
        let sql = format!(
            "UPDATE {}.server SET {column} = {column} - INTERVAL '{by}' WHERE id = '\\x{server_id:032x}'",
            self.schema
        );
        server().run("postgres", &sql).unwrap();
    }

    async fn left(&self) -> Vec<u128> {
        let left = self.store.tasks_left(ServerId(LOOKER), 9).await.unwrap();
        left.iter().map(|task| task.id.0).collect()
    }

    async fn attends(&self, server: u128) {
        assert!(self.store.attend(present(server, 1)).await.unwrap());
    }
}

#[tokio::test]
async fn tasks_are_left_when_their_server_was_away_and_the_one_that_looks_was_not() {
    let scene = Scene::new().await;
    assert_eq!(scene.left().await, []);
    // Gone for long enough, but the one that looks has not been there for so long.
    scene.age(OWNER, "seen", "61 s");
    assert_eq!(scene.left().await, []);
    scene.age(LOOKER, "since", "61 s");
    assert_eq!(scene.left().await, [1, 2]);
    // A word of it, and it is there.
    scene.attends(OWNER).await;
    assert_eq!(scene.left().await, []);
    scene.age(OWNER, "seen", "61 s");
    let caller = Caller::new(&scene.store);
    moved(&caller, 1, TaskMove::Interrupt { reason: None }).await;
    assert_eq!(scene.left().await, [2]);
}

/// While the database was away nobody could say that they are there, so nobody is held for gone.
#[tokio::test]
async fn a_database_that_was_away_makes_nobody_gone() {
    let scene = Scene::new().await;
    for server in [OWNER, LOOKER] {
        scene.age(server, "since", "2 h");
        scene.age(server, "seen", "1 h");
    }
    scene.attends(LOOKER).await;
    assert_eq!(scene.left().await, []);
    // Who is still not there after that time is gone.
    scene.age(LOOKER, "since", "61 s");
    assert_eq!(scene.left().await, [1, 2]);
    // Short gaps are none.
    scene.age(LOOKER, "seen", "20 s");
    scene.attends(LOOKER).await;
    assert_eq!(scene.left().await, [1, 2]);
}

/// A clock that was set back leaves a moment in the future behind: that says nothing for ever.
#[tokio::test]
async fn a_clock_that_was_set_back_keeps_nobody_alive() {
    let scene = Scene::new().await;
    for server in [OWNER, LOOKER] {
        scene.age(server, "since", "-1 h");
        scene.age(server, "seen", "-1 h");
    }
    scene.attends(LOOKER).await;
    assert_eq!(scene.left().await, []);
    scene.age(LOOKER, "since", "61 s");
    assert_eq!(scene.left().await, [1, 2]);
}

#[tokio::test]
async fn a_server_that_never_said_that_it_is_there_is_waited_for_as_well() {
    let scene = Scene::new().await;
    server()
        .run("postgres", &format!("DELETE FROM {}.server WHERE id = '\\x{OWNER:032x}'", scene.schema))
        .unwrap();
    assert_eq!(scene.left().await, []);
    scene.age(LOOKER, "since", "61 s");
    assert_eq!(scene.left().await, [1, 2]);
    // A task that an earlier version took says nothing of its server: nobody can know.
    server().run("postgres", &format!("UPDATE {}.task SET server = NULL", scene.schema)).unwrap();
    assert_eq!(scene.left().await, []);
}

#[tokio::test]
async fn two_that_go_by_one_name_are_noticed() {
    let scene = Scene::new().await;
    scene.attends(OWNER).await;
    scene.store.arrive(present(OWNER, 2)).await.unwrap();
    assert!(!scene.store.attend(present(OWNER, 1)).await.unwrap());
    assert!(scene.store.attend(present(OWNER, 2)).await.unwrap());
}
