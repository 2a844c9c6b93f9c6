//! A desk that moves to PostgreSQL by the real command: what was asked is there, with the same keys.

use std::path::Path;
use std::process::{Command, Output};

use crate::daemon::Daemon;
use crate::postgres::Server;
use crate::record::Known;

fn migrate(home: &Path, database: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_askuser"))
        .args(["migrate", "--to", database, "--data"])
        .arg(home)
        .env_clear()
        .output()
        .unwrap()
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_desk_moves_to_postgres_and_goes_on_with_the_same_keys() {
    let (home, server) = (tempfile::tempdir().unwrap(), Server::start(false));
    let database = server.database();
    let daemon = Daemon::start(home.path());
    let mut asks: Vec<Known> = (0..20).map(|n| Known::new(&format!("move-{n}"), "~/move", None)).collect();
    let (mut agent, mut person) = (daemon.agent(), daemon.person());
    for known in &mut asks {
        let body = known.body().clone();
        known.learn(&agent.ask(&known.key.clone(), &body).unwrap());
    }
    for known in &mut asks[..5] {
        let body = known.try_answer("left");
        let reply = person.post(&known.path("/answer"), &body).unwrap();
        known.learn_attempt(&reply);
    }
    let refused = migrate(home.path(), &database);
    assert!(!refused.status.success() && said(&refused.stderr).contains("in use"), "{refused:?}");
    daemon.kill();
    let moved = migrate(home.path(), &database);
    assert!(moved.status.success(), "{}", said(&moved.stderr));
    assert!(said(&moved.stdout).contains("ask 20"), "{}", said(&moved.stdout));
    let again = migrate(home.path(), &database);
    assert!(said(&again.stderr).contains("already holds data of askuser"), "{}", said(&again.stderr));
    let daemon = Daemon::start_on(home.path(), &database);
    let (mut agent, mut person) = (daemon.agent(), daemon.person());
    for (n, known) in asks.iter_mut().enumerate() {
        let reply = agent.get(&known.path("")).unwrap();
        known.learn(&reply);
        assert_eq!(known.ended.is_some(), n < 5, "{known:?}");
        if (5..10).contains(&n) {
            let body = known.try_answer("right");
            let reply = person.post(&known.path("/answer"), &body).unwrap();
            known.learn_attempt(&reply);
            assert!(reply.is_ok(), "{reply:?}");
        }
    }
}
