//! Answers that were written down beforehand: from a file, and by the desk's own rules.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::asks::{ASKUSER, database, features, told};
use crate::home::{TestHome, eventually};

fn file(home: &TestHome, name: &str, text: &str) -> String {
    let path = home.home.folder().join(name);
    fs::create_dir_all(home.home.folder()).unwrap();
    fs::set_permissions(home.home.folder(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn answers_from_a_file_and_what_it_does_not_answer_fails_with_what_was_asked() {
    let home = TestHome::new();
    let answers = file(&home, "answers.yaml", "answers: {Database: SQLite}\n");
    let printed = home.prints(&["ask", "--answers", &answers, &database()]);
    assert_eq!(printed, "{\"answers\":{\"Database\":\"SQLite\"}}");
    let full = home.json(&["ask", "--answers", &answers, "--reply", "full", &database()]);
    assert_eq!(full["answered_by"], "rule");
    assert_eq!(full["by"]["proof"], "rule");
    let failed = home.run(&["ask", "--answers", &answers, &features()]);
    assert_eq!(failed.status.code(), Some(6), "{}", told(&failed));
    assert!(failed.stdout.is_empty());
    assert!(
        String::from_utf8_lossy(&failed.stderr)
            .contains("no rule answers `Features`: Which features to enable?")
    );
    let wrong = file(&home, "wrong.yaml", "rules:\n  - answer: 1\n");
    let failed = home.run(&["ask", "--answers", &wrong, &database()]);
    assert_eq!(failed.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&failed.stderr).contains("wrong.yaml: line 2, column 5: "),
        "{}",
        told(&failed)
    );
    assert!(!home.home.is_held(), "no desk is needed");
}

/// Invariant 6: an agent that brings its own answers would answer itself.
#[test]
fn an_agent_does_not_bring_its_own_answers() {
    let home = TestHome::new();
    let answers = file(&home, "answers.yaml", "answers: {Database: SQLite}\n");
    let agent = [("CLAUDECODE", "1")];
    let refused = home.run_with(&agent, &["ask", "--answers", &answers, &database()]);
    assert_eq!(refused.status.code(), Some(2), "{}", told(&refused));
    assert!(refused.stdout.is_empty());
    // Nor by insisting: no desk is there that would note it.
    let insists = home.run_with(&agent, &["ask", "--as-person", "--answers", &answers, &database()]);
    assert_eq!(insists.status.code(), Some(2), "{}", told(&insists));
    assert!(insists.stdout.is_empty());
}

#[test]
fn the_desks_rules_answer_and_changes_are_seen_at_once() {
    let home = TestHome::new();
    let rules =
        "otherwise: ask\nrules:\n- {name: usual, match: {header: Database}, answer: SQLite, note: as ever}\n";
    let path = file(&home, "rules.yaml", rules);
    let ask = ["ask", "--where", "desk", "--reply", "full", "--patience", "300ms"];
    let asked = |text: &str| home.run(&[&ask[..], &[text]].concat());
    let by_rule = asked(&database());
    assert!(told(&by_rule).contains("Answered by your rule: usual"), "{}", told(&by_rule));
    let answered: Value = serde_json::from_slice(&by_rule.stdout).unwrap();
    assert_eq!(answered["answered_by"], "rule");
    assert_eq!(answered["comment"], "rule: usual");
    assert_eq!(answered["answers"][0]["note"], "as ever");
    // Not matched, so a person is asked.
    assert_eq!(asked(&features()).status.code(), Some(5));
    // An agent's environment adds no rule: the file of this desk is the only one.
    let own = file(&home, "other.yaml", "otherwise: ask\nanswers: {Features: Caching}\n");
    let vars = [("ASKUSER_RULES", own.as_str()), ("ASKUSER_ANSWERS", own.as_str())];
    assert_eq!(home.run_with(&vars, &[&ask[..], &[&features()]].concat()).status.code(), Some(5));
    fs::write(&path, "otherwise: fail\nrules: []\n").unwrap();
    let refused = asked(&database());
    assert_eq!(refused.status.code(), Some(4), "{}", told(&refused));
    let refused: Value = serde_json::from_slice(&refused.stdout).unwrap();
    assert_eq!(refused["comment"], "no rule answers `Database`: Which database?");
    // What is faulty, or what others may write, has no rules: a person is asked.
    fs::write(&path, "otherwise: fail\nrules: [\n").unwrap();
    assert_eq!(asked(&database()).status.code(), Some(5));
    assert!(
        eventually("the log", || Some(home.log()).filter(|log| log.contains("No rules are applied")))
            .contains("line ")
    );
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("fail  rules"), "{}", told(&doctor));
    fs::write(&path, "otherwise: ask\nanswers: {Database: SQLite}\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(asked(&database()).status.code(), Some(5), "joins the open one");
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
}

#[test]
fn doctor_asks_a_test_question_end_to_end_and_answers_for_nobody() {
    let home = TestHome::new();
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    let findings = home.json(&["doctor", "--json"]);
    let find = findings["findings"].as_array().unwrap().iter().find(|finding| finding["what"] == "test ask");
    assert_eq!(find.unwrap()["verdict"], "ok", "{findings}");
    assert_eq!(home.json(&["list", "--json"])["asks"], json!([]), "nothing is left open");
    assert_eq!(home.json(&["list", "--all", "--json"])["asks"], json!([]), "nor to be looked back on");
    let log = home.json(&["audit", "--agent", "askuser doctor", "--action", "answer", "--json"]);
    let answer = &log["entries"][0];
    let (details, user) = (&answer["details"], &answer["user_id"]);
    assert_eq!((&details["agent"], user), (&json!("askuser doctor"), &Value::Null), "{log}");
    assert_eq!(details["answered_by"], "rule", "{log}");
}

/// "Always answer X to this question from this agent in this project until …": made from an answer,
/// listed, applied, named in the outcome, taken back; and no agent makes one.
#[test]
fn d19_a_person_makes_a_rule_from_an_answer_and_takes_it_back() {
    let home = TestHome::new();
    let ask = ["ask", "--where", "desk", "--reply", "full", "--patience", "300ms"];
    let asked = |vars: &[(&str, &str)]| home.run_with(vars, &[&ask[..], &[&database()]].concat());
    let (mut first, id) = home.asks(&[&database()]);
    let terminal = home.terminal();
    let refused = terminal.run(&format!("{ASKUSER} rules add {id}"));
    assert!(refused.stderr.contains("this question has none"), "not answered yet: {refused:?}");
    terminal.prints(ASKUSER, &["answer", &id, "--pick", "SQLite"]);
    assert_eq!(first.ends(), 0, "{}", first.stderr());
    // Invariant 6: not where an agent's mark is set, and there is no way to insist.
    let agent = [("CLAUDECODE", "1")];
    assert!(told(&home.run_with(&agent, &["rules", "add", &id])).contains("this command is for people"));
    assert_eq!(home.run_with(&agent, &["rules", "add", &id, "--as-person"]).status.code(), Some(2));
    for wrong in ["2y", "400d"] {
        assert_eq!(home.run(&["rules", "add", &id, "--for", wrong]).status.code(), Some(2), "{wrong}");
    }
    assert!(home.prints(&["rules", "list"]).contains("No rules yet"));
    let made = terminal.prints(ASKUSER, &["rules", "add", &id, "--for", "7d", "--json"]);
    let made: Value = serde_json::from_str(&made).unwrap();
    let rule = made["rule_id"].as_str().unwrap();
    let listed = home.prints(&["rules", "list"]);
    assert!(
        listed.contains(&rule[rule.len() - 4..]) && listed.contains("Which database? → SQLite"),
        "{listed}"
    );
    let answered: Value = serde_json::from_slice(&asked(&[]).stdout).unwrap();
    assert_eq!((&answered["answered_by"], &answered["by"]["proof"]), (&json!("rule"), &json!("rule")));
    assert_eq!(answered["comment"], format!("rule: Database → SQLite ({rule})"));
    assert_eq!(answered["answers"][0]["selected"][0]["label"], "SQLite");
    // Another agent is another asker: a person is asked.
    assert_eq!(asked(&agent).status.code(), Some(5));
    // What was answered by a rule makes none.
    let all = home.json(&["list", "--all", "--json"]);
    let by_rule = all["asks"].as_array().unwrap().iter().find(|ask| ask["outcome"]["answered_by"] == "rule");
    let by_rule = by_rule.unwrap()["ask_id"].as_str().unwrap();
    assert_eq!(home.run(&["rules", "add", by_rule]).status.code(), Some(2));
    // It is kept for its owner alone, and outlives the daemon.
    assert_eq!(fs::metadata(home.home.database()).unwrap().permissions().mode() & 0o777, 0o600);
    home.kill();
    assert_eq!(asked(&[]).status.code(), Some(0));
    assert!(terminal.prints(ASKUSER, &["rules", "remove", rule]).contains("you are asked again"));
    assert_eq!(asked(&[]).status.code(), Some(5));
    assert_eq!(home.run(&["rules", "remove", rule]).status.code(), Some(2), "there is none any more");
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
}
