//! `kill -9` while conversations are restored: an open ask is in one session and no other, whoever waits is told, and
//! what is served is what happened.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::daemon::Daemon;
use crate::http::Line;

/// Each a little later than the one before, so that some come before, some in and some after a restore.
const N_KILLS: u64 = 6;

/// D13: moved whole or not at all.
#[test]
fn d13_a_restore_is_whole_or_was_not_there() {
    let home = tempfile::tempdir().unwrap();
    let mut daemon = Daemon::start(home.path());
    for kill in 0..N_KILLS {
        let session = format!("talk-{kill}");
        let ask = |id: &str| {
            json!({"session_id": session, "questions": [{"question_id": id, "question": format!("{id}?"), "options": [
                {"id": "a", "label": "Now"}, {"id": "b", "label": "Later"}]}]})
        };
        let (mut agent, mut person) = (daemon.agent(), daemon.person());
        let asked = |reply: Value| reply["ask_id"].as_str().unwrap().to_owned();
        let first = asked(agent.ask(&format!("{session} first"), &ask("first")).unwrap().body);
        let answer = json!({"answers": {"first": "a"}});
        assert!(person.post(&format!("/api/asks/{first}/answer"), &answer).unwrap().is_ok());
        let open: Vec<String> = ["x", "y"]
            .map(|id| asked(agent.ask(&format!("{session} {id}"), &ask(id)).unwrap().body))
            .into_iter()
            .collect();
        let path = format!("/api/sessions/{session}/restore");
        let restoring = thread::spawn(move || {
            // One after the other, until the daemon is gone.
            while person.post(&path, &json!({})).is_ok_and(|reply| reply.is_ok()) {}
        });
        thread::sleep(Duration::from_millis(5 + 7 * kill));
        daemon.kill();
        restoring.join().unwrap();
        daemon = Daemon::start(home.path());
        let (mut agent, mut person) = (daemon.agent(), daemon.person());
        let told = person.get(&format!("/api/sessions/{session}")).unwrap().body;
        assert_eq!(told["current_questions"], json!(["x", "y"]), "{told}");
        assert_eq!(told["answered_questions"], json!({"first": "a"}), "{told}");
        for (id, question) in open.iter().zip(["x", "y"]) {
            let body = json!({"session_id": session, "question_id": question, "answer": "b"});
            assert!(person.post("/api/task/answer", &body).unwrap().is_ok());
            let ended = agent.get(&format!("/api/asks/{id}?wait=5")).unwrap().body;
            assert_eq!((&ended["status"], &ended["session"]), (&json!("answered"), &told["id"]), "{ended}");
        }
    }
    let key = std::fs::read_to_string(home.path().join("keys/admin")).unwrap();
    let mut admin = Line::open(daemon.address, key.trim()).unwrap();
    let verified = admin.get("/api/audit/verify").unwrap().body;
    assert_eq!(verified["whole"], true, "{verified}");
}
