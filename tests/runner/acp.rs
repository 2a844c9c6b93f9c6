//! The Agent Client Protocol, word for word.

use std::fs;

use serde_json::{Value, json};

use crate::home::{TestHome, eventually, gate, id};

/// D18: permissions, a form, a plan, thoughts, tools and words, over the protocol.
#[test]
fn d18_an_agent_of_the_protocol_asks_and_is_answered() {
    let home = TestHome::with("acp", &["rounds"]);
    let task = home.give("rounds", "Deploy it");
    let first = home.pick("ok");
    assert_eq!(first["purpose"], "permission");
    let second = eventually("the form", || {
        home.until_open(1).into_iter().find(|ask| ask["ask_id"] != first["ask_id"])
    });
    let question = &second["questions"][0];
    assert_eq!(
        (&question["question"], &question["header"]),
        (&json!("Deploy where?"), &json!("Environment"))
    );
    assert_eq!((&second["context"], &second["purpose"]), (&Value::Null, &Value::Null));
    home.answer(&second, "stg");
    let third = eventually("the last permission", || {
        home.until_open(1).into_iter().find(|ask| ask["ask_id"] != second["ask_id"])
    });
    home.answer(&third, "no");
    let done = home.until(&task, "done");
    assert_eq!(done["agent_session_id"], "sess_1");
    assert_eq!(
        home.said(&task),
        [
            "text: Deploy it",
            "thinking: Hm, well.",
            "text: I will look.",
            "info: - [x] Look\n- [ ] Deploy",
            "tool_use: {\"path\":\"a.txt\"}",
            "tool_result: alpha",
            "tool_use: {}",
            "tool_result: no rule",
            "tool_use: {\"command\":\"ls\"}",
            "tool_result: {\"output\":\"a.txt\"}",
            "text: Not deployed.",
            "complete: ",
        ]
    );
}

#[test]
fn two_permissions_at_once_are_answered_each_under_its_own_name() {
    let home = TestHome::with("acp", &["two"]);
    let task = home.give("two", "Ask twice");
    let asks = home.until_open(2);
    home.answer(&asks[1], "ok");
    home.until_open(1);
    home.answer(&asks[0], "no");
    home.until(&task, "done");
}

#[test]
fn stopping_cancels_the_turn_and_every_open_request() {
    let home = TestHome::with("acp", &["stop"]);
    let task = home.give("stop", "Ask and be stopped");
    home.until_open(1);
    home.stop(&task);
    assert_eq!(home.until(&task, "stopped")["reason"], "user");
    home.until_open(0);
}

/// O4: a permission that nobody answers in time stops the task.
#[test]
fn o4_a_permission_that_times_out_stops_the_task() {
    let home = TestHome::with_more("  timeout: 1\n", "acp", &["timeout"]);
    let task = home.give("timeout", "Ask in vain");
    assert_eq!(home.until(&task, "stopped")["reason"], "ask_user_timeout");
}

#[test]
fn an_agent_that_dies_while_it_asks_leaves_no_question_open() {
    let home = TestHome::with("acp", &["dies"]);
    let gate = gate(&home, "dies");
    let task = home.give("dies", "Ask and die");
    home.until_open(1);
    fs::write(gate, "go\n").unwrap();
    let failed = home.until(&task, "failed");
    let reason = failed["reason"].as_str().unwrap();
    assert!(reason.contains("exit status: 3") && reason.contains("no memory"), "{reason}");
    home.until_open(0);
}

#[test]
fn what_the_person_says_meanwhile_makes_another_turn() {
    let home = TestHome::with("acp", &["more"]);
    let gate = gate(&home, "more");
    let task = home.give("more", "One thing");
    // Words that are still being written are shown to whoever comes in the middle.
    eventually("its words", || (home.task(&task)["speaking"]["text"] == "Working on it.").then_some(()));
    let path = format!("/api/tasks/{}/say", id(&task));
    assert_eq!(home.call("POST", &path, Some(json!({"text": "And another"}))).0, 200);
    fs::write(gate, "go\n").unwrap();
    home.until(&task, "done");
    let said = home.said(&task);
    assert_eq!(said[said.len() - 2..], ["text: The other too.", "complete: "]);
}

#[test]
fn an_agent_that_does_not_begin_says_why() {
    let home = TestHome::with("acp", &["refuses"]);
    let task = home.give("refuses", "Anything");
    assert_eq!(home.until(&task, "failed")["reason"], "Authentication required");
}

#[test]
fn an_agent_that_floods_us_is_written_down_and_does_not_drown_us() {
    let home = TestHome::with("acp", &["floods"]);
    let task = home.give("floods", "Flood");
    home.until(&task, "done");
    let calls = home.said(&task).iter().filter(|said| said.starts_with("tool_use: ")).count();
    assert_eq!(calls, 3000);
}

/// Killed while it asks, and taken up again: the conversation is loaded, and what it tells again is not
/// told twice.
#[test]
fn a_task_is_taken_up_again_with_the_agents_own_conversation() {
    let home = TestHome::with("acp", &["resumed", "again"]);
    let task = home.give("resumed", "Ask and wait");
    home.until_open(1);
    home.kill();
    home.start();
    home.until(&task, "interrupted");
    home.until_open(0);
    let path = format!("/api/tasks/{}/resume", id(&task));
    assert_eq!(home.call("POST", &path, Some(json!({"text": "Where were we?"}))).0, 200);
    home.until(&task, "done");
    assert_eq!(home.said(&task), ["text: Ask and wait", "text: Where were we?", "text: Here.", "complete: "]);
}
