//! Claude Code's stream of JSON and its control protocol, word for word.

use serde_json::{Value, json};

use crate::home::{TestHome, eventually, id};

/// D18, P2, P4: a task of three rounds, answered one by one; what is said, asked and answered is one
/// chain, told as it comes.
#[test]
fn d18_a_task_asks_three_rounds_and_is_done() {
    let home = TestHome::with("claude", &["rounds"]);
    let task = home.give("rounds", "Build it");
    assert_eq!((&task["status"], &task["agent"]), (&json!("queued"), &json!("rounds")));
    let mut asks = Vec::new();
    for label in ["Vue", "SQLite", "MIT"] {
        asks.push(home.pick(label));
    }
    let done = home.until(&task, "done");
    assert_eq!((&done["agent_session_id"], &done["reason"]), (&json!("5f1e"), &Value::Null));
    assert_eq!(done["open_asks"], json!([]));
    let rounds: Vec<&Value> = asks.iter().map(|ask| &ask["round"]).collect();
    assert_eq!(rounds, [1, 2, 3]);
    assert!(asks.iter().all(|ask| ask["session_id"] == task["session_id"]));
    assert_eq!(asks[0]["asker"]["agent"], "rounds");
    let told = home.told(&task);
    assert_chain(&told);
    assert_eq!(
        home.said(&task),
        [
            "text: Build it",
            "thinking: Let me see.",
            "text: First things first.",
            "tool_use: {\"file_path\":\"a.txt\"}",
            "tool_result: alpha",
            "text: Ready.",
            "complete: All done.",
        ]
    );
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    let asked = names.iter().filter(|name| **name == "asked").count();
    let closed = names.iter().filter(|name| **name == "ask_user_response").count();
    assert_eq!((asked, closed), (3, 3));
    let changes: Vec<&Value> =
        told.iter().filter(|(name, _)| name == "task_changed").map(|(_, task)| &task["status"]).collect();
    assert_eq!(changes, ["queued", "running", "running", "done"]);
    // Each outcome was taken by its asker, which went on.
    let ask = home.call("GET", &format!("/api/asks/{}", asks[2]["ask_id"].as_str().unwrap()), None).1;
    assert_eq!(ask["status"], "completed");
    // D5: with the task its conversation is completed (002, 4.2.2), and active again when it is taken up.
    let session = || {
        let path = format!("/api/sessions/{}", task["session_id"].as_str().unwrap());
        home.call("GET", &path, None).1["status"].clone()
    };
    assert_eq!(session(), "completed");
    let ended = told.iter().rfind(|(name, _)| name == "session_changed").unwrap();
    assert_eq!((&ended.1["change"], &ended.1["status"]), (&json!("ended"), &json!("completed")));
    home.call("POST", &format!("/api/tasks/{}/resume", id(&task)), Some(json!({"text": "once more"})));
    assert_eq!(session(), "active");
    // Its talk says nothing of that, so it fails.
    home.until(&task, "failed");
    assert_eq!(session(), "active", "what has failed is unfinished");
}

/// Every message names what came before it: a message, an ask, or an outcome (P2).
#[track_caller]
fn assert_chain(told: &[(String, Value)]) {
    let mut before = Value::Null;
    for (name, said) in told {
        let hex = |id: &str, mask: u128| -> String {
            let number = id.parse::<askuser_core::id::AskId>().unwrap().0 ^ mask;
            askuser_core::id::MessageId(number).to_string()
        };
        let ask = || said["ask_id"].as_str().unwrap();
        match name.as_str() {
            "message" => {
                assert_eq!(said["parentUuid"], before, "{said}");
                before = said["uuid"].clone();
            }
            "asked" => before = hex(ask(), 0).into(),
            "ask_user_response" => before = hex(ask(), 1).into(),
            _ => {}
        }
    }
}

/// Invariant 6: a permission is granted by a person at a terminal or with the page's cookie, never by
/// a key alone; yes, yes from now on, and no, each in its own words.
#[test]
fn permissions_are_asked_and_granted_by_a_person_only() {
    let home = TestHome::with("claude", &["permission"]);
    let task = home.give("permission", "Clean up");
    let ask = home.until_open(1).remove(0);
    let question = &ask["questions"][0];
    assert_eq!(question["question"], "Allow permission to use `Bash`?");
    assert!(question["description"].as_str().unwrap().contains("\"rm -rf build\""), "{question}");
    let path = format!("/api/asks/{}/answer", ask["ask_id"].as_str().unwrap());
    let answers = json!({"answers": {question["question_id"].as_str().unwrap(): "allow"}});
    let (status, refused) = home.call_as("person", "POST", &path, Some(answers.clone()));
    assert_eq!((status, &refused["error"]), (403, &json!("forbidden")));
    let (status, _) = home.call_as("agent", "POST", &path, Some(answers));
    assert_eq!(status, 403);
    home.answer(&ask, "allow");
    let second = eventually("the next permission", || {
        home.until_open(1).into_iter().find(|next| next["ask_id"] != ask["ask_id"])
    });
    let labels: Vec<&Value> =
        second["questions"][0]["options"].as_array().unwrap().iter().map(|option| &option["label"]).collect();
    assert_eq!(labels, ["Allow", "Allow from now on", "Deny"]);
    home.answer(&second, "always");
    let third = eventually("the last permission", || {
        home.until_open(1).into_iter().find(|next| next["ask_id"] != second["ask_id"])
    });
    home.answer(&third, "deny");
    home.until(&task, "done");
}

