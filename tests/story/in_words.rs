//! Questions in words: no JSON goes in, and only what was answered comes out.

use serde_json::json;

use crate::asks::{ASKUSER, run, told};
use crate::home::TestHome;
use crate::stage::{Ended, Setup};

const ENTER: &str = "\r";
const SIZES: [(u16, u16); 4] = [(120, 30), (80, 24), (60, 20), (40, 20)];

/// Asks on a terminal alone and answers with these keys, each after what must be seen before.
#[track_caller]
fn asked(args: &[&str], vars: &[(&str, &str)], size: (u16, u16), steps: &[(&str, &str)]) -> Ended {
    let setup = Setup::new(ASKUSER).size(size.0, size.1).var("ASKUSER_WHERE", "terminal");
    let setup = args.iter().fold(setup, |setup, arg| setup.arg(*arg));
    let mut stage = vars.iter().fold(setup, |setup, (name, value)| setup.var(name, value)).start();
    for (seen, keys) in steps {
        stage.sees(seen);
        stage.types(keys);
    }
    stage.ends()
}

#[test]
fn words_alone_are_a_yes_no_question_at_every_width_in_both_languages() {
    for size in SIZES {
        for (language, yes) in [("en", "1 ○ Yes"), ("zh", "1 ○ 是")] {
            let vars = [("ASKUSER_LANG", language)];
            let ended = asked(&["ask", "Deploy to production?"], &vars, size, &[(yes, "1"), ("●", ENTER)]);
            assert_eq!((ended.code, ended.stdout.as_str()), (0, "{\"answers\":{\"q1\":true}}\n"), "{size:?}");
        }
    }
}

#[test]
fn options_have_descriptions_and_the_value_is_the_label() {
    let args = [
        "ask",
        "Which database?",
        "-o",
        "PostgreSQL: one server more",
        "-o",
        "SQLite",
        "--recommend",
        "sqlite",
        "--header",
        "Database",
        "--context",
        "The shop needs one.",
        "--output",
        "value",
    ];
    for size in SIZES {
        for (language, mark) in [("en", "★ recommended"), ("zh", "★ 推荐")] {
            let vars = [("ASKUSER_LANG", language)];
            let steps = [("one server more", ""), ("The shop needs one.", ""), (mark, "2"), ("●", ENTER)];
            let ended = asked(&args, &vars, size, &steps);
            assert_eq!((ended.code, ended.stdout.as_str()), (0, "SQLite\n"), "{}", ended.screen);
        }
    }
}

#[test]
fn several_questions_become_assignments() {
    let args = [
        "ask", "Where?", "--header", "env", "-o", "staging", "-o", "prod", "-q", "Which?", "--multi", "-o",
        "it's A", "-o", "B", "--output", "shell",
    ];
    let steps = [
        ("1 ○ staging", "2"),
        ("prod", ENTER),
        ("[ ] it's A", "1"),
        ("[x]", "2"),
        ("B", ENTER),
        ("Send", ENTER),
    ];
    let ended = asked(&args, &[], (80, 24), &steps);
    assert_eq!(ended.stdout, "env='prod'\nq2='it'\\''s A\nB'\n", "{}", ended.screen);
    // What is printed is for `eval`, in every shell that people write scripts for.
    for shell in [&["sh"][..], &["bash"], &["zsh", "-f"]] {
        let line = r#"eval "$1"; printf '%s|%s' "$env" "$q2""#;
        let mut command = std::process::Command::new(shell[0]);
        let output = command.args(&shell[1..]).args(["-c", line, "script", &ended.stdout]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "prod|it's A\nB", "{shell:?}");
    }
}

#[test]
fn the_exit_code_says_yes_or_no_and_confirm_prints_nothing() {
    for (key, code) in [("1", 0), ("2", 10)] {
        let ended = asked(&["confirm", "Go on?"], &[], (80, 24), &[("1 ○ Yes", key), ("●", ENTER)]);
        assert_eq!((ended.code, ended.stdout.as_str()), (code, ""), "{}", ended.screen);
        let args = ["ask", "Go on?", "--exit-code", "--output", "value"];
        let ended = asked(&args, &[], (80, 24), &[("1 ○ Yes", key), ("●", ENTER)]);
        let said = if code == 0 { "yes\n" } else { "no\n" };
        assert_eq!((ended.code, ended.stdout.as_str()), (code, said), "{}", ended.screen);
    }
}

