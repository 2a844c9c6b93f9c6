//! Odd moments: agents that take back, die, flood, babble, do not listen.

use std::fs;
use std::time::Duration;

use serde_json::json;

use crate::home::{TestHome, eventually, gate, id, lives};

#[test]
fn a_question_that_the_agent_takes_back_closes_and_gets_no_answer() {
    let home = TestHome::with("claude", &["cancel"]);
    let gate = gate(&home, "cancel");
    let task = home.give("cancel", "Ask and take back");
    let first = home.until_open(1).remove(0);
    fs::write(gate, "go\n").unwrap();
    let second = eventually("the second question", || {
        home.until_open(1).into_iter().find(|ask| ask["ask_id"] != first["ask_id"])
    });
    home.answer(&second, "SQLite");
    home.until(&task, "done");
    let closed = home.call("GET", &format!("/api/asks/{}", first["ask_id"].as_str().unwrap()), None).1;
    assert_eq!(
        (&closed["outcome"]["status"], &closed["outcome"]["reason"]),
        (&json!("cancelled"), &json!("system"))
    );
}

#[test]
fn stopping_while_it_asks_is_gentle_and_closes_the_question() {
    let home = TestHome::with("claude", &["stop"]);
    let task = home.give("stop", "Ask and be stopped");
    home.until_open(1);
    home.stop(&task);
    let stopped = home.until(&task, "stopped");
    assert_eq!(stopped["reason"], "user");
    home.until_open(0);
    let told = home.told(&task);
    let last = &told.iter().rfind(|(name, _)| name == "task_changed").unwrap().1;
    assert_eq!(last["by"]["channel"], "terminal");
    let (status, again) = home.call("POST", &format!("/api/tasks/{}/stop", id(&task)), None);
    assert_eq!((status, &again["error"]), (409, &json!("task_not_ready")));
}

#[test]
fn an_agent_that_dies_while_it_asks_leaves_no_question_open() {
    let home = TestHome::with("claude", &["dies"]);
    let gate = gate(&home, "dies");
    let task = home.give("dies", "Ask and die");
    home.until_open(1);
    fs::write(gate, "go\n").unwrap();
    let failed = home.until(&task, "failed");
    let reason = failed["reason"].as_str().unwrap();
    assert!(reason.contains("exit status: 3") && reason.contains("out of memory"), "{reason}");
    home.until_open(0);
    let said = home.said(&task);
    assert!(said.contains(&"info: The agent's output ended in the middle of a line.".to_owned()), "{said:?}");
    assert!(said.last().unwrap().starts_with("error: "), "{said:?}");
}

/// The whole group ends, also what left it, and nobody waits for ever.
#[test]
fn an_agent_that_does_not_listen_is_ended_with_everything_it_started() {
    let home = TestHome::with("claude", &["deaf"]);
    let task = home.give("deaf", "Do not listen");
    eventually("its words", || home.said(&task).contains(&"text: Deaf.".to_owned()).then_some(()));
    let pid = |name: &str| {
        eventually(name, || fs::read_to_string(home.work().join(name)).ok().filter(|pid| pid.ends_with('\n')))
    };
    let pids = ["own.pid", "near.pid", "away.pid"].map(pid);
    assert!(pids.iter().all(|pid| lives(pid)));
    home.stop(&task);
    home.until(&task, "stopped");
    for pid in pids {
        eventually("nobody to be left", || (!lives(&pid)).then_some(()));
    }
}

#[test]
fn an_agent_that_floods_us_is_written_down_and_does_not_drown_us() {
    let home = TestHome::with("claude", &["floods"]);
    let task = home.give("floods", "Flood");
    home.until(&task, "done");
    let n_lines = eventually("every line", || {
        let n_lines = home.said(&task).iter().filter(|said| said.starts_with("text: line ")).count();
        (n_lines == 3000).then_some(n_lines)
    });
    assert_eq!(n_lines, 3000);
}

#[test]
fn noise_is_shown_as_what_it_is() {
    let home = TestHome::with("claude", &["noise"]);
    let task = home.give("noise", "Make noise");
    home.until(&task, "done");
    assert_eq!(
        home.said(&task),
        [
            "text: Make noise",
            "info: not json at all",
            "text: <script>alert(1)</script> & \u{7}",
            "info: \u{fffd}\u{fffd}",
            "complete: Noisy.",
        ]
    );
}

/// A long result is told by its beginning and kept whole beside the store.
#[test]
fn a_long_result_is_kept_whole_and_told_short() {
    let home = TestHome::with("claude", &["long"]);
    let task = home.give("long", "Print much");
    home.until(&task, "done");
    let told = home.told(&task);
    let result = &told.iter().find(|(_, said)| said["kind"] == "tool_result").unwrap().1;
    let whole: String = (1..=20000).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(result["whole_bytes"], whole.len());
    assert_eq!(result["text"].as_str().unwrap(), &whole[..16 * 1024]);
    let url = home.daemon().url;
    let path = format!("/api/tasks/{}/whole?message={}", id(&task), result["uuid"].as_str().unwrap());
    let read = |key: &str| {
        let bearer = format!("Bearer {}", home.key(key));
        let headers = [("Authorization", bearer.as_str())];
        crate::http::send(url.strip_prefix("http://").unwrap(), "GET", &path, &headers, None).unwrap()
    };
    let answer = read("person");
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(answer.text(), whole);
    assert_eq!(read("agent").status, 403);
}

#[test]
fn an_agent_that_does_not_begin_says_why() {
    let home = TestHome::with("claude", &["refuses"]);
    let task = home.give("refuses", "Anything");
    let failed = home.until(&task, "failed");
    assert_eq!(failed["reason"], "the agent did not start: not signed in");
}

/// Only so many run at once; the next begins when one ends, and one that waits can be stopped.
#[test]
fn tasks_wait_for_their_turn() {
    let home = TestHome::with_more("  running_max: 1\n", "claude", &["waits", "noise"]);
    let first = home.give("waits", "Ask and wait");
    let second = home.give("noise", "Make noise");
    let third = home.give("noise", "Make noise");
    home.until_open(1);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(
        (&home.task(&second)["status"], &home.task(&third)["status"]),
        (&json!("queued"), &json!("queued"))
    );
    home.stop(&third);
    assert_eq!(home.task(&third)["status"], "stopped");
    home.stop(&first);
    home.until(&second, "done");
    assert_eq!(home.task(&third)["status"], "stopped");
}
