//! The daemon goes away under a task, one way or the other, and comes back.

use std::fs;

use serde_json::{Value, json};

use crate::home::{TestHome, eventually, id, lives};

fn own_pid(home: &TestHome) -> String {
    let path = home.work().join("own.pid");
    eventually("its process", || fs::read_to_string(&path).ok().filter(|pid| pid.ends_with('\n')))
}

/// Killed while the agent asks: the task is interrupted, nothing of it runs on, its question is closed,
/// and it is taken up again with the agent's own resume.
#[test]
fn a_task_whose_daemon_was_killed_is_interrupted_and_taken_up_again() {
    let home = TestHome::with("claude", &["resumed", "again"]);
    let task = home.give("resumed", "Ask and wait");
    let ask = home.until_open(1).remove(0);
    let pid = own_pid(&home);
    home.kill();
    home.start();
    let interrupted = home.until(&task, "interrupted");
    assert_eq!(interrupted["agent_session_id"], "5f1e");
    eventually("its process to be gone", || (!lives(&pid)).then_some(()));
    home.until_open(0);
    let closed = home.call("GET", &format!("/api/asks/{}", ask["ask_id"].as_str().unwrap()), None).1;
    assert_eq!(closed["outcome"]["status"], "cancelled");
    let path = format!("/api/tasks/{}/resume", id(&task));
    let (status, refused) = home.call("POST", &path, Some(json!({})));
    assert_eq!((status, &refused["error"]), (400, &json!("invalid_task")));
    let (status, again) = home.call("POST", &path, Some(json!({"text": "Where were we?"})));
    assert_eq!((status, &again["runs"]), (200, &json!(2)));
    home.pick("SQLite");
    let done = home.until(&task, "done");
    assert_eq!(done["session_id"], task["session_id"]);
    let said = home.said(&task);
    assert_eq!(said[said.len() - 2..], ["text: Where were we?", "complete: Taken up again."]);
}

#[test]
fn a_daemon_that_ends_in_good_order_leaves_no_process_behind() {
    let home = TestHome::with("claude", &["resumed", "again"]);
    let task = home.give("resumed", "Ask and wait");
    home.until_open(1);
    let pid = own_pid(&home);
    home.end();
    assert!(!lives(&pid));
    home.start();
    let interrupted = home.until(&task, "interrupted");
    assert_eq!(interrupted["reason"], Value::Null);
    home.until_open(0);
}

#[test]
fn a_task_that_waited_for_its_turn_gets_it_after_a_restart() {
    let home = TestHome::with_more("  running_max: 1\n", "claude", &["waits", "noise"]);
    let first = home.give("waits", "Ask and wait");
    let second = home.give("noise", "Make noise");
    home.until_open(1);
    home.kill();
    home.start();
    home.until(&first, "interrupted");
    home.until(&second, "done");
}
