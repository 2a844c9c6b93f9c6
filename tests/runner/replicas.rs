//! Several servers over one PostgreSQL, and their tasks: one is killed, one is cut off, and a person
//! speaks to whichever there is.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::home::{TestHome, eventually, gate, id, lives};
use crate::postgres::Server;

/// How long the servers of these tests wait for one another, in seconds: long enough that one is not
/// held for gone because the machine is busy.
const GONE_AFTER: u32 = 5;

/// One for all tests of this program.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(false))
}

/// Two servers over one database, with the same keys, the same agents and the same folders.
struct Pair {
    first: TestHome,
    second: TestHome,
    database: String,
}

impl Pair {
    fn with(gone_after: u32, talks: &[&str]) -> Self {
        let (first, second) = (TestHome::empty(), TestHome::empty());
        let database = server().database();
        let more = format!("  running_max: 1\nserver:\n  gone_after: {gone_after}\n");
        for home in [&first, &second] {
            home.configure(&more, "claude", talks);
            let path = home.home.folder().join("config.yaml");
            let config = fs::read_to_string(&path).unwrap();
            let both = format!("folders: [{}, {}]", first.work().display(), second.work().display());
            let (_, rest) = config.split_once("]\n").unwrap();
            fs::write(&path, format!("runner:\n  {both}\n{rest}")).unwrap();
        }
        first.start_on(&database);
        copy_keys(&first, &second);
        second.start_on(&database);
        Self { first, second, database }
    }
}

fn copy_keys(from: &TestHome, to: &TestHome) {
    fs::create_dir_all(to.home.keys()).unwrap();
    for name in ["agent", "person", "admin"] {
        from.key(name);
        fs::copy(from.home.keys().join(name), to.home.keys().join(name)).unwrap();
    }
}

fn written(path: &Path) -> String {
    eventually("what its agent writes", || fs::read_to_string(path).ok().filter(|text| text.ends_with('\n')))
}

