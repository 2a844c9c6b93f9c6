//! Questions that the runner itself asks (O4): about Git before a task and after it.

use std::process::Command;

use crate::home::TestHome;

fn git(home: &TestHome, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"])
        .args(args)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", home.path())
        .current_dir(home.work())
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A home with a repository of one commit on `main`.
fn with_repository(more: &str, talks: &[&str]) -> TestHome {
    let home = TestHome::with_more(&format!("  git: true\n{more}"), "claude", talks);
    git(&home, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(home.work().join("a.txt"), "one\n").unwrap();
    git(&home, &["add", "."]);
    git(&home, &["commit", "--quiet", "-m", "first"]);
    home
}

/// O4: uncommitted changes are asked about before anything runs; no is a stop, and nothing ran.
#[test]
fn o4_uncommitted_changes_are_asked_about_first() {
    let home = with_repository("", &["noise"]);
    std::fs::write(home.work().join("a.txt"), "two\n").unwrap();
    let task = home.give("noise", "Make noise");
    let ask = home.until_open(1).remove(0);
    assert_eq!(
        (&ask["questions"][0]["header"], &ask["purpose"]),
        (&"Git state".into(), &"permission".into())
    );
    assert!(ask["questions"][0]["description"].as_str().unwrap().contains("M a.txt"), "{ask}");
    assert_eq!(home.task(&task)["status"], "queued");
    home.answer(&ask, "no");
    assert_eq!(home.until(&task, "stopped")["reason"], "user");
    assert_eq!(home.said(&task), ["text: Make noise"]);
    let again = home.give("noise", "Make noise");
    home.pick("yes");
    home.until(&again, "done");
}

/// O4: where nobody says in time, the task is stopped.
#[test]
fn o4_a_question_about_git_times_out_as_a_stop() {
    let home = with_repository("  timeout: 1\n", &["noise"]);
    std::fs::write(home.work().join("new.txt"), "").unwrap();
    let task = home.give("noise", "Make noise");
    assert_eq!(home.until(&task, "stopped")["reason"], "ask_user_timeout");
}

/// O4: a branch that the agent made is merged only where the person says so.
#[test]
fn o4_a_merge_is_confirmed_by_the_person() {
    for (answer, merged) in [("yes", true), ("no", false)] {
        let home = with_repository("", &["branches"]);
        let task = home.give("branches", "Work on a branch");
        let ask = home.pick(answer);
        let question = ask["questions"][0]["question"].as_str().unwrap();
        assert_eq!(question, "The agent worked on the branch `topic`. Merge it into `main`?");
        home.until(&task, "done");
        let log = git(&home, &["log", "--oneline", "main"]);
        assert_eq!(log.contains("by the agent"), merged, "{log}");
    }
}
