//! Short ids: four characters stand for a question, none where there is only one, and of several one is picked.

use std::process::Output;

use crate::asks::{ASKUSER, ask, database, question, told};
use crate::home::TestHome;
use crate::stage::Setup;

fn crate_name() -> String {
    ask(&[question("Crate", "Rename the crate?", &["Yes", "No"], false)])
}

/// The short ids of a list, by what stands beside them.
fn called(list: &str, text: &str) -> String {
    let line = list.lines().find(|line| line.contains(text)).unwrap();
    line.split_whitespace().next().unwrap().to_owned()
}

#[track_caller]
fn refused(output: &Output, parts: &[&str]) {
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(output));
    for part in parts {
        assert!(told(output).contains(part), "{part}: {}", told(output));
    }
}

#[test]
fn what_a_list_shows_can_be_typed_also_of_what_has_ended() {
    let home = TestHome::new();
    let (_one, first) = home.asks(&[&database()]);
    let (_other, second) = home.asks(&[&crate_name()]);
    let list = home.prints(&["list"]);
    let (one, other) = (called(&list, "Which database?"), called(&list, "Rename the crate?"));
    assert!(first.ends_with(&one) && second.ends_with(&other) && one.len() < 8, "{list}");
    for typed in [&one, &one.to_lowercase(), &format!("ask_{one}"), &format!("…{one}"), &first[4..], &first]
    {
        assert!(home.prints(&["show", typed]).contains("Which database?"), "{typed}");
    }
    // Both were asked within a moment, so they begin alike: nothing is guessed.
    refused(&home.run(&["show", &first[..8]]), &["matches 2 questions", &one, &other, "type more of the ID"]);
    // None is needed where only one is left; a short id goes on meaning what has ended.
    assert_eq!(home.prints(&["cancel", &one]), "Declined: Which database?");
    assert!(home.prints(&["show"]).contains("Rename the crate?"));
    assert!(home.prints(&["show", &one]).contains("Which database?"));
    assert_eq!(called(&home.prints(&["history"]), "Which database?"), one);
    let all = home.json(&["list", "--all", "--json"]);
    assert!(all["asks"].as_array().unwrap().iter().all(|ask| ask["short_id"].is_string()), "{all}");
    assert_eq!(home.prints(&["withdraw"]), "Withdrawn: Rename the crate?");
    refused(&home.run(&["show"]), &["no questions are waiting"]);
}

#[test]
fn what_matches_nothing_is_told_with_the_nearest() {
    let home = TestHome::new();
    let (_asker, id) = home.asks(&[&crate_name()]);
    let end = called(&home.prints(&["list"]), "Rename the crate?");
    refused(&home.run(&["show", "nope"]), &["no question matches `nope`", "`askuser list --all`"]);
    refused(&home.run(&["show", "NQD"]), &["no question matches `NQD`", "at least 4 characters"]);
    let last = if end.ends_with('Z') { "Y" } else { "Z" };
    let wrong = format!("{}{last}", &end[..end.len() - 1]);
    let near = format!("did you mean {end} (Rename the crate?)");
    refused(&home.run(&["answer", &wrong, "--pick", "Yes"]), &["no question matches", &near]);
    refused(&home.run(&["cancel", "rename"]), &["no question matches `rename`", &near]);
    for (args, what) in [
        (&["rules", "remove", "nope"][..], "no rule matches `nope`"),
        (&["key", "revoke", "nope"], "no key matches `nope`"),
        (&["user", "disable", "nobody"], "no user matches `nobody`"),
        (&["user", "disable", "locl"], "did you mean local"),
        (&["task", "show", "nope"], "no task matches `nope`"),
        (&["task", "stop"], "no tasks are running"),
        (&["sessions", "--end", "nope"], "no conversation matches `nope`"),
        (&["browsers", "--sign-out", "nope"], "no browser matches `nope`"),
    ] {
        refused(&home.run(args), &[what]);
    }
    let chinese = home.run_with(&[("ASKUSER_LANG", "zh")], &["show", "nope"]);
    refused(&chinese, &["没有与 `nope` 匹配的问题"]);
    assert_eq!(home.json(&["show", &id, "--json"])["status"], "showing");
}