#[test]
fn two_questions_at_once_are_answered_each_under_its_own_name() {
    let home = TestHome::with("claude", &["two"]);
    let task = home.give("two", "Ask twice");
    let asks = home.until_open(2);
    home.answer(&asks[1], "SQLite");
    home.until_open(1);
    home.answer(&asks[0], "Vue");
    home.until(&task, "done");
}

/// P12: no, with the person's own words; the agent is told and goes on.
#[test]
fn p12_a_declined_question_is_told_with_its_reason() {
    let home = TestHome::with("claude", &["declined"]);
    let task = home.give("declined", "Ask and hear no");
    let ask = home.until_open(1).remove(0);
    let path = format!("/api/asks/{}/cancel", ask["ask_id"].as_str().unwrap());
    home.call("POST", &path, Some(json!({"reason": "not now"})));
    home.until(&task, "done");
}

/// O4, P13: nobody answers in time: the agent is told, a message of the system says so, and the task is
/// stopped with `ask_user_timeout`.
#[test]
fn o4_a_timeout_stops_the_task() {
    let home = TestHome::with_more("  timeout: 1\n", "claude", &["timeout"]);
    let task = home.give("timeout", "Ask in vain");
    let stopped = home.until(&task, "stopped");
    assert_eq!(stopped["reason"], "ask_user_timeout");
    let told = home.told(&task);
    let closed = &told.iter().find(|(name, _)| name == "ask_user_response").unwrap().1;
    assert_eq!((&closed["status"], &closed["abort"]), (&json!("timeout"), &json!(true)));
    let session = task["session_id"].as_str().unwrap();
    let chain = home.call("GET", &format!("/api/sessions/{session}/messages"), None).1;
    let last = chain["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["type"], &last["subtype"]), (&json!("system"), &json!("ask_user_timeout")));
}

#[test]
fn what_it_asked_before_is_asked_when_it_comes_back() {
    let home = TestHome::with("claude", &["pending"]);
    let task = home.give("pending", "Go on");
    home.pick("React");
    home.until(&task, "done");
}

#[test]
fn forms_of_its_servers_are_filled_in_and_what_is_unknown_is_said_to_be() {
    let home = TestHome::with("claude", &["form"]);
    let task = home.give("form", "Fill a form");
    let ask = home.pick("staging");
    assert!(ask["context"].as_str().unwrap().contains("asked by `deploy`"), "{ask}");
    assert_eq!(ask["questions"][0]["question"], "Deploy where?", "{ask}");
    home.until(&task, "done");
}

/// A further message in the middle makes another turn; the task is done when that is.
#[test]
fn what_the_person_says_meanwhile_is_taken_up() {
    let home = TestHome::with("claude", &["more"]);
    let task = home.give("more", "One thing");
    eventually("the first words", || {
        home.said(&task).contains(&"text: Working on it.".to_owned()).then_some(())
    });
    let path = format!("/api/tasks/{}/say", id(&task));
    let (status, refused) = home.call("POST", &path, Some(json!({"text": " "})));
    assert_eq!((status, &refused["error"]), (400, &json!("invalid_task")));
    let (status, _) = home.call("POST", &path, Some(json!({"text": "And another"})));
    assert_eq!(status, 200);
    home.until(&task, "done");
    let said = home.said(&task);
    assert_eq!(said[said.len() - 2..], ["text: The other too.", "complete: Both are done."]);
    let (status, late) = home.call("POST", &path, Some(json!({"text": "too late"})));
    assert_eq!((status, &late["error"]), (409, &json!("task_not_ready")));
}

#[test]
fn a_question_that_does_not_fit_is_refused_with_what_is_wrong() {
    let home = TestHome::with("claude", &["unfit"]);
    let task = home.give("unfit", "Ask badly");
    home.until(&task, "done");
    let said = home.said(&task);
    // It never became a question here, so it is shown as what it is.
    assert!(said.contains(&"ask_user_question: {\"questions\":[]}".to_owned()), "{said:?}");
}

/// What an agent asks with our own command, while it runs for a task, is asked in the task's session.
#[test]
fn a_question_by_command_is_asked_in_the_tasks_session() {
    let home = TestHome::with("claude", &["shell"]);
    let task = home.give("shell", "Ask by command");
    let ask = home.pick("Yes");
    assert_eq!((&ask["session_id"], &ask["round"]), (&task["session_id"], &json!(1)));
    home.until(&task, "done");
    let answer = std::fs::read_to_string(home.work().join("answer.json")).unwrap();
    assert!(answer.contains("Yes"), "{answer}");
}

/// O4: what it asks by a command ends its task too, where that is what was to happen at the deadline.
#[test]
fn o4_a_command_of_its_own_that_nobody_answers_stops_the_task() {
    let home = TestHome::with("claude", &["shell_timeout"]);
    let task = home.give("shell_timeout", "Ask by command in vain");
    assert_eq!(home.until(&task, "stopped")["reason"], "ask_user_timeout");
    let told = std::fs::read_to_string(home.work().join("answer.json")).unwrap();
    assert!(told.contains("\"status\":\"timeout\""), "{told}");
}
