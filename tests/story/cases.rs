//! The eighteen test cases of source document 000, by number, with the real program.
//!
//! Each interactive one twice: in the panel, on a real pseudo-terminal, and in line mode.

use serde_json::{Value, json};

use crate::asks::{COMMAND, ask, database, features, on_lines, question, run};
use crate::stage::Setup;

const DOWN: &str = "\x1b[B";
const ENTER: &str = "\r";

/// Answers in the panel: waits for the question, types, and returns what standard output carried.
#[track_caller]
fn in_panel(json: &str, steps: &[(&str, &str)]) -> Value {
    let mut stage = Setup::new(COMMAND).arg(json).start();
    for (seen, keys) in steps {
        stage.sees(seen);
        stage.types(keys);
    }
    let ended = stage.ends();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    assert_eq!(ended.stdout.lines().count(), 1, "one line and nothing else: {}", ended.stdout);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// Answers in line mode on the terminal.
#[track_caller]
fn in_lines(json: &str, steps: &[(&str, &str)]) -> Value {
    let mut stage = Setup::new(COMMAND).arg("--plain").arg(json).start();
    for (seen, line) in steps {
        stage.sees(seen);
        stage.types(&format!("{line}\r"));
    }
    let ended = stage.ends();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// Runs it with wrong input and returns standard error.
#[track_caller]
fn refused(json: &str) -> String {
    let output = run(COMMAND, &[json], &[], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"", "nothing on standard output");
    String::from_utf8(output.stderr).unwrap()
}

fn answers(pairs: &[(&str, &str)]) -> Value {
    let map: serde_json::Map<String, Value> =
        pairs.iter().map(|(header, label)| ((*header).to_owned(), json!(label))).collect();
    json!({ "answers": map })
}

#[test]
fn case_01_t1_one_question_one_choice() {
    let expected = answers(&[("Database", "MongoDB")]);
    let json = database();
    assert_eq!(in_panel(&json, &[("Which database?", DOWN), ("❯ 2", ENTER)]), expected);
    assert_eq!(in_lines(&json, &[("Enter number or 0 for custom: ", "2")]), expected);
}

#[test]
fn case_02_t8_one_question_several_choices() {
    let expected = answers(&[("Features", "Caching, Metrics")]);
    let json = features();
    assert_eq!(
        in_panel(&json, &[("Which features", "3"), ("[x] Metrics", "1"), ("[x] Caching", ENTER)]),
        expected
    );
    assert_eq!(in_lines(&json, &[("Enter numbers (e.g., 1,3) or 0 for custom: ", "3,1")]), expected);
}

#[test]
fn case_03_t11_several_questions_in_turn() {
    let json = ask(&[
        question("Database", "Which database?", &["PostgreSQL", "SQLite"], false),
        question("Features", "Which features?", &["Caching", "Logging"], true),
    ]);
    let expected = answers(&[("Database", "SQLite"), ("Features", "Caching, Logging")]);
    let lines =
        [("Enter number or 0 for custom: ", "2"), ("Enter numbers (e.g., 1,3) or 0 for custom: ", "1,2")];
    assert_eq!(in_lines(&json, &lines), expected);
    let keys = [
        ("question 1 of 2", DOWN),
        ("❯ 2", ENTER),
        ("question 2 of 2", "1"),
        ("[x] Caching", "2"),
        ("[x] Logging", ENTER),
        ("Caching, Logging", ENTER),
    ];
    assert_eq!(in_panel(&json, &keys), expected);
}

#[test]
fn case_04_t7_other_with_text_of_ones_own() {
    let expected = answers(&[("Database", "Other (custom: CockroachDB 数据库)")]);
    let json = database();
    assert_eq!(
        in_lines(&json, &[("Enter number", "0"), ("Enter your answer: ", "CockroachDB 数据库")]),
        expected
    );
    assert_eq!(
        in_panel(&json, &[("Other", "0"), ("❯ 0", "CockroachDB 数据库"), ("CockroachDB 数据库", ENTER)]),
        expected
    );
}

/// T4 and T5: what is missing and what is not JSON.
#[test]
fn case_05_t5_invalid_json() {
    let usage = "Usage: AskUserQuestion '{\"questions\":[...]}'\n";
    assert_eq!(refused("questions"), format!("Error: Invalid JSON format\n{usage}"));
    for json in ["{", "{\"questions\":[}", "{\"questions\":\"\\ud800\"}", &"[".repeat(5000)] {
        let said = refused(json);
        let place = said.strip_prefix(&format!("Error: Invalid JSON format\n{usage}- ")).unwrap_or_default();
        assert!(place.contains(" at line 1 column "), "{said}");
    }
    assert_eq!(refused("--bogus"), format!("Error: Unknown option --bogus\n{usage}"));
    for missing in ["", "  "] {
        assert_eq!(refused(missing), format!("Error: Missing JSON parameter\n{usage}"));
    }
    let none = run(COMMAND, &[], &[], "");
    assert_eq!(none.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&none.stderr), format!("Error: Missing JSON parameter\n{usage}"));
}

#[test]
fn case_06_t6_missing_fields_are_all_named_at_once() {
    assert_eq!(
        refused(r#"{"questions":[{}]}"#),
        "Error: Validation failed\n\
         - questions[0].question: Required\n\
         - questions[0].header: Required\n\
         - questions[0].options: Required\n\
         - questions[0].multiSelect: Required\n"
    );
    assert_eq!(
        refused(
            r#"{"questions":[{"question":"Q?","header":"Authentication","options":[{"label":"A","description":"a"}]}]}"#
        ),
        "Error: Validation failed\n\
         - questions[0].header: String must contain at most 12 character(s)\n\
         - questions[0].options: Array must contain at least 2 element(s)\n\
         - questions[0].multiSelect: Required\n"
    );
    assert_eq!(
        refused(r#"{"questions":[{"question":5,"header":null,"options":{},"multiSelect":"no"},7]}"#),
        "Error: Validation failed\n\
         - questions[0].question: Expected string, received number\n\
         - questions[0].header: Expected string, received null\n\
         - questions[0].options: Expected array, received object\n\
         - questions[0].multiSelect: Expected boolean, received string\n\
         - questions[1]: Expected object, received number\n"
    );
    assert_eq!(refused("{}"), "Error: Validation failed\n- questions: Required\n");
}

#[test]
fn case_07_t2_no_questions() {
    assert_eq!(
        refused(r#"{"questions":[]}"#),
        "Error: Validation failed\n- questions: Array must contain at least 1 element(s)\n"
    );
}

#[test]
fn case_08_t2_more_than_four_questions() {
    let five: Vec<Value> = (0..5).map(|idx| question(&format!("H{idx}"), "Q?", &["A", "B"], false)).collect();
    assert_eq!(
        refused(&ask(&five)),
        "Error: Validation failed\n- questions: Array must contain at most 4 element(s)\n"
    );
    // T3: the limit can be raised.
    let roomy = run(
        COMMAND,
        &[&ask(&five)],
        &[("ASK_MAX_QUESTIONS", "5"), ("ASKUSER_WHERE", "terminal")],
        "1\n1\n1\n1\n2\n",
    );
    assert_eq!(roomy.status.code(), Some(0));
    let wrong = run(COMMAND, &[&database()], &[("ASK_MAX_QUESTIONS", "many")], "");
    assert_eq!(wrong.status.code(), Some(1));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("ASK_MAX_QUESTIONS is `many`, which is not a positive whole number"), "{said}");
}

#[test]
fn case_09_t2_fewer_than_two_options() {
    assert_eq!(
        refused(&ask(&[question("H", "Q?", &["A"], false)])),
        "Error: Validation failed\n- questions[0].options: Array must contain at least 2 element(s)\n"
    );
}

#[test]
fn case_10_t2_more_than_four_options() {
    assert_eq!(
        refused(&ask(&[question("H", "Q?", &["A", "B", "C", "D", "E"], false)])),
        "Error: Validation failed\n- questions[0].options: Array must contain at most 4 element(s)\n"
    );
}

#[test]
fn case_11_t2_a_header_of_more_than_twelve_characters() {
    assert_eq!(
        refused(&ask(&[question("Authentication", "Q?", &["A", "B"], false)])),
        "Error: Validation failed\n- questions[0].header: String must contain at most 12 character(s)\n"
    );
    // Characters, not bytes.
    let chinese = ask(&[question("一二三四五六七八九十百千", "Q?", &["A", "B"], false)]);
    assert_eq!(on_lines(&chinese, "1\n").status.code(), Some(0));
}

#[test]
fn case_12_t2_a_question_of_more_than_500_characters() {
    assert_eq!(
        refused(&ask(&[question("H", &"问".repeat(501), &["A", "B"], false)])),
        "Error: Validation failed\n- questions[0].question: String must contain at most 500 character(s)\n"
    );
    assert_eq!(
        on_lines(&ask(&[question("H", &"问".repeat(500), &["A", "B"], false)]), "1\n").status.code(),
        Some(0)
    );
}

#[test]
fn case_13_t9_an_invalid_number_takes_the_first_and_says_so() {
    let mut stage = Setup::new(COMMAND).arg("--plain").arg(database()).start();
    stage.sees("Enter number");
    let ended = stage.types("7\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"PostgreSQL\"}}\n");
    assert!(ended.screen.contains("7 is not a choice: took 1. PostgreSQL"), "{}", ended.screen);
    // In the panel a number that is no choice picks nothing.
    let mut stage = Setup::new(COMMAND).arg(database()).start();
    stage.sees("Which database?");
    stage.types("7");
    stage.types("\x1b[B");
    let screen = stage.sees("❯ 2");
    assert!(!screen.contains('●'), "{screen}");
}

#[test]
fn case_14_t9_an_empty_line_takes_the_first_and_says_so() {
    let mut stage = Setup::new(COMMAND).arg("--plain").arg(database()).start();
    stage.sees("Enter number");
    let ended = stage.types("\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"PostgreSQL\"}}\n");
    assert!(ended.screen.contains("Nothing typed: took 1. PostgreSQL"), "{}", ended.screen);
}

#[test]
fn case_15_t8_a_number_picks() {
    let expected = answers(&[("Database", "PostgreSQL")]);
    assert_eq!(in_lines(&database(), &[("Enter number", "1")]), expected);
    assert_eq!(in_panel(&database(), &[("Which database?", "1"), ("●", ENTER)]), expected);
}

#[test]
fn case_16_t8_numbers_pick_several() {
    let expected = answers(&[("Features", "Caching, Metrics")]);
    assert_eq!(in_lines(&features(), &[("Enter numbers", "1,3")]), expected);
    // Repeats and invalid ones are dropped, the order is that of the options.
    assert_eq!(in_lines(&features(), &[("Enter numbers", "3,9,1,1")]), expected);
}

#[test]
fn case_17_t10_zero_or_other_asks_for_text() {
    for word in ["0", "other", "OTHER"] {
        let expected = answers(&[("Database", "Other (custom: my own)")]);
        assert_eq!(
            in_lines(&database(), &[("Enter number", word), ("Enter your answer: ", "my own")]),
            expected
        );
    }
    let expected = answers(&[("Features", "Logging, Other (custom: tracing)")]);
    assert_eq!(
        in_lines(&features(), &[("Enter numbers", "0,2"), ("Enter your answer: ", "tracing")]),
        expected
    );
}

#[test]
fn case_18_t10_an_empty_text_is_never_an_answer() {
    let lines = [
        ("Enter number", "0"),
        ("Enter your answer: ", ""),
        ("Nothing typed. Type your answer", ""),
        ("back to the choices", "2"),
    ];
    assert_eq!(in_lines(&database(), &lines), answers(&[("Database", "MongoDB")]));
    let mut stage = Setup::new(COMMAND).arg(database()).start();
    stage.sees("Other");
    stage.types("0");
    stage.sees("❯ 0");
    stage.types("\r");
    // Still there, and still nothing on standard output.
    stage.types("x");
    let screen = stage.wait("the typed letter", |screen| {
        screen.lines().any(|line| line.contains('x') && line.contains("│"))
    });
    assert!(screen.contains("Which database?"), "{screen}");
    let ended = stage.types("\r").ends();
    assert_eq!(ended.stdout, "{\"answers\":{\"Database\":\"Other (custom: x)\"}}\n");
}
