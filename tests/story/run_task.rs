//! `askuser run` at a terminal: what the agent asks is answered right there.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::asks::ASKUSER;
use crate::home::{TestHome, eventually};
use crate::stage::{Setup, Stage};

const DOWN: &str = "\x1b[B";
const ENTER: &str = "\r";
const ESC: &str = "\x1b";
const CTRL_C: &str = "\x03";

/// A home whose only agent asks three things and is done, followed in a terminal.
fn given() -> (TestHome, Stage) {
    let home = TestHome::new();
    let data = home.home.folder();
    fs::create_dir_all(data.join("work")).unwrap();
    let work = fs::canonicalize(data.join("work")).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner");
    let talk = fs::read_to_string(tests.join("claude/rounds.talk")).unwrap();
    let own = data.join("rounds.talk");
    fs::write(&own, talk.replace("@FOLDER@", work.to_str().unwrap())).unwrap();
    let config = format!(
        "runner:\n  folders: [{}]\nagents:\n  rounds:\n    driver: claude\n    command: /bin/sh\n    args: [{}, {}]\n",
        work.display(),
        tests.join("agent.sh").display(),
        own.display()
    );
    fs::write(data.join("config.yaml"), config).unwrap();
    home.wakes();
    let run = Setup::new(ASKUSER).arg("run").arg("Build it").arg("--folder").arg(work.to_str().unwrap());
    let stage = run.var("ASKUSER_HOME", &home.data()).start();
    (home, stage)
}

#[test]
fn d18_what_a_task_asks_is_answered_in_its_terminal() {
    let (home, mut stage) = given();
    stage.sees("Which framework?");
    stage.types(DOWN);
    stage.sees("❯ 2");
    stage.types(ENTER);
    // Answered elsewhere, it closes here and the next one comes.
    stage.sees("Which database?");
    home.prints(&["answer", "--pick", "SQLite"]);
    stage.sees("Which licence?");
    stage.types(ENTER);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "All done.\n"), "{}", ended.screen);
    assert!(ended.screen.contains("First things first."), "{}", ended.screen);
    assert!(stage.is_cooked());
}

#[test]
fn d18_a_question_that_is_put_off_says_where_it_waits_and_ctrl_c_leaves_the_task_alone() {
    let (home, mut stage) = given();
    stage.sees("Which framework?");
    stage.types(ESC);
    stage.sees("Answer later");
    stage.types("3");
    stage.sees("answer with `askuser answer ");
    home.prints(&["answer", "--pick", "Vue"]);
    stage.sees("Which database?");
    let ended = stage.types(CTRL_C).ends();
    assert_eq!(ended.code, 130, "{}", ended.screen);
    assert!(home.prints(&["tasks"]).contains("waiting for you"));
    let mut follows = home.start(ASKUSER, &["task", "follow", "--json"]);
    follows.says("leave with Ctrl-C");
    for (question, label) in [("database", "SQLite"), ("licence", "MIT")] {
        eventually(question, || home.prints(&["list"]).contains(question).then_some(()));
        home.prints(&["answer", "--pick", label]);
    }
    eventually("the task is done", || home.prints(&["tasks"]).contains("done").then_some(()));
    assert_eq!(follows.ends(), 0, "{}", follows.stderr());
    let told: Value = serde_json::from_str(&follows.stdout()).unwrap();
    let late = home.run(&["task", "stop", told["task_id"].as_str().unwrap()]);
    let said = String::from_utf8(late.stderr).unwrap();
    assert!(late.status.code() == Some(2) && said.contains(": the task has already ended: done"), "{said}");
    assert_eq!((&told["status"], &told["result"]), (&json!("done"), &json!("All done.")), "{told}");
}
