//! `askuser run`, `tasks` and `task` as a person types them.

use std::process::{Output, Stdio};

use crate::home::TestHome;

fn words(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_task_is_given_followed_and_its_end_is_the_outcome() {
    let home = TestHome::with("claude", &["rounds"]);
    let mut command = home.command(&["run", "Build it"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for label in ["Vue", "SQLite", "MIT"] {
        home.pick(label);
    }
    let (code, stdout, stderr) = words(&child.wait_with_output().unwrap());
    assert_eq!((code, stdout.as_str()), (0, "All done."), "{stderr}");
    for line in ["First things first.", "? Which framework?", "· Read {\"file_path\":\"a.txt\"}", "answered"]
    {
        assert!(stderr.contains(line), "{line} is not in:\n{stderr}");
    }
    let (_, listed, _) = words(&home.command(&["tasks"]).output().unwrap());
    assert!(listed.contains("done") && listed.contains("Build it"), "{listed}");
}

#[test]
fn a_task_is_left_alone_shown_and_stopped() {
    let home = TestHome::with("claude", &["waits", "noise"]);
    let (code, _, stderr) = words(&home.command(&["run", "--detach", "Ask and wait"]).output().unwrap());
    // Two agents are there: which one is the person's to say.
    assert_eq!(code, 2, "{stderr}");
    let run = ["run", "--agent", "waits", "--detach", "Ask and wait"];
    let (code, id, stderr) = words(&home.command(&run).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    home.until_open(1);
    let (_, shown, _) = words(&home.command(&["task", "show", &id]).output().unwrap());
    assert!(shown.contains("waiting for you") && shown.contains("Ask and wait"), "{shown}");
    let mut follow = home.command(&["task", "follow", &id]);
    let following = follow.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (code, _, stderr) = words(&home.command(&["task", "stop", &id]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let (code, stdout, _) = words(&following.wait_with_output().unwrap());
    assert_eq!((code, stdout.as_str()), (4, ""));
}

/// Invariant 6: what runs for an agent gives no tasks, also where it is an agent that we run.
#[test]
fn an_agent_gives_no_task() {
    let home = TestHome::with("claude", &["noise"]);
    let (code, _, stderr) =
        words(&home.command(&["run", "Make noise"]).env("ASKUSER_TASK", "task_1").output().unwrap());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("ASKUSER_TASK is set, so an agent runs this"), "{stderr}");
}
