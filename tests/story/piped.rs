//! Answers that are piped in: only where the caller says so, recorded for what they are, and never an agent's own.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::asks::{ASKUSER, COMMAND, ask, database, question, told};
use crate::home::{TestHome, by_key};
use crate::stage::Setup;

const MONGO: &str = "{\"answers\":{\"Database\":\"MongoDB\"}}\n";

/// Runs a program of this home with these lines on its standard input.
fn piped(home: &TestHome, program: &str, vars: &[(&str, &str)], args: &[&str], lines: &str) -> Output {
    let mut command = home.command(program, args);
    command.envs(vars.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that wants no input may be gone before it was written.
    let _wanted = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

fn all(home: &TestHome) -> Vec<Value> {
    home.json(&["list", "--all", "--json"])["asks"].as_array().unwrap().clone()
}

#[test]
fn t9_plain_lines_of_a_pipe_answer_without_a_daemon_and_with_one() {
    let home = TestHome::new();
    let json = database();
    for (program, args) in [(COMMAND, &["--plain", &json][..]), (ASKUSER, &["ask", "--plain=list", &json])] {
        let output = piped(&home, program, &[], args, "2\n");
        assert_eq!(output.stdout, MONGO.as_bytes(), "{}", told(&output));
        assert_eq!(output.status.code(), Some(0));
    }
    let yes = r#"{"question_id":"ship","question_text":"Ship it?","type":"boolean"}"#;
    let output = piped(&home, ASKUSER, &[], &["ask", "--plain", yes], "y\n");
    assert_eq!(output.stdout, b"{\"answers\":{\"ship\":true}}\n", "{}", told(&output));
    // They are on the disk, and nobody says that somebody typed them at a terminal.
    let asked = all(&home);
    assert_eq!(asked.len(), 3);
    let by = asked.iter().find(|ask| ask["questions"][0]["header"] == "Database").unwrap();
    assert_eq!(by["outcome"]["by"]["channel"], "api", "{by}");
    assert_ne!(by["outcome"]["by"]["proof"], "terminal", "{by}");
    assert_eq!(by_key("api", ASKUSER)["proof"], by["outcome"]["by"]["proof"]);
}

#[test]
fn plain_lines_of_a_pipe_go_before_the_terminal() {
    let home = TestHome::new();
    let setup = Setup::new(COMMAND).arg("--plain").arg(database()).stdin("2\n");
    let ended = setup.var("ASKUSER_HOME", &home.data()).start().ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, MONGO), "{}", ended.screen);
}

/// The end of the lines is nobody's answer, and neither is a line that names no choice.
#[test]
fn lines_that_end_too_soon_leave_the_question_open() {
    let home = TestHome::new();
    let two =
        ask(&[question("One", "First?", &["A", "B"], false), question("Two", "Second?", &["C", "D"], false)]);
    for (json, lines) in [(&two, "1\n"), (&database(), ""), (&database(), "web-3\nweb-4\n")] {
        let output = piped(&home, ASKUSER, &[], &["ask", "--plain", json], lines);
        assert_eq!(output.status.code(), Some(5), "{}", told(&output));
        let reply: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(reply["status"], "pending");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("The piped lines ended before every question was answered"), "{said}");
        assert!(said.contains("`askuser answer`") && said.contains("`askuser wait ask_"), "{said}");
    }
    assert!(all(&home).iter().all(|ask| ask["outcome"].is_null()));
    // Without a place to keep it, nobody is left to answer it.
    let nowhere = crate::home::below_a_file(&home).display().to_string();
    let vars = [("ASKUSER_HOME", nowhere.as_str())];
    let output = piped(&home, COMMAND, &vars, &["--plain", &two], "1\n");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(6), &b""[..]), "{}", told(&output));
    let output = piped(&home, COMMAND, &vars, &["--plain", &two], "1\n2\n");
    assert_eq!(output.stdout, b"{\"answers\":{\"One\":\"A\",\"Two\":\"D\"}}\n", "{}", told(&output));
}

/// Invariant 6: an agent that pipes its own lines in would answer itself.
#[test]
fn an_agents_lines_are_never_read() {
    let home = TestHome::new();
    let json = database();
    for mark in ["CLAUDECODE", "GEMINI_CLI"] {
        let args = ["ask", "--plain", "--patience", "300ms", &json];
        let output = piped(&home, ASKUSER, &[(mark, "1")], &args, "2\n");
        assert_eq!(output.status.code(), Some(5), "{}", told(&output));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("standard input is not read for answers"), "{said}");
        assert!(said.contains(mark) && !said.contains("askuser answer"), "{said}");
    }
    assert!(all(&home).iter().all(|ask| ask["outcome"].is_null()));
}

/// A loop's list is not eaten: neither without the flag, nor where only a profile wants lines.
#[test]
fn a_loop_keeps_its_list() {
    let home = TestHome::new();
    let json = database();
    let script = format!("while read host; do {ASKUSER} ask --patience 1ms '{json}' >&2; echo $host; done");
    for vars in [&[][..], &[("ASKUSER_PLAIN", "box")]] {
        let output = piped(&home, "/bin/sh", vars, &["-c", &script], "1\n2\n3\n");
        assert_eq!(output.stdout, b"1\n2\n3\n", "{}", told(&output));
    }
    // The questions themselves came that way: nothing is left to be read.
    let mut command = home.command(ASKUSER, &["ask", "--plain", "--patience", "300ms", "-"]);
    let file = home.path().join("ask.json");
    std::fs::write(&file, &json).unwrap();
    let output = command.stdin(std::fs::File::open(&file).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", told(&output));
    assert!(!told(&output).contains("piped lines"), "{}", told(&output));
    assert!(all(&home).iter().all(|ask| ask["outcome"].is_null()));
}
