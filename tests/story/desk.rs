//! Asking at the desk: one process asks, another answers, and every ending has its code.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, database, told};
use crate::home::{Program, TestHome, by_key, eventually, signal};

#[track_caller]
fn parsed(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "one line and nothing else: {text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn one_process_asks_and_another_answers() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&[&database()]);
    let list = home.json(&["list", "--json"]);
    assert_eq!(list["asks"][0]["ask_id"], json!(id));
    assert!(home.prints(&["list"]).contains("Which database?"));
    let shown = home.prints(&["show", &id]);
    assert!(shown.contains("\nDatabase: Which database? (pick one)\n  1 "), "{shown}");
    assert_eq!(
        home.prints(&["answer", &id, "--pick", "Database=MongoDB", "--note", "r1q1=fast"]),
        "Answered: Which database? → MongoDB"
    );
    assert_eq!(ask.ends(), 0);
    assert_eq!(ask.stdout(), "{\"answers\":{\"Database\":\"MongoDB\"},\"notes\":{\"Database\":\"fast\"}}\n");
    let shown = home.json(&["show", &id, "--json"]);
    assert_eq!(shown["outcome"]["by"], by_key("api", ASKUSER));
    // The asker has it and said so.
    eventually("the acknowledgement", || {
        (home.json(&["show", &id, "--json"])["status"] == "completed").then_some(())
    });
    assert_eq!(home.prints(&["list"]), "No questions are waiting.");
    assert!(home.prints(&["list", "--all"]).contains("answered"));
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
}

#[test]
fn the_command_that_agents_know_goes_the_same_way() {
    let home = TestHome::new();
    let mut ask = home.start(COMMAND, &[&database()]);
    ask.says("Waiting for an answer");
    home.prints(&["answer", "--pick", "SQLite"]);
    assert_eq!(ask.ends(), 0);
    assert_eq!(ask.stdout(), "{\"answers\":{\"Database\":\"SQLite\"}}\n");
    // An agent's mark means the desk, not an error.
    let mut command = home.command(COMMAND, &[&database()]);
    command.env("CLAUDECODE", "1");
    let mut ask = Program::start(&mut command);
    ask.says("Waiting for an answer");
    let seen = home.json(&["list", "--json"]);
    assert_eq!(seen["asks"][0]["asker"]["agent"], "claude-code");
    home.prints(&["answer", "--pick", "SQLite"]);
    assert_eq!(ask.ends(), 0);
}

#[test]
fn every_ending_has_its_code_and_its_words() {
    let home = TestHome::new();
    let ended = |id: &str, status: &str, reason: &str| json!({"status": status, "reason": reason, "ask_id": id, "answers": {}});
    let (mut ask, id) = home.asks(&[&database()]);
    home.prints(&["cancel", &id, "--reason", "not now"]);
    assert_eq!(ask.ends(), 3);
    let mut declined = ended(&id, "cancelled", "user");
    declined["comment"] = json!("not now");
    assert_eq!(parsed(&ask.stdout()), declined);
    let (mut ask, id) = home.asks(&[&database()]);
    home.prints(&["withdraw", &id]);
    assert_eq!(ask.ends(), 4);
    assert_eq!(parsed(&ask.stdout()), ended(&id, "cancelled", "system"));
    let (mut ask, id) = home.asks(&["--timeout", "300ms", &database()]);
    assert_eq!(ask.ends(), 124);
    assert_eq!(parsed(&ask.stdout()), ended(&id, "timeout", "timeout"));
    let (mut ask, id) = home.asks(&["--patience", "200ms", &database()]);
    assert_eq!(ask.ends(), 5);
    assert_eq!(
        parsed(&ask.stdout()),
        json!({"status": "pending", "reason": null, "ask_id": id, "answers": {}})
    );
    // Who asks the same again joins the open one, and so does who comes back by id.
    let (mut again, same) = home.asks(&[&database()]);
    assert_eq!(same, id);
    let mut waits = home.start(ASKUSER, &["wait", &id]);
    assert_eq!(home.run(&["wait", &id, "--patience", "100ms"]).status.code(), Some(5));
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    for program in [&mut again, &mut waits] {
        assert_eq!(program.ends(), 0);
        assert_eq!(program.stdout(), "{\"answers\":{\"Database\":\"MongoDB\"}}\n");
    }
}

