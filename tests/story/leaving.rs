//! Every way out: what the caller gets, and a terminal that is as it was.

use std::io::Read;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, database, features, pushed};
use crate::press::{CTRL_C, CTRL_Z, DOWN, ENTER, ESC};
use crate::stage::{Ended, Setup, Stage};

fn asked() -> Stage {
    let stage = Setup::new(COMMAND).arg(database()).start();
    stage.sees("Esc leave");
    assert!(!stage.is_cooked());
    stage
}

/// Checks that the terminal is as a shell expects it.
#[track_caller]
fn restored(stage: &Stage, ended: &Ended) {
    given_back(stage, ended);
    assert!(!ended.screen.contains('╭'), "the panel is gone: {}", ended.screen);
}

/// Checks the same where nobody is left to look at it.
#[track_caller]
fn given_back(stage: &Stage, ended: &Ended) {
    let sent = String::from_utf8_lossy(&ended.bytes);
    assert!(stage.is_cooked(), "keys are echoed and come in lines; it was sent {sent:?}");
    assert!(!stage.is_disturbed(), "cursor and paste are as before; it was sent {sent:?}");
}

#[test]
fn ctrl_c_ends_with_130_and_nothing_on_stdout() {
    for keys in ["", "2", "0", "m", "?"] {
        let mut stage = asked();
        let ended = stage.types(keys).types(CTRL_C).ends();
        assert_eq!((ended.code, ended.stdout.as_str()), (130, ""), "{keys}");
        assert_eq!(
            ended.screen.trim_end(),
            "✗ Interrupted, not answered",
            "{:?}",
            ended.bytes.escape_ascii().to_string()
        );
        restored(&stage, &ended);
    }
}

#[test]
fn signals_from_outside_end_with_130_and_restore_the_terminal() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut stage = asked();
        stage.signal(signal);
        let ended = stage.ends();
        assert_eq!((ended.code, ended.stdout.as_str()), (130, ""));
        restored(&stage, &ended);
    }
}

#[test]
fn a_hang_up_means_nobody_is_there() {
    let mut stage = asked();
    stage.signal(Signal::HUP);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (6, ""));
    given_back(&stage, &ended);
}

/// The window is closed: the program ends by itself and answers nothing.
#[test]
fn a_closed_window_ends_the_program() {
    for plain in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let size = PtySize { rows: 30, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", r#"exec "$@" >"$HOME/stdout""#, "sh", COMMAND, &database()]);
        if plain {
            command.arg("--plain");
        }
        command.env_clear();
        command.env("HOME", home.path());
        command.env("TERM", "xterm");
        command.env("ASKUSER_WHERE", "terminal");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (mut seen, mut part) = (Vec::new(), [0; 1024]);
        while !String::from_utf8_lossy(&seen).contains("Other") {
            let n_read = reader.read(&mut part).unwrap();
            seen.extend_from_slice(&part[..n_read]);
        }
        drop((reader, pair.master));
        assert_eq!(child.wait().unwrap().exit_code(), 6);
        assert_eq!(std::fs::read_to_string(home.path().join("stdout")).unwrap(), "");
    }
}

#[test]
fn p12_a_decline_is_exit_3_and_says_so_on_stdout() {
    let mut stage = asked();
    stage.does(ESC, "2 Decline");
    stage.does("2", "Say why");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.code, 3);
    let reply: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&reply["status"], &reply["reason"]), (&json!("cancelled"), &json!("user")), "{reply}");
    assert_eq!(reply["answers"], json!({}));
    restored(&stage, &ended);
}

#[test]
/// O7: the terminal says that it timed out, also where nothing was answered.
fn o1_a_timeout_is_exit_124_and_restores_the_terminal() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--timeout").arg("300ms").arg(features()).start();
    let ended = stage.ends();
    assert_eq!(ended.code, 124, "{}", ended.screen);
    let reply: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&reply["status"], &reply["answers"]), (&json!("timeout"), &json!({})), "{reply}");
    assert!(ended.screen.contains("✗ Timed out, no answer was sent"), "{}", ended.screen);
    restored(&stage, &ended);
    let mut stage =
        Setup::new(ASKUSER).arg("ask").arg("--plain").arg("--timeout").arg("300ms").arg(features()).start();
    let ended = stage.ends();
    assert_eq!(ended.code, 124, "{}", ended.screen);
}

