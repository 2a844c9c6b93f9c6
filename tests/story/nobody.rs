//! Nobody at a terminal: lines on standard input where the caller insists, an error elsewhere, and
//! never an answer that no person gave.

use std::process::Output;

use crate::asks::{ASKUSER, COMMAND, ask, database, on_lines, question, run, run_bytes, told};
use crate::home::TestHome;
use crate::press::{DOWN, ENTER};
use crate::stage::Setup;

const INSISTS: (&str, &str) = ("ASKUSER_WHERE", "terminal");

#[track_caller]
fn nobody(output: &Output, why: &str) {
    let told = told(output);
    assert_eq!(output.status.code(), Some(6), "{told}");
    assert_eq!(output.stdout, b"", "{told}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nobody is there to ask") && said.contains(why), "{told}");
    assert!(said.contains("hint: "), "it says what to do next: {told}");
}

/// Lines that were not asked for are no answer: without a terminal the desk is asked.
#[test]
fn without_a_terminal_the_desk_is_asked() {
    let home = TestHome::new();
    let lines = home.home.folder().with_file_name("lines");
    std::fs::write(&lines, "1\n").unwrap();
    let json = database();
    let mut command = home.command(ASKUSER, &["ask", "--patience", "300ms", &json]);
    let output = command.stdin(std::fs::File::open(&lines).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", told(&output));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("standard input is not read for answers"), "{}", told(&output));
    assert!(said.contains("Waiting for an answer"), "{}", told(&output));
}

#[test]
fn t9_lines_of_stdin_answer_where_the_caller_insists() {
    let output = on_lines(&database(), "2\n");
    assert_eq!(output.stdout, b"{\"answers\":{\"Database\":\"MongoDB\"}}\n", "{}", told(&output));
    let json = database();
    let output = run(ASKUSER, &["ask", "--where", "terminal", &json], &[], "3\r\n");
    assert_eq!(output.stdout, b"{\"answers\":{\"Database\":\"SQLite\"}}\n", "{}", told(&output));
    let wrong = run(COMMAND, &[&json], &[("ASKUSER_WHERE", "moon")], "1\n");
    assert_eq!((wrong.status.code(), wrong.stdout.as_slice()), (Some(1), &b""[..]), "{}", told(&wrong));
}

/// A script of a person's reads as the source document 000 does, in a terminal and away from one; an agent's
/// own lines are never an answer.
#[test]
fn t9_lines_of_a_pipe_answer_only_where_that_is_said_and_never_an_agents() {
    let json = database();
    let said = ("ASKUSER_WHERE", "stdin");
    let output = run(COMMAND, &[&json], &[said], "2\n");
    assert_eq!(output.stdout, b"{\"answers\":{\"Database\":\"MongoDB\"}}\n", "{}", told(&output));
    let mut stage = Setup::new(COMMAND).arg(json.clone()).var(said.0, said.1).stdin("3\n").start();
    assert_eq!(stage.ends().stdout, "{\"answers\":{\"Database\":\"SQLite\"}}\n");
    let agent = run(COMMAND, &[&json], &[said, ("CLAUDECODE", "1")], "1\n");
    nobody(&agent, "CLAUDECODE is set");
}

#[test]
fn the_end_of_input_is_nobodys_answer() {
    let json =
        ask(&[question("One", "First?", &["A", "B"], false), question("Two", "Second?", &["C", "D"], false)]);
    for lines in ["", "2\n", "0\n", "2\n0\n"] {
        nobody(&on_lines(&json, lines), "the input ended before the answer");
    }
}

/// A last line without an end is a line, as everywhere.
#[test]
fn t8_the_last_line_needs_no_end() {
    let output = on_lines(&database(), "2");
    assert_eq!(output.stdout, b"{\"answers\":{\"Database\":\"MongoDB\"}}\n", "{}", told(&output));
}

#[test]
fn d10_a_line_that_is_no_text_or_has_control_characters_is_no_answer() {
    let json = database();
    let not_text = run_bytes(COMMAND, &[&json], &[INSISTS], b"\xff\xfe\n2\n");
    assert_eq!(not_text.stdout, b"{\"answers\":{\"Database\":\"MongoDB\"}}\n", "{}", told(&not_text));
    assert!(String::from_utf8_lossy(&not_text.stderr).contains("not UTF-8 text"), "{}", told(&not_text));
    nobody(&run_bytes(COMMAND, &[&json], &[INSISTS], b"\xff\n"), "the input ended");
    let escape = run_bytes(COMMAND, &[&json], &[INSISTS], b"0\n\x1b[31mred\nplain\n");
    assert_eq!(
        escape.stdout,
        b"{\"answers\":{\"Database\":\"Other (custom: plain)\"}}\n",
        "{}",
        told(&escape)
    );
    assert!(!escape.stderr.contains(&0x1b), "{}", told(&escape));
    let endless = vec![b'1'; 200_000];
    let output = run_bytes(COMMAND, &[&json], &[INSISTS], &endless);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{}", told(&output));
}

/// An agent's own shell has a terminal that nobody watches (invariant 6).
#[test]
fn an_agents_mark_means_that_nobody_is_there() {
    for mark in ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT"] {
        let output = run(COMMAND, &[&database()], &[(mark, "1"), INSISTS], "1\n");
        nobody(&output, mark);
        let mut stage = Setup::new(COMMAND).arg(database()).var(mark, "1").var(INSISTS.0, INSISTS.1).start();
        let ended = stage.types("1\r").ends();
        assert_eq!((ended.code, ended.stdout.as_str()), (6, ""), "{}", ended.screen);
        assert!(ended.screen.contains(mark), "{}", ended.screen);
        assert!(!ended.bytes.contains(&0x1b), "nothing is drawn");
    }
}

