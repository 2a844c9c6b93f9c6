//! `askuser answer` and its sisters: nothing is answered unseen, and it is always said what was answered.

use serde_json::json;

use crate::asks::{ASKUSER, ask, database, question, told};
use crate::home::TestHome;
use crate::stage::Setup;

const ENTER: &str = "\r";

/// What a line of a list calls its question by.
fn called(line: &str) -> &str {
    line.split_whitespace().next().filter(|id| id.len() >= 4).unwrap()
}

fn crate_name() -> String {
    ask(&[question("Crate", "Rename the crate?", &["Yes", "No"], false)])
}

/// The oldest of several was answered, blind.
#[test]
fn an_answer_without_an_id_answers_none_of_several() {
    let home = TestHome::new();
    let (_one, first) = home.asks(&[&database()]);
    let (_other, second) = home.asks(&[&crate_name()]);
    let sheet = "{\"answers\":{\"r1q1\":\"Yes\"}}";
    for args in [&["answer", "--pick", "Yes"][..], &["answer", "--json", sheet], &["answer"]] {
        let refused = home.run(args);
        assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(2), &b""[..]), "{args:?}");
        let said = told(&refused);
        for part in ["2 questions are waiting", "Which database?", "Rename the crate?"] {
            assert!(said.contains(part), "{args:?}: {part}: {said}");
        }
        for (id, question) in [(&first, "Which database?"), (&second, "Rename the crate?")] {
            let line = said.lines().find(|line| line.contains(question)).unwrap();
            assert!(id.ends_with(called(line)), "{said}");
        }
    }
    let open = home.json(&["list", "--json"]);
    assert_eq!(open["asks"].as_array().unwrap().len(), 2, "{open}");
    home.prints(&["cancel", &first]);
    assert_eq!(home.prints(&["answer", "--pick", "Yes"]), "Answered: Rename the crate? → Yes");
}

#[test]
fn whoever_answers_by_flags_has_all_of_it_before_them() {
    let home = TestHome::new();
    let form = json!({
        "message": "Delete the production database together with all 14 backups?",
        "requestedSchema": {"type": "object", "required": ["confirm"], "properties": {
            "confirm": {"type": "boolean", "title": "Confirm", "description": "It cannot be undone."}}},
        "context": "Asked for in the plan.",
    });
    let (mut asker, _) = home.asks(&[&form.to_string()]);
    let listed = home.prints(&["list"]);
    assert!(listed.contains("waiting") && listed.contains("Delete the production database"), "{listed}");
    let answered = home.run(&["answer", "--pick", "no"]);
    let stdout = String::from_utf8(answered.stdout).unwrap();
    let whole = "Delete the production database together with all 14 backups?";
    assert_eq!(stdout, format!("Answered: {whole} → No\n"));
    let stderr = String::from_utf8(answered.stderr).unwrap();
    for part in [whole, "Confirm", "It cannot be undone.", "Asked for in the plan.", "1 Yes", "2 No"] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    assert_eq!(asker.ends(), 0);
    assert_eq!(asker.stdout(), "{\"action\":\"accept\",\"content\":{\"confirm\":false}}\n");
    // For programs standard output is JSON and nothing else.
    let (_asker, id) = home.asks(&[&database()]);
    let told = home.json(&["answer", &id, "--pick", "SQLite", "--json"]);
    assert_eq!(told["outcome"]["answers"][0]["selected"][0]["label"], "SQLite");
}

#[test]
fn declining_says_what_was_declined() {
    let home = TestHome::new();
    let (_asker, id) = home.asks(&[&crate_name()]);
    assert_eq!(home.prints(&["cancel", &id]), "Declined: Rename the crate?");
    assert!(home.prints(&["list", "--all"]).contains("declined"));
    let (_asker, id) = home.asks(&[&database()]);
    assert_eq!(home.prints(&["withdraw", &id]), "Withdrawn: Which database?");
}

