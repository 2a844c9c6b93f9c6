//! `kill -9` while answers are held: what was acknowledged becomes final without its person, and what was
//! taken back does not.

use serde_json::json;

use crate::daemon::Daemon;
use crate::http::Line;

const N_ASKS: usize = 12;

/// Lets the agents wait until a held answer is final, and returns what was picked.
fn picked(agent: &mut Line, ask: &str) -> String {
    let reply = agent.get(&format!("/api/asks/{ask}?wait=30")).unwrap();
    let outcome = &reply.body["outcome"];
    assert_eq!(
        (&outcome["status"], &outcome["answered_by"]),
        (&json!("answered"), &json!("person")),
        "{outcome}"
    );
    outcome["answers"][0]["selected"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_held_answer_survives_kill_9_and_becomes_final_by_itself() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("config.yaml"), "answers: {undo_for: 2s}\n").unwrap();
    let daemon = Daemon::start(home.path());
    let (mut agent, mut person) = (daemon.agent(), daemon.person());
    let mut held = Vec::new();
    for number in 0..N_ASKS {
        let body = json!({
            "asker": {"folder": format!("/shop/{number}")},
            "questions": [{"question_id": "q", "question": "Deploy?", "options": [
                {"id": "a", "label": "Now"}, {"id": "b", "label": "Later"}]}],
        });
        let asked = agent.ask(&format!("held-{number}"), &body).unwrap().body;
        let ask = asked["ask_id"].as_str().unwrap().to_owned();
        let pick = ["a", "b"][number % 2];
        let reply = person.post(&format!("/api/asks/{ask}/hold"), &json!({"answers": {"q": pick}})).unwrap();
        assert!(reply.is_ok() && reply.body["outcome"].is_null(), "{:?}", reply.body);
        let is_taken_back = number % 3 == 0;
        if is_taken_back {
            person.send("DELETE", &format!("/api/asks/{ask}/hold"), "", None).unwrap();
            assert!(person.receive().unwrap().is_ok());
        }
        held.push((ask, pick, is_taken_back));
    }
    daemon.kill();
    let daemon = Daemon::start(home.path());
    let mut agent = daemon.agent();
    for (ask, pick, _) in held.iter().filter(|(_, _, is_taken_back)| !is_taken_back) {
        assert_eq!(picked(&mut agent, ask), *pick);
    }
    // Those that were pressed last are final by now, so these would be, too.
    for (ask, _, _) in held.iter().filter(|(_, _, is_taken_back)| *is_taken_back) {
        let reply = agent.get(&format!("/api/asks/{ask}")).unwrap();
        assert_eq!(reply.body["status"], "showing", "{:?}", reply.body);
    }
}
