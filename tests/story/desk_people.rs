//! Who may do what: agents' marks, keys and their roles, users, and the look over everything.

use serde_json::json;

use crate::asks::{database, told};
use crate::home::TestHome;

#[test]
fn a_persons_commands_are_not_for_agents() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&[&database()]);
    for args in [
        &["answer", &id, "--pick", "MongoDB"][..],
        &["cancel", &id][..],
        &["list"][..],
        &["inbox"][..],
        &["show", &id][..],
        &["sessions"][..],
        &["history", "x"][..],
        &["restore", "x"][..],
        &["open"][..],
        &["serve", "--open"][..],
        &["stop"][..],
        &["key", "create", "--role", "person"][..],
        &["key", "revoke", "x"][..],
        &["user", "add", "x"][..],
        &["user", "list"][..],
        &["audit", "--verify"][..],
        &["events", "--as", "person"][..],
    ] {
        let output = home.run_with(&[("CODEX_SANDBOX", "seatbelt")], args);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("CODEX_SANDBOX is set") && !said.contains("--as-person"), "{said}");
    }
    assert!(ask.is_running());
    // An agent may look at its own ask, take it back, and see how the desk is doing.
    let status = home.run_with(&[("CODEX_SANDBOX", "seatbelt")], &["status"]);
    assert_eq!(status.status.code(), Some(0), "{}", told(&status));
    // A person who insists is let through, and that is noted.
    let output = home.run_with(&[("CLAUDECODE", "1")], &["answer", &id, "--pick", "MongoDB", "--as-person"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(ask.ends(), 0);
    let seen = home.json(&["show", &id, "--json"]);
    assert_eq!(seen["outcome"]["by"]["proof"], "as_person", "in the fact, not in the log alone");
    let noted = |mark: &str| {
        let line = format!("A person's command ran where an agent's mark is set mark=\"{mark}\"");
        assert!(home.log().contains(&line), "{}", home.log());
    };
    noted("CLAUDECODE");
    let stopped = home.run_with(&[("GEMINI_CLI", "1")], &["stop", "--as-person"]);
    assert_eq!((stopped.status.code(), stopped.stdout.as_slice()), (Some(0), &b"Stopped askuser.\n"[..]));
    noted("GEMINI_CLI");
}

#[test]
fn a_key_opens_what_it_is_for_and_nothing_else() {
    let home = TestHome::new();
    let (_ask, id) = home.asks(&[&database()]);
    let key = |role: &str| home.key(role);
    let (agent, person) = (key("agent"), key("person"));
    let refused = home.run_with(
        &[("ASKUSER_KEY", &agent)],
        &["answer", &id, "--json", "{\"answers\":{\"r1q1\":\"SQLite\"}}"],
    );
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("an agent cannot answer itself"),
        "{}",
        told(&refused)
    );
    let refused = home.run_with(&[("ASKUSER_AGENT_KEY", &person)], &["ask", "--where", "desk", &database()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("needs an agent's key"), "{}", told(&refused));
    let unknown = home.run_with(&[("ASKUSER_KEY", "askuser_person_0")], &["list"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("hint: "), "{}", told(&unknown));
    // Another user's asks are not there.
    home.prints(&["user", "add", "ana"]);
    let ana = home.prints(&["key", "create", "--role", "person", "--user", "ana"]);
    assert!(ana.starts_with("askuser_person_"), "the key and nothing else: {ana}");
    let list = home.run_with(&[("ASKUSER_KEY", &ana)], &["list"]);
    assert_eq!(list.stdout, b"No questions are waiting.\n");
    assert_eq!(home.run_with(&[("ASKUSER_KEY", &ana)], &["show", &id]).status.code(), Some(2));
    let keys = home.json(&["key", "list", "--json"]);
    let made = keys["keys"].as_array().unwrap().iter().find(|key| key["user"] == "ana").unwrap();
    home.prints(&["key", "revoke", made["key_id"].as_str().unwrap()]);
    assert_eq!(home.run_with(&[("ASKUSER_KEY", &ana)], &["list"]).status.code(), Some(1));
    home.prints(&["user", "disable", "ana"]);
    assert!(home.prints(&["user", "list"]).contains("ana"));
}

#[test]
fn a_lost_key_is_made_anew_by_whoever_may_start_the_daemon() {
    let home = TestHome::new();
    home.wakes();
    std::fs::remove_file(home.home.keys().join("person")).unwrap();
    let list = home.run(&["list"]);
    assert_eq!(list.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&list.stderr).contains("serve --new-keys"), "{}", told(&list));
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("fail  person key"), "{}", told(&doctor));
    home.prints(&["stop"]);
    let _daemon = home.serve(&["--listen", "127.0.0.1:0", "--new-keys"]);
    assert_eq!(home.prints(&["list"]), "No questions are waiting.");
    assert!(home.prints(&["doctor"]).contains("ok    person key"));
}

#[test]
fn doctor_config_and_open_say_how_things_stand() {
    let home = TestHome::new();
    let doctor = home.prints(&["doctor"]);
    assert!(doctor.contains("does not exist yet"), "{doctor}");
    assert!(!home.home.folder().exists(), "looking makes nothing");
    let link = home.prints(&["open"]);
    assert!(link.starts_with("http://askuser-") && link.contains("/login/"), "{link}");
    let doctor = home.json(&["doctor", "--json"]);
    let findings = doctor["findings"].as_array().unwrap();
    // How many files may be open is up to the machine.
    let mut ours = findings.iter().filter(|finding| finding["what"] != "open files");
    assert!(ours.all(|finding| finding["verdict"] == "ok"), "{doctor}");
    let config = home.json(&["config", "--json"]);
    let data =
        config["settings"].as_array().unwrap().iter().find(|setting| setting["name"] == "data").unwrap();
    assert_eq!(data, &json!({"name": "data", "value": home.data(), "from": "ASKUSER_HOME"}));
    let status = home.prints(&["status"]);
    assert!(status.contains("0 questions are waiting"), "{status}");
}

/// P3: what is asked again and again only to see whether the desk works is no repetition.
#[test]
fn the_doctor_may_come_as_often_as_anybody_wants() {
    let home = TestHome::new();
    home.wakes();
    for visit in 1..=12 {
        let doctor = home.prints(&["doctor"]);
        assert!(doctor.contains("asked, answered and read back"), "{visit}: {doctor}");
    }
}
