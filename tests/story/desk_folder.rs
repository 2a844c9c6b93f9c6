//! A data folder has one owner, whatever becomes of its lock files; and what commands print does nothing to
//! the terminal that it is printed on.

use std::fs;

use askuser_client::home::ServerState;

use crate::asks::told;
use crate::home::TestHome;

/// A daemon that was refused removed the `daemon.json` of the one that runs, where `askuser.lock` had been
/// removed; with both lock files gone a second one began on the same database.
#[test]
fn a_second_daemon_never_begins_where_lock_files_were_removed() {
    let home = TestHome::new();
    let first = home.serve(&["--listen", "127.0.0.1:0"]);
    fs::remove_file(home.home.lock()).unwrap();
    for gone in ["askuser.lock", "askuser.db.lock", "daemon.json"] {
        let path = home.home.folder().join(gone);
        if gone != "daemon.json" {
            let _removed = fs::remove_file(&path);
        }
        let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(second.status.code(), Some(1), "{gone}: {}", told(&second));
        assert!(
            matches!(home.home.look(), ServerState::Running(running) if running.pid == first.pid()),
            "{gone}"
        );
        assert_eq!(home.prints(&["list"]), "No questions are waiting.", "{gone}");
    }
    // With everything gone it is not found, and still no other begins beside it.
    fs::remove_file(home.home.daemon_json()).unwrap();
    let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(1), "{}", told(&second));
}

/// `list --json` and the CSV export wrote U+009B, U+202E and a raw escape as they were.
#[test]
fn what_is_printed_as_json_or_csv_does_nothing_to_a_terminal() {
    let home = TestHome::new();
    let words = "Red\u{9b}31m \u{202e}desrever\u{90} \u{1b}[31m?";
    let question = serde_json::json!({"questions": [{
        "question": words, "header": "Odd", "multiSelect": false,
        "options": [{"label": "Yes", "description": "y"}, {"label": "No", "description": "n"}],
    }]});
    let (mut asking, id) = home.asks(&[&question.to_string()]);
    home.prints(&["answer", &id, "--pick", "Odd=Yes"]);
    assert_eq!(asking.ends(), 0, "{}", asking.stderr());
    for args in [
        &["list", "--all", "--json"][..],
        &["show", &id, "--json"],
        &["audit", "--json"],
        &["audit", "--export", "csv"],
        &["audit", "--export", "jsonl"],
        &["audit", "--export", "md"],
    ] {
        let said = home.prints(args);
        let acts =
            |letter: char| letter != '\n' && letter != '\r' && (letter.is_control() || letter == '\u{202e}');
        assert!(said.contains("desrever") && !said.contains(acts), "{args:?}: {said:?}");
    }
    // It says the same.
    let told = home.json(&["show", &id, "--json"]).to_string();
    assert!(told.contains(serde_json::json!(words).to_string().trim_matches('"')), "{told}");
}

/// Two labels that nobody could tell apart are refused, with where.
#[test]
fn labels_that_look_alike_are_refused() {
    let home = TestHome::new();
    for (one, other) in [("Production", "Pr\u{43e}duction"), ("Yes", "Yes "), ("Caf\u{e9}", "Cafe\u{301}")] {
        let question = serde_json::json!({"questions": [{
            "question": "Where?", "header": "Where", "multiSelect": false,
            "options": [{"label": one, "description": "a"}, {"label": other, "description": "b"}],
        }]});
        let output = home.run(&["ask", "--where", "desk", &question.to_string()]);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        let said = "questions[0].options[1].label: looks the same as questions[0].options[0].label";
        assert!(told(&output).contains(said), "{}", told(&output));
    }
}
