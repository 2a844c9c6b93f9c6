//! Clients that take tasks: the ask is the task, and lives in the desk's store.

use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::pipe::Pipe;
use crate::web::Web;

fn with_tasks() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/tasks": {}}})
}

/// The daemon is killed between the call and the result: the task is still there.
#[test]
fn a_task_is_its_ask_and_survives_the_daemon() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::start(&home).modern("task-client", with_tasks());
    let task = pipe.call("ask_user_question", &which("As a task?"));
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")));
    let how =
        "Waiting for an answer: H: As a task? (Alpha / Beta) · answer with `askuser inbox` or `askuser open`";
    assert_eq!(task["statusMessage"], how);
    let id = json!({"taskId": task["taskId"]});
    assert_eq!(home.until_open(1)[0]["ask_id"], task["taskId"]);
    assert_eq!(pipe.request("tasks/get", id.clone())["status"], "working");
    home.kill();
    home.start();
    home.pick("Beta");
    let done = pipe.request("tasks/get", id.clone());
    assert_eq!((&done["resultType"], &done["status"]), (&json!("complete"), &json!("completed")));
    let text = done["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("\"As a task?\"=\"Beta\""), "{text}");
    // Whoever cancels what is done changes nothing.
    pipe.request("tasks/cancel", id.clone());
    assert_eq!(pipe.request("tasks/get", id)["status"], "completed");
}

#[test]
fn cancelling_a_task_takes_the_question_back() {
    let home = TestHome::with_daemon();
    let web = Web::modern(&home, "task-client", with_tasks());
    let task = web.call("ask_user_question", &which("Taken back?"));
    home.until_open(1);
    web.request("tasks/cancel", json!({"taskId": task["taskId"]}));
    home.until_open(0);
    assert_eq!(web.request("tasks/get", json!({"taskId": task["taskId"]}))["status"], "cancelled");
    let gone = web.start("tasks/get", json!({"taskId": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV"}));
    let (status, said) = (gone.status, gone.text());
    assert!(said.contains("-32602"), "{status} {said}");
}

#[test]
fn who_declares_no_tasks_gets_none() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::start(&home).modern("plain-client", json!({}));
    let id = pipe.start_call("ask_user_question", &which("Without?"));
    home.pick("Alpha");
    assert_eq!(pipe.result(id)["resultType"], "complete");
    let id = pipe.ask("tasks/get", json!({"taskId": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV"}));
    assert_eq!(pipe.response(id)["error"]["code"], -32021);
    // The tasks of the older protocols are of another kind, and not meant.
    let mut older = Pipe::start(&home);
    older.initialize("inspector-cli", "2025-11-25", with_tasks());
    let id = older.start_call("ask_user_question", &which("Older?"));
    home.pick("Alpha");
    assert_eq!(older.result(id)["isError"], false);
}

/// Two agents that look now and then, with nothing to tell them apart but their calls, have two questions; whoever makes
/// a call again after a crash has its own.
#[test]
fn two_agents_with_tasks_and_the_same_words_have_two_questions() {
    let home = TestHome::with_daemon();
    let call = |name: &str| {
        let meta = json!({"claudecode/toolUseId": name});
        json!({"name": "ask_user_question", "arguments": which("Deploy?"), "_meta": meta})
    };
    let web = Web::modern(&home, "claude-code", with_tasks());
    let tasks = ["1", "2"].map(|name| web.request("tools/call", call(name))["taskId"].clone());
    assert_ne!(tasks[0], tasks[1]);
    assert_eq!(home.until_open(2).len(), 2);
    // One that has just looked is not gone either.
    web.request("tasks/get", json!({"taskId": tasks[0]}));
    assert!(!tasks.contains(&web.request("tools/call", call("3"))["taskId"]));
    home.until_open(3);
    home.kill();
    home.start();
    let again = Web::modern(&home, "claude-code", with_tasks()).request("tools/call", call("4"));
    assert!(tasks.contains(&again["taskId"]), "{again}");
}
