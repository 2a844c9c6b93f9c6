//! The files that say what askuser does: a change of one is told before it holds, and rules for
//! permissions wait for their person. With the real programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;
use serde_json::Value;

use crate::asks::told;
use crate::home::{TestHome, eventually, signal};

fn write(home: &TestHome, name: &str, text: &str) {
    fs::create_dir_all(home.home.folder()).unwrap();
    fs::set_permissions(home.home.folder(), fs::Permissions::from_mode(0o700)).unwrap();
    // Whole or not at all: a reader must not meet half of it.
    let new = home.home.folder().join(format!("{name}.new"));
    fs::write(&new, text).unwrap();
    fs::rename(new, home.home.folder().join(name)).unwrap();
}

/// The changes of a file that were told: what it was before, and after.
fn changes(home: &TestHome, file: &str) -> Vec<[Option<String>; 2]> {
    let events = home.json(&["audit", "--security", "--json"]);
    let events = events["events"].as_array().unwrap().clone();
    let of_file = |event: &&Value| event["event_type"] == "file_changed" && event["details"]["file"] == file;
    let digests =
        |event: &Value| ["before", "after"].map(|name| event["details"][name].as_str().map(str::to_owned));
    events.iter().filter(of_file).map(digests).collect()
}

/// A configuration that an agent wrote ran its command with the next SIGHUP, and the log said nothing but
/// "settings were reloaded".
#[test]
fn a_change_of_the_configuration_is_told_while_it_runs_and_since_the_last_run() {
    let home = TestHome::new();
    write(&home, "config.yaml", "server: {listen: 127.0.0.1:0}\n");
    let daemon = home.serve(&[]);
    let first = changes(&home, "config.yaml");
    assert!(matches!(first.as_slice(), [[None, Some(_)]]), "the first time: {first:?}");
    write(&home, "config.yaml", "server: {listen: 127.0.0.1:0}\nlog: {level: info}\n");
    signal(daemon.pid(), Signal::HUP);
    daemon.says("INFO The settings were reloaded");
    assert!(daemon.stderr().contains("WARN config.yaml has changed"), "{}", daemon.stderr());
    // Read once more it is the same, and a faulty one holds as little as it is told.
    signal(daemon.pid(), Signal::HUP);
    let n_read = || daemon.stderr().matches("The settings were reloaded").count();
    eventually("the second reading", || (n_read() == 2).then_some(()));
    write(&home, "config.yaml", "log: {level: loud}\n");
    signal(daemon.pid(), Signal::HUP);
    daemon.says("ERROR The settings are unchanged");
    let second = changes(&home, "config.yaml");
    assert_eq!((second.len(), &second[1][0]), (2, &first[0][1]), "{second:?}");
    home.kill();
    fs::remove_file(home.home.folder().join("config.yaml")).unwrap();
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    let third = changes(&home, "config.yaml");
    assert_eq!((third.len(), &third[2]), (3, &[second[1][1].clone(), None]), "taken away: {third:?}");
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
}

#[test]
fn rules_written_between_two_runs_are_told_and_wait_for_their_person() {
    let home = TestHome::new();
    let _first = home.serve(&["--listen", "127.0.0.1:0"]);
    home.kill();
    let rule = "{name: go on, match: {header: Permission}, permission: true, answer: true}";
    write(&home, "rules.yaml", &format!("otherwise: ask\nrules:\n- {rule}\n"));
    let again = home.serve(&["--listen", "127.0.0.1:0"]);
    let noted = changes(&home, "rules.yaml");
    assert!(matches!(noted.as_slice(), [[None, Some(_)]]), "{noted:?}");
    let listed = home.prints(&["rules", "list"]);
    assert!(listed.contains("go on") && listed.contains("not confirmed"), "{listed}");
    let doctor = home.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout);
    assert!(said.contains("1 rule for permissions in rules.yaml is not confirmed"), "{}", told(&doctor));
    // It grants nothing, and the log says why, once.
    let event = r#"{"session_id":"s","cwd":"/tmp","permission_mode":"default","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"rm -rf ~"}}"#;
    let key = fs::read_to_string(home.home.keys().join("agent")).unwrap();
    for _ in 0..2 {
        let reply = post(&home, "/api/hooks/claude-code?wait=0.05", key.trim(), event);
        assert!(reply.starts_with("HTTP/1.1 202 "), "{reply}");
    }
    let why = || again.stderr().matches("who has not confirmed the rule").count();
    eventually("the reason in the log", || (why() == 1).then_some(()));
}

/// Sends a request and returns what comes back, as it comes.
fn post(home: &TestHome, path: &str, key: &str, body: &str) -> String {
    use std::io::{Read, Write};
    let url = home.daemon().url;
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let n_bytes = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {n_bytes}\r\n\r\n{body}"
    )
    .unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}