#[test]
fn with_stdin_piped_and_a_terminal_the_panel_works() {
    for wiring in [r#">"$HOME/stdout" <"$HOME/stdin""#, r#"<"$HOME/stdin" | cat >"$HOME/stdout""#] {
        let mut stage = Setup::new(ASKUSER).arg("ask").arg("-").stdin(&database()).wiring(wiring).start();
        stage.sees("Esc leave");
        stage.does(DOWN, "❯ 2");
        let ended = stage.types(ENTER).ends();
        assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"MongoDB\"}}\n", "{}", ended.screen);
    }
    // Lines that are piped in beside the panel answer nothing.
    let mut stage = Setup::new(COMMAND).arg(database()).stdin("1\n").start();
    stage.sees("Esc leave");
    let ended = stage.types("3\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"SQLite\"}}\n");
}

#[test]
fn a_dash_on_a_terminal_does_not_wait_for_json_typed_by_hand() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("-").start();
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{}", ended.screen);
    assert!(ended.screen.contains("pipe the JSON in"), "{}", ended.screen);
}

#[test]
fn an_answer_that_cannot_be_printed_is_a_failure_and_a_reader_gone_is_none() {
    let mut stage = Setup::new(COMMAND).arg(database()).wiring(">/dev/full").start();
    stage.sees("Esc leave");
    let ended = stage.types("1\r").ends();
    assert_eq!(ended.code, 1, "{}", ended.screen);
    assert!(ended.screen.contains("cannot print the answer"), "{}", ended.screen);
    assert!(stage.is_cooked() && !stage.is_disturbed());
    // Whoever closed standard output wants no answer.
    for wiring in [">&-", "| true"] {
        let mut stage = Setup::new(COMMAND).arg(database()).wiring(wiring).start();
        stage.sees("Esc leave");
        let ended = stage.types("1\r").ends();
        assert_eq!(ended.code, 0, "{}", ended.screen);
        assert!(ended.screen.starts_with("✓ Database: PostgreSQL\nNot saved: "), "{}", ended.screen);
        assert_eq!(ended.screen.trim_end().lines().count(), 2, "nothing else: {}", ended.screen);
        assert!(stage.is_cooked() && !stage.is_disturbed());
    }
}

#[test]
fn t7_dumb_terminals_and_plain_get_lines() {
    for setup in [
        Setup::new(COMMAND).var("TERM", "dumb"),
        Setup::new(COMMAND).var("TERM", ""),
        Setup::new(COMMAND).arg("--plain"),
    ] {
        let mut stage = setup.arg(database()).start();
        let screen = stage.sees("Enter number or 0 for custom: ");
        assert!(screen.contains("0. Other (custom input)"), "{screen}");
        let ended = stage.types("2\r").ends();
        assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"MongoDB\"}}\n");
        assert!(!ended.bytes.contains(&0x1b), "no escapes in line mode");
    }
}

#[test]
fn two_programs_share_the_lines_of_stdin() {
    let json = database();
    let script = format!("{COMMAND} '{json}'; {COMMAND} '{json}'; cat");
    let output = run("/bin/sh", &["-c", &script], &[INSISTS], "2\n0\nmine\nrest\n");
    let expected = "{\"answers\":{\"Database\":\"MongoDB\"}}\n{\"answers\":{\"Database\":\"Other (custom: mine)\"}}\nrest\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", told(&output));
}

/// In the background of a shell the terminal belongs to someone else.
#[test]
fn in_the_background_nobody_is_there() {
    let mut stage = Setup::new("/bin/bash").arg("--norc").arg("--noprofile").arg("-i").start();
    stage.does("PS1='ready> '\r", "\nready> ");
    let line = format!("ASKUSER_WHERE=terminal {COMMAND} '{}'; echo code=$? >&2", database());
    std::fs::write(stage.home().join("ask.sh"), line).unwrap();
    let screen = stage.does("sh ask.sh &\r", "code=6");
    assert!(!screen.contains('╭'), "{screen}");
}
