//! Going back to an earlier point of a conversation, with the real programs.

use serde_json::{Value, json};

use crate::asks::database;
use crate::home::TestHome;

fn question(id: &str, text: &str) -> String {
    let options = json!([{"id": "poem", "label": "背唐诗"}, {"id": "joke", "label": "讲笑话"}]);
    json!({"question_id": id, "question_text": text, "type": "multiple_choice", "options": options})
        .to_string()
}

/// D13, 003 2.7.2: whoever waits goes on waiting, under the same id, over a crash of the daemon too; the agent goes on
/// under its own name for the session, and what was said before is still there.
#[test]
fn d13_whoever_waits_notices_nothing_of_a_restore() {
    let home = TestHome::new();
    let (mut first, id) = home.asks(&["--session", "work", &question("first", "请选择一个功能")]);
    home.prints(&["answer", &id, "--pick", "背唐诗"]);
    assert_eq!(first.ends(), 0);
    let (mut waits, open) = home.asks(&["--session", "work", &question("second", "请再次选择一个功能")]);
    let told = home.prints(&["restore", "work", "--reason", "wrong turn"]);
    assert!(told.contains(" continues ") && told.contains("round 2"), "{told}");
    let moved = told.split_once("\nStill waiting, moved with it:\n").map(|(_, moved)| moved);
    assert!(moved.is_some_and(|moved| moved.ends_with("  请再次选择一个功能")), "{told}");
    let history = home.prints(&["history", "work"]);
    let place = |text: &str| history.find(text).unwrap_or_else(|| panic!("{text}: {history}"));
    assert!(place("Round 1 · ") < place("  请选择一个功能 → 背唐诗"), "{history}");
    assert!(place("  请选择一个功能 → 背唐诗") < place("Round 2 · "), "{history}");
    assert!(place("· waiting\n  请再次选择一个功能") > place("Round 2"), "{history}");
    assert!(waits.is_running());
    home.kill();
    // The same question again is the same ask, and so is the answer by its id.
    let (mut again, same) = home.asks(&["--session", "work", &question("second", "请再次选择一个功能")]);
    assert_eq!(same, open);
    home.prints(&["answer", &open, "--pick", "讲笑话"]);
    for program in [&mut waits, &mut again] {
        assert_eq!(program.ends(), 0, "{}", program.stderr());
        let answers: Value = serde_json::from_str(&program.stdout()).unwrap();
        assert_eq!(answers, json!({"answers": {"second": "joke"}}));
    }
    let sessions = home.json(&["sessions", "--json"]);
    let named: Vec<(&Value, &Value)> = sessions["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| (&session["status"], &session["restore_reason"]))
        .collect();
    assert_eq!(named, [(&json!("active"), &json!("wrong turn")), (&json!("completed"), &Value::Null)]);
    // The round that it goes on from, not the one that it has come to.
    let told = home.prints(&["restore", "work", "--round", "1"]);
    assert!(told.contains("from round 1.") && told.contains("\nAsked again:\n"), "{told}");
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
}

/// P9: in a session that has a name an id is one question's for good; without a name it may come every day.
#[test]
fn p9_a_question_id_is_taken_in_a_named_session_and_free_in_single_asks() {
    let home = TestHome::new();
    for _day in 0..2 {
        let (mut ask, id) = home.asks(&[&question("deploy", "Deploy?")]);
        home.prints(&["answer", &id, "--pick", "讲笑话"]);
        assert_eq!(ask.ends(), 0);
    }
    let (mut ask, id) = home.asks(&["--session", "work", &question("deploy", "Deploy?")]);
    home.prints(&["answer", &id, "--pick", "讲笑话"]);
    assert_eq!(ask.ends(), 0);
    let refused = home.run(&["ask", "--session", "work", &question("deploy", "Deploy?")]);
    assert_ne!(refused.status.code(), Some(0));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(
        said.contains("`deploy` is already used in this conversation: give the question a new id"),
        "{said}"
    );
    // What has no id of its own may be asked as often as anybody wants.
    for _again in 0..2 {
        let (mut ask, id) = home.asks(&["--session", "work", &database()]);
        home.prints(&["answer", &id, "--pick", "SQLite"]);
        assert_eq!(ask.ends(), 0);
    }
}
