//! The first question of all, at a terminal and with no daemon running: the panel is painted at once, and what the
//! person does is handed back only when the question and the answer are on the disk.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, ask, database, question};
use crate::home::{TestHome, below_a_file, by_key, eventually, signal};
use crate::press::{CTRL_C, DOWN, ENTER, ESC};
use crate::stage::{Setup, Stage};

const MONGO: &str = "{\"answers\":{\"Database\":\"MongoDB\"}}\n";

/// The programs in a folder of their own, where the daemon does not start before it is let.
struct Gate {
    folder: tempfile::TempDir,
}

impl Gate {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("AskUserQuestion");
        // Not a symbolic link: the program looks for its daemon beside itself.
        fs::hard_link(COMMAND, &link).or_else(|_| fs::copy(COMMAND, &link).map(drop)).unwrap();
        let gate = folder.path().join("open").display().to_string();
        let script = format!(
            "#!/bin/sh\nwhile [ ! -e '{gate}' ]; do [ -e \"$0\" ] || exit; sleep 0.01; done\nexec {ASKUSER} \"$@\"\n"
        );
        let daemon = folder.path().join("askuser");
        fs::write(&daemon, script).unwrap();
        fs::set_permissions(&daemon, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    fn command(&self) -> PathBuf {
        self.folder.path().join("AskUserQuestion")
    }

    /// Shows a question in a terminal of this home.
    fn asks(&self, home: &TestHome, json: String) -> Stage {
        let setup = Setup::new("/usr/bin/env").arg(self.command()).arg(json);
        let stage = setup.var("ASKUSER_HOME", &home.data()).start();
        stage.sees("Esc leave");
        stage
    }

    fn open(&self) {
        fs::write(self.folder.path().join("open"), "").unwrap();
    }
}

fn asks(home: &TestHome, setup: Setup) -> Stage {
    setup.var("ASKUSER_HOME", &home.data()).start()
}

/// Everything that was ever asked.
fn all(home: &TestHome) -> Vec<Value> {
    home.json(&["list", "--all", "--json"])["asks"].as_array().unwrap().clone()
}

#[test]
fn the_first_answer_of_all_is_in_the_history() {
    let home = TestHome::new();
    let mut stage = asks(&home, Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    stage.does(DOWN, "❯ 2");
    let ended = stage.types(ENTER).ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
    assert_eq!(ended.screen.trim_end(), "✓ Database: MongoDB", "nothing is said of a start");
    assert!(stage.is_cooked() && !stage.is_disturbed());
    let asked = all(&home);
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert_eq!(asked[0]["outcome"]["by"], by_key("terminal", COMMAND));
    assert_eq!(asked[0]["outcome"]["answers"][0]["selected"][0]["label"], "MongoDB");
    // The next one is under the round's own names, and goes the same way.
    home.prints(&["stop"]);
    let mut stage = asks(&home, Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    let ended = stage.types("3\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"SQLite\"}}\n", "{}", ended.screen);
    let rounds: Vec<Value> = all(&home).iter().map(|ask| ask["round"].clone()).collect();
    assert!(rounds.contains(&json!(1)) && rounds.contains(&json!(2)), "{rounds:?}");
}

#[test]
fn the_panel_is_there_before_the_daemon_and_the_answer_waits_for_it() {
    let (home, gate) = (TestHome::new(), Gate::new());
    let mut stage = gate.asks(&home, database());
    assert!(!home.home.is_held(), "painted first");
    stage.does(DOWN, "❯ 2");
    stage.does(ENTER, "✓ Database: MongoDB");
    stage.sees("your answer is saved as soon as it runs");
    let stdout = fs::read_to_string(stage.home().join("stdout")).unwrap();
    assert_eq!(stdout, "", "nothing is handed back before it is on the disk");
    gate.open();
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
    assert_eq!(all(&home)[0]["outcome"]["answers"][0]["selected"][0]["label"], "MongoDB");
}

#[test]
fn what_is_put_down_before_the_daemon_runs_is_kept_there() {
    let (home, gate) = (TestHome::new(), Gate::new());
    let mut stage = gate.asks(&home, database());
    stage.does("3", "● SQLite");
    gate.open();
    let saved = eventually("what was put down", || {
        home.home.running()?;
        let list = home.json(&["list", "--json"]);
        let sheet = list["asks"][0]["sheet"]["answers"].as_object()?.clone();
        Some(sheet.values().next()?["selected"].clone())
    });
    assert_eq!(saved, json!(["3"]));
    // Asked again after a crash it joins the open one, and what was put down is there.
    stage.signal(Signal::KILL);
    home.prints(&["stop"]);
    let mut stage = gate.asks(&home, database());
    stage.sees("● SQLite");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"SQLite\"}}\n", "{}", ended.screen);
    assert_eq!(all(&home).len(), 1);
}

#[test]
fn broken_off_before_the_daemon_runs_nothing_was_asked() {
    let (home, gate) = (TestHome::new(), Gate::new());
    let mut stage = gate.asks(&home, database());
    let ended = stage.types(CTRL_C).ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (130, ""));
    assert_eq!(ended.screen.trim_end(), "✗ Interrupted, not answered");
    gate.open();
    assert_eq!(all(&home), [] as [Value; 0]);
}

#[test]
fn killed_before_the_daemon_runs_nothing_was_asked() {
    let (home, gate) = (TestHome::new(), Gate::new());
    let stage = gate.asks(&home, database());
    stage.signal(Signal::KILL);
    gate.open();
    assert_eq!(all(&home), [] as [Value; 0]);
}

#[test]
fn killed_after_the_daemon_has_it_the_question_waits_on() {
    let home = TestHome::new();
    let stage = asks(&home, Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    home.daemon();
    let id = eventually("the ask", || all(&home).first().map(|ask| ask["ask_id"].clone()));
    stage.signal(Signal::KILL);
    let id = id.as_str().unwrap();
    home.prints(&["answer", id, "--pick", "MongoDB"]);
    assert_eq!(home.prints(&["wait", id]), MONGO.trim_end());
}

#[test]
fn a_daemon_that_is_killed_under_the_panel_comes_back() {
    let home = TestHome::new();
    let mut stage = asks(&home, Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    home.daemon();
    eventually("the ask", || all(&home).first().map(drop));
    home.kill();
    stage.does(DOWN, "❯ 2");
    let ended = stage.types(ENTER).ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
    assert_eq!(all(&home)[0]["outcome"]["status"], "answered");
}

#[test]
fn two_first_questions_at_once_have_one_daemon() {
    let (home, gate) = (TestHome::new(), Gate::new());
    let other = ask(&[question("Cache", "Which cache?", &["Redis", "None"], false)]);
    let (mut one, mut two) = (gate.asks(&home, database()), gate.asks(&home, other));
    gate.open();
    let ended = one.types("2\r").ends();
    assert_eq!(ended.stdout, MONGO, "{}", ended.screen);
    let ended = two.types("1\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Cache\":\"Redis\"}}\n", "{}", ended.screen);
    assert_eq!(all(&home).len(), 2);
}

#[test]
fn left_open_it_waits_and_both_hear_how_to_come_back() {
    let english = ("en", "Answer later", "Not answered yet: `askuser answer` or `askuser open`");
    let chinese = ("zh", "稍后回答", "尚未回答：用 `askuser answer` 或 `askuser open`");
    for (columns, (language, leave, said)) in
        [120, 80, 60, 40].into_iter().flat_map(|columns| [(columns, english), (columns, chinese)])
    {
        let home = TestHome::new();
        let setup = Setup::new(COMMAND).arg(database()).size(columns, 30);
        let mut stage = asks(&home, setup.var("ASKUSER_LANG", language));
        stage.sees("PostgreSQL");
        stage.does(ESC, leave);
        stage.does(DOWN, "❯ 2");
        stage.does(DOWN, "❯ 3");
        let ended = stage.types(ENTER).ends();
        assert_eq!(ended.code, 5, "{}", ended.screen);
        let told: Value = serde_json::from_str(&ended.stdout).unwrap();
        let id = told["ask_id"].as_str().unwrap();
        // The terminal breaks what is longer than a line.
        let screen = ended.screen.replace('\n', "");
        assert!(screen.contains(said), "{columns} {language}: {screen}");
        assert!(screen.contains(&format!("`askuser wait {id}`")), "{columns} {language}: {screen}");
        let open = home.json(&["list", "--json"])["asks"].as_array().unwrap().clone();
        assert!(open.iter().any(|ask| ask["ask_id"] == told["ask_id"]), "{open:?}");
    }
}

#[test]
fn an_answer_elsewhere_closes_the_panel_that_was_painted_first() {
    let home = TestHome::new();
    let mut stage = asks(&home, Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    home.daemon();
    let id = eventually("the ask", || all(&home).first().map(|ask| ask["ask_id"].clone()));
    home.prints(&["answer", id.as_str().unwrap(), "--pick", "MongoDB"]);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
    assert!(ended.screen.contains("Answered by local with a command"), "{}", ended.screen);
}

/// A rule is the person's word: it goes before what is pressed in a panel that came up before it was read.
#[test]
fn a_rule_answers_before_the_panel_that_was_painted_first() {
    for presses in [false, true] {
        let (home, gate) = (TestHome::new(), Gate::new());
        fs::create_dir_all(home.home.folder()).unwrap();
        fs::set_permissions(home.home.folder(), fs::Permissions::from_mode(0o700)).unwrap();
        let rules = "otherwise: ask\nrules:\n- {name: usual, match: {header: Database}, answer: SQLite}\n";
        fs::write(home.home.folder().join("rules.yaml"), rules).unwrap();
        let mut stage = gate.asks(&home, database());
        if presses {
            stage.does(ENTER, "✓ Database: PostgreSQL");
        }
        gate.open();
        let ended = stage.ends();
        assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"SQLite\"}}\n", "{}", ended.screen);
        assert_eq!(ended.screen.contains("Too late, not sent"), presses, "{}", ended.screen);
        assert_eq!(all(&home)[0]["outcome"]["answered_by"], "rule");
    }
}

#[test]
fn what_the_desk_refuses_ends_the_panel_with_its_words() {
    let home = TestHome::new();
    let key = ["--idempotency-key", "k1"];
    let first = home.run(&["ask", "--where", "desk", "--patience", "1ms", key[0], key[1], &database()]);
    assert_eq!(first.status.code(), Some(5));
    home.prints(&["stop"]);
    let other = ask(&[question("Cache", "Which cache?", &["Redis", "None"], false)]);
    let setup = Setup::new(ASKUSER).arg("ask").arg(key[0]).arg(key[1]).arg(other);
    let mut stage = asks(&home, setup);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{}", ended.screen);
    assert!(ended.screen.contains("error: "), "{}", ended.screen);
    assert!(stage.is_cooked() && !stage.is_disturbed());
}

/// No daemon can be started: the person is asked all the same, and told that it is not kept.
#[test]
fn without_a_place_to_keep_it_the_question_is_asked_in_memory() {
    let home = TestHome::new();
    let nowhere = below_a_file(&home).display().to_string();
    let start = |setup: Setup| setup.size(200, 30).var("ASKUSER_HOME", &nowhere).start();
    let mut stage = start(Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    let screen = stage.does(ESC, "2 Decline");
    assert!(!screen.contains("Answer later"), "nobody would keep it: {screen}");
    stage.does(ESC, "Which database?");
    let ended = stage.types("2\r").ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
    let said =
        "✓ Database: MongoDB\nNot saved, so `askuser history` does not show it: askuser did not start: ";
    assert!(ended.screen.starts_with(said), "one line, after the panel: {}", ended.screen);
    assert_eq!(ended.screen.trim_end().lines().count(), 2, "{}", ended.screen);
    let mut stage = start(Setup::new(COMMAND).arg("--plain").arg(database()));
    stage.sees("Enter number or 0 for custom: ");
    let ended = stage.types("2\r").ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
    assert!(ended.screen.contains("Not saved"), "{}", ended.screen);
    // Whoever wants the desk is told that there is none.
    let mut stage = start(Setup::new(ASKUSER).arg("ask").arg("--where").arg("both").arg(database()));
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (1, ""), "{}", ended.screen);
}

#[test]
fn in_this_terminal_only_is_said_to_be_unsaved_and_starts_nothing() {
    let home = TestHome::new();
    for (language, said) in
        [("en", "Not saved: asked in this terminal only"), ("zh", "未保存：仅在此终端提问")]
    {
        let setup = Setup::new(COMMAND).arg(database()).var("ASKUSER_WHERE", "terminal");
        let mut stage = asks(&home, setup.var("ASKUSER_LANG", language));
        stage.sees("PostgreSQL");
        let ended = stage.types("2\r").ends();
        assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
        assert!(ended.screen.contains(said), "{}", ended.screen);
    }
    assert!(!home.home.folder().exists(), "nothing was made");
}

#[test]
fn patience_and_deadlines_hold_for_a_first_question_too() {
    let home = TestHome::new();
    let ask = |flag: &str, time: &str| {
        let mut stage = asks(&home, Setup::new(ASKUSER).arg("ask").arg(flag).arg(time).arg(database()));
        let ended = stage.ends();
        home.prints(&["stop"]);
        ended
    };
    let ended = ask("--timeout", "1s");
    assert_eq!(ended.code, 124, "{}", ended.screen);
    let ended = ask("--patience", "1s");
    assert_eq!(ended.code, 5, "{}", ended.screen);
    let statuses: Vec<Value> = all(&home).iter().map(|ask| ask["status"].clone()).collect();
    assert_eq!(statuses.len(), 2, "{statuses:?}");
}

/// The window is closed: the question waits on, and so does whoever asked.
#[test]
fn a_closed_window_leaves_the_question_and_the_asker_waiting() {
    let home = TestHome::new();
    let mut stage = asks(&home, Setup::new(COMMAND).arg(database()));
    stage.sees("Esc leave");
    let id = eventually("the ask", || {
        home.home.running()?;
        all(&home).first().map(|ask| ask["ask_id"].clone())
    });
    signal(stage.pid(), Signal::HUP);
    home.prints(&["answer", id.as_str().unwrap(), "--pick", "MongoDB"]);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
}
