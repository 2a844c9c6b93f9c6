//! `askuser route`: a host asks whether a shell line is an agent's question (T13).

use serde_json::{Value, json};

use crate::asks::{ASKUSER, database, run, run_bytes, told};

#[track_caller]
fn routed(line: &str) -> Value {
    let output = run(ASKUSER, &["route", line], &[], "");
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(output.stderr, b"", "{}", told(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn ours(input: &str) -> Value {
    let input: Value = serde_json::from_str(input).unwrap();
    json!({"type": "agent_shell", "command": "AskUserQuestion", "input": input})
}

#[test]
fn t13_every_way_of_quoting_gives_the_same_input() {
    let json = database();
    let escaped = json.replace('"', "\\\"");
    for line in [
        format!("AskUserQuestion '{json}'"),
        format!("AskUserQuestion \"{escaped}\""),
        format!("  AskUserQuestion   '{json}'  "),
        format!("AskUserQuestion <<'EOF'\n{json}\nEOF"),
        format!("AskUserQuestion \"$(cat <<'EOF'\n{json}\nEOF\n)\""),
    ] {
        assert_eq!(routed(&line), ours(&json), "{line}");
    }
}

#[test]
fn t13_other_lines_are_not_ours() {
    for line in ["", "ls -la", "echo AskUserQuestion '{}'", "AskUserQuestions '{}'", "# AskUserQuestion '{}'"]
    {
        assert_eq!(routed(line), json!({"type": "other"}), "{line}");
    }
}

#[test]
fn t13_the_line_can_come_from_stdin() {
    let line = format!("AskUserQuestion '{}'", database());
    let output = run(ASKUSER, &["route", "-"], &[], &line);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), ours(&database()));
    let output = run_bytes(ASKUSER, &["route", "-"], &[], b"\xff\xff");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&output));
    let output = run(ASKUSER, &["route"], &[], "");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&output));
}