fn signal(home: &TestHome, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(home.daemon().pid).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

fn resume(home: &TestHome, task: &Value, text: &str) -> Value {
    let (status, again) =
        home.call("POST", &format!("/api/tasks/{}/resume", id(task)), Some(json!({"text": text})));
    assert_eq!(status, 200, "{again}");
    again
}

/// Killed while its agent asks: another server notices, interrupts what ran and what waited there, and
/// closes the question; its own agent works on. The first one comes back and takes them up again.
#[test]
fn a_server_that_dies_holds_no_task_up() {
    let pair = Pair::with(GONE_AFTER, &["resumed", "again", "noise", "waits"]);
    let (first, second) = (&pair.first, &pair.second);
    let task = first.give("resumed", "Ask and wait");
    let ask = first.until_open(1).remove(0);
    let queued = first.give("noise", "Make noise");
    let other = second.give("waits", "Ask and wait");
    second.until_open(2);
    first.kill();
    let interrupted = second.until(&task, "interrupted");
    let reason = interrupted["reason"].as_str().unwrap();
    assert!(reason.starts_with("the server that ran it (srv_"), "{reason}");
    assert_eq!(interrupted["agent_session_id"], "5f1e");
    let reason = second.until(&queued, "interrupted")["reason"].as_str().unwrap().to_owned();
    assert!(reason.starts_with("the server where it was queued (srv_"), "{reason}");
    let left = second.until_open(1).remove(0);
    assert_ne!(left["ask_id"], ask["ask_id"]);
    let closed = second.call("GET", &format!("/api/asks/{}", ask["ask_id"].as_str().unwrap()), None).1;
    assert_eq!(closed["outcome"]["status"], "cancelled");
    let changes = |task: &Value| -> Vec<Value> {
        let told = second.told(task).into_iter().filter(|(name, _)| name == "task_changed");
        told.map(|(_, changed)| changed["status"].clone()).collect()
    };
    assert_eq!(changes(&queued), ["queued", "interrupted"]);
    assert_eq!(changes(&task).iter().filter(|status| *status == "interrupted").count(), 1);

    first.start_on(&pair.database);
    assert_eq!(second.task(&other)["status"], "running");
    assert_eq!(resume(first, &task, "Where were we?")["runs"], 2);
    resume(first, &queued, "Make noise");
    let next = eventually("the next question", || {
        first.until_open(2).into_iter().find(|ask| ask["ask_id"] != left["ask_id"])
    });
    // Whichever server is asked.
    second.answer(&next, "SQLite");
    first.until(&task, "done");
    second.until(&queued, "done");
    assert_eq!(second.task(&other)["status"], "running");
}

/// One that is back in time does for its own tasks what it does alone, and nothing to another's.
#[test]
fn a_server_that_starts_again_looks_after_its_own_tasks_alone() {
    let pair = Pair::with(60, &["waits", "noise"]);
    let (first, second) = (&pair.first, &pair.second);
    let own = first.give("waits", "Ask and wait");
    let queued = first.give("noise", "Make noise");
    let other = second.give("waits", "Ask and wait");
    second.until_open(2);
    first.kill();
    first.start_on(&pair.database);
    assert_eq!(first.until(&own, "interrupted")["reason"], Value::Null);
    first.until(&queued, "done");
    second.until_open(1);
    assert_eq!(second.task(&other)["status"], "running");
}

/// What a person says to one server reaches the agent on another, and so does that it is to stop.
#[test]
fn a_task_hears_its_person_whichever_server_they_speak_to() {
    let pair = Pair::with(60, &["more", "stop", "noise"]);
    let (first, second) = (&pair.first, &pair.second);
    let task = first.give("more", "One thing");
    eventually("the first words", || {
        second.said(&task).contains(&"text: Working on it.".to_owned()).then_some(())
    });
    let said =
        second.call("POST", &format!("/api/tasks/{}/say", id(&task)), Some(json!({"text": "And another"})));
    assert_eq!(said.0, 200, "{}", said.1);
    second.until(&task, "done");
    let said = second.said(&task);
    assert_eq!(said.iter().filter(|said| *said == "text: And another").count(), 1, "{said:?}");
    assert_eq!(said.last().unwrap(), "complete: Both are done.");

    let task = first.give("stop", "Ask and be stopped");
    let queued = first.give("noise", "Make noise");
    second.until_open(1);
    second.stop(&queued);
    assert_eq!(second.task(&queued)["status"], "stopped");
    second.stop(&task);
    second.stop(&task);
    assert_eq!(second.until(&task, "stopped")["reason"], "user");
    second.until_open(0);
    let told = second.told(&task);
    let last = &told.iter().rfind(|(name, _)| name == "task_changed").unwrap().1;
    assert_eq!(last["by"]["channel"], "terminal");
    // The other that waited there is not begun when its turn comes.
    let third = first.give("noise", "Make noise");
    first.until(&third, "done");
    assert_eq!(first.task(&queued)["status"], "stopped");
}

/// Cut off for so long that another interrupted its task, which was taken up again there: when it is
/// back it ends its agent, says nothing of it, and leaves the other run alone.
#[test]
fn a_server_that_was_cut_off_does_not_go_on_with_a_task_that_is_not_its_own_any_more() {
    let pair = Pair::with(GONE_AFTER, &["cut"]);
    let (first, second) = (&pair.first, &pair.second);
    let (gate_of_first, gate_of_second) = (gate(first, "cut"), gate(second, "cut"));
    let task = first.give("cut", "Work on");
    eventually("its words", || second.said(&task).contains(&"text: Before.".to_owned()).then_some(()));
    let pid = written(&first.work().join("own.pid"));
    signal(first, Signal::STOP);
    second.until(&task, "interrupted");
    // Its agent goes on meanwhile, and nobody writes down what it says.
    fs::write(gate_of_first, "go\n").unwrap();
    written(&first.work().join("said"));
    fs::remove_file(first.work().join("own.pid")).unwrap();
    resume(second, &task, "Work on");
    let again = written(&first.work().join("own.pid"));
    let before = || second.said(&task).iter().filter(|said| *said == "text: Before.").count();
    eventually("the words of the second run", || (before() == 2).then_some(()));
    signal(first, Signal::CONT);
    eventually("the first agent to be gone", || (!lives(&pid)).then_some(()));
    // It is back: whoever asks it hears of the second run.
    let seen = eventually("the first server", || {
        let seen = first.task(&task);
        (seen["runs"] == 2).then_some(seen)
    });
    assert_eq!(seen["status"], "running");
    // It heard of it, or was refused what its agent said: whichever came first.
    let gave_up = |log: &str| log.contains("was ended by another server") || log.contains("did not move on");
    eventually("its log to say so", || gave_up(&first.log()).then_some(()));
    assert!(lives(&again));
    assert!(!second.said(&task).contains(&"text: After.".to_owned()));
    fs::write(gate_of_second, "go\n").unwrap();
    eventually("what the second agent says", || {
        second.said(&task).contains(&"text: After.".to_owned()).then_some(())
    });
    // And the first can stop it, where it runs now.
    first.stop(&task);
    second.until(&task, "stopped");
    eventually("the second agent to be gone", || (!lives(&again)).then_some(()));
}

/// What its agents started is still there when another has noted the end of the task: whoever has the
/// data folder next ends it.
#[test]
fn a_server_that_comes_back_late_ends_what_it_left_behind() {
    let pair = Pair::with(GONE_AFTER, &["deaf"]);
    let (first, second) = (&pair.first, &pair.second);
    let task = first.give("deaf", "Do not listen");
    let pids = ["own.pid", "near.pid", "away.pid"].map(|name| written(&first.work().join(name)));
    first.kill();
    second.until(&task, "interrupted");
    assert!(pids.iter().all(|pid| lives(pid)));
    first.start_on(&pair.database);
    for pid in pids {
        eventually("nobody to be left", || (!lives(&pid)).then_some(()));
    }
}