/// "the name is taken", "for: names nobody", all 39 keys of the configuration: which one, nobody could tell.
#[test]
fn an_error_names_the_thing() {
    let home = TestHome::new();
    let (_asker, id) = home.asks(&[&crate_name()]);
    home.prints(&["answer", &id, "--pick", "Yes"]);
    home.prints(&["user", "add", "ann"]);
    let late = "this question has ended: answered by local with a command";
    for (args, said) in [
        (&["answer", &id, "--pick", "No"][..], late),
        (&["cancel", &id], late),
        (&["user", "add", "ann"], "there is a user `ann` already"),
        (&["ask", "Ship it?", "--quorum", "3"], "--quorum is given, but nobody is named to ask"),
        (&["config", "get", "log.levle"], "no key `log.levle`: did you mean `log.level`?"),
    ] {
        let output = home.run(args);
        assert!(told(&output).contains(said), "{args:?}: {}", told(&output));
    }
    let nonsense = told(&home.run(&["config", "get", "nope"]));
    assert!(nonsense.contains("no key `nope`\n") && !nonsense.contains("log.level"), "{nonsense}");
}

/// It said "Declined: Ship it now? → No", which reads as an answer.
#[test]
fn what_was_put_down_before_declining_is_not_told_as_the_answer() {
    let home = TestHome::new();
    let (_asker, _) = home.asks(&["--", "Ship it now?"]);
    let mut stage = Setup::new(ASKUSER).arg("answer").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Esc leave");
    stage.does("n", "❯ 2");
    stage.does("\x1b", "Decline");
    stage.does("2", "Enter declines");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.stdout, "Declined: Ship it now?\n");
}

#[test]
fn a_list_says_what_happens_at_the_deadline() {
    let home = TestHome::new();
    let later = ["--timeout", "3h", "--on-timeout", "abort", &crate_name()].map(str::to_owned);
    let (_slow, slow) = home.asks(&later.iter().map(String::as_str).collect::<Vec<_>>());
    let (_soon, soon) = home.asks(&["--timeout", "90s", &database()]);
    for args in [&["list"][..], &["list", "--all"]] {
        let listed = home.prints(args);
        let lines: Vec<&str> = listed.lines().collect();
        assert!(lines[0].contains("DEADLINE"), "{listed}");
        // The one that has little time left, though it came later.
        assert!(soon.ends_with(called(lines[1])) && lines[1].contains("1 min left"), "{listed}");
        assert!(slow.ends_with(called(lines[2])) && lines[2].contains("task stops"), "{listed}");
    }
}

#[test]
fn in_the_terminal_one_of_several_is_picked_and_then_shown() {
    let home = TestHome::new();
    let (_one, first) = home.asks(&[&database()]);
    let (mut other, _) = home.asks(&[&crate_name()]);
    let answer = || {
        let setup = Setup::new(ASKUSER).arg("answer").var("ASKUSER_HOME", &home.data());
        setup.var("ASKUSER_PLAIN", "box").start()
    };
    let mut stage = answer();
    stage.sees("Which one? 1-2");
    let screen = stage.sees("Rename the crate?");
    assert!(screen.contains("2 questions are waiting") && screen.contains("Which database?"), "{screen}");
    stage.types("7\r");
    stage.types("2\r");
    stage.sees("Enter number");
    let ended = stage.types("1\r").ends();
    assert_eq!((ended.code, ended.stdout), (0, "Answered: Rename the crate? → Yes\n".to_owned()));
    assert_eq!(other.ends(), 0);
    // Whoever leaves has answered nothing; where only one waits there is nothing to pick.
    let (_other, _) = home.asks(&[&crate_name()]);
    let mut stage = answer();
    stage.sees("Which one? 1-2");
    assert_eq!(stage.types(ENTER).ends().code, 5);
    assert_eq!(home.json(&["show", &first, "--json"])["status"], "showing");
}