#[test]
fn conversations_and_keys_go_by_short_ids_too() {
    let home = TestHome::new();
    let (_asker, _) = home.asks(&["--session", "shop", &crate_name()]);
    let session = home.json(&["sessions", "--json"])["sessions"][0].clone();
    for typed in [session["short_id"].as_str().unwrap(), session["id"].as_str().unwrap(), "shop"] {
        assert!(home.prints(&["history", typed]).contains("Rename the crate?"), "{typed}");
    }
    home.prints(&["key", "create", "--role", "agent", "--name", "laptop"]);
    let short = called(&home.prints(&["key", "list"]), "laptop");
    assert_eq!(home.prints(&["key", "revoke", &short]), format!("Revoked {short}"));
    let keys = home.json(&["key", "list", "--json"]);
    let laptop = keys["keys"].as_array().unwrap().iter().find(|key| key["name"] == "laptop").unwrap();
    assert!(
        laptop["revoked_at"].is_string() && laptop["key_id"].as_str().unwrap().ends_with(&short),
        "{laptop}"
    );
}

/// `rules add` and `key revoke` wanted an id where there was one candidate, or a person to pick.
#[test]
fn rules_are_added_and_keys_revoked_without_an_id() {
    let home = TestHome::new();
    refused(&home.run(&["rules", "add"]), &["no questions yet"]);
    let (_asker, id) = home.asks(&[&crate_name()]);
    home.prints(&["answer", &id, "--pick", "Yes"]);
    let added = home.prints(&["rules", "add"]);
    let short = called(&home.prints(&["history"]), "Rename the crate?");
    assert!(added.contains(&format!("`askuser rules remove {short}`")), "{added}");
    assert!(home.prints(&["rules", "list"]).contains("Rename the crate? → Yes"));
    refused(&home.run(&["key", "revoke"]), &["3 keys: name one", "ROLE · USER", "admin · local"]);
    home.prints(&["key", "create", "--role", "agent", "--name", "laptop"]);
    let mut stage =
        Setup::new(ASKUSER).arg("key").arg("revoke").var("ASKUSER_HOME", &home.data()).wiring("").start();
    stage.sees("laptop");
    stage.does("lptp", "1/");
    let ended = stage.looks().types("\r").ends();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    let keys = home.json(&["key", "list", "--json"]);
    let laptop = keys["keys"].as_array().unwrap().iter().find(|key| key["name"] == "laptop").unwrap();
    assert!(laptop["revoked_at"].is_string(), "{laptop}");
}

#[test]
fn of_several_one_is_picked_by_typing_at_every_width() {
    let home = TestHome::new();
    let (_one, first) = home.asks(&[&database()]);
    let (_other, second) = home.asks(&[&crate_name()]);
    for (columns, language) in [(120, "en"), (80, "en"), (60, "zh"), (40, "en")] {
        let setup = Setup::new(ASKUSER).arg("show").var("ASKUSER_HOME", &home.data()).size(columns, 12);
        let mut stage = setup.var("ASKUSER_LANG", language).start();
        let screen = stage.sees("Rename the crate?");
        assert!(screen.contains("Which database?") && screen.contains("2/2"), "{screen}");
        stage.types("rncrt");
        stage.loses("Which database?");
        let ended = stage.looks().types("\r").ends();
        assert_eq!(ended.code, 0, "{columns}");
        assert!(ended.stdout.contains(&second), "{columns}: {}", ended.stdout);
    }
    // Whoever leaves has done nothing, also to what would be declined.
    let mut stage = Setup::new(ASKUSER).arg("cancel").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Rename the crate?");
    assert_eq!(stage.types("\x1b").ends().code, 5);
    for id in [&first, &second] {
        assert_eq!(home.json(&["show", id, "--json"])["status"], "showing");
    }
    // Where an agent runs it, nobody is there to pick.
    let mut stage =
        Setup::new(ASKUSER).arg("wait").var("ASKUSER_HOME", &home.data()).var("CLAUDECODE", "1").start();
    let ended = stage.ends();
    assert!(ended.code == 2 && !ended.screen.contains("type to search"), "{}", ended.screen);
}
