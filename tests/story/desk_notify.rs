//! Notifications of the real programs: tried from the command line, sent by the daemon, taken back.

use serde_json::json;

use crate::asks::{database, told};
use crate::home::{TestHome, eventually};

fn configure(home: &TestHome, text: &str) {
    std::fs::create_dir_all(home.home.folder()).unwrap();
    std::fs::write(home.home.config(), text).unwrap();
}

/// A program that notes what it is told.
fn program(home: &TestHome) -> (String, std::path::PathBuf) {
    let out = home.home.folder().join("told");
    let script = format!("echo \"$ASKUSER_NUDGE $ASKUSER_TITLE\" >> {}", out.display());
    (format!("{{kind: command, command: [sh, -c, '{script}'], closed: true}}"), out)
}

#[test]
fn notify_test_sends_through_each_channel_and_says_what_happened() {
    let home = TestHome::new();
    let nothing = home.run(&["notify", "test"]);
    assert_eq!(nothing.status.code(), Some(2), "{}", told(&nothing));
    let (own, out) = program(&home);
    let down = "{kind: ntfy, server: \"http://127.0.0.1:1\", topic: t}";
    configure(
        &home,
        &format!("notify: {{people: {{local: {{channels: {{own: {own}, phone: {down}}}}}}}}}\n"),
    );
    let tried = home.run(&["notify", "test", "--json"]);
    assert_eq!(tried.status.code(), Some(1), "one of them is down: {}", told(&tried));
    let tried: serde_json::Value = serde_json::from_slice(&tried.stdout).unwrap();
    let (own, phone) = (&tried["channels"][0], &tried["channels"][1]);
    assert_eq!((&own["channel"], &own["sent"]), (&json!("own"), &json!(true)), "{tried}");
    assert_eq!((&phone["kind"], &phone["sent"]), (&json!("ntfy"), &json!(false)), "{tried}");
    assert!(phone["why"].as_str().unwrap().contains("refused"), "{tried}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "test askuser test\n");
    let one = home.prints(&["notify", "test", "--channel", "own"]);
    assert!(one.contains("own") && one.contains("sent") && !one.contains("phone"), "{one}");
    let agents = home.run_with(&[("CLAUDECODE", "1")], &["notify", "test"]);
    assert_eq!(agents.status.code(), Some(2), "an agent does not ring people up: {}", told(&agents));
}

#[test]
fn the_daemon_nudges_and_takes_back() {
    let home = TestHome::new();
    let (own, out) = program(&home);
    configure(&home, &format!("notify: {{people: {{local: {{channels: {{own: {own}}}}}}}}}\n"));
    let (mut asking, ask) = home.asks(&[&database()]);
    let lines = || std::fs::read_to_string(&out).unwrap_or_default();
    eventually("a nudge", || lines().starts_with("new ").then_some(()));
    home.prints(&["cancel", &ask]);
    eventually("it is taken back", || {
        lines().lines().nth(1).is_some_and(|line| line.starts_with("closed")).then_some(())
    });
    assert_eq!(lines().lines().count(), 2);
    assert_eq!(asking.ends(), 3, "the agent is told that it was declined");
}