#[test]
fn what_is_no_answer_prints_nothing_and_is_no_no() {
    let home = TestHome::new();
    let desk = ["--where", "desk", "--output", "value"];
    let (mut program, id) = home.asks(&["Go on?", "--exit-code", "--output", "value"]);
    home.prints(&["cancel", &id, "--reason", "not today"]);
    assert_eq!((program.ends(), program.stdout()), (3, String::new()));
    program.says("Declined: not today");
    let late = [&["ask", "Go on?", "--exit-code", "--timeout", "1s"][..], &desk].concat();
    let output = home.run(&late);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(124), &b""[..]), "{}", told(&output));
    assert!(told(&output).contains("Timed out"), "{}", told(&output));
    let output = home.run(&[&["ask", "Go on?", "--patience", "1s"][..], &desk].concat());
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(5), &b""[..]), "{}", told(&output));
    // Whoever comes back gets the answer in the same form.
    let ask = home.json(&["list", "--json"]);
    let id = ask["asks"][0]["ask_id"].as_str().unwrap_or_else(|| panic!("{ask}")).to_owned();
    home.prints(&["answer", &id, "--pick", "N"]);
    let output = home.run(&["wait", &id, "--output", "value", "--exit-code"]);
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(10), &b"no\n"[..]),
        "{}",
        told(&output)
    );
}

#[test]
fn a_default_that_answered_is_said_to_have() {
    let home = TestHome::new();
    let args = [
        "ask",
        "Go on?",
        "--default",
        "yes",
        "--timeout",
        "1s",
        "--on-timeout",
        "default",
        "--where",
        "desk",
    ];
    for (language, said) in
        [("en", "Answered by default, nobody answered in time"), ("zh", "无人及时回答，按默认值回答")]
    {
        let output = home.run_with(&[("ASKUSER_LANG", language)], &args);
        assert_eq!(output.stdout, b"{\"answers\":{\"q1\":true}}\n", "{}", told(&output));
        assert!(told(&output).contains(said), "{}", told(&output));
    }
}

#[test]
fn answers_come_under_the_same_key_every_time() {
    let home = TestHome::new();
    for _ in 0..2 {
        let question = json!({"question_text": "Ship it?", "type": "boolean"}).to_string();
        let (mut program, id) = home.asks(&[&question]);
        let sheet = json!({"answers": {"q1": true}}).to_string();
        home.prints(&["answer", &id, "--json", &sheet]);
        program.ends();
        assert_eq!(program.stdout(), "{\"answers\":{\"q1\":true}}\n");
    }
}

#[test]
fn standard_input_is_json_or_a_context_and_never_a_question() {
    let answers = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(answers.path(), "answers: {q1: B}").unwrap();
    let file = answers.path().to_str().unwrap();
    let options = ["-o", "A", "-o", "B", "--answers", file];
    let output =
        run(ASKUSER, &["ask", "--answers", file], &[], "{\"question\":\"Which?\",\"options\":[\"A\",\"B\"]}");
    assert_eq!(output.stdout, b"{\"answers\":{\"q1\":\"B\"}}\n", "{}", told(&output));
    let output = run(ASKUSER, &[&["ask", "Which?", "--context", "-"][..], &options].concat(), &[], "why");
    assert_eq!(output.stdout, b"{\"answers\":{\"q1\":\"B\"}}\n", "{}", told(&output));
    for args in [&["ask"][..], &["ask", "-"]] {
        let output = run(ASKUSER, args, &[], "curl: (7) failed to connect");
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert!(told(&output).contains("standard input is not JSON"), "{}", told(&output));
    }
    let output = run(ASKUSER, &["choose", "Which?", "--answers", file], &[], "A: first\n\nB\n");
    assert_eq!(output.stdout, b"B\n", "{}", told(&output));
}

/// Invariant 6: where an agent runs it, what is piped in answers nothing.
#[test]
fn a_pipe_of_an_agent_answers_no_question_in_words() {
    for args in [&["ask", "Go on?"][..], &["confirm", "Go on?"]] {
        let vars = [("CLAUDECODE", "1"), ("ASKUSER_WHERE", "stdin")];
        let output = run(ASKUSER, args, &vars, "1\n");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(6), &b""[..]),
            "{}",
            told(&output)
        );
    }
    let person = run(ASKUSER, &["confirm", "Go on?"], &[("ASKUSER_WHERE", "stdin")], "2\n");
    assert_eq!((person.status.code(), person.stdout.as_slice()), (Some(10), &b""[..]), "{}", told(&person));
}

#[test]
fn input_and_choose_print_what_was_said() {
    let ended = asked(&["input", "What name?", "--default", "shop"], &[], (60, 20), &[("shop", ENTER)]);
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "shop\n"), "{}", ended.screen);
    let args = ["choose", "Which?", "A", "B: the second", "--multi", "--no-other"];
    let steps = [("[ ] A", "1"), ("the second", "2"), ("[x] B", ENTER)];
    let ended = asked(&args, &[], (60, 20), &steps);
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "A\nB\n"), "{}", ended.screen);
    assert!(!String::from_utf8_lossy(&ended.bytes).contains("Other"), "{}", ended.screen);
}
