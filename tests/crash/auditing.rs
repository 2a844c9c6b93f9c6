//! The log of decisions over PostgreSQL by the real programs: proven, erased, proven again; and whoever
//! changes a byte of it is found.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

use crate::daemon::Daemon;
use crate::http::Line;
use crate::postgres::Server;
use crate::record::Known;

fn askuser(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_askuser"));
    command.args(args).env_clear().env("ASKUSER_HOME", home).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// D15: on the store that several servers share, too.
#[test]
fn d15_a_log_in_postgres_is_proven_erased_and_found_changed() {
    let (home, server) = (tempfile::tempdir().unwrap(), Server::start(false));
    let database = server.database();
    let name = database.split(['/', '?']).nth(3).unwrap().to_owned();
    let daemon = Daemon::start_on(home.path(), &database);
    let (mut agent, mut person) = (daemon.agent(), daemon.person());
    for n in 0..3 {
        let mut known = Known::new(&format!("audit-{n}"), "~/audit", None);
        let body = known.body().clone();
        known.learn(&agent.ask(&known.key.clone(), &body).unwrap());
        let body = known.try_answer("left");
        assert!(person.post(&known.path("/answer"), &body).unwrap().is_ok());
        assert!(agent.get(&known.path("")).unwrap().is_ok(), "the asker has been told");
    }
    let mut wrong = Line::open(daemon.address, "askuser_person_guess").unwrap();
    assert_eq!(wrong.get("/api/inbox").unwrap().status, 401);
    let exported = said(&askuser(home.path(), &["audit", "--export", "jsonl", "--action", "answer"]));
    assert_eq!(exported.matches("\"ip_address\":\"127.0.0.1\"").count(), 3, "{exported}");
    let key = std::fs::read_to_string(home.path().join("keys/admin")).unwrap();
    let mut admin = Line::open(daemon.address, key.trim()).unwrap();
    // The wrong key is noted in the background, and the last answer is handed over there.
    let erased = |admin: &mut Line| {
        admin.post("/api/purge", &json!({"older_than": 0})).unwrap().body["erased"].as_u64().unwrap()
    };
    let (mut n_erased, mut events) = (0, String::new());
    for _ in 0..500 {
        n_erased += erased(&mut admin);
        events = said(&askuser(home.path(), &["audit", "--security"]));
        if n_erased == 3 && events.contains("wrong_key") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(n_erased == 3 && events.contains("wrong_key"), "{n_erased} erased; {events}");
    let proven = askuser(home.path(), &["audit", "--verify"]);
    assert!(proven.status.success() && said(&proven).starts_with("Intact: "), "{}", said(&proven));
    for (spoil, mend, what, number) in [
        (
            "UPDATE fact SET at = at + 1 WHERE number = 2",
            "UPDATE fact SET at = at - 1 WHERE number = 2",
            "record",
            2,
        ),
        (
            "UPDATE security_event SET details = details || ' ' WHERE number = 1",
            "UPDATE security_event SET details = rtrim(details) WHERE number = 1",
            "security event",
            1,
        ),
    ] {
        server.run(&name, spoil).unwrap();
        let broken = askuser(home.path(), &["audit", "--verify"]);
        assert_eq!(broken.status.code(), Some(1), "{}", said(&broken));
        assert!(said(&broken).contains(&format!("{what} {number} ")), "{}", said(&broken));
        server.run(&name, mend).unwrap();
    }
    assert!(askuser(home.path(), &["audit", "--verify"]).status.success());
}