/// What a script reads: the ask as every route tells it, and the session that goes on.
#[test]
fn cancel_withdraw_and_restore_tell_programs_what_became_of_it() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&["--session", "work", &database()]);
    let declined = home.json(&["cancel", &id, "--reason", "not now", "--json"]);
    assert_eq!(ask.ends(), 3);
    let session = declined["session"].clone();
    assert_eq!((&declined["ask_id"], &declined["round"]), (&json!(id), &json!(1)), "{declined}");
    let outcome = &declined["outcome"];
    assert_eq!((&outcome["status"], &outcome["reason"]), (&json!("cancelled"), &json!("user")), "{outcome}");
    assert_eq!((&outcome["comment"], &outcome["by"]["user"]), (&json!("not now"), &json!("local")));
    let (mut ask, id) = home.asks(&["--session", "work", &database()]);
    let withdrawn = home.json(&["withdraw", &id, "--json"]);
    assert_eq!(ask.ends(), 4);
    assert_eq!((&withdrawn["ask_id"], &withdrawn["session"]), (&json!(id), &session), "{withdrawn}");
    let outcome = &withdrawn["outcome"];
    assert_eq!(
        (&outcome["status"], &outcome["reason"]),
        (&json!("cancelled"), &json!("system")),
        "{outcome}"
    );
    let restored = home.json(&["restore", "work", "--round", "1", "--json"]);
    assert_eq!((&restored["restored_from"], &restored["current_round"]), (&session, &json!(2)), "{restored}");
    let sessions = home.json(&["sessions", "--json"]);
    let new = sessions["sessions"].as_array().unwrap().iter().map(|session| &session["id"]);
    assert!(restored["id"] != session && new.clone().any(|id| *id == restored["id"]));
}

#[test]
fn an_interrupted_caller_leaves_the_ask_open() {
    let home = TestHome::new();
    for stop in [Signal::INT, Signal::TERM] {
        let (mut ask, id) = home.asks(&[&database()]);
        signal(ask.pid(), stop);
        assert_eq!(ask.ends(), 130);
        assert_eq!(ask.stdout(), "", "nothing on standard output");
        assert!(ask.stderr().contains(&format!("`askuser wait {id}`")), "{}", ask.stderr());
        home.prints(&["answer", &id, "--pick", "MongoDB"]);
        assert_eq!(home.prints(&["wait", &id]), "{\"answers\":{\"Database\":\"MongoDB\"}}");
    }
}

#[test]
fn wrong_input_is_2_and_prints_nothing() {
    let home = TestHome::new();
    let (_ask, id) = home.asks(&[&database()]);
    let unknown = "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for (args, said) in [
        (&["wait", "nonsense"][..], "no question matches `nonsense`"),
        (&["wait", unknown][..], "there is no such question"),
        (&["show", unknown][..], "there is no such question"),
        (&["answer", &id, "--pick", "Oracle"][..], "Oracle"),
        (&["answer", &id, "--pick", "q9=MongoDB"][..], "q9"),
        (&["answer", &id, "--json", "{"][..], "not JSON"),
        (&["answer", &id, "--json", "{\"answers\":{}}"][..], "r1q1"),
        (&["answer", &id][..], "no terminal"),
        (&["wait", &id, "--patience", "soon"][..], "`soon` is not a length of time"),
        (&["ask", "--where", "desk", "{}"][..], "invalid question"),
        (&["history", "nobody"][..], "no conversation matches `nobody`"),
    ] {
        let output = home.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", told(&output));
        assert_eq!(output.stdout, b"", "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{args:?}: {}", told(&output));
    }
    home.prints(&["answer", &id, "--json", "{\"answers\":{\"r1q1\":\"MongoDB\"}}"]);
    let late = home.run(&["answer", &id, "--pick", "SQLite"]);
    assert_eq!(late.status.code(), Some(1), "{}", told(&late));
}

#[test]
fn what_the_caller_says_of_its_terms_reaches_the_desk() {
    let home = TestHome::new();
    let args = [
        "--session",
        "work",
        "--idempotency-key",
        "k1",
        "--timeout",
        "1h",
        "--on-timeout",
        "default",
        "--reply",
        "full",
    ];
    let json = database();
    let args: Vec<&str> = args.into_iter().chain([json.as_str()]).collect();
    let (mut ask, id) = home.asks(&args);
    let (_joins, same) = home.asks(&args);
    assert_eq!(same, id, "the same idempotency key is the same ask");
    let seen = home.json(&["show", &id, "--json"]);
    assert!(seen["deadline_at"].is_string(), "{seen}");
    let sessions = home.json(&["sessions", "--json"]);
    assert_eq!(sessions["sessions"][0]["session_id"], "work");
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0);
    let reply = parsed(&ask.stdout());
    assert_eq!((&reply["status"], &reply["answered_by"]), (&json!("answered"), &json!("person")));
    let history = home.prints(&["history", "work"]);
    assert!(history.contains("Which database? → MongoDB"), "{history}");
    let restored = home.prints(&["restore", "work"]);
    assert!(restored.starts_with("Restored: ") && restored.contains(" continues "), "{restored}");
    assert!(!restored.contains("ses_"), "short ids are enough: {restored}");
    let wrong = home.run(&["restore", "work", "--version", "999999"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", told(&wrong));
    for (form, begins) in [("jsonl", "{"), ("json", "["), ("md", "# work")] {
        let export = home.prints(&["history", "work", "--export", form]);
        assert!(export.starts_with(begins), "{export}");
    }
    assert_eq!(home.prints(&["sessions", "--end", "work"]).trim(), "Ended work.");
    let ended = home.json(&["sessions", "--json"]);
    let work = ended["sessions"].as_array().unwrap().iter().find(|session| session["session_id"] == "work");
    assert_eq!(work.unwrap()["status"], "completed");
    assert_eq!(home.run(&["sessions", "--end", "work"]).status.code(), Some(2));
}