/// S4: what happens at the deadline is said before it comes, in the panel and in plain lines.
#[test]
fn p13_a_deadline_says_what_it_brings() {
    let options = json!([{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta", "default": true}]);
    let question =
        json!({"question_id": "q", "question_text": "Which?", "type": "multiple_choice", "options": options});
    for way in [&["ask"][..], &["ask", "--plain"]] {
        for (policy, said) in [("default", "the default “Beta” is taken"), ("abort", "the task stops")] {
            let args = [way, &["--timeout", "100s", "--on-timeout", policy]].concat();
            let setup = args.into_iter().fold(Setup::new(ASKUSER), Setup::arg);
            let stage = setup.arg(pushed(&question)).start();
            stage.sees(said);
        }
    }
}

#[test]
fn p13_at_a_timeout_the_marked_default_may_be_taken() {
    let options = json!([{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta", "default": true}]);
    let question =
        json!({"question_id": "q", "question_text": "Which?", "type": "multiple_choice", "options": options});
    let args = ["ask", "--timeout", "300ms", "--on-timeout", "default"];
    let mut setup = Setup::new(ASKUSER);
    for arg in args {
        setup = setup.arg(arg);
    }
    let mut stage = setup.arg(pushed(&question)).start();
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "{\"answers\":{\"q\":\"b\"}}\n"), "{}", ended.screen);
    assert!(!ended.screen.contains("not answered"), "a default was taken: {}", ended.screen);
    restored(&stage, &ended);
}

/// A shell with jobs on the terminal; its own prompt goes to standard error.
fn shell() -> Stage {
    let mut stage = Setup::new("/bin/bash").arg("--norc").arg("--noprofile").arg("-i").start();
    stage.does("PS1='ready> '\r", "\nready> ");
    std::fs::write(stage.home().join("ask.sh"), format!("echo $$ >pid; exec {COMMAND} '{}'", database()))
        .unwrap();
    stage
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_brings_the_panel_back() {
    let mut stage = shell();
    stage.does("sh ask.sh\r", "Esc leave");
    stage.does("2", "● MongoDB");
    let screen = stage.does(CTRL_Z, "Stopped");
    assert!(!screen.contains('╭'), "the panel is gone while it is stopped: {screen}");
    stage.does("echo in between >&2\r", "\nin between");
    let screen = stage.does("fg\r", "● MongoDB");
    assert_eq!(screen.matches('╭').count(), 1, "{screen}");
    stage.does(DOWN, "❯ 3");
    stage.does("2", "● MongoDB");
    stage.does("\r", "✓ Database: MongoDB");
    stage.does("echo code=$? >&2\r", "\ncode=0");
    let ended = stage.types("exit\r").ends();
    // `fg` itself prints there, too.
    assert!(ended.stdout.ends_with("\n{\"answers\":{\"Database\":\"MongoDB\"}}\n"), "{}", ended.stdout);
    assert!(!stage.is_disturbed());
}

#[test]
fn a_stop_from_outside_is_survived() {
    let mut stage = shell();
    stage.does("sh ask.sh\r", "Esc leave");
    let pid = std::fs::read_to_string(stage.home().join("pid")).unwrap();
    let signal = |name: &str| {
        let done = std::process::Command::new("kill").args([name, pid.trim()]).status().unwrap();
        assert!(done.success());
    };
    // A stop that cannot be caught: the shell takes the terminal as it is, and we take it back.
    signal("-STOP");
    stage.sees("Stopped");
    let screen = stage.does("fg\r", "❯ 1 ○ PostgreSQL");
    assert!(screen.contains("Esc leave"), "{screen}");
    stage.does("3", "● SQLite");
    stage.does("\r", "✓ Database: SQLite");
    stage.does("echo code=$? >&2\r", "\ncode=0");
}

#[test]
fn ctrl_z_without_a_shell_behind_does_nothing() {
    let mut stage = asked();
    stage.types(CTRL_Z);
    stage.does(DOWN, "❯ 2");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.code, 0);
    restored(&stage, &ended);
}

#[test]
fn ctrl_c_in_line_mode_is_130_too() {
    let mut stage = Setup::new(COMMAND).arg("--plain").arg(database()).start();
    stage.sees("Enter number");
    let ended = stage.types(CTRL_C).ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (130, ""));
}
