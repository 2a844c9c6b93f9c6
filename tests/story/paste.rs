//! Pasted text is text, wherever it lands: never keys, never an answer.

use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, database, pushed};
use crate::press::{CTRL_D, ENTER, ESC, paste};
use crate::stage::{Setup, Stage};

fn text_question() -> Stage {
    let json = pushed(&json!({"question_id": "q", "question_text": "Why?", "type": "text"}));
    let stage = Setup::new(ASKUSER).arg("ask").arg(json).start();
    stage.sees("type your answer");
    stage
}

fn answer(stage: &mut Stage) -> Value {
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    let reply: Value = serde_json::from_str(&ended.stdout).unwrap();
    reply["answers"]["q"].clone()
}

#[test]
fn t9_a_paste_while_choosing_answers_nothing() {
    let mut stage = Setup::new(COMMAND).arg(database()).start();
    stage.sees("Esc leave");
    for (pasted, away) in [("2\r", "j"), ("1\n", "k"), ("y\r\r\r", "j"), ("\x1b", "k"), ("\x03", "j")] {
        let screen = stage.does(&paste(pasted), "Pasted text needs a text field");
        assert!(!screen.contains('●'), "{screen}");
        stage.types(away);
        stage.loses("Pasted text");
    }
    let ended = stage.types("\x1b[H\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"PostgreSQL\"}}\n");
}

#[test]
fn d10_several_lines_are_pasted_as_they_are() {
    let mut stage = text_question();
    stage.does(&paste("one\r\ntwo\rthree\nO'Brien & <T>"), "O'Brien");
    assert_eq!(answer(&mut stage), json!("one\ntwo\nthree\nO'Brien & <T>"));
}

#[test]
fn d10_control_characters_in_a_paste_are_left_out_and_said() {
    let mut stage = text_question();
    let screen = stage.does(&paste("a\u{7}b\u{0}c\u{1b}[31md\u{85}"), "✗");
    assert!(screen.contains("❯ abc[31md"), "{screen}");
    assert_eq!(answer(&mut stage), json!("abc[31md"));
}

#[test]
fn p10_a_very_long_paste_is_taken_or_refused_and_never_cut_silently() {
    let mut stage = text_question();
    stage.types(&paste(&"长".repeat(1001)));
    stage.sees("1001/1000");
    let screen = stage.does(ENTER, "✗");
    assert!(screen.contains("1000"), "{screen}");
    stage.does("\x15", "type your answer");
    stage.types(&paste(&"y".repeat(60_000)));
    stage.sees("20000/1000");
    stage.sees("✗");
    stage.does("\x15", "type your answer");
    stage.does("short", "❯ short");
    assert_eq!(answer(&mut stage), json!("short"));
}

#[test]
fn t7_a_paste_on_other_is_typed_there_and_waits_for_enter() {
    let mut stage = Setup::new(COMMAND).arg(database()).start();
    stage.sees("Esc leave");
    stage.does("k", "❯ 0 ○ Other…");
    stage.does(&paste("Cockroach\n"), "Cockroach");
    assert_eq!(std::fs::read_to_string(stage.home().join("stdout")).unwrap(), "");
    let ended = stage.types("DB\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"Other (custom: Cockroach\\nDB)\"}}\n");
}

#[test]
fn a_paste_in_the_ways_out_neither_leaves_nor_declines() {
    let mut stage = Setup::new(COMMAND).arg(database()).start();
    stage.sees("Esc leave");
    stage.does(ESC, "Nothing has been sent.");
    stage.types(&paste("2\r\r"));
    stage.does("j", "❯ 2 Decline");
    stage.does(ENTER, "Say why");
    stage.does(&paste("no\r"), "no");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.code, 3);
}

#[test]
fn t9_what_was_typed_before_the_question_is_no_answer() {
    // Typed while the program is not there yet: the shell waits for the file.
    let mut stage = Setup::new("/bin/sh")
        .arg("-c")
        .arg(format!(r#"until [ -e "$HOME/go" ]; do :; done; exec {COMMAND} "$0""#))
        .arg(database())
        .start();
    stage.does("\r\r1\rearly", "early");
    std::fs::write(stage.home().join("go"), "").unwrap();
    let screen = stage.sees("Esc leave");
    assert!(screen.contains("❯ 1 ○ PostgreSQL"), "{screen}");
    stage.does(CTRL_D, "Nothing has been sent.");
}
